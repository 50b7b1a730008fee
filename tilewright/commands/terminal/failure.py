"""Exit codes and messages for errors, interrupts and our own bugs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from tilewright.commands.terminal.messages import say
from tilewright.ir.errors import CompilerBug, UserError

USER_ERROR = 1
USAGE_ERROR = 2
COMPILER_BUG = 3
INTERRUPTED = 130


_TOLD = "tilewright_told"


def tell_interrupt(interrupt: KeyboardInterrupt, message: str) -> None:
    """Say what an interrupt leaves behind, instead of `interrupted`."""
    say(message, error=True)
    setattr(interrupt, _TOLD, True)


def _interruptible(command: Callable[[], object]) -> None:
    """Run a command; Typer turns Ctrl-C into an exit without a word, this undoes it."""
    try:
        command()
    except SystemExit as end:
        interrupt = getattr(end.__context__, "__cause__", None)
        if end.code == INTERRUPTED and isinstance(interrupt, KeyboardInterrupt):
            raise interrupt from None
        raise


class UsageError(UserError):
    """A mistake in the arguments of a command, not in its files."""


def guarded(command: Callable[[], object]) -> None:
    """Run a command, and turn exceptions into messages and exit codes."""
    try:
        _interruptible(command)
    except UsageError as error:
        say(error, error=True)
        sys.exit(USAGE_ERROR)
    except UserError as error:
        say(error, error=True)
        sys.exit(USER_ERROR)
    except KeyboardInterrupt as interrupt:
        if not getattr(interrupt, _TOLD, False):
            say("interrupted", error=True)
        sys.exit(INTERRUPTED)
    except Exception as error:
        if isinstance(error, FileNotFoundError) and _has_no_folder():
            say(_NO_FOLDER, error=True)
            sys.exit(USER_ERROR)
        report_bug(error)
        sys.exit(COMPILER_BUG)


_NO_FOLDER = UserError(
    "the current folder does not exist any more", remedy="cd to one that does"
)


def _has_no_folder() -> bool:
    """Whether the folder that the command was started in has been removed."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def report_bug(error: Exception) -> None:
    """Say what went wrong, and where the file is that reproduces it."""
    from tilewright.commands.terminal.reproducer import reproducer, write_reproducer

    told = f"internal error: {type(error).__name__}: {error}"
    if isinstance(error, CompilerBug) and error.evidence is not None:
        told, kept = str(error), f"the folder {error.evidence}"
    else:
        text = reproducer(error)
        try:
            kept = f"the file {write_reproducer(text)}"
        except OSError as failed:
            say(text, error=True)
            kept = f"the text above (no file could be written: {failed})"
    say(
        f"{told}\n"
        "This is a bug in tilewright, not in your program. Please report it with "
        f"{kept}, which holds what is needed to reproduce it.",
        error=True,
    )
