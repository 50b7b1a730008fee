"""A console that shows strings as they are, apart from control characters."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from tilewright.commands.terminal.messages import LAYOUT
from tilewright.ir.printable import printable


class PlainConsole(Console):
    """Strings hold no markup and no emoji here, whatever they look like."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Every string that is printed comes through here, in tables and rules too."""
        options |= {"markup": False, "emoji": False}
        return super().render_str(printable(text, keep=LAYOUT), **options)
