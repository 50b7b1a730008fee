"""The declaration of `tilewright docs`."""

from __future__ import annotations

from typing import Annotated

import typer

from tilewright.cli.completion import page_names
from tilewright.cli.options import examples

EXAMPLES = examples(
    "tilewright docs                    (list the pages)",
    "tilewright docs planning           (read one)",
    "tilewright docs tile               (the page of a verb)",
)


def docs(
    page: Annotated[
        str | None,
        typer.Argument(
            metavar="[PAGE]",
            help="The page to show, or a verb of the schedule language; without it, "
            "all are listed.",
            show_default=False,
            autocompletion=page_names,
        ),
    ] = None,
) -> None:
    """List the documents that come with tilewright, or show one.

    On a terminal a page is formatted, and shown by the pager of $PAGER. Elsewhere it is
    printed as it is, in Markdown.
    """
    from tilewright.commands import docs as command

    if page is None:
        command.list_pages()
    else:
        command.show_page(page)
