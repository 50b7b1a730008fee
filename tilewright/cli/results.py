"""The declarations of `tilewright results ...`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.options import Output, examples
from tilewright.commands.terminal.usage import OnceCommand

ResultsFile = Annotated[Path, typer.Option("--db", help="The results file.")]

results_app = typer.Typer(
    no_args_is_help=True,
    help="List, show, export or import the results of tune, and what they teach.",
)


@results_app.command(
    "list",
    cls=OnceCommand,
    epilog=examples("tilewright results list --db results.db"),
)
def results_list(
    database: ResultsFile = Path("results.db"),
) -> None:
    """List the tuning runs in a results file, with the best point of each."""
    from tilewright.commands.results import records as command

    command.list_runs(database)


@results_app.command(
    "show",
    cls=OnceCommand,
    epilog=examples("tilewright results show 3f2a --db results.db -n 5"),
)
def results_show(
    run_id: Annotated[str, typer.Argument(help="The id of a run in `results list`.")],
    database: ResultsFile = Path("results.db"),
    count: Annotated[int, typer.Option("--count", "-n", help="Rows to show.")] = 20,
) -> None:
    """Show the trials of a run, fastest first."""
    from tilewright.commands.results import records as command

    command.show(run_id, database, count)


@results_app.command(
    "export",
    cls=OnceCommand,
    epilog=examples("tilewright results export --db results.db -o results.json"),
)
def results_export(
    database: ResultsFile = Path("results.db"),
    output: Output = None,
) -> None:
    """Write all results of a file as JSON."""
    from tilewright.commands.results import records as command

    command.export(database, output)


@results_app.command(
    "import",
    cls=OnceCommand,
    epilog=examples("tilewright results import results.json --db results.db"),
)
def results_import(
    file: Annotated[Path, typer.Argument(help="A file that `results export` wrote.")],
    database: ResultsFile = Path("results.db"),
) -> None:
    """Add exported results to a results file."""
    from tilewright.commands.results import records as command

    command.import_records(file, database)


@results_app.command(
    "describe",
    cls=OnceCommand,
    epilog=examples("tilewright results describe payload.mlir -s tuned.tw"),
)
def results_describe(
    payload: Annotated[Path, typer.Argument(help="The payload of the results.")],
    schedule: Annotated[
        Path, typer.Option("--schedule", "-s", help="The schedule of the results.")
    ],
    database: ResultsFile = Path("results.db"),
) -> None:
    """Add features to results that have none, such as those of older versions."""
    from tilewright.commands.results import describe as command

    command.describe(payload, schedule, database)


@results_app.command(
    "model",
    cls=OnceCommand,
    epilog=examples("tilewright results model --db results.db"),
)
def results_model(
    database: ResultsFile = Path("results.db"),
    as_json: Annotated[
        bool, typer.Option("--json", help="Print every fold as JSON.")
    ] = False,
) -> None:
    """Report how well the learned cost model ranks programs that it has not seen."""
    from tilewright.commands.results import learned_model as command

    command.report(database, as_json=as_json)
