"""The declarations of `tilewright bisect` and `tilewright repro`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.model_tools.options import Backward, Inputs, ModelName
from tilewright.cli.options import Seed, examples

BISECT_EXAMPLES = examples(
    "tilewright bisect model.py:Model --input f16[8,512,1024]",
    "tilewright bisect model.py:Model --input f32[64,64] --backward   (training)",
    "tilewright bisect model.py:Model --input f32[64,64] --tolerance 10",
)
REPRO_EXAMPLES = examples(
    "tilewright repro model.py:Model --input f16[8,512,1024]",
    "tilewright repro model.py:Model --input f32[64,64] --kernel payload0_dot_kernel",
    "tilewright repro model.py:Model --input f32[64,64] -o wrong_kernel",
)

Tolerance = Annotated[
    float,
    typer.Option(
        help="A factor on the tolerance: 10 allows ten times the usual difference."
    ),
]


def bisect(
    model: ModelName,
    inputs: Inputs = None,
    seed: Seed = 0,
    backward: Backward = False,
    tolerance: Tolerance = 1.0,
) -> None:
    """Find the first kernel of a torch model that deviates from eager torch.

    Eager torch runs the model, and the kernels of each payload run on the same values:
    on the GPU, or in Triton's interpreter without one. A value may be off by a few
    times the error that eager torch itself has beside float64. Where a payload
    deviates, its ops are tried one by one, and then its kernels: the first that
    computes something else is named, with its ops, its model lines and the size of the
    deviation.

    Exits with 0 if nothing deviates, and with 1 if something does. `tilewright repro`
    writes a script of the culprit.
    """
    from tilewright.commands.model_tools import bisect as command

    command.bisect(
        command.Options(model, tuple(inputs or ()), seed, backward, tolerance)
    )


def repro(
    model: ModelName,
    inputs: Inputs = None,
    kernel: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="This kernel, whether it deviates or not; `tilewright explain` lists "
            "them. Default: the first that deviates.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder to write to.")
    ] = Path("repro"),
    seed: Seed = 0,
    backward: Backward = False,
    tolerance: Tolerance = 1.0,
) -> None:
    """Write a script that shows a wrong kernel of a torch model, without the model.

    It looks for the first kernel that deviates, as `tilewright bisect` does. The script
    has its Triton source, a reference in torch, and a main program that runs both on
    the kernel's inputs, which are saved beside it, and prints the difference. It needs
    torch and triton only; TRITON_INTERPRET=1 runs it without a GPU.
    """
    from tilewright.commands.model_tools import bisect as command

    command.repro(
        command.Options(model, tuple(inputs or ()), seed, backward, tolerance),
        kernel,
        output,
    )
