"""Files of an artefact: read whole, and refused in one line where they are damaged."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any


class ArtefactError(RuntimeError):
    """An artefact is damaged, or of another format."""

    def __init__(self, message: str):
        super().__init__(printable(message))


def printable(text: Any) -> str:
    r"""The text with `\x1b` in place of an escape byte, and so on.

    Names in metadata may hold any character, and some of them move a terminal's cursor.
    """
    text = str(text)
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def damaged(path: Path, fact: str) -> ArtefactError:
    """The error of a damaged file."""
    return ArtefactError(f"{path} is damaged: {fact}; build the artefact again")


def read_file(folder: Path, name: str, digest: str | None = None) -> bytes:
    """The content of a file of the artefact, which has this hash if one is given."""
    path = folder / name
    parts = Path(name).parts
    if os.path.isabs(name) or ".." in parts or not parts:
        raise damaged(
            folder / "metadata.json", f"it names {name!r}, a file outside of the folder"
        )
    if not path.is_file():  # a pipe would wait for a writer
        fact = "it is not a file" if path.exists() else "it is missing"
        raise damaged(path, fact)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ArtefactError(
            f"{path} cannot be read: {error.strerror or error}; let yourself read it"
        ) from None
    if digest is not None and hashlib.sha256(content).hexdigest() != digest:
        raise damaged(path, "its content is not what was built")
    return content
