"""The declaration of `tilewright lsp`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.options import examples

EXAMPLES = examples(
    "tilewright lsp                          (an editor starts this)",
    "tilewright lsp --payload payload.mlir   (for schedules that name no payload)",
)


def lsp(
    payload: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The payload of schedules that have no line '// payload: FILE'.",
            show_default=False,
        ),
    ] = None,
    stdio: Annotated[
        bool,
        typer.Option(
            "--stdio", help="Speak on stdin and stdout, which it does anyway."
        ),
    ] = False,
) -> None:
    """Answer an editor about schedules, in the Language Server Protocol.

    Finds mistakes while you type; completes verbs, options, handles and names of ops;
    shows the page of a verb, and the ops that a handle holds; goes to definitions,
    renames, and offers to mend mistakes.

    A schedule is run over its payload where it names one, in a comment at its top:
    // payload: payload.mlir

    docs/editor.md tells how to set up an editor.
    """
    from tilewright.commands import lsp as command

    command.serve(payload)
