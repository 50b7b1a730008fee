"""The declaration of `tilewright check`."""

from __future__ import annotations

from typing import Annotated

import typer

from tilewright.cli.options import (
    EntryOption,
    InspectedFile,
    OtherFile,
    ScheduleOption,
    Settings,
    entry_name,
    examples,
)

EXAMPLES = examples(
    "tilewright check tuned.tw                     (check every branch, run nothing)",
    "tilewright check payload.mlir -s tuned.tw     (and run it over a payload)",
    "tilewright check tuned.tw payload.mlir        (the same, in either order)",
    "tilewright check both.mlir                    (payload and schedule in one file)",
    "tilewright check payload.mlir                 (a planned schedule)",
    "tilewright check payload.mlir -s tuned.tw --set loads=pointers --json",
    "tilewright check tuned.tw --sarif > check.sarif",
)


def check(
    file: InspectedFile,
    other: OtherFile = None,
    schedule: ScheduleOption = None,
    entry: EntryOption = None,
    setting: Settings = None,
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, help="Run the schedule at most N times.")
    ] = 32,
    steps_only: Annotated[
        bool,
        typer.Option(
            "--steps-only",
            help="Run only the schedule's own steps; generate no kernels.",
        ),
    ] = False,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print the findings as JSON, to stdout."),
    ] = False,
    as_sarif: Annotated[
        bool,
        typer.Option(
            "--sarif",
            help="Print the findings as SARIF 2.1.0, to stdout, for code hosts and "
            "editors.",
        ),
    ] = False,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Exit with 1 if there are warnings."),
    ] = False,
) -> None:
    """Report everything that is wrong with a schedule, in every branch.

    Finds handles that are used after an op consumed them; wrong handle kinds, numbers
    and types; too many sizes; bad launch attributes; tensor ops after bufferization;
    unused knobs and handles; requirements that always or never hold. Each mistake is
    reported once, with its line and a remedy.

    With a payload, the schedule also runs over it down to the kernels, at a few points
    that together try every branch of a choice and every option of a knob.
    """
    from tilewright.commands import check as command

    command.check(
        command.Options(
            file,
            other,
            schedule,
            entry_name(entry),
            tuple(setting or ()),
            limit,
            steps_only,
            as_json,
            strict,
            as_sarif,
        )
    )
