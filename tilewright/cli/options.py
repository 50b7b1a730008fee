"""Arguments and options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from inspect import cleandoc
from pathlib import Path
from typing import Annotated, Literal

import typer

from tilewright.cli.completion import target_names

Payload = Annotated[
    Path,
    typer.Argument(
        help="The payload, an .mlir file; - reads standard input.", show_default=False
    ),
]
ScheduleOption = Annotated[
    Path | None,
    typer.Option(
        "--schedule",
        "-s",
        help="The schedule, .tw or .mlir; - reads a .tw from standard input. Without "
        "it, the one that FILE contains, or else a planned one.",
        show_default=False,
    ),
]
InspectedFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="The schedule (.tw or .mlir); with -s, or to plan one, the payload.",
        show_default=False,
    ),
]
OtherFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="[PAYLOAD]",
        help="A payload to run the schedule over; either file may come first.",
        show_default=False,
    ),
]
EntryOption = Annotated[
    str | None,
    typer.Option(
        "--entry",
        metavar="NAME",
        help="Start at this sequence instead of @__transform_main.",
        show_default=False,
    ),
]
NoPlan = Annotated[
    bool,
    typer.Option(
        "--no-plan",
        help="Where there is no schedule, plan none: the default schedules every op.",
    ),
]
NoInherit = Annotated[
    bool,
    typer.Option(
        "--no-inherit",
        help="Use no point of a results file: open choices get their defaults.",
    ),
]
ResultsFile = Annotated[
    Path,
    typer.Option(
        "--db",
        help="The results file of `tune`, or a file of winners: its best point for "
        "this payload or a near shape is used where --set gives none.",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Close an open choice: a knob's value or a branch's label. BM may stand "
        "for BM_tiles if the branches taken have one such choice. Repeatable.",
        show_default=False,
    ),
]
TargetOption = Annotated[
    str | None,
    typer.Option(
        "--target",
        help="The GPU to compile for: h200, b200, mi300x, ... Default: this machine's "
        "GPU, else h200.",
        autocompletion=target_names,
        show_default=False,
    ),
]
OpenSizes = Annotated[
    list[str] | None,
    typer.Option(
        "--size",
        metavar="N|NAME=N|NAME=NxM",
        help="A size that the types leave open (?): by its name in the kernels (M=16), "
        "all sizes of an argument (A=16x64), or one number for all. Commas separate "
        "the values of several runs. Repeatable.",
        show_default=False,
    ),
]
StructureOption = Annotated[
    bool,
    typer.Option(
        "--structure",
        help="Leave the structure of a planned schedule open too: other kernels for "
        "the same ops, where their estimates are near.",
    ),
]
MarginOption = Annotated[
    float | None,
    typer.Option(
        "--margin",
        min=1.0,
        help="How near: the largest ratio of a structure's estimate to that of the "
        "planned one. Implies --structure. Default: 1.3.",
        show_default=False,
    ),
]
Seed = Annotated[int, typer.Option(help="The seed of the random inputs.")]
CheckOption = Annotated[
    Literal["auto", "whole", "small", "none"],
    typer.Option(
        help="Without a GPU, what an interpreter checks: the program at the payload's "
        "own sizes (whole), the same schedule at smaller sizes (small), or nothing "
        "(none). auto: whole where that takes about a minute or less.",
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", help="Write to this file, not to stdout.", show_default=False
    ),
]


def open_margin(structure: bool, margin: float | None) -> float | None:
    """How near the structures are that stay open; None: the structure is planned."""
    from tilewright.planning.structure import MARGIN

    return MARGIN if structure and margin is None else margin


def entry_name(entry: str | None) -> str | None:
    """The name of a sequence; people may write it with its @."""
    return None if entry is None else entry.removeprefix("@")


def help_of(command: Callable[..., object]) -> str:
    """A command's docstring, a line for each paragraph: terminals wrap them."""
    paragraphs = cleandoc(command.__doc__ or "").split("\n\n")
    return "\n\n".join(" ".join(text.split()) for text in paragraphs)


def examples(*lines: str) -> str:
    """The examples at the end of a command's help."""
    title = "Examples:" if len(lines) > 1 else "Example:"
    return "\n\n".join([title, *lines])
