"""The `tilewright` application: its commands in one list, and the entry point."""

from __future__ import annotations

import functools
import gc
import sys
from collections.abc import Callable
from typing import Annotated

import typer
from typer.main import get_command

from tilewright.cli import (
    build,
    calibrate,
    check,
    convert,
    docs,
    doctor,
    examples,
    explain,
    fmt,
    interpret,
    lsp,
    opt,
    plan,
    replay,
    run,
    serve,
    shell,
    space,
    sweep,
    tune,
    view,
)
from tilewright.cli.model_tools import bisect, import_model, profile
from tilewright.cli.options import help_of
from tilewright.cli.results import results_app
from tilewright.commands.terminal.usage import OnceCommand
from tilewright.version import __version__

app = typer.Typer(
    name="tilewright",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=(
        "A schedule compiler. The payload says what to compute (linalg on tensors), "
        "the schedule says how (tile, fuse, vectorize, ...). `plan` writes a schedule "
        "to start from. The tuner makes the choices that the schedule leaves open by "
        "measuring Triton kernels."
    ),
    epilog=(
        "Start with:  tilewright examples matmul_relu;  cd matmul_relu;  "
        "tilewright opt payload.mlir -s tile_fuse.tw --diff"
    ),
)


for command, epilog in (
    (opt.opt, opt.EXAMPLES),
    (plan.plan, plan.EXAMPLES),
    (check.check, check.EXAMPLES),
    (fmt.fmt, fmt.EXAMPLES),
    (convert.convert, convert.EXAMPLES),
    (space.space, space.EXAMPLES),
    (interpret.interpret, interpret.EXAMPLES),
    (run.run, run.EXAMPLES),
    (tune.tune, tune.EXAMPLES),
    (sweep.sweep, sweep.EXAMPLES),
    (build.build, build.EXAMPLES),
    (replay.replay, replay.EXAMPLES),
    (explain.explain, explain.EXAMPLES),
    (bisect.bisect, bisect.BISECT_EXAMPLES),
    (bisect.repro, bisect.REPRO_EXAMPLES),
    (profile.profile, profile.EXAMPLES),
    (view.view, view.EXAMPLES),
    (serve.serve, serve.EXAMPLES),
    (shell.shell, shell.EXAMPLES),
    (lsp.lsp, lsp.EXAMPLES),
    (calibrate.calibrate, calibrate.EXAMPLES),
    (doctor.doctor, doctor.EXAMPLES),
    (examples.examples, examples.EXAMPLES),
    (docs.docs, docs.EXAMPLES),
):
    app.command(cls=OnceCommand, help=help_of(command), epilog=epilog)(command)
app.command(
    "import",
    cls=OnceCommand,
    help=help_of(import_model.import_model),
    epilog=import_model.EXAMPLES,
)(import_model.import_model)
app.add_typer(results_app, name="results")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tilewright {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line; exits 1 for errors, 2 for bad usage, 3 for our own bugs.

    Ends with 141 where nobody reads its output any more.
    """
    from tilewright.commands.terminal.failure import guarded
    from tilewright.commands.terminal.messages import accept_any_character
    from tilewright.commands.terminal.process_start import mark_one_command
    from tilewright.commands.terminal.streams import guarded_streams

    mark_one_command()
    # Classes and IR are many objects and little garbage. Collecting it while they are
    # made, and once more when Python ends, takes a third of a short command's time.
    gc.set_threshold(200_000, 20, 50)
    try:
        with guarded_streams():
            accept_any_character()
            name = sys.argv[1] if sys.argv[1:] else ""
            # Completion scripts need the name of the command, not `python -m ...`.
            guarded(lambda: _command_line(name)(prog_name="tilewright"))
    finally:
        gc.freeze()


@functools.lru_cache(maxsize=32)
def _command_line(name: str) -> Callable[..., object]:
    """The application with one command, since Typer spends time on the options of each.

    It has all commands if none has this name. A process that runs a command again does
    not read its options again.
    """
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
        return get_command(app)
    finally:
        app.registered_commands, app.registered_groups = everything
