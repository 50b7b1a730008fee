"""The declaration of `tilewright run`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.options import (
    CheckOption,
    NoInherit,
    NoPlan,
    OpenSizes,
    Payload,
    ResultsFile,
    ScheduleOption,
    Seed,
    Settings,
    TargetOption,
    examples,
)

EXAMPLES = examples(
    "tilewright run payload.mlir                    (under a planned schedule)",
    "tilewright run payload.mlir -s tuned.tw --set BM=128 --set BN=128",
    "tilewright run dynamic.mlir --size M=1000      (a size that the types leave open)",
    "tilewright run dynamic.mlir --size M=1,16,1000 (one program, at three sizes)",
)


def run(
    file: Payload,
    schedule: ScheduleOption = None,
    setting: Settings = None,
    target: TargetOption = None,
    seed: Seed = 0,
    source: Annotated[bool, typer.Option(help="Also print the Triton source.")] = False,
    size: OpenSizes = None,
    no_plan: NoPlan = False,
    database: ResultsFile = Path("results.db"),
    no_inherit: NoInherit = False,
    check: CheckOption = "auto",
) -> None:
    """Compile a payload, run it on random inputs, check the results and time it.

    Without a schedule, `plan` writes one, and its choices have their defaults. Without
    --set, a schedule's open choices are made by its decision table, or else by the best
    point that the results file has for this payload or a near shape.

    Without a GPU the kernels run in an interpreter: Triton's for f16 and f32 with a
    moderate number of programs, otherwise tilewright's own. The time is then the cost
    model's estimate for --target. The output names the interpreter and the estimate.
    An interpreter would take minutes for a large payload: it checks the same schedule
    at smaller sizes, and says so.
    """
    from tilewright.commands.run import run as command

    settings, sizes = tuple(setting or ()), tuple(size or ())
    command.run(
        file,
        schedule,
        settings,
        target,
        seed,
        source,
        sizes,
        plan=not no_plan,
        results=None if no_inherit else database,
        check=check,
    )
