"""The declaration of `tilewright tune`."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.completion import strategy_names
from tilewright.cli.options import (
    MarginOption,
    OpenSizes,
    Payload,
    ScheduleOption,
    Settings,
    StructureOption,
    TargetOption,
    examples,
    open_margin,
)

EXAMPLES = examples(
    "tilewright tune payload.mlir --budget 60s     (a planned schedule)",
    "tilewright tune payload.mlir --structure --budget 5m   (other kernels too)",
    "tilewright tune payload.mlir -s tuned.tw --trials 100",
    "tilewright tune dynamic.mlir -s tuned.tw --size M=4096 --size K=1024",
    "tilewright tune dynamic.mlir -s tuned.tw --size M=16,256,4096",
    "tilewright tune dynamic.mlir -s tuned.tw --size M=16,256,4096 --per-size",
    "tilewright tune payload.mlir -s tuned.tw --watch   (the trials in a browser)",
    "tilewright tune payload.mlir -s tuned.tw --cluster tcp://host:8786",
)


def tune(
    file: Payload,
    schedule: ScheduleOption = None,
    setting: Settings = None,
    strategy: Annotated[
        str,
        typer.Option(
            help="The search strategy: guided, evolution, tpe, gp, descent, annealing, "
            "halving, random or grid. Its options follow, as in guided:sample=512; "
            "docs/tuning.md lists them.",
            autocompletion=strategy_names,
        ),
    ] = "guided",
    trials: Annotated[
        int | None,
        typer.Option(
            help="The number of trials. Default: 50 (24 for each kernel where kernels "
            "are tuned one by one), or no limit with --budget or --until-no-gain.",
            show_default=False,
        ),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            help="The time for the whole run, such as 60s, 5m or 1h.",
            show_default=False,
        ),
    ] = None,
    until_no_gain: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="End the search after this many trials in a row without a gain.",
            show_default=False,
        ),
    ] = None,
    database: Annotated[
        Path, typer.Option("--db", help="The results file, which later runs reuse.")
    ] = Path("results.db"),
    target: TargetOption = None,
    seed: Annotated[
        int,
        typer.Option(
            help="The seed of the random inputs and of the search: the same seed gives "
            "the same sequence of points."
        ),
    ] = 0,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="The number of compile processes. Default: all cores but two; with "
            "--cluster, the threads of its workers.",
            show_default=False,
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            help="Compile and measure on the workers of a Dask scheduler: its address, "
            "such as tcp://host:8786, its scheduler file, or `local` to start one.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Start a Dask cluster here with this number of compile workers, and "
            "one that measures if there is a GPU.",
            show_default=False,
        ),
    ] = None,
    device: Annotated[
        str | None,
        typer.Option(
            help="The card to measure on, of a cluster with several kinds. Default: "
            "the most common one.",
            show_default=False,
        ),
    ] = None,
    devices: Annotated[
        str | None,
        typer.Option(
            help="The cards of this machine to measure on: `all`, or numbers such as "
            "`0,2`. A process measures on each. Default: the first one.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write the winning schedule to this file. Default: SCHEDULE.best.tw; "
            "for a planned schedule, PAYLOAD.best.tw.",
            show_default=False,
        ),
    ] = None,
    summary: Annotated[
        Path | None,
        typer.Option(
            help="Write a summary of the run to this file, as JSON.", show_default=False
        ),
    ] = None,
    size: OpenSizes = None,
    per_size: Annotated[
        bool,
        typer.Option(
            "--per-size",
            help="Tune each value of --size for itself, and write a decision table: "
            "the point by size, which `run` and `tilewright.compile` use.",
        ),
    ] = False,
    jointly: Annotated[
        bool,
        typer.Option(
            "--jointly",
            help="Search the choices of all kernels of a planned schedule together. "
            "Default: kernel by kernel, equal ones once.",
        ),
    ] = False,
    structure: StructureOption = False,
    margin: MarginOption = None,
    flush_mb: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            help="Megabytes that are written between repetitions, to flush the L2; 0 "
            "does not flush it. Default: as many as the card's L2 has.",
            show_default=False,
        ),
    ] = None,
    warmup_ms: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            help="Milliseconds of calls before a candidate is timed. Default: 3.",
            show_default=False,
        ),
    ] = None,
    repetition_ms: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            help="Milliseconds of repetitions of a candidate. Default: 25, and at most "
            "150 repetitions.",
            show_default=False,
        ),
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(
            help="Write a line for each configuration to this file, as it ends.",
            show_default=False,
        ),
    ] = None,
    share: Annotated[
        str | None,
        typer.Option(
            help="A database of results that a team shares, such as "
            "postgresql://user@host/results: results of this payload are taken from it "
            "before the run, and the run is added to it.",
            envvar="TILEWRIGHT_SHARE",
            show_default=False,
        ),
    ] = None,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch",
            help="Show the trials in a browser while the run goes on; the page ends "
            "with the run. Needs pip install 'tilewright[serve]'.",
        ),
    ] = False,
) -> None:
    """Choose a schedule's open choices by measuring, and write the winning schedule.

    Without a schedule, `plan` writes one. The search starts at the default of each
    choice. The kernels of a planned schedule are tuned one by one, each as long as it
    pays; then the whole is checked and timed. With --structure, so are the kernels that
    other structures have; the best of these are tried in the whole.

    With a GPU, every candidate is checked against the reference before it is timed, and
    once more afterwards. Without a GPU, candidates are compiled for --target and ranked
    by the cost model. An interpreter then checks every candidate of a payload of up to
    2e9 floating-point operations, and only the winner of a larger one.

    A payload with open sizes is tuned at the sizes that --size gives. The result is one
    program for all sizes: the one with the best geometric mean of the times; or, with
    --per-size, the schedule with a table that has a point for each range of sizes.
    """
    from tilewright.tuning.workers.fork_server import early_start

    on_cluster = cluster is not None or workers is not None
    with nullcontext() if on_cluster else early_start("compile"):
        # Importing the command takes a second, in which the server loads torch.
        from tilewright.commands.tune import tune as command
        from tilewright.commands.tune.arguments import Options, TimingArguments
        from tilewright.commands.tune.machines import MachineOptions

        command.tune(
            Options(
                file,
                schedule,
                tuple(setting or ()),
                strategy,
                trials,
                budget,
                database,
                target,
                seed,
                output,
                summary,
                tuple(size or ()),
                per_size,
                MachineOptions(jobs, cluster, workers, device, devices),
                jointly,
                until_no_gain,
                watch,
                TimingArguments(flush_mb, warmup_ms, repetition_ms),
                log,
                share,
                open_margin(structure, margin),
            )
        )
