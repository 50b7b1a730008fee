"""Hints beside names: how many ops a handle holds, and their shapes."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.editor.answers.document import Document
from tilewright.editor.answers.holdings import Held
from tilewright.editor.reading.names import Meaning
from tilewright.editor.reading.positions import Spot
from tilewright.schedules.language.syntax import Knob


@dataclass(frozen=True)
class Hint:
    """A short text behind a spot, and a longer one to read on demand."""

    spot: Spot
    label: str
    tooltip: str


def hints_of(document: Document, first: int, last: int) -> list[Hint]:
    """The hints of the lines from `first` to `last`."""
    found: list[Hint] = []
    for binding in document.names.bindings:
        if not first <= binding.spot.line <= last:
            continue
        if binding.meaning is not Meaning.HANDLE or isinstance(binding.node, Knob):
            continue
        held = document.held(binding)
        if held is None:
            continue
        behind = Spot(binding.spot.line, binding.spot.column + len(binding.name))
        found.append(Hint(behind, f": {held.text}", _tooltip(document, held)))
    return found


def _tooltip(document: Document, held: Held) -> str:
    lines = [f"- `{op.text}`" for op in held.ops[:12]]
    if held.number > len(lines):
        lines.append(f"- and {held.number - len(lines)} more")
    point = ", ".join(f"{k} = {v}" for k, v in document.holdings.point.items())
    told = f"at {point}" if point else ""
    return "\n".join([*lines, "", told]).strip()
