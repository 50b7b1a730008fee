"""Lines that fit 100 columns, in a terminal and in a file."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from tilewright.ir.printable import printable

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 100


def say(
    log: Console, text: str, *, indent: str = "", more: str = "  ", style: str = ""
) -> None:
    """Print a text in lines of at most 100 columns; `more` indents all but the first.

    A word that is longer, such as a path, stays whole.
    """
    lines = textwrap.wrap(
        printable(text),
        min(WIDTH, log.width),
        initial_indent=indent,
        subsequent_indent=indent + more,
        break_long_words=False,
        break_on_hyphens=False,
    )
    for line in lines:
        log.print(line, markup=False, style=style)


def title(log: Console, text: str) -> None:
    """Print the title of a section, after an empty line."""
    log.print()
    log.print(text, style="bold", markup=False)


def shortened(text: str, width: int) -> str:
    """The text, cut to a number of characters."""
    return text if len(text) <= width else text[: width - 3] + "..."


def milliseconds(time: float) -> str:
    """`0.1862`, `0.03640`: four digits or more."""
    return f"{time:.4f}" if time >= 0.1 else f"{time:.5f}"
