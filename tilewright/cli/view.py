"""The declaration of `tilewright view`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.model_tools.options import INPUT_HELP, Backward
from tilewright.cli.options import (
    EntryOption,
    NoInherit,
    ResultsFile,
    ScheduleOption,
    Seed,
    Settings,
    TargetOption,
    entry_name,
    examples,
)

EXAMPLES = examples(
    "tilewright view payload.mlir -s tile_fuse.tw          (every step of a schedule)",
    "tilewright view payload.mlir                         (the planned schedule)",
    "tilewright view payload.mlir -s tile_fuse.tw --verify-each --set BM=64",
    "tilewright view payload.mlir -s tile_fuse.tw --emit ttgir --emit ptx",
    "tilewright view model.py:Model --input f16[8,512]    (the kernels of a model)",
    "tilewright view model.py:Model --input f16[8,512] --backward --details 40",
    "tilewright view results.db                           (a tuning run)",
)


def view(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|FILE.py:NAME|DB",
            help="A payload (.mlir), a torch model in a Python file, or a results file "
            "of `tune` (also its export, or a recorded space).",
            show_default=False,
        ),
    ],
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="RUN...",
            help="Of a results file: words that name the run to begin with, as in "
            "`results show`. Default: the newest.",
            show_default=False,
        ),
    ] = None,
    schedule: ScheduleOption = None,
    entry: EntryOption = None,
    setting: Settings = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            metavar="TYPE[SIZES]",
            help=INPUT_HELP,
            show_default=False,
        ),
    ] = None,
    backward: Backward = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="The page; - writes it to standard output. Default: the name of FILE "
            "with .html, here.",
            show_default=False,
        ),
    ] = None,
    verify_each: Annotated[
        bool,
        typer.Option(
            "--verify-each",
            help="Run the payload on numpy before and after every step, and show "
            "whether the numbers stay the same.",
        ),
    ] = False,
    seed: Seed = 0,
    emit: Annotated[
        list[str] | None,
        typer.Option(
            "--emit",
            metavar="LEVEL",
            help="Show what Triton compiles the kernels to for --target, too: ttir, "
            "ttgir, llir, ptx or sass. Needs no GPU. Repeatable.",
            show_default=False,
        ),
    ] = None,
    details: Annotated[
        int | None,
        typer.Option(
            "--details",
            min=0,
            metavar="N",
            help="Of a model: show every step of the N kernels that take longest. "
            "Default: 12.",
            show_default=False,
        ),
    ] = None,
    target: TargetOption = None,
    no_estimate: Annotated[
        bool,
        typer.Option(
            "--no-estimate",
            help="Do not compile the kernels to estimate their time.",
        ),
    ] = False,
    database: ResultsFile = Path("results.db"),
    no_inherit: NoInherit = False,
    trials: Annotated[
        int,
        typer.Option(
            "--trials",
            metavar="N",
            min=0,
            help="Of a results file: the number of trials whose IR and source are in "
            "the page: the winner, the best of each structure, then by time.",
        ),
    ] = 8,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Do not open the page in a browser.")
    ] = False,
) -> None:
    """Write a page that shows a program, a torch model or a tuning run.

    The page is one HTML file. It needs no network and no server, and can be mailed.

    For a payload it has the schedule beside the IR after every step, the loop nest as a
    picture, the kernels with their traffic, and the generated code. For a torch model,
    its kernels and what stayed in torch. For a results file, the trials of its tuning
    runs.
    """
    from tilewright.commands.view import view as command
    from tilewright.commands.view.arguments import Options

    command.view(
        Options(
            file,
            tuple(words or ()),
            schedule,
            entry_name(entry),
            tuple(setting or ()),
            tuple(inputs or ()),
            backward,
            output,
            verify_each,
            seed,
            tuple(emit or ()),
            target,
            None if no_inherit else database,
            trials,
            not no_open,
            not no_estimate,
            details=details,
        )
    )
