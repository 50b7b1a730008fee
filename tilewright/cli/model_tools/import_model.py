"""The declaration of `tilewright import`."""

from __future__ import annotations

from typing import Annotated

import typer

from tilewright.cli.options import Output, examples

EXAMPLES = examples(
    "tilewright import model.py:Model --input f16[8,512,1024] -o payload.mlir",
    "tilewright import model.py:step --input f32[64,64] --input i64[64]",
    "tilewright import model.py:Model --input f32[rows=8,512] -o payload.mlir",
    "tilewright import exported.pt2 -o payload.mlir",
)


def import_model(
    model: Annotated[
        str,
        typer.Argument(
            metavar="FILE:NAME|FILE.pt2",
            help="A class, module or function in a Python file, or a program that "
            "torch.export saved. A class is called without arguments, and so is a "
            "function that makes a module.",
            show_default=False,
        ),
    ],
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            metavar="TYPE[SIZES]",
            help="An input of the model, in order: f16[8,512,1024]. A size with a "
            "name stays open: f16[rows=8,512]; equal names are equal sizes. If all "
            "weights have one float type, they get that of the first float input. "
            "Repeatable.",
            show_default=False,
        ),
    ] = None,
    weights: Annotated[
        str,
        typer.Option(
            metavar="FORM",
            help="arguments: weights come after the inputs; constants: the payload "
            "holds them, and what depends on them alone is computed ahead.",
        ),
    ] = "arguments",
    output: Output = None,
) -> None:
    """Write the payload of a torch model: its inputs first, then its weights.

    torch.export captures the model, and each ATen op becomes structured ops. Ops that
    are no payload are an error that names them and the model's lines; torch.compile
    leaves them to torch instead (docs/torch.md).
    """
    from tilewright.commands.model_tools.import_model import Options
    from tilewright.commands.model_tools.import_model import import_model as command

    command(Options(model, tuple(inputs or ()), output, weights))
