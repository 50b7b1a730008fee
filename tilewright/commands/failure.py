"""How the command line ends: a user's mistake, an interrupt, or a bug of ours."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tilewright.commands.terminal import say
from tilewright.ir.errors import CompilerBug, UserError

USER_ERROR = 1
USAGE_ERROR = 2
COMPILER_BUG = 3
INTERRUPTED = 130


class UsageError(UserError):
    """What was typed cannot be meant; the program that was given is not to blame."""


def guarded(command: Callable[[], object]) -> None:
    """Run a command; turn exceptions into messages and exit codes."""
    try:
        command()
    except UsageError as error:
        say(error, error=True)
        sys.exit(USAGE_ERROR)
    except UserError as error:
        say(error, error=True)
        sys.exit(USER_ERROR)
    except KeyboardInterrupt:
        say("interrupted", error=True)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.exit(0)
    except Exception as error:
        if isinstance(error, CompilerBug) and error.evidence is not None:
            told, kept = str(error), f"the folder {error.evidence}"
        else:
            told = f"internal error: {type(error).__name__}: {error}"
            kept = f"the file {write_reproducer(error)}"
        say(
            f"{told}\n"
            "This is a bug in tilewright, not in your program. Please report it with "
            f"{kept}, which holds what is needed to reproduce it.",
            error=True,
        )
        sys.exit(COMPILER_BUG)


def write_reproducer(error: Exception) -> Path:
    """One file with command, versions, traceback and the input files' texts."""
    parts = ["# tilewright reproducer", "", "command: " + " ".join(sys.argv), ""]
    parts += [f"python {platform.python_version()} on {platform.platform()}"]
    parts += [f"{name} {_version(name)}" for name in _PACKAGES]
    parts += ["", "".join(traceback.format_exception(error))]
    for argument in sys.argv[1:]:
        path = Path(argument)
        if path.suffix in (".mlir", ".tw") and os.path.isfile(path):
            parts += [f"==== {path}", path.read_text(errors="replace")]
    # A name may hold bytes that are no UTF-8.
    text = "\n".join(parts).encode(errors="backslashreplace")
    name = f"tilewright-bug-{hashlib.sha256(text).hexdigest()[:10]}.txt"
    try:
        Path(name).write_bytes(text)
        return Path(name)
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="tilewright-bug-"))
        (folder / name).write_bytes(text)
        return folder / name


_PACKAGES = ("tilewright", "xdsl", "torch", "triton", "numpy", "optuna", "lark")


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
