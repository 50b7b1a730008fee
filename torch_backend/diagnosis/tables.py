"""Tables of what the tools found, for rich's consoles and as text."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

_MOST = 3
"""Lines of the model that a cell shows."""


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
    more = f", {len(lines) - _MOST} more" if len(lines) > _MOST else ""
    return ", ".join(shown) + more
