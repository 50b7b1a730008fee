"""The files that a page shows, and places in them."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from tilewright.explorer.program.request import ProgramRequest
from tilewright.ir.errors import Place
from tilewright.ir.parsing.sources import known_source


class Files:
    """The files that places name, numbered as they are met."""

    def __init__(self, request: ProgramRequest):
        self._numbers: dict[str, int] = {}
        self._texts = {request.payload_file.name: request.payload_file.text}
        if (schedule := request.schedule_file) is not None:
            self._texts[schedule.name] = schedule.text

    def number(self, name: str | None) -> int | None:
        """The number of a file; None for no file, or one whose text is not known."""
        if name is None or self._text(name) is None:
            return None
        return self._numbers.setdefault(name, len(self._numbers))

    def place(self, place: Place | None) -> list[int] | None:
        """`[file, line, column]`, line and column counted from 1, or None."""
        if place is None or (number := self.number(place.file)) is None:
            return None
        return [number, place.line, place.column]

    def listed(self) -> list[dict[str, Any]]:
        """Name and lines of every file, in the order of the numbers."""
        return [
            {"name": PurePath(name).name, "lines": (self._text(name) or "").split("\n")}
            for name in self._numbers
        ]

    def _text(self, name: str) -> str | None:
        return self._texts.get(name) or known_source(name)
