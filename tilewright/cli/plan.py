"""The declaration of `tilewright plan`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.options import (
    MarginOption,
    OpenSizes,
    Output,
    Payload,
    StructureOption,
    TargetOption,
    examples,
    open_margin,
)

EXAMPLES = examples(
    "tilewright plan payload.mlir                  (print the schedule)",
    "tilewright plan payload.mlir -o schedule.tw   (write it, to read and to change)",
    "tilewright plan payload.mlir --explain        (what was found and decided)",
    "tilewright plan payload.mlir --target a100",
    "tilewright plan payload.mlir --structure      (near decisions as open choices)",
    "tilewright plan dynamic.mlir --size M=4096    (a size that the types leave open)",
    "tilewright plan payload.mlir | tilewright run payload.mlir -s -",
)

Explain = Annotated[
    bool,
    typer.Option(
        "--explain",
        help="Print what the planner found and decided too, on standard error.",
    ),
]


def plan(
    file: Payload,
    target: TargetOption = None,
    size: OpenSizes = None,
    explain: Explain = False,
    structure: StructureOption = False,
    margin: MarginOption = None,
    database: Annotated[
        Path,
        typer.Option(
            "--db",
            help="A results file of `tune`: points that were measured at near shapes "
            "become the defaults. It need not exist.",
        ),
    ] = Path("results.db"),
    output: Output = None,
) -> None:
    """Write a schedule for a payload: its kernels, with the choices open.

    Each kernel stands under a comment that names its ops, its work and its estimated
    time. Knobs have the options that suit the shapes and the card, `choose` has the
    structures whose estimates are close, and every choice has a default: the first
    point, picked by a cost model without a trial, or measured before at a shape nearby.
    The output is a .tw file as you would write it: change a line, then `run` it, or let
    `tune` measure its choices.

    With --explain: each op with its loops, work and limit, each fusion that was
    considered with the reason, and each kernel with the sketches that were compared.

    With --structure: where other kernels for the same ops are estimated to be nearly
    as fast, `choose structure` has a branch for each set of kernels; the default is the
    plan without --structure.

    `run`, `tune` and `tilewright.compile` plan by themselves where they are given no
    schedule.
    """
    from tilewright.commands import plan as command

    command.plan(
        command.Options(
            file,
            target,
            tuple(size or ()),
            explain,
            output,
            database,
            open_margin(structure, margin),
        ),
    )
