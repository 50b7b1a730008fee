"""`tilewright fmt`: format schedules in place, or say which are not formatted."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.terminal.messages import say, write_out
from tilewright.commands.terminal.output_files import replace_text
from tilewright.ir.errors import UserError
from tilewright.ir.phrases import count
from tilewright.ir.text import STDIN, read_text, source_name
from tilewright.schedules.language.formatting.format import format_text

WOULD_CHANGE = 1
UNREADABLE = 2
"""Other commands exit with 1 for a file with mistakes; formatters do with 2."""


def fmt(files: Sequence[Path], *, check: bool, diff: bool) -> None:
    """Format each file; an unreadable file does not keep the others from it."""
    paths = list(_schedules(files))
    changed: list[Path] = []
    failed = False
    for path in paths:
        try:
            is_changed = _format(path, is_dry=check or diff, diff=diff)
        except UserError as error:
            say(error, error=True)
            failed = True
            continue
        if is_changed:
            changed.append(path)
            if path != STDIN or check:
                verb = "would format" if check or diff else "formatted"
                say(f"{verb} {source_name(path)}", error=True)
    if len(paths) > 1 and not failed:
        say(_summary(len(paths), len(changed), check or diff), error=True)
    if failed:
        sys.exit(UNREADABLE)
    if changed and (check or diff):
        sys.exit(WOULD_CHANGE)


def _summary(files: int, changed: int, is_dry: bool) -> str:
    other, same = count(changed, "file"), count(files - changed, "file")
    if is_dry:
        return f"{other} to format, {same} formatted already"
    return f"{other} formatted, {same} formatted already"


def _format(path: Path, *, is_dry: bool, diff: bool) -> bool:
    """Format a file; gives whether that changes it."""
    name = source_name(path)
    text = read_text(path)
    formatted = format_text(text, name)
    is_changed = formatted != (text if path == STDIN else _as_stored(path))
    if diff:
        lines = difflib.unified_diff(
            text.splitlines(keepends=True),
            formatted.splitlines(keepends=True),
            name,
            name,
        )
        write_out("".join(line if line[-1:] == "\n" else f"{line}\n" for line in lines))
    elif not is_dry and path == STDIN:
        write_out(formatted)
    elif not is_dry and is_changed:
        replace_text(path, formatted)
    return is_changed


def _as_stored(path: Path) -> str:
    """The text with the line ends that the file has."""
    return path.read_bytes().decode("utf-8")


def _schedules(files: Sequence[Path]) -> Iterator[Path]:
    """The files, and the schedules in the folders among them."""
    for path in files:
        if path.is_dir():
            yield from sorted(path.rglob("*.tw"))
        elif path != STDIN and path.suffix != ".tw":
            raise UsageError(
                f"{path}: not a .tw file",
                remedy="give schedules in the language of .tw files; mlir-opt formats "
                ".mlir files",
            )
        else:
            yield path
