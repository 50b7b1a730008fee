"""A page as a value: notebooks show it, and it can be saved or opened."""

from __future__ import annotations

import html
import tempfile
import webbrowser
from dataclasses import dataclass
from pathlib import Path

HEIGHT = 640
"""The height of a page in a notebook, in pixels."""


@dataclass(frozen=True, repr=False)
class ShownPage:
    """One HTML page. A notebook shows it in place; `save` and `open` do elsewhere."""

    title: str
    text: str
    """The whole file."""
    height: int = HEIGHT

    def save(self, path: str | Path) -> Path:
        """Write the page to a file; returns its path."""
        path = Path(path)
        path.write_text(self.text, "utf-8")
        return path

    def open(self) -> Path:
        """Write the page to a temporary file and open it in a browser."""
        folder = Path(tempfile.mkdtemp(prefix="tilewright-page-"))
        path = self.save(folder / "page.html")
        webbrowser.open(path.as_uri())
        return path

    def __repr__(self) -> str:
        """The title and the size: the text would be long."""
        return f"<page {self.title!r}, {len(self.text) / 1e3:.0f} kB>"

    def _repr_html_(self) -> str:
        """The page in a frame that can reach neither the notebook nor a server."""
        return (
            f'<iframe title="{html.escape(self.title)}" sandbox="allow-scripts" '
            f'style="width:100%;height:{self.height}px;border:1px solid #8884" '
            f'srcdoc="{html.escape(self.text)}"></iframe>'
        )
