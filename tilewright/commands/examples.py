"""`tilewright examples`: list the examples that come with the package, and copy one.

The one-line descriptions are those of the table in `examples/README.md`.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.terminal.messages import say
from tilewright.commands.terminal.output_files import writing
from tilewright.ir.errors import UserError
from tilewright.ir.phrases import count, did_you_mean

FOLDER = Path(__file__).resolve().parents[1] / "examples"
SUFFIXES = frozenset({".ipynb", ".json", ".md", ".mlir", ".py", ".tw", ".xz"})
"""The files of an example; results of runs in its folder are none."""

_ROW = re.compile(r"^\| \[(\w+)\]\(\w+\) \| (.*) \|$", re.M)
_MOST_NAMED = 4


def descriptions() -> Mapping[str, str]:
    """Each example with one line about it, in the order of `examples/README.md`."""
    try:
        text = (FOLDER / "README.md").read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"this installation has no examples: {error}", remedy="install it again"
        ) from error
    return dict(_ROW.findall(text))


def list_examples() -> None:
    """Print each example with one line about it."""
    found = descriptions()
    width = max(map(len, found))
    for name, line in found.items():
        say(f"{name:<{width}}  {line}")
    say("\nto copy one into this folder: tilewright examples NAME")


def copy_example(name: str, output: Path | None) -> None:
    """Copy the files of an example; refuses to replace a file that differs."""
    known = descriptions()
    if name not in known:
        raise UsageError(
            f"no example '{name}'",
            remedy=did_you_mean(name, list(known)) or f"one of: {', '.join(known)}",
        )
    folder = output if output is not None else Path(name)
    files = [
        file for file in sorted((FOLDER / name).iterdir()) if file.suffix in SUFFIXES
    ]
    with writing(folder):
        changed = [file.name for file in files if _differs(file, folder / file.name)]
        if changed:
            named = ", ".join(changed[:_MOST_NAMED])
            more = len(changed) - _MOST_NAMED
            raise UserError(
                f"{folder} has other versions of {named}"
                + (f" and {count(more, 'other file')}" if more > 0 else ""),
                remedy="copy to another folder: -o FOLDER",
            )
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            shutil.copyfile(file, folder / file.name)
    say(f"{count(len(files), 'file')} in {folder}: {', '.join(f.name for f in files)}")


def _differs(file: Path, copy: Path) -> bool:
    return copy.exists() and (
        not copy.is_file() or copy.read_bytes() != file.read_bytes()
    )
