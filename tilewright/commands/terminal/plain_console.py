"""A rich console that prints strings literally, with control characters escaped."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from tilewright.commands.terminal.messages import LAYOUT
from tilewright.ir.printable import printable


class PlainConsole(Console):
    """Prints strings without markup and emoji."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Render a string; rich calls this for strings in tables and rules too."""
        options |= {"markup": False, "emoji": False}
        return super().render_str(printable(text, keep=LAYOUT), **options)
