"""The sources that the lines of a model are in, numbered for the page."""

from __future__ import annotations

import linecache
from collections import Counter
from pathlib import PurePath
from typing import Any

from tilewright.ir.errors import Place

MOST_CHARACTERS = 400_000
"""Of the sources in a page; files that many places name come first."""


class ModelFiles:
    """The files that places name, numbered as they are met."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._named = Counter[str]()

    def place(self, place: Place | None) -> list[int] | None:
        """`[file, line, column]`, lines and columns counted from 1, or None."""
        if place is None:
            return None
        self._named[place.file] += 1
        number = self._numbers.setdefault(place.file, len(self._numbers))
        return [number, place.line, place.column]

    def listed(self) -> list[dict[str, Any]]:
        """Name and lines of every file; `lines` is None where there is no room."""
        room = MOST_CHARACTERS
        texts: dict[str, list[str] | None] = {}
        for name, _ in self._named.most_common():
            lines = [line.rstrip("\n") for line in linecache.getlines(name)]
            size = sum(map(len, lines))
            fits = 0 < size <= room
            texts[name] = lines if fits else None
            room -= size if fits else 0
        return [
            {"name": self._short(name), "lines": texts[name]} for name in self._numbers
        ]

    def _short(self, name: str) -> str:
        """The name without its folder; with the last folder if two are equal."""
        path = PurePath(name)
        same = [one for one in self._numbers if PurePath(one).name == path.name]
        return path.name if len(same) == 1 else "/".join(path.parts[-2:])
