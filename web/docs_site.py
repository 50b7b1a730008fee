"""What MkDocs needs to know about the documents: they are read in the repository too.

The list of pages is the one of `docs/README.md`. A link to a file outside of `docs/` is
plain text on the site.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

_LINK = re.compile(r"(?<!!)\[(?P<words>[^\]\n]+)\]\((?P<target>[^)\s]+)\)")


def on_config(config: Any) -> Any:
    """Give the site the sections and pages that `docs/README.md` lists."""
    folder = Path(config["docs_dir"])
    nav: list[Any] = [{"Documents": "README.md"}]
    for section in (folder / "README.md").read_text("utf-8").split("\n## ")[1:]:
        title, _, rows = section.partition("\n")
        pages = [_page(folder, found["target"]) for found in _LINK.finditer(rows)]
        nav.append({title: [page for page in pages if page]})
    config["nav"] = nav
    return config


def _page(folder: Path, target: str) -> Any:
    """A page, or all pages of a folder; None for what is not on the site."""
    if target.startswith("../"):
        return None
    if not target.endswith("/README.md"):
        return target
    target = target.removesuffix("README.md")
    pages = sorted(path.name for path in (folder / target).glob("*.md"))
    pages.sort(key=lambda name: name != "README.md")
    return {target.strip("/").capitalize(): [target + name for name in pages]}


def on_page_markdown(markdown: str, *, page: Any, **_: object) -> str:
    """The text of a page, without links that leave the site."""
    depth = page.file.src_uri.count("/")

    def shown(found: re.Match[str]) -> str:
        target = found["target"]
        if target.startswith("../" * (depth + 1)):
            return found["words"]
        folder = re.sub(r"/(#.*)?$", r"/README.md\1", target)
        return f"[{found['words']}]({folder})" if "://" not in target else found[0]

    return _LINK.sub(shown, markdown)
