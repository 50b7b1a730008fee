"""The declaration of `tilewright shell`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.options import examples

EXAMPLES = examples(
    "tilewright shell payload.mlir                    (type statements)",
    "tilewright shell payload.mlir < statements.txt   (run the ones of a file)",
)


def shell(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="PAYLOAD", help="The payload (.mlir).", show_default=False
        ),
    ],
) -> None:
    """Write a schedule statement by statement, and see what each one changes.

    Type a statement of the schedule language, such as mm = match "linalg.matmul" in
    root. The shell runs it, prints the difference of the payload, and tells what the
    new names hold. The tab key completes. 'undo' takes a statement back, 'save FILE'
    writes the schedule, 'help' lists everything else.
    """
    from tilewright.commands.shell import shell as command

    command(file)
