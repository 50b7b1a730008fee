"""The declaration of `tilewright interpret`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.options import (
    Payload,
    Seed,
    examples,
)

EXAMPLES = examples(
    "tilewright interpret payload.mlir             (random inputs, from --seed)",
    "tilewright interpret payload.mlir --inputs in.npz -o out.npz",
    "tilewright interpret dynamic.mlir --size A=100x64 --size B=64x7",
    "tilewright opt payload.mlir -s tile.tw | tilewright interpret - --poison",
)


def interpret(
    file: Payload,
    inputs: Annotated[
        Path | None,
        typer.Option(
            metavar="NPZ",
            help="The arguments, saved by numpy.savez under their names (%A is A) or "
            "in their order. Save bf16 and f8 as float32.",
            show_default=False,
        ),
    ] = None,
    size: Annotated[
        list[str] | None,
        typer.Option(
            metavar="N|NAME=NxM",
            help="Sizes that the types leave open (?): all sizes of an argument "
            "(A=16x64), or one number for all. Repeatable.",
            show_default=False,
        ),
    ] = None,
    entry: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The function to run. Default: the one that no other calls.",
            show_default=False,
        ),
    ] = None,
    seed: Seed = 0,
    poison: Annotated[
        bool,
        typer.Option(
            "--poison",
            help="Fill new memory (tensor.empty, memref.alloc) with NaN, not with "
            "zeros: a read before the first write shows in the results.",
        ),
    ] = False,
    shuffle: Annotated[
        int | None,
        typer.Option(
            metavar="SEED",
            help="Run the iterations of every scf.forall in a random order: a "
            "dependence on the order shows in the results.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="NPZ",
            help="Save the results, by name: result0, result1, ...",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Run a payload on numpy, at any level of its lowering, and print the results.

    This interpreter is the reference that every kernel is compared with. It executes
    linalg on tensors, tiled loops, vectors and buffers, so that a payload can be
    compared before and after a schedule.
    """
    from tilewright.commands import interpret as command

    command.interpret(
        command.Options(
            file, inputs, tuple(size or ()), entry, seed, poison, shuffle, output
        )
    )
