"""The declarations of `tilewright results ...`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from tilewright.cli.options import Output, examples, help_of
from tilewright.commands.terminal.usage import OnceCommand

Declared = TypeVar("Declared", bound=Callable[..., Any])

ResultsFile = Annotated[Path, typer.Option("--db", help="The results file.")]
Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[NAME]...",
        help="Which runs: words of the payload, its sizes, the schedule, the device or "
        "the date. A word is the beginning of a name or a pattern (4096x*); "
        "triton=3.6 names a field, #12 a run by its number, 'latest' the newest.",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Delete without asking.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what would be deleted, delete nothing.")
]

results_app = typer.Typer(
    no_args_is_help=True,
    help="What tuning has found: list, compare, carry away and clean up the results.",
)


def _command(name: str, *lines: str) -> Callable[[Declared], Declared]:
    """Declare a command of `results`; its help ends with examples."""

    def declare(function: Declared) -> Declared:
        declared = results_app.command(
            name, cls=OnceCommand, help=help_of(function), epilog=examples(*lines)
        )
        return declared(function)

    return declare


@_command(
    "list",
    "tilewright results list                   (all runs of results.db)",
    "tilewright results list gemm h200         (payload gemm..., on an H200)",
    "tilewright results list 2026-11-16 --db night.db",
)
def results_list(
    words: Words = None,
    database: ResultsFile = Path("results.db"),
    as_json: AsJson = False,
) -> None:
    """List the tuning runs in a results file, with the best point of each."""
    from tilewright.commands.results import listing as command

    command.list_runs(database, tuple(words or ()), as_json)


@_command(
    "show",
    "tilewright results show                   (if all runs are of one payload)",
    "tilewright results show gemm 4096x4096x4096",
    "tilewright results show latest -n 5",
    "tilewright results show '#12' --db night.db",
)
def results_show(
    words: Words = None,
    database: ResultsFile = Path("results.db"),
    count: Annotated[int, typer.Option("--count", "-n", help="Rows to show.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Show the trials of one run, fastest first, then those that failed.

    Of several runs over the same payload with the same schedule on the same device, the
    latest is shown.
    """
    from tilewright.commands.results import listing as command

    command.show(database, tuple(words or ()), count, as_json)


@_command(
    "best",
    "tilewright results best",
    "tilewright results best gemm 4096x4096x4096 h200",
    "tilewright results best gemm -o winner.tw     (its schedule, no choices left)",
)
def results_best(
    words: Words = None,
    database: ResultsFile = Path("results.db"),
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write the winner's schedule, with its choices closed, to this file.",
            show_default=False,
        ),
    ] = None,
    schedule: Annotated[
        Path | None,
        typer.Option(
            "--schedule",
            "-s",
            help="The open schedule for -o, if the results file does not have it.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print the winner of each payload, sizes and device, with its choices."""
    from tilewright.commands.results import best as command

    command.best(database, tuple(words or ()), output, schedule, as_json)


@_command(
    "compare",
    "tilewright results compare old.db new.db            (two files)",
    "tilewright results compare h100 h200 gemm           (two devices)",
    "tilewright results compare 2026-11-15 2026-11-16    (two dates)",
    "tilewright results compare '#3' '#7'                (two runs)",
    "tilewright results compare gemm/a.tw gemm/b.tw      (two schedules)",
)
def results_compare(
    first: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help="A file, FILE:WORDS, or words joined by '/': gemm/h200.",
            show_default=False,
        ),
    ],
    second: Annotated[
        str, typer.Argument(metavar="B", help="The same.", show_default=False)
    ],
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...",
            help="Words that hold for both sides.",
            show_default=False,
        ),
    ] = None,
    database: ResultsFile = Path("results.db"),
    as_json: AsJson = False,
) -> None:
    """Say what differs between two selections of results.

    Compares the best of A with the best of B for each payload that both have: the ratio
    of their times with its interval, the choices that changed, and what else is not the
    same (device, versions, schedule, options, strategy, date).
    """
    from tilewright.commands.results import compare as command

    command.compare(database, first, second, tuple(words or ()), as_json)


@_command(
    "export",
    "tilewright results export -o results.json             (everything)",
    "tilewright results export gemm 2026-11-16 -o gemm.json",
    "tilewright results export --winners -o winners.json   (to ship with a model)",
)
def results_export(
    words: Words = None,
    database: ResultsFile = Path("results.db"),
    output: Output = None,
    winners: Annotated[
        bool,
        typer.Option(
            "--winners",
            help="Only the best point of each payload, sizes, schedule and device: a "
            "small file that `run`, `opt` and tilewright.compile read.",
        ),
    ] = False,
) -> None:
    """Write results as JSON: all with every sample, or the winners.

    A file of winners ships with a model: `tilewright run payload.mlir --db
    winners.json`, or tilewright.compile(payload, results="winners.json") in Python, use
    its points without a trial.
    """
    from tilewright.commands.results import exchange as command

    command.export(database, tuple(words or ()), output, winners)


