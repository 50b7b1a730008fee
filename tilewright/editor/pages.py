"""The pages of verbs and ops: those of docs/transforms/, else an op's docstring.

Shells ask for the names of pages, so this imports no compiler.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "docs"
"""The documents that come with the package."""

_VERBS = re.compile(r"^\| (`[^|]*) \|.*\]\((\w+)\.md[^)]*\) \|$", re.M)
_LINK = re.compile(r"\[([^]]*)\]\((?!https?:)[^)]*\)")


@cache
def pages_of_verbs() -> dict[str, str]:
    """The page of each verb, by the table in docs/transforms/README.md."""
    text = (FOLDER / "transforms" / "README.md").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    # A verb alone in its row before one that shares it, as `tile` and `tile ... onto`.
    for verbs, page in sorted(_VERBS.findall(text), key=lambda row: len(row[0])):
        for verb in re.findall(r"`(\w+)", verbs):
            found.setdefault(verb, page)
    return found


def page_of_op(name: str) -> str | None:
    """A page for a verb or an op that has none: the docstring of the op's file."""
    from tilewright.transforms.op_sources import op_sources

    for source in op_sources().values():
        verb = source.form.partition(" ")[0]
        if name in (verb, source.name, source.name.rpartition(".")[2]):
            told = sys.modules[source.load().__module__].__doc__ or ""
            form = f"    {source.form}\n\n" if source.form else ""
            return f"# {name}\n\n{form}{told}"
    return None


def page_paths(word: str, ops: tuple[str, ...] = ()) -> list[Path]:
    """The files about a verb: its own page, then those of the ops that it makes."""
    names = [pages_of_verbs().get(word, word)]
    names += [op.rpartition(".")[2] for op in ops]
    paths = [FOLDER / "transforms" / f"{name}.md" for name in dict.fromkeys(names)]
    return [path for path in paths if path.exists()]


def body_of(path: Path) -> str:
    """A page without its title and without the parts after the first `##`."""
    text = path.read_text(encoding="utf-8").split("\n## ")[0]
    _, _, body = text.partition("\n")
    return _LINK.sub(r"\1", body).strip("\n")
