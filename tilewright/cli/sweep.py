"""The declaration of `tilewright sweep`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.options import (
    NoInherit,
    Output,
    Payload,
    ResultsFile,
    ScheduleOption,
    Seed,
    Settings,
    TargetOption,
    examples,
)

EXAMPLES = examples(
    "tilewright sweep payload.mlir --size M=16..4096",
    "tilewright sweep payload.mlir -s tuned.tw --size M=16..4096 --plot speed.svg",
    "tilewright sweep payload.mlir -s tuned.tw --size M=1,64,1000 --size K=512",
    "tilewright sweep payload.mlir -s tuned.tw --size M=16..4096 "
    "--point BM=16,BN=64 --point BM=128,BN=64",
)


def sweep(
    file: Payload,
    size: Annotated[
        list[str],
        typer.Option(
            "--size",
            metavar="NAME=LOW..HIGH|NAME=N,...",
            help="The open size that varies: a range, which is sampled at equal "
            "ratios, or values after commas. Other open sizes get one value each.",
            show_default=False,
        ),
    ],
    schedule: ScheduleOption = None,
    setting: Settings = None,
    samples: Annotated[
        int, typer.Option(min=2, help="Sizes of a range that are timed.")
    ] = 9,
    point: Annotated[
        list[str] | None,
        typer.Option(
            "--point",
            metavar="NAME=VALUE,...",
            help="A point to compare, in place of known ones. Repeatable.",
            show_default=False,
        ),
    ] = None,
    most: Annotated[
        int, typer.Option(min=1, help="Known points that are compared, at most.")
    ] = 4,
    rivals: Annotated[
        bool,
        typer.Option(help="Time plain torch and torch.compile too, on a GPU."),
    ] = True,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Draw speed against size (.svg, .png, .pdf). Needs matplotlib: "
            "pip install 'tilewright[plots]'.",
            show_default=False,
        ),
    ] = None,
    target: TargetOption = None,
    seed: Seed = 0,
    database: ResultsFile = Path("results.db"),
    no_inherit: NoInherit = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="JSON instead of a table.")
    ] = False,
    output: Output = None,
) -> None:
    """Time a program over a range of one size: ours, plain torch and torch.compile.

    Compares the rules of the schedule's table, its defaults and the best points that
    the results file has, or those of --point. A range certificate says between which
    sizes a point stays within 3% of the best of them.

    Without a GPU the times are the cost model's, and there are no rivals.
    """
    from tilewright.commands.sweep import sweep as command

    command.sweep(
        command.Arguments(
            file,
            schedule,
            tuple(setting or ()),
            tuple(size),
            samples,
            tuple(point or ()),
            most,
            target,
            None if no_inherit else database,
            rivals,
            seed,
            plot,
            as_json,
            output,
        )
    )
