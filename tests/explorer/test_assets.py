"""The built assets: made from the sources that are here, with their licences."""

from __future__ import annotations

import hashlib
from pathlib import Path

from support.paths import ROOT
from tilewright.explorer.page.assets import ASSETS

WEB = ROOT / "web"


def sources(folder: Path) -> list[Path]:
    found: list[Path] = []
    for path in sorted(folder.iterdir(), key=lambda p: p.name):
        found += sources(path) if path.is_dir() else [path]
    return found


def test_the_assets_are_built_from_the_sources() -> None:
    digest = hashlib.sha256()
    own = [WEB / name for name in ("build.mjs", "package.json", "package-lock.json")]
    for path in [*own, *sources(WEB / "src")]:
        digest.update(f"{path.relative_to(WEB)}\n".encode())
        digest.update(path.read_bytes())
    built = (ASSETS / "sources.sha256").read_text().strip()
    assert digest.hexdigest() == built, "run `make web`, and commit explorer/assets"


def test_no_script_writes_markup_from_text() -> None:
    for path in sources(WEB / "src"):
        text = path.read_text()
        assert "innerHTML" not in text.replace(
            "nothing here or in the pages uses innerHTML", ""
        )
        assert "insertAdjacentHTML" not in text
        assert "document.write" not in text