@_command(
    "import",
    "tilewright results import results.json --db all.db",
    "tilewright results import winners.json",
)
def results_import(
    file: Annotated[Path, typer.Argument(help="A file that `results export` wrote.")],
    database: ResultsFile = Path("results.db"),
    as_json: AsJson = False,
) -> None:
    """Merge exported results, or winners, into a results file.

    Importing a file twice adds nothing the second time. Of two results of the same
    trial the newer one counts, and the samples of both are kept.
    """
    from tilewright.commands.results import exchange as command

    command.import_records(file, database, as_json)


StoreUrl = Annotated[
    str,
    typer.Argument(
        metavar="URL",
        help="A database that SQLAlchemy knows: postgresql://user@host/results, or "
        "sqlite:///team.db.",
        envvar="TILEWRIGHT_SHARE",
    ),
]


@_command(
    "push",
    "tilewright results push postgresql://tuner@host/results",
    "tilewright results push sqlite:////mnt/team/results.sqlite gemm h200",
)
def results_push(
    url: StoreUrl,
    words: Words = None,
    database: ResultsFile = Path("results.db"),
) -> None:
    """Add runs of a results file to a store that a team shares.

    Without words, all runs. A run that the store has is not added again.
    """
    from tilewright.commands.results import shared as command

    command.push(url, tuple(words or ()), database)


@_command("pull", "tilewright results pull postgresql://tuner@host/results --db all.db")
def results_pull(url: StoreUrl, database: ResultsFile = Path("results.db")) -> None:
    """Add the runs of a team's store to a results file, but for those it has."""
    from tilewright.commands.results import shared as command

    command.pull(url, database)


@_command(
    "prune",
    "tilewright results prune --failed --losers 50 --dry-run",
    "tilewright results prune --other-versions --yes",
    "tilewright results prune gemm --before 2026-11-01",
)
def results_prune(
    words: Words = None,
    database: ResultsFile = Path("results.db"),
    failed: Annotated[
        bool, typer.Option("--failed", help="Delete trials that failed.")
    ] = False,
    losers: Annotated[
        int | None,
        typer.Option(
            "--losers",
            metavar="N",
            help="Keep the N fastest of each payload, sizes and device; delete the "
            "slower ones.",
            show_default=False,
        ),
    ] = None,
    other_versions: Annotated[
        bool,
        typer.Option(
            "--other-versions",
            help="Delete results with other versions of torch, Triton or tilewright "
            "than those installed here.",
        ),
    ] = False,
    before: Annotated[
        str | None,
        typer.Option(
            "--before",
            metavar="DATE",
            help="Delete results from before this day, such as 2026-11-16.",
            show_default=False,
        ),
    ] = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Delete results that are not wanted any more, and make the file smaller.

    Says what it would delete, then asks. The fastest result of each payload, sizes and
    device stays in any case.
    """
    from tilewright.commands.results import cleaning as command

    command.prune(
        database,
        tuple(words or ()),
        failed=failed,
        losers=losers,
        other_versions=other_versions,
        before=before,
        consent=command.Consent(yes=yes, dry_run=dry_run, as_json=as_json),
    )


@_command(
    "clear",
    "tilewright results clear gemm 2026-11-15 --dry-run",
    "tilewright results clear '#12' --yes",
    "tilewright results clear                  (everything, after a question)",
)
def results_clear(
    words: Words = None,
    database: ResultsFile = Path("results.db"),
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Delete runs and their results; without names, all of them.

    Says what it would delete, then asks. Results that another run has too stay.
    """
    from tilewright.commands.results import cleaning as command

    consent = command.Consent(yes=yes, dry_run=dry_run, as_json=as_json)
    command.clear(database, tuple(words or ()), consent)


@_command("describe", "tilewright results describe payload.mlir -s tuned.tw")
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


@_command("model", "tilewright results model --db results.db")
def results_model(
    database: ResultsFile = Path("results.db"),
    as_json: Annotated[
        bool, typer.Option("--json", help="Print every fold as JSON.")
    ] = False,
) -> None:
    """Report how well the learned cost model ranks programs that it has not seen."""
    from tilewright.commands.results import learned_model as command

    command.report(database, as_json=as_json)
