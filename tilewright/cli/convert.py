"""The declaration of `tilewright convert`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.options import Output, examples

EXAMPLES = examples(
    "tilewright convert script.mlir -o script.tw   (from mlir-opt's form)",
    "tilewright convert tuned.tw -o tuned.mlir     (to mlir-opt's form)",
    "tilewright convert tuned.tw                   (the other form, to stdout)",
)


def convert(
    file: Annotated[
        Path,
        typer.Argument(
            help="A schedule, .tw or .mlir; - reads a .tw from standard input.",
            show_default=False,
        ),
    ],
    output: Output = None,
) -> None:
    """Write a .tw schedule as .mlir, or a .mlir schedule as .tw, without loss.

    Choices stay open, and constraints, defaults, the decision table and comments are
    written too. The result is read back and compared before it is written: a schedule
    that the other form cannot express is refused, with the place that it is about.
    """
    from tilewright.commands import convert as command

    command.convert(file, output)
