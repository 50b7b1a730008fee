"""The table of the best trials, as narrow as their differences allow.

A choice in which the trials differ has a column. A choice in a branch is in some points
only, so each row lists its own in the last column, `choices`, and so do the choices
that would make the table too wide. What is the same in every row that has it is said
once, above the table.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from tilewright.tuning.results.tuning_result import Trial
from tilewright.tuning.space.choices import Point, Value

WIDTH = 100
"""Characters of a line."""
_LISTED = 30
"""Characters that the column `choices` gets at least."""
_GAP = 2
"""Spaces between columns."""


@dataclass(frozen=True)
class Layout:
    """Where the choices of some points are shown; each in one place."""

    same: dict[str, Value]
    """Said once: choices that are equal in all points, at least two, that have them."""
    columns: tuple[str, ...]
    """Choices with a column of their own."""
    listed: tuple[str, ...]
    """Choices in the column `choices`."""


def layout_of(points: Sequence[Point], room: int) -> Layout:
    """Where to show the choices; `room` characters are left for them in a line."""
    names = list(dict.fromkeys(name for point in points for name in point))
    values = {name: [p[name] for p in points if name in p] for name in names}
    same = {
        name: found[0]
        for name, found in values.items()
        if len(found) > 1 and all(value == found[0] for value in found)
    }
    varied = [name for name in names if name not in same]
    everywhere = [name for name in varied if len(values[name]) == len(points)]
    widths = {
        name: _GAP + max(len(text) for text in (name, *map(str, values[name])))
        for name in everywhere
    }
    fits = len(everywhere) == len(varied) and sum(widths.values()) <= room
    left = room if fits else room - _LISTED
    columns: list[str] = []
    for name in everywhere:
        left -= widths[name]
        if left >= 0:
            columns.append(name)
    listed = tuple(name for name in varied if name not in columns)
    return Layout(same, tuple(columns), listed)


def print_trials(trials: Sequence[Trial], unit: str, console: Console) -> None:
    """Print trials, which have times, in this order."""
    layout = layout_of([t.point for t in trials], WIDTH - len(f" rank  {unit}  "))
    if layout.same:
        pairs = _pairs(layout.same.items(), ", ")
        text = f"the same in every row that has them: {pairs}"
        for line in textwrap.wrap(text, WIDTH, subsequent_indent="  "):
            console.print(line, style="dim", markup=False)
    last = ("choices",) if layout.listed else ()
    heads = ("rank", unit, *layout.columns, *last)
    table = Table(*heads, box=None, header_style="bold")
    for position, trial in enumerate(trials, 1):
        cells = [str(trial.point[name]) for name in layout.columns]
        if layout.listed:
            own = ((n, trial.point[n]) for n in layout.listed if n in trial.point)
            cells.append(_pairs(own, " "))
        table.add_row(str(position), f"{trial.milliseconds:.4f}", *cells)
    console.print(table)


def _pairs(items: Iterable[tuple[str, Value]], between: str) -> str:
    return between.join(f"{name}={value}" for name, value in items)
