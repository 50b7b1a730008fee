"""The runs of a results file with their trials, as the commands show them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from tilewright.commands.terminal.console import console
from tilewright.commands.terminal.messages import write_out
from tilewright.ir.errors import UserError
from tilewright.ir.printable import printable
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.reader import read_runs, read_trials
from tilewright.tuning.results.records import OUTCOMES
from tilewright.tuning.results.runs import Run, RunTrial
from tilewright.tuning.results.selection import (
    payload_name,
    run_name,
    schedule_name,
    select_runs,
    sizes_name,
)
from tilewright.tuning.transfer.winners import open_known


@dataclass(frozen=True)
class TriedRun:
    """A run and its trials."""

    run: Run
    trials: Sequence[RunTrial]

    @property
    def ranking(self) -> list[RunTrial]:
        """The trials that worked: those of the final round first, then by time."""
        worked = [
            (trial.record.final is None, trial.record.milliseconds, trial.number, trial)
            for trial in self.trials
            if trial.record.outcome == "ok" and trial.record.milliseconds is not None
        ]
        return [trial for *_, trial in sorted(worked, key=lambda entry: entry[:3])]

    @property
    def best(self) -> RunTrial | None:
        """The winner; None if no trial worked."""
        return next(iter(self.ranking), None)

    def outcomes(self) -> dict[str, int]:
        """The number of trials by outcome, without zeros."""
        found = Counter(trial.record.outcome for trial in self.trials)
        return {outcome: found[outcome] for outcome in OUTCOMES if found[outcome]}


@contextmanager
def opened_file(path: Path) -> Iterator[Database]:
    """A results file or its export, opened to read; tells what cannot be read."""
    if not path.exists():
        raise UserError(
            f"no such file: {path}",
            remedy="'tilewright tune' makes one; name it with --db FILE",
        )
    with open_known(path) as database:
        yield database
        say_damage(database)


def tried_runs(database: Database, words: Iterable[str] = ()) -> list[TriedRun]:
    """The runs that the words name, oldest first."""
    chosen = select_runs(read_runs(database), words)
    return [TriedRun(run, read_trials(database, run)) for run in chosen]


def say_damage(database: Database) -> None:
    """Tell how many results cannot be read."""
    if database.damaged:
        console(stderr=True).print(
            f"note: {len(database.damaged)} results in {database.path} cannot be read "
            "and are left out",
            style="yellow",
            markup=False,
        )


def note(text: str) -> None:
    """Tell something about the answer, beside it."""
    console(stderr=True).print(f"note: {text}", style="yellow", markup=False)


def add_row(table: Table, *cells: str) -> None:
    """Add a row; a line break in a name is escaped, or it would look like a row."""
    table.add_row(*map(printable, cells))


def print_json(data: Any) -> None:
    """Print a document."""
    write_out(json.dumps(data, indent=1) + "\n")


def milliseconds_text(ms: float | None, measured: bool = True) -> str:
    """`0.1747 ms`, or `0.1747 ms (estimated)`."""
    if ms is None:
        return "-"
    return f"{ms:.4f} ms" if measured else f"{ms:.4f} ms (estimated)"


def run_data(tried: TriedRun) -> dict[str, Any]:
    """A run as plain data, for `--json`."""
    run, best = tried.run, tried.best
    setting = run.setting
    return {
        "number": run.number,
        "name": run_name(run),
        "payload": payload_name(setting),
        "sizes": sizes_name(setting),
        "schedule": schedule_name(setting),
        "device": setting.device,
        "measured": run.measured,
        "started": run.started,
        "ending": run.ending,
        "wall_seconds": run.wall_seconds,
        "strategy": run.strategy,
        "seed": run.seed,
        "command": run.command,
        "versions": asdict(setting.versions),
        "outcomes": tried.outcomes(),
        "best": None if best is None else best_data(best),
    }


def best_data(trial: RunTrial) -> dict[str, Any]:
    """The winner of a run as plain data."""
    final = trial.record.final
    return {
        "ms": trial.record.milliseconds,
        "interval": None if final is None else [final.low, final.high],
        "choices": dict(trial.point),
        "trial": trial.number,
        "tuned": trial.record.created,
    }
