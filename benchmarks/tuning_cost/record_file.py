"""Writes a recording line by line, so that a recorder that is killed leaves its record.

Each line is a JSON object with a `kind`, compressed on its own: a file of concatenated
xz streams is an xz file.
"""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

FORMAT = "tilewright tuning cost"
VERSION = 2
SUFFIX = ".jsonl.xz"


class RecordFile:
    """A recording that grows."""

    def __init__(self, path: Path, header: dict[str, Any]) -> None:
        """Begin a new file; its first line says what it is."""
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
        self.write("header", {"format": FORMAT, "version": VERSION, **header})

    def write(self, kind: str, data: dict[str, Any]) -> None:
        """Append a line."""
        text = json.dumps({"kind": kind, **data}, separators=(",", ":"))
        with self._path.open("ab") as file:
            file.write(lzma.compress(f"{text}\n".encode(), preset=1))
