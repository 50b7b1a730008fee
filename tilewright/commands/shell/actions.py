"""The commands of the shell itself: undo, save, help, ..."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tilewright.commands.shell.screen import Screen
from tilewright.commands.terminal.output_files import replace_text
from tilewright.editor.answers.hover import explain_verb
from tilewright.editor.shell.session import ShellSession
from tilewright.ir.errors import UserError
from tilewright.ir.outline import outline_text
from tilewright.ir.phrases import did_you_mean
from tilewright.ir.text import to_text
from tilewright.schedules.language.verbs.vocabulary import BY_NAME, VERBS


class Quit(Exception):
    """The user has asked to leave."""


@dataclass(frozen=True)
class Command:
    """A command: what it does, and how."""

    told: str
    run: Callable[[ShellSession, Screen, str], None]


def _undo(session: ShellSession, screen: Screen, rest: str) -> None:
    _need_nothing("undo", rest)
    screen.say(f"undone: {session.undo()}", "dim")


def _redo(session: ShellSession, screen: Screen, rest: str) -> None:
    _need_nothing("redo", rest)
    screen.outcome(session.redo())


def _show(session: ShellSession, screen: Screen, rest: str) -> None:
    _need_nothing("show", rest)
    screen.code(session.text())


def _payload(session: ShellSession, screen: Screen, rest: str) -> None:
    _need_nothing("payload", rest)
    screen.code(to_text(session.module))


def _loops(session: ShellSession, screen: Screen, rest: str) -> None:
    _need_nothing("loops", rest)
    screen.code(outline_text(session.module))


def _save(session: ShellSession, screen: Screen, rest: str) -> None:
    path = Path(rest or f"{session.name}.tw")
    if path.suffix != ".tw":
        raise UserError(f"{path} is not a .tw file", remedy=f"save {path}.tw")
    if path.exists():
        raise UserError(f"{path} exists", remedy="save it under another name")
    replace_text(path, session.saved_text(path.parent))
    screen.say(f"saved: tilewright run {session.payload.path} -s {path}", "dim")


def _help(_: ShellSession, screen: Screen, rest: str) -> None:
    if rest:
        told = explain_verb(rest)
        if told is None:
            raise UserError(
                f"there is no verb '{rest}'",
                remedy=did_you_mean(rest, list(BY_NAME)) or "'help' lists the verbs",
            )
        screen.markdown(told)
        return
    for name, command in COMMANDS.items():
        screen.say(f"  {name:10} {command.told}")
    screen.say("verbs ('help VERB' shows the page of one):")
    for verb in sorted(VERBS, key=lambda verb: verb.name):
        screen.say(f"  {verb.name:24} {verb.doc}")


def _quit(_: ShellSession, __: Screen, rest: str) -> None:
    _need_nothing("quit", rest)
    raise Quit


def _need_nothing(name: str, rest: str) -> None:
    if rest:
        raise UserError(f"'{name}' stands alone", remedy=f"type: {name}")


COMMANDS: Mapping[str, Command] = {
    "undo": Command("take the last statement back", _undo),
    "redo": Command("run the statement again that was undone", _redo),
    "show": Command("print the schedule so far", _show),
    "payload": Command("print the payload as it is now", _payload),
    "loops": Command("print its loops and structured ops", _loops),
    "save": Command("save FILE: write the schedule to a .tw file", _save),
    "help": Command("help VERB: show the page of a verb", _help),
    "quit": Command("leave (Ctrl-D does, too)", _quit),
    "exit": Command("leave", _quit),
}
"""The commands by name; none is the name of a verb or a keyword."""
