"""Documents whose commands run: files to save, commands to type, and their output.

A page is plain Markdown. A block ```` ```LANGUAGE FILE ```` is a file that the reader
saves; a block ```` ```console ```` holds commands (`$ ...`), each with its output.
`...` stands for any text; dates and decimal numbers are not compared. Other blocks are
left alone.
"""

from __future__ import annotations

import doctest
import re
import runpy
import shlex
import sys
import warnings
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pytest

from support import warm_python
from tilewright.cli import main
from tilewright.commands.terminal import console


@dataclass(frozen=True)
class File:
    """A file that the reader saves."""

    name: str
    text: str


@dataclass(frozen=True)
class Command:
    """A command that the reader types, and the output that the page shows."""

    line: str
    shown: str


def actions(page: str) -> list[File | Command]:
    """The files and commands of a page, in order."""
    found: list[File | Command] = []
    for info, text in re.findall(r"^```(\S.*)\n((?s:.*?))^```$", page, re.M):
        language, _, name = info.partition(" ")
        if name:
            found.append(File(name, text))
            continue
        if language == "console":
            found += commands(text)
    return found


def commands(block: str) -> list[Command]:
    """The commands of a console block."""
    parts = (part.partition("\n") for part in re.split(r"^\$ ", block, flags=re.M)[1:])
    return [Command(line, shown) for line, _, shown in parts]


def follow(
    page: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    not_compared: Sequence[str] = (),
) -> None:
    """Follow a page in a folder, and check the output of each command.

    The output of commands that begin like `not_compared` may differ.
    """
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.setenv("COLUMNS", "100")
    # A busy machine would print that it is still at work.
    monkeypatch.setattr(console, "_LONG_PATIENCE", 3600.0)
    for action in actions(page):
        if isinstance(action, File):
            Path(action.name).write_text(action.text, "utf-8")
            continue
        with warnings.catch_warnings():
            warnings.showwarning = print_warning
            printed = run(action.line)
        if not action.line.startswith(tuple(not_compared)):
            assert agrees(action.shown, printed), f"$ {action.line}\n{printed}"


def run(line: str) -> str:
    """Run a command in this process; return its output on both streams."""
    line, _, target = line.partition(" > ")
    words = shlex.split(line)
    printed = StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        if words[0] == "cat":
            print(Path(words[1]).read_text("utf-8"), end="")
        elif words[0] == "tilewright":
            end_with_code(words, printed)
        elif words[0] == "python":
            runpy.run_path(words[1], run_name="__main__")
        else:
            print(run_interpreted(words), end="")
    if target:
        Path(target).write_text(printed.getvalue(), "utf-8")
        return ""
    return printed.getvalue()


def end_with_code(words: list[str], printed: StringIO) -> None:
    """Run the command line; check that it fails exactly if it prints an error."""
    sys.argv = words
    code: object = 0
    try:
        main()
    except SystemExit as end:
        code = end.code or 0
    assert code == int("error:" in printed.getvalue()), printed.getvalue()


def run_interpreted(words: list[str]) -> str:
    """Run `TRITON_INTERPRET=1 python FILE`; Triton reads the variable at import."""
    setting, python, file = words
    assert (setting, python) == ("TRITON_INTERPRET=1", "python")
    done = warm_python.run(Path(file).resolve(), cwd=Path.cwd())
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def print_warning(
    message: Warning | str, category: type[Warning], file: str, line: int, *_: object
) -> None:
    """Print a warning as Python does outside of pytest."""
    print(warnings.formatwarning(message, category, file, line), end="")


def masked(text: str) -> str:
    """A text without dates, times and rounding errors, which differ from run to run.

    Spaces at the ends of lines are left out too: a page does not show them.
    """
    text = re.sub(r" +$", "", text, flags=re.M)
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+\d\d:\d\d", "DATE", text)
    return re.sub(r"\d+\.\d+", "NUMBER", text)


def agrees(shown: str, printed: str) -> bool:
    """Whether the output of a command is that of the page."""
    checker = doctest.OutputChecker()
    return checker.check_output(masked(shown), masked(printed), doctest.ELLIPSIS)
