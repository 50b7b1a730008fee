"""Opening a page in the browser of whoever typed the command."""

from __future__ import annotations

import os
import sys
import webbrowser


def open_in_browser(address: str) -> None:
    """Open an address, if the command was typed on a machine with a display."""
    if sys.stdout.isatty() and _has_display():
        webbrowser.open(address)


def _has_display() -> bool:
    return sys.platform == "darwin" or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
