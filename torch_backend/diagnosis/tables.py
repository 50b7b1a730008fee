"""Tables of what the tools found, for rich's consoles and as text."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from tilewright.ir.phrases import count, in_units

if TYPE_CHECKING:
    from tilewright.torch_backend.diagnosis.explanation import BreakRow, Explanation

_LEAST_SHOWN = 0.05
"""Microseconds that a line of their own tells."""
_MOST = 3
"""Lines or modules of the model that a cell shows."""


def as_text(found: RenderableType, width: int = 140) -> str:
    """What a console would print, without colours."""
    out = StringIO()
    Console(file=out, width=width, color_system=None).print(found)
    return out.getvalue().rstrip("\n")


def table_of(title: str, texts: Sequence[str], numbers: Sequence[str] = ()) -> Table:
    """A table with a title: columns of text, then columns of numbers."""
    table = Table(title=Text(title), title_justify="left", box=None, pad_edge=False)
    for name in texts:
        table.add_column(name, overflow="fold")
    for name in numbers:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def some_lines(lines: Sequence[str]) -> str:
    """`model.py:12, :14`: the file once, and the first lines."""
    shown: list[str] = []
    last = ""
    for line in lines[:_MOST]:
        file, _, number = line.rpartition(":")
        shown.append(f":{number}" if file == last else line)
        last = file
    return _with_rest(shown, len(lines))


def some_modules(paths: Sequence[str]) -> str:
    """`layers.0.norm, .up`: what they share once, and the first paths."""
    shown: list[str] = []
    last = ""
    for path in paths[:_MOST]:
        outer, _, name = path.rpartition(".")
        shown.append(f".{name}" if outer and outer == last else path)
        last = outer
    return _with_rest(shown, len(paths))


def _with_rest(shown: Sequence[str], total: int) -> str:
    more = f", {total - _MOST} more" if total > _MOST else ""
    return ", ".join(shown) + more


def tables_of(found: Explanation) -> RenderableType:
    """A table of kernels, and one of the ops that stayed in torch."""
    how = "measured" if found.is_measured else "estimated by the cost model"
    unknown = sum(row.microseconds is None for row in found.kernels)
    how += f"; {unknown} not measured" if unknown else ""
    total = f"{found.microseconds:.1f} us"
    title = f"{count(len(found.kernels), 'kernel')} for {found.target}, {total}, {how}"
    several = len({row.graph for row in found.kernels}) > 1
    has_modules = any(row.modules for row in found.kernels)
    table = table_of(
        title,
        (
            *("#", *(["graph"] if several else []), "kernel", "computes"),
            *(["module"] if has_modules else []),
            "model lines",
        ),
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
            *([Text(some_modules(row.modules))] if has_modules else []),
            Text(some_lines(row.lines)),
            "not measured" if row.microseconds is None else f"{row.microseconds:.1f}",
            row.bound,
            "" if row.ceiling is None else f"{row.ceiling:.0%}",
            in_units(row.moved_bytes, "B"),
        )
    parts: list[RenderableType] = [table]
    parts += [
        Text(f"{number} is {row.note}")
        for number, row in enumerate(found.kernels, start=1)
        if row.note
    ]
    if found.other_microseconds >= _LEAST_SHOWN:
        parts.append(f"{found.other_microseconds:.1f} us more fill or copy memory.")
    if found.in_torch:
        stayed = table_of(
            f"{count(sum(row.times for row in found.in_torch), 'op')} stayed in torch",
            ("op", "times", "why", "model line"),
        )
        for row in found.in_torch:
            stayed.add_row(
                Text(row.op), str(row.times), Text(row.reason), Text(row.line)
            )
        parts += ["", stayed]
    else:
        parts.append("Nothing stayed in torch.")
    if found.graph_breaks:
        parts += ["", _table_of_breaks(found.graph_breaks)]
    parts += [Text(f"cut: {line}") for line in found.cuts]
    parts += [Text(f"refused: {line}", style="yellow") for line in found.refused]
    return Group(*parts)


def _table_of_breaks(rows: Sequence[BreakRow]) -> RenderableType:
    table = table_of(
        f"{count(len(rows), 'graph break')}: nothing is fused across one",
        ("model line", "why"),
        ("tensors stored and read again", "bytes", "us, at least"),
    )
    for row in rows:
        table.add_row(
            Text(row.line),
            Text(row.reason),
            str(row.tensors),
            in_units(row.moved_bytes, "B"),
            f"{row.microseconds:.1f}",
        )
    return table
