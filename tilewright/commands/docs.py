"""`tilewright docs`: list the pages that come with the package, and show one."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tilewright.commands.terminal.console import console as output_console
from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.terminal.messages import say
from tilewright.ir.errors import UserError
from tilewright.ir.phrases import did_you_mean

FOLDER = Path(__file__).resolve().parents[1] / "docs"

_ROW = re.compile(r"^\| \[([\w/]+?)(?:\.md)?\]\((?!\.\.)[^)]*\) \| (.*) \|$", re.M)
_VERBS = re.compile(r"^\| (`[^|]*) \|.*\]\((\w+)\.md[^)]*\) \|$", re.M)
_HEADING = re.compile(r"^## (.*)$", re.M)


def page_names() -> list[str]:
    """The names of all pages: `planning`, `transforms/tile`."""
    names = [
        path.relative_to(FOLDER).with_suffix("").as_posix()
        for path in sorted(FOLDER.rglob("*.md"))
    ]
    if not names:
        raise UserError(
            f"this installation has no documents: {FOLDER}", remedy="install it again"
        )
    return names


def list_pages() -> None:
    """Print the pages with a line about each, as `docs/README.md` groups them."""
    page_names()
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    for part in _HEADING.split(text)[1:]:
        rows = _ROW.findall(part)
        if not rows:
            if "\n" not in part:
                say(f"\n{part}")
            continue
        for name, line in rows:
            say(f"  {name.rstrip('/'):16} {_plain(line)}")
    say("\nto read one: tilewright docs NAME")


def show_page(name: str) -> None:
    """Print a page: formatted on a terminal, as it is elsewhere."""
    known = page_names()
    wanted = name.removeprefix("docs/").removesuffix(".md").rstrip("/")
    if f"{wanted}/README" in known:
        wanted = f"{wanted}/README"
    if wanted not in known:
        page = _pages_of_verbs().get(wanted, wanted)
        wanted = f"transforms/{page}"
    text = _page_of_op(name) if wanted not in known else None
    if wanted not in known and text is None:
        short = [page.removeprefix("transforms/") for page in known]
        raise UsageError(
            f"no page '{name}'",
            remedy=did_you_mean(name, short) or "'tilewright docs' lists them",
        )
    if text is None:
        text = (FOLDER / f"{wanted}.md").read_text(encoding="utf-8")
    if not sys.stdout.isatty():
        say(text.rstrip())
        return
    from rich.markdown import Markdown

    console = output_console()
    with console.pager(styles=True):
        console.print(Markdown(text))


def _pages_of_verbs() -> dict[str, str]:
    """The page of each verb, by the table in docs/transforms/README.md."""
    text = (FOLDER / "transforms" / "README.md").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    # A verb alone in its row before one that shares it, as `tile` and `tile ... onto`.
    for verbs, page in sorted(_VERBS.findall(text), key=lambda row: len(row[0])):
        for verb in re.findall(r"`(\w+)", verbs):
            found.setdefault(verb, page)
    return found


def _page_of_op(name: str) -> str | None:
    """A page for a verb or an op that has none: the docstring of the op's file."""
    from tilewright.transforms.op_sources import op_sources

    for source in op_sources().values():
        verb = source.form.partition(" ")[0]
        if name in (verb, source.name, source.name.rpartition(".")[2]):
            told = sys.modules[source.load().__module__].__doc__ or ""
            form = f"    {source.form}\n\n" if source.form else ""
            return f"# {name}\n\n{form}{told}"
    return None


def _plain(text: str) -> str:
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("`", "")
