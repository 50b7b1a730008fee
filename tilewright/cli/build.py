"""The declaration of `tilewright build`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.options import (
    NoInherit,
    Payload,
    ResultsFile,
    ScheduleOption,
    Settings,
    TargetOption,
    examples,
)

EXAMPLES = examples(
    "tilewright build payload.mlir --target h200 -o linear    (a planned schedule)",
    "tilewright build payload.mlir -s tuned.tw -o linear      (a tuned one)",
    "tilewright build payload.mlir -s tuned.tw --db results.db -o linear",
    "tilewright build payload.mlir -s tuned.tw --set BM=128 --set BN=128 -o linear",
    "python linear                        (what it is, and whether it runs here)",
    "python -c 'import linear; linear.program(x, w)'",
)


def build(
    file: Payload,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="The folder to write; an older artefact there is replaced.",
            show_default=False,
        ),
    ],
    schedule: ScheduleOption = None,
    setting: Settings = None,
    target: TargetOption = None,
    database: ResultsFile = Path("results.db"),
    no_inherit: NoInherit = False,
) -> None:
    """Compile a payload ahead of time: a folder that runs without the compiler.

    The folder has the machine code of every kernel, metadata (metadata.json), the
    Triton source, the schedule with no choices left, and a loader. The loader needs
    Python and NVIDIA's driver: no tilewright, no Triton. It takes torch tensors, or
    other arrays on the GPU, and checks device, shapes, types and alignment.

    Open choices are made as in `run`: by --set, by the schedule's decision table, by
    the best point of the results file, or else by the defaults. With a decision table
    and open sizes, every rule is compiled, and the loader chooses at each call.

    No GPU is needed to build. The machine code is for one kind of card (--target).
    """
    from tilewright.commands import build as command

    command.build(
        file,
        schedule,
        tuple(setting or ()),
        target,
        output,
        results=None if no_inherit else database,
    )
