"""The declaration of `tilewright profile`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.model_tools.options import Backward, Inputs, ModelName
from tilewright.cli.options import examples

EXAMPLES = examples(
    "tilewright profile model.py:Model --input f16[8,512,1024] -o trace.json",
    "tilewright profile model.py:Model --input f16[8,512] --backward --calls 20",
)


def profile(
    model: ModelName,
    inputs: Inputs = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The file of the trace.")
    ] = Path("trace.json"),
    calls: Annotated[int, typer.Option(help="How many calls to record.")] = 5,
    backward: Backward = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the summary as JSON.")
    ] = False,
) -> None:
    """Record calls of a compiled torch model: a trace, and a table of kernels.

    torch's profiler records; the trace is for chrome://tracing or perfetto.dev. Each
    launch is in a range that is named `tilewright::<payload>/<kernel>` and has the line
    of the planned schedule that made the kernel. The table sums up the time of each
    kernel in a call.

    Without a GPU an interpreter runs the kernels: the ranges are right, the times are
    the interpreter's.
    """
    from tilewright.commands.model_tools import profile as command

    command.profile(
        command.Options(model, tuple(inputs or ()), output, calls, backward, as_json)
    )
