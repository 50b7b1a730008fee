"""Arguments and options of the commands on torch models."""

from __future__ import annotations

from typing import Annotated

import typer

MODEL_HELP = (
    "A class, module or function in a Python file. A class is called without "
    "arguments, and so is a function that makes a module; the module runs in "
    "evaluation mode."
)
INPUT_HELP = (
    "An input of the model, in order: f16[8,512,1024]. Numbers are random; integers "
    "are below 8. If all weights have one float type, they get that of the first "
    "float input. Repeatable."
)

ModelName = Annotated[
    str, typer.Argument(metavar="FILE.py:NAME", help=MODEL_HELP, show_default=False)
]
Inputs = Annotated[
    list[str] | None,
    typer.Option("--input", metavar="TYPE[SIZES]", help=INPUT_HELP, show_default=False),
]
Backward = Annotated[
    bool,
    typer.Option(
        "--backward",
        help="Look at training: the forward graph, and the backward graph of the sum "
        "of the results.",
    ),
]
