"""`tilewright docs`: list the pages that come with the package, and show one."""

from __future__ import annotations

import re
import sys

from tilewright.commands.terminal.console import console as output_console
from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.terminal.messages import say
from tilewright.editor.pages import FOLDER, page_of_op, pages_of_verbs
from tilewright.ir.errors import UserError
from tilewright.ir.phrases import did_you_mean

_ROW = re.compile(r"^\| \[([\w/]+?)(?:\.md)?\]\((?!\.\.)[^)]*\) \| (.*) \|$", re.M)
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
        page = pages_of_verbs().get(wanted, wanted)
        wanted = f"transforms/{page}"
    text = page_of_op(name) if wanted not in known else None
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


def _plain(text: str) -> str:
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("`", "")
