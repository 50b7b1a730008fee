"""The scripts and style sheets of the pages, as `make web` built them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

PageKind: TypeAlias = Literal["program", "model", "tuning", "live", "widget"]

ASSETS = Path(__file__).resolve().parents[1] / "assets"


@dataclass(frozen=True)
class Assets:
    """The script and the style sheet of a page."""

    script: str
    style: str


@cache
def assets_of(kind: PageKind) -> Assets:
    """The assets of a kind of page."""
    script = (ASSETS / f"{kind}.js").read_text()
    return Assets(script, (ASSETS / f"{kind}.css").read_text())
