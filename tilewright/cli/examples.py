"""The declaration of `tilewright examples`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.completion import example_names
from tilewright.cli.options import examples as examples_text

EXAMPLES = examples_text(
    "tilewright examples                           (list them)",
    "tilewright examples matmul_relu               (copy one, to ./matmul_relu)",
    "tilewright examples matmul_relu -o mine       (to another folder)",
)


def examples(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="The example to copy; without it, all are listed.",
            show_default=False,
            autocompletion=example_names,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="The folder to copy to. Default: NAME, in the present folder.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """List the examples that come with tilewright, or copy one.

    Files that are there already are not replaced: if one differs, nothing is copied.
    """
    from tilewright.commands import examples as command
    from tilewright.commands.terminal.failure import UsageError

    if name is not None:
        command.copy_example(name, output)
    elif output is not None:
        raise UsageError("-o needs the name of an example", remedy="give NAME too")
    else:
        command.list_examples()
