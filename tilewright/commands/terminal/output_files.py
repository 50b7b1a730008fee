"""Writing the files that a command was asked for."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tilewright.commands.terminal.messages import write_out
from tilewright.ir.errors import UserError


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an OSError into a `UserError` with a remedy."""
    try:
        yield
    except OSError as error:
        raise UserError(
            f"cannot write {path}: {error.strerror or error}",
            remedy="name a file in a folder you may write to",
        ) from error


def replace_text(path: Path, text: str) -> None:
    """Write a file atomically: on a full disk the old content stays.

    A pipe or a device (`/dev/stdout`) is written directly.
    """
    import secrets  # imports cryptography, which most commands do not need

    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        place = path.resolve()
        if place.exists() and not place.is_file():
            path.write_text(text, encoding="utf-8")
            return
        temporary = place.with_name(f".{secrets.token_hex(8)}.tmp")
        try:
            with temporary.open("x", encoding="utf-8") as file:
                file.write(text)
            if place.exists():
                shutil.copymode(place, temporary)
            temporary.replace(place)
        finally:
            temporary.unlink(missing_ok=True)


def write_output(text: str, output: Path | None) -> None:
    """Write to a file, or to stdout where none is given."""
    if output is None:
        write_out(text)
    else:
        replace_text(output, text)
