"""The declaration of `tilewright opt`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.completion import emit_forms
from tilewright.cli.options import (
    EntryOption,
    NoInherit,
    NoPlan,
    Output,
    Payload,
    ResultsFile,
    ScheduleOption,
    Seed,
    Settings,
    TargetOption,
    entry_name,
    examples,
)

EXAMPLES = examples(
    "tilewright opt payload.mlir                   (read, check and print it)",
    "tilewright opt payload.mlir --emit triton     (the kernels of a planned schedule)",
    "tilewright opt payload.mlir -s tile.tw --diff",
    "tilewright opt both.mlir --dump steps/        (payload and schedule in one file)",
    "tilewright opt both.mlir --entry @cleanup     (another sequence of the file)",
    "tilewright opt payload.mlir -s tile.tw --stop-after tile.tw:12",
    "tilewright opt payload.mlir -s tile.tw --verify-each --time -o out.mlir",
    "tilewright opt payload.mlir -s tile.tw --emit triton --stats -o kernel.py",
    "tilewright opt payload.mlir -s tile.tw --emit ptx --target a100   (without a GPU)",
)


def opt(
    file: Payload,
    schedule: ScheduleOption = None,
    entry: EntryOption = None,
    setting: Settings = None,
    emit: Annotated[
        str,
        typer.Option(
            metavar="FORM",
            autocompletion=emit_forms,
            help="What to print: mlir (the payload after the schedule), outline (its "
            "loops, with a line for each op), mlir-schedule "
            "or tw-schedule (the schedule itself); or, after the default has finished "
            "the schedule, buffer, kernel or triton; or what Triton compiles that to "
            "for --target, without a GPU: ttir, ttgir, llir, ptx or sass.",
        ),
    ] = "mlir",
    generic: Annotated[
        bool,
        typer.Option("--generic", help="Print MLIR in its generic form."),
    ] = False,
    keep_schedule: Annotated[
        bool,
        typer.Option("--keep-schedule", help="Print the schedule with the payload."),
    ] = False,
    print_after_each: Annotated[
        bool,
        typer.Option(
            "--print-after-each", help="Print the IR after every step, to stderr."
        ),
    ] = False,
    diff: Annotated[
        bool,
        typer.Option(
            "--diff",
            help="Print what each step changed, in place of the result. -o still "
            "writes the result.",
        ),
    ] = False,
    dump: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write the IR after every step to this folder, and index.json with "
            "the op, place, time, changed functions and failure of each step.",
            show_default=False,
        ),
    ] = None,
    stop_after: Annotated[
        str | None,
        typer.Option(
            metavar="N|LABEL",
            help="Stop and print the payload after step N, after the first op of a "
            "name (tile, structured.match), or after a line (tile.tw:12).",
            show_default=False,
        ),
    ] = None,
    time: Annotated[
        bool, typer.Option("--time", help="Show where the time went, to stderr.")
    ] = False,
    verify_each: Annotated[
        bool,
        typer.Option(
            "--verify-each",
            help="Run the payload on numpy before and after every step, and report a "
            "step that changes a result.",
        ),
    ] = False,
    seed: Seed = 0,
    stats: Annotated[
        bool,
        typer.Option(
            "--stats",
            help="With --emit triton, or with a level below it: compile for --target "
            "(needs no GPU) and print registers, spills, shared memory, wgmma and TMA "
            "counts to stderr.",
        ),
    ] = False,
    target: TargetOption = None,
    output: Output = None,
    no_plan: NoPlan = False,
    database: ResultsFile = Path("results.db"),
    no_inherit: NoInherit = False,
    allow_unregistered_dialect: Annotated[
        bool,
        typer.Option(
            help="Read ops, types and attributes of unknown dialects, in MLIR's "
            "generic form.",
        ),
    ] = True,
    library: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="A file, or a folder of files, of named sequences that the schedule "
            "declares without a body.",
            show_default=False,
        ),
    ] = None,
    bind_trailing_args: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="What further arguments of the entry stand for, separated by commas: "
            "op.name (all such ops), ^op.name (their results), #1;2;3 (integers).",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Run a schedule over a payload and print the result.

    FILE may contain payload and schedule together, as mlir-opt reads them: then its
    transform.named_sequence @__transform_main runs, or a bare transform.sequence. Only
    the steps of the schedule run, unless --emit asks for a kernel. Where there is no
    schedule, --emit, --diff and the like use the one that `plan` writes.

    The schedule is checked first. Where a step does not apply, the error shows its line
    in the schedule, the payload op, the reason and a remedy. Without --set, open
    choices are made by the schedule's table, by the best point that the results file
    has for this payload or a near shape, or by their defaults.
    """
    from tilewright.commands.opt import opt as command
    from tilewright.commands.opt.arguments import Options

    command.opt(
        Options(
            file,
            schedule,
            entry_name(entry),
            tuple(setting or ()),
            emit,
            generic,
            keep_schedule,
            print_after_each,
            diff,
            dump,
            stop_after,
            time,
            verify_each,
            seed,
            output,
            stats,
            target,
            plan=not no_plan,
            results=None if no_inherit else database,
            allow_unregistered=allow_unregistered_dialect,
            libraries=tuple(library or ()),
            bound_arguments=tuple((bind_trailing_args or "").split(","))
            if bind_trailing_args
            else (),
        )
    )
