"""`tilewright results prune` and `clear`: say what is deleted, ask, delete it."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from tilewright.commands.results.tried_runs import opened_file, print_json
from tilewright.commands.terminal.console import console
from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.terminal.messages import write_out
from tilewright.ir.errors import UserError
from tilewright.ir.phrases import count
from tilewright.tuning.results.cleaning import (
    Found,
    Unwanted,
    delete_found,
    find_runs_results,
    find_unwanted,
)
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.reader import read_runs
from tilewright.tuning.results.records import Versions
from tilewright.tuning.results.runs import Run
from tilewright.tuning.results.selection import select_runs

CLEANING_FORMAT = "tilewright-cleaning-1"


class Consent:
    """Whether to delete: `--yes`, `--dry-run`, or the answer to a question."""

    def __init__(self, *, yes: bool, dry_run: bool, as_json: bool) -> None:
        self.dry_run = dry_run
        self.as_json = as_json
        self._yes = yes

    def given(self, question: str) -> bool:
        """Ask, unless the command line has answered."""
        if self.dry_run or self._yes:
            return not self.dry_run
        if not sys.stdin.isatty():
            raise UserError(
                f"{question}: nobody can be asked here, and nothing was deleted",
                remedy="add --yes to delete, or --dry-run to see what would be",
            )
        write_out(f"{question}? [y/N] ")
        sys.stdout.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes")


def prune(
    database: Path,
    words: tuple[str, ...],
    *,
    failed: bool,
    losers: int | None,
    other_versions: bool,
    before: str | None,
    consent: Consent,
) -> None:
    """Delete the results that are not wanted any more."""
    if not (failed or losers is not None or other_versions or before):
        raise UsageError(
            "prune: nothing was said to be unwanted",
            remedy="add --failed, --losers N, --other-versions or --before DATE; "
            "'tilewright results clear' deletes whole runs",
        )
    if losers is not None and losers < 1:
        raise UsageError(
            f"--losers {losers}: the best is always kept", remedy="give 1 or more"
        )
    unwanted = Unwanted(
        failed,
        losers,
        Versions.current() if other_versions else None,
        _day(before) if before else "",
    )
    with opened_file(database) as opened:
        found = find_unwanted(opened, select_runs(read_runs(opened), words), unwanted)
    _clean(database, found, (), consent)


def clear(database: Path, words: tuple[str, ...], consent: Consent) -> None:
    """Delete the runs that the words name; without words, all."""
    with opened_file(database) as opened:
        runs = select_runs(read_runs(opened), words)
        found = find_runs_results(opened, runs)
    _clean(database, found, runs, consent)


def _clean(database: Path, found: Found, runs: Sequence[Run], consent: Consent) -> None:
    size = database.stat().st_size
    number = len(found.places)
    if not consent.as_json:
        for reason, places in found.reasons.items():
            console().print(f"{count(len(places), 'result')} {reason}", markup=False)
    what = count(number, "result")
    if runs:
        what = f"{count(len(runs), 'run')} with {what}"
    wanted = bool(number or runs)
    done = wanted and consent.given(f"delete {what} from {database}")
    if done:
        with Database(database) as opened:
            delete_found(opened, found, runs)
    if consent.as_json:
        print_json(
            {
                "format": CLEANING_FORMAT,
                "file": str(database),
                "deleted": done,
                "dry_run": consent.dry_run,
                "results": number,
                "runs": len(runs),
                "reasons": {name: len(each) for name, each in found.reasons.items()},
                "bytes_before": size,
                "bytes_after": database.stat().st_size,
            }
        )
        return
    if not wanted:
        console().print(f"nothing to delete in {database}", markup=False)
    elif done:
        sizes = f"{size / 1024:.0f} to {database.stat().st_size / 1024:.0f} kB"
        console().print(f"deleted {what}; {database}: {sizes}", markup=False)
    else:
        console().print(f"{what} would be deleted; nothing was", markup=False)


def _day(text: str) -> str:
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?)?", text):
        raise UsageError(
            f"--before {text}: not a date", remedy="such as 2026-11-16, in UTC"
        )
    return text
