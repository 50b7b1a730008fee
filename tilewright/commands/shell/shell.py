"""The loop of the shell: read a statement, run it, show what changed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from tilewright.commands.inputs.files import check_payload
from tilewright.commands.shell.actions import COMMANDS, Quit
from tilewright.commands.shell.screen import Screen
from tilewright.commands.terminal.failure import (
    COMPILER_BUG,
    USER_ERROR,
    report_bug,
)
from tilewright.editor.reading.payload import Payload
from tilewright.editor.shell.session import ShellSession, is_complete
from tilewright.ir.errors import UserError
from tilewright.pipeline import read_payload

Ask = Callable[[str], str]
"""Gives the next line of a statement; `EOFError` ends the shell."""


def shell(path: Path) -> None:
    """Read statements until the end; a piped statement that failed sets the code."""
    check_payload(path, f"give a payload, and paste the statements of {path}")
    session = ShellSession(Payload(path, read_payload(path)))
    is_terminal = sys.stdin.isatty()
    if is_terminal:
        need_packages()
    screen = Screen(is_terminal)
    ask = _prompt(session) if is_terminal else _piped()
    if is_terminal:
        screen.say("type a statement; 'help' lists what else there is")
    code = run_loop(session, screen, ask)
    if code and not is_terminal:
        sys.exit(code)


def run_loop(session: ShellSession, screen: Screen, ask: Ask) -> int:
    """Run statements and commands; gives the exit code of the worst failure.

    The statements so far survive a bug of the compiler, and Ctrl-C at a prompt.
    """
    worst = 0
    for statement in _statements(ask):
        try:
            run_one(session, screen, statement)
        except Quit:
            break
        except UserError as error:
            worst = max(worst, USER_ERROR)
            screen.error(error)
        except KeyboardInterrupt:
            if not screen.is_terminal:
                raise
            screen.say("interrupted", "dim")
        except Exception as error:
            worst = max(worst, COMPILER_BUG)
            report_bug(error)
    return worst


def run_one(session: ShellSession, screen: Screen, statement: str) -> None:
    """Run a statement, or a command of the shell.

    Handles may have the names of commands: `loops = match "scf.for" in root`.
    """
    word, *others = statement.split(maxsplit=1)
    rest = others[0].strip() if others else ""
    is_statement = rest.startswith(("=", ",", ":"))
    if not is_statement and (command := COMMANDS.get(word)) is not None:
        command.run(session, screen, rest)
        return
    screen.outcome(session.add(statement.strip()))


def _statements(ask: Ask) -> Iterator[str]:
    """Whole statements; a line with an open bracket goes on."""
    text = ""
    while True:
        try:
            line = ask(text)
        except EOFError:
            if text.strip():
                yield text
            return
        except KeyboardInterrupt:
            text = ""
            continue
        text = f"{text}\n{line}" if text else line
        if not text.strip() or text.strip().startswith("//") and "\n" not in text:
            text = ""
        elif is_complete(text):
            yield text
            text = ""


def _piped() -> Ask:
    def ask(_: str) -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.rstrip("\n")

    return ask


def _prompt(session: ShellSession) -> Ask:
    from tilewright.codegen.runtime.source_cache import kept_directory
    from tilewright.editor.shell.prompt import Prompt

    folder = kept_directory("shell")
    history = None if folder is None else folder / "history"
    return Prompt(session, tuple(COMMANDS), history).line


def need_packages() -> None:
    """Refuse with a remedy where the extra is missing; imports nothing."""
    if find_spec("prompt_toolkit") is None:
        raise UserError(
            "tilewright shell needs prompt_toolkit on a terminal",
            remedy="pip install 'tilewright[shell]', or pipe statements into it",
        )
