"""Tables of what the tools found, for rich's consoles and as text."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from tilewright.ir.phrases import in_units

if TYPE_CHECKING:
    from tilewright.torch_backend.diagnosis.explanation import Explanation
    from tilewright.torch_backend.diagnosis.profiling import Profile

_WIDTH = 140
"""Columns of a table as text."""
_MOST = 3
"""Lines of the model that a cell shows."""


def explained(found: Explanation) -> RenderableType:
    """A table of kernels, and one of the ops that stayed in torch."""
    how = "measured" if found.is_measured else "estimated by the cost model"
    total = f"{found.microseconds:.1f} us"
    title = f"{len(found.kernels)} kernels for {found.target}, {total}, {how}"
    several = len({row.graph for row in found.kernels}) > 1
    table = _table(
        title,
        ("#", *(["graph"] if several else []), "kernel", "computes", "model lines"),
        (
            "us" if found.is_measured else "us (estimate)",
            "bound",
            "of ceiling",
            "moves",
        ),
    )
    for number, row in enumerate(found.kernels, start=1):
        table.add_row(
            str(number),
            *([row.graph] if several else []),
            Text(row.kernel),
            Text(", ".join(row.ops)),
            Text(_some(row.lines)),
            f"{row.microseconds:.1f}",
            row.bound,
            f"{row.ceiling:.0%}",
            in_units(row.moved_bytes, "B"),
        )
    parts: list[RenderableType] = [table]
    if found.in_torch:
        stayed = _table(
            f"{sum(row.times for row in found.in_torch)} ops stayed in torch",
            ("op", "times", "why", "model line"),
        )
        for row in found.in_torch:
            stayed.add_row(
                Text(row.op), str(row.times), Text(row.reason), Text(row.line)
            )
        parts += ["", stayed]
    else:
        parts.append("Nothing stayed in torch.")
    parts += [Text(f"refused: {line}", style="yellow") for line in found.refused]
    return Group(*parts)


def profiled(found: Profile) -> RenderableType:
    """A table of kernels, the slowest first."""
    several = len({row.graph for row in found.rows if row.graph}) > 1
    table = _table(
        f"{found.microseconds:.1f} us a call, mean of {found.calls}; {found.device}",
        (*(["graph"] if several else []), "kernel", "schedule"),
        ("launches", "us", "share"),
    )
    for row in found.rows:
        table.add_row(
            *([row.graph] if several else []),
            Text(row.kernel),
            Text(row.schedule),
            f"{row.launches:g}" if row.launches else "",
            f"{row.microseconds:.1f}",
            f"{row.share:.0%}",
        )
    wrote = [] if found.trace is None else [Text(f"wrote {found.trace}")]
    return Group(table, *wrote)


def as_text(found: RenderableType, width: int = _WIDTH) -> str:
    """What a console would print, without colours."""
    out = StringIO()
    Console(file=out, width=width, color_system=None).print(found)
    return out.getvalue().rstrip("\n")


def _table(title: str, texts: Sequence[str], numbers: Sequence[str] = ()) -> Table:
    table = Table(title=Text(title), title_justify="left", box=None, pad_edge=False)
    for name in texts:
        table.add_column(name, overflow="fold")
    for name in numbers:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _some(lines: Sequence[str]) -> str:
    """`model.py:12, :14`: the file once, and the first lines."""
    shown: list[str] = []
    last = ""
    for line in lines[:_MOST]:
        file, _, number = line.rpartition(":")
        shown.append(f":{number}" if file == last else line)
        last = file
    more = f", {len(lines) - _MOST} more" if len(lines) > _MOST else ""
    return ", ".join(shown) + more
