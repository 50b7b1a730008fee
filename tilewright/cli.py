"""The command line: what people type, and nothing else.

Commands are declared here with their help; the work is imported when a command runs, so
that `--help` answers at once.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from tilewright.commands.terminal.usage import OnceCommand
from tilewright.version import __version__

app = typer.Typer(
    name="tilewright",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=(
        "A schedule compiler: the payload says what to compute (linalg on tensors), "
        "the schedule says how (tile, fuse, vectorize, ...), the tuner closes what "
        "the schedule leaves open by measuring Triton kernels."
    ),
    epilog=(
        "Start with:  tilewright opt examples/matmul_relu/payload.mlir -s "
        "examples/matmul_relu/tile_fuse.tw --diff"
    ),
)
results_app = typer.Typer(
    no_args_is_help=True, help="Look into a results file that tune has written."
)
app.add_typer(results_app, name="results")

Payload = Annotated[
    Path,
    typer.Argument(
        help="The payload, an .mlir file; - for what is piped in.", show_default=False
    ),
]
ScheduleOption = Annotated[
    Path | None,
    typer.Option(
        "--schedule",
        "-s",
        help="The schedule, .tw or .mlir; may also stand in FILE.",
        show_default=False,
    ),
]
InspectedFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="The schedule (.tw or .mlir), or the payload where -s gives the schedule.",
        show_default=False,
    ),
]
OtherFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="[PAYLOAD]",
        help="A payload to run it over; schedule and payload in either order.",
        show_default=False,
    ),
]
EntryOption = Annotated[
    str | None,
    typer.Option(
        "--entry",
        metavar="NAME",
        help="Begin at this sequence, not at @__transform_main.",
        show_default=False,
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Close an open choice: a knob's value or a branch's label. Repeatable.",
        show_default=False,
    ),
]
TargetOption = Annotated[
    str | None,
    typer.Option(
        "--target",
        help="GPU to compile for: h200, h100, a100, a40. Default: the one here, else "
        "h200.",
        show_default=False,
    ),
]
OpenSizes = Annotated[
    list[str] | None,
    typer.Option(
        "--size",
        metavar="N|NAME=N|NAME=NxM",
        help="Sizes that the types leave open (?): of an argument, one by the name it "
        "has in the kernels, or one number for all; several values after commas. "
        "Repeatable.",
        show_default=False,
    ),
]
Seed = Annotated[int, typer.Option(help="Seed of the random inputs.")]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", help="Write here, not to stdout.", show_default=False
    ),
]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tilewright {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show it."),
    ] = False,
) -> None:
    pass


@app.command(
    cls=OnceCommand,
    epilog="Examples:\n\n"
    "tilewright opt payload.mlir                   (read, check and print it)\n\n"
    "tilewright opt payload.mlir -s tile.tw --diff\n\n"
    "tilewright opt both.mlir --dump steps/        (payload and script in one file)\n\n"
    "tilewright opt both.mlir --entry @cleanup     (another sequence of the file)\n\n"
    "tilewright opt payload.mlir -s tile.tw --stop-after tile.tw:12\n\n"
    "tilewright opt payload.mlir -s tile.tw --verify-each --time -o out.mlir\n\n"
    "tilewright opt payload.mlir -s tile.tw --emit triton --stats -o kernel.py",
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
            help="What to print: mlir (the payload after the schedule), mlir-schedule "
            "or tw-schedule (the schedule), buffer, kernel, triton (these three "
            "finish the schedule first).",
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
        typer.Option("--diff", help="Show what each step changed, to stderr."),
    ] = False,
    dump: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write the IR after every step here, and index.json: op, place, "
            "time, changed functions, what failed.",
            show_default=False,
        ),
    ] = None,
    stop_after: Annotated[
        str | None,
        typer.Option(
            metavar="N|LABEL",
            help="Print the payload as it is after step N, after the first op of a "
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
            help="Run the payload on numpy before and after every step, and name a "
            "step that changes a result.",
        ),
    ] = False,
    seed: Seed = 0,
    stats: Annotated[
        bool,
        typer.Option(
            "--stats",
            help="With --emit triton: compile for --target, without a GPU if need be; "
            "say registers, spills, shared memory, wgmma and TMA, to stderr.",
        ),
    ] = False,
    target: TargetOption = None,
    output: Output = None,
) -> None:
    """Run a schedule over a payload and print the result.

    FILE may hold payload and schedule together, as mlir-opt takes it: then its
    transform.named_sequence @__transform_main runs, or a bare transform.sequence. What
    the script says is run and nothing else, unless --emit asks for a kernel.

    The schedule is checked first. A step that does not apply is an error that names its
    line in the script, the payload op, the reason and a remedy. A schedule with open
    choices needs --set for each.
    """
    from tilewright.commands import opt as command

    command.opt(
        command.Options(
            file,
            schedule,
            None if entry is None else entry.removeprefix("@"),
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
        )
    )


@app.command(
    cls=OnceCommand,
    epilog="Examples:\n\n"
    "tilewright check tuned.tw                     (every branch, nothing is run)\n\n"
    "tilewright check payload.mlir -s tuned.tw     (and run it over a payload)\n\n"
    "tilewright check tuned.tw payload.mlir        (the same; either order)\n\n"
    "tilewright check both.mlir                    (payload and script in one file)\n\n"
    "tilewright check payload.mlir -s tuned.tw --set loads=pointers --json",
)
def check(
    file: InspectedFile,
    other: OtherFile = None,
    schedule: ScheduleOption = None,
    entry: EntryOption = None,
    setting: Settings = None,
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, help="Points to run at most.")
    ] = 32,
    steps_only: Annotated[
        bool,
        typer.Option(
            "--steps-only",
            help="Run the schedule's own steps and stop; make no kernels.",
        ),
    ] = False,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print what was found as JSON, to stdout."),
    ] = False,
) -> None:
    """Say everything that is wrong with a schedule, in every branch.

    Handles used after an op consumed them; wrong kinds, numbers and types; too many
    sizes; launch attributes; work on tensors after bufferizing; knobs and handles that
    nothing uses; requirements that always or never hold. Each mistake is shown once,
    with its line and a remedy.

    With a payload the schedule is run over it down to the kernels, at few points that
    try every branch of a choice and every option of a knob.
    """
    from tilewright.commands import check as command

    command.check(
        command.Options(
            file,
            other,
            schedule,
            None if entry is None else entry.removeprefix("@"),
            tuple(setting or ()),
            limit,
            steps_only,
            as_json,
        )
    )


@app.command(
    cls=OnceCommand,
    epilog="Examples:\n\n"
    "tilewright space tuned.tw                     (the choices and their number)\n\n"
    "tilewright space payload.mlir -s tuned.tw     (and which of them change nothing)",
)
def space(
    file: InspectedFile,
    other: OtherFile = None,
    schedule: ScheduleOption = None,
    entry: EntryOption = None,
) -> None:
    """Show the choices a schedule leaves open, and the constraints between them.

    With a payload each choice is varied at a few points, and those that change nothing
    in the kernels are named.
    """
    from tilewright.commands import space as command

    name = None if entry is None else entry.removeprefix("@")
    command.space(file, other, schedule, name)


@app.command(
    cls=OnceCommand,
    epilog="Examples:\n\n"
    "tilewright interpret payload.mlir             (random inputs, from --seed)\n\n"
    "tilewright interpret payload.mlir --inputs in.npz -o out.npz\n\n"
    "tilewright interpret dynamic.mlir --size A=100x64 --size B=64x7\n\n"
    "tilewright opt payload.mlir -s tile.tw | tilewright interpret - --poison",
)
def interpret(
    file: Payload,
    inputs: Annotated[
        Path | None,
        typer.Option(
            metavar="NPZ",
            help="The arguments, saved by numpy.savez under their names in the text "
            "(%A is A), or in their order. bf16 and f8 come as float32.",
            show_default=False,
        ),
    ] = None,
    size: Annotated[
        list[str] | None,
        typer.Option(
            metavar="N|NAME=NxM",
            help="Sizes that the types leave open (?): of an argument, or one number "
            "for all. Repeatable.",
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
            "zeros: what is read before it is written shows in the results.",
        ),
    ] = False,
    shuffle: Annotated[
        int | None,
        typer.Option(
            metavar="SEED",
            help="Run the iterations of every scf.forall in a random order: what "
            "depends on the order shows in the results.",
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
    """Run a payload on numpy, at whatever level it is, and show what comes out.

    This is the reference that every kernel is compared with. It executes linalg on
    tensors, tiled loops, vectors and buffers alike, so that the outcome of a schedule
    can be compared with what it began with. FILE may be - for what is piped in.
    """
    from tilewright.commands import interpret as command

    command.interpret(
        command.Options(
            file, inputs, tuple(size or ()), entry, seed, poison, shuffle, output
        )
    )


@app.command(
    cls=OnceCommand,
    epilog="Examples:\n\n"
    "tilewright run payload.mlir -s tuned.tw --set BM=128 --set BN=128\n\n"
    "tilewright run dynamic.mlir --size M=1000      (a size that the types leave open)"
    "\n\n"
    "tilewright run dynamic.mlir --size M=1,16,1000 (one program, at three sizes)",
)
def run(
    file: Payload,
    schedule: ScheduleOption = None,
    setting: Settings = None,
    target: TargetOption = None,
    seed: Seed = 0,
    source: Annotated[
        bool, typer.Option(help="Print the Triton source as well.")
    ] = False,
    size: OpenSizes = None,
) -> None:
    """Compile, run on random inputs, compare with the reference, and time it.

    Without a GPU the kernel runs in an interpreter: Triton's for f16 and f32, unless
    there are very many programs; else ours. The time is an estimate of the cost model
    for --target. The output says all that.
    """
    from tilewright.commands import run as command

    settings, sizes = tuple(setting or ()), tuple(size or ())
    command.run(file, schedule, settings, target, seed, source, sizes)


@app.command(
    cls=OnceCommand,
    epilog="Examples:\n\n"
    "tilewright tune payload.mlir -s tuned.tw --trials 100\n\n"
    "tilewright tune dynamic.mlir -s tuned.tw --size M=4096 --size K=1024\n\n"
    "tilewright tune dynamic.mlir -s tuned.tw --size M=16,256,4096",
)
def tune(
    file: Payload,
    schedule: ScheduleOption = None,
    setting: Settings = None,
    strategy: Annotated[
        str, typer.Option(help="How to search: tpe, random, grid.")
    ] = "tpe",
    trials: Annotated[
        int | None,
        typer.Option(help="Trials to run (50).", show_default=False),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            help="Time to spend on all of it, such as 60s or 5m.", show_default=False
        ),
    ] = None,
    database: Annotated[
        Path, typer.Option("--db", help="The results file; reused by later runs.")
    ] = Path("results.db"),
    target: TargetOption = None,
    seed: Annotated[
        int,
        typer.Option(
            help="Seed of the random inputs and of the search: the same one gives the "
            "same sequence of points."
        ),
    ] = 0,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1, help="Compile processes (the cores less two).", show_default=False
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Where to write the winner (SCHEDULE.best.tw).",
            show_default=False,
        ),
    ] = None,
    summary: Annotated[
        Path | None,
        typer.Option(help="Write the run as JSON here.", show_default=False),
    ] = None,
    size: OpenSizes = None,
) -> None:
    """Close a schedule's open choices by measuring, and write the winner back.

    With a GPU every candidate is checked against the reference before it is timed, and
    once more after. Without one, candidates are compiled for --target and ranked by the
    cost model; of payloads up to 2e9 floating-point operations every candidate is run
    by the kernel-level interpreter, of larger ones the winner alone.

    A payload with open sizes is tuned at those that --size gives: one program for any
    size, the best by the geometric mean of its times at them.
    """
    from tilewright.commands import tune as command

    command.tune(
        command.Options(
            file,
            schedule,
            tuple(setting or ()),
            strategy,
            trials,
            budget,
            database,
            target,
            seed,
            jobs,
            output,
            summary,
            tuple(size or ()),
        )
    )


@app.command(cls=OnceCommand, epilog="Example:\n\ntilewright doctor")
def doctor() -> None:
    """Say what works on this machine: versions, GPU, compilers, interpreters, traps."""
    from tilewright.commands import doctor as command

    command.doctor()


@results_app.command(
    "list",
    cls=OnceCommand,
    epilog="Example:\n\ntilewright results list --db results.db",
)
def results_list(
    database: Annotated[Path, typer.Option("--db")] = Path("results.db"),
) -> None:
    """The tuning runs in a results file, with the best of each."""
    from tilewright.commands import results as command

    command.list_runs(database)


@results_app.command(
    "show",
    cls=OnceCommand,
    epilog="Example:\n\ntilewright results show 3f2a --db results.db -n 5",
)
def results_show(
    run_id: Annotated[str, typer.Argument(help="A run's id, from `results list`.")],
    database: Annotated[Path, typer.Option("--db")] = Path("results.db"),
    count: Annotated[int, typer.Option("--count", "-n", help="Rows to show.")] = 20,
) -> None:
    """The trials of a run, fastest first."""
    from tilewright.commands import results as command

    command.show(run_id, database, count)


@results_app.command(
    "export",
    cls=OnceCommand,
    epilog="Example:\n\ntilewright results export --db results.db -o results.json",
)
def results_export(
    database: Annotated[Path, typer.Option("--db")] = Path("results.db"),
    output: Output = None,
) -> None:
    """Everything in a results file, as JSON."""
    from tilewright.commands import results as command

    command.export(database, output)


@results_app.command(
    "import",
    cls=OnceCommand,
    epilog="Example:\n\ntilewright results import results.json --db results.db",
)
def results_import(
    file: Annotated[Path, typer.Argument(help="What `results export` wrote.")],
    database: Annotated[Path, typer.Option("--db")] = Path("results.db"),
) -> None:
    """Add what `results export` wrote to a results file."""
    from tilewright.commands import results as command

    command.take_in(file, database)


def main() -> None:
    """Run the command line; users' mistakes exit 1, bad usage 2, our own bugs 3."""
    from tilewright.commands.terminal.failure import guarded
    from tilewright.commands.terminal.messages import accept_any_character

    accept_any_character()
    # Classes and IR are many objects and little garbage. Looking for it while they are
    # made, and once more when Python ends, takes a third of a short command's time.
    gc.set_threshold(200_000, 20, 50)
    try:
        with _only(sys.argv[1] if len(sys.argv) > 1 else ""):
            guarded(app)
    finally:
        gc.freeze()


@contextmanager
def _only(name: str) -> Iterator[None]:
    """Leave out the commands that are not called: Typer works out options of each."""
    everything = app.registered_commands, app.registered_groups
    commands = [
        command
        for command in app.registered_commands
        if name in (command.name, getattr(command.callback, "__name__", None))
    ]
    if commands:
        app.registered_commands = commands
        app.registered_groups = []
    try:
        yield
    finally:
        app.registered_commands, app.registered_groups = everything
