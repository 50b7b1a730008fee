"""`tilewright results export` and `import`: results as JSON, all of them or winners."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from tilewright.commands.results.tried_runs import note, opened_file, print_json
from tilewright.commands.terminal.console import console
from tilewright.commands.terminal.output_files import write_output
from tilewright.ir.errors import UserError
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.errors import DamagedFileError
from tilewright.tuning.results.exports import export_json
from tilewright.tuning.results.reader import read_runs, read_trials
from tilewright.tuning.results.results_file import readable_copy
from tilewright.tuning.results.selection import select_runs
from tilewright.tuning.transfer.planned_kernels import PlannedKernels
from tilewright.tuning.transfer.winners import add_json, winners_json

IMPORT_FORMAT = "tilewright-import-1"


def export(
    database: Path, words: tuple[str, ...], output: Path | None, winners: bool
) -> None:
    """Write the results of the runs that the words name as JSON."""
    write = _winners if winners else _everything
    try:
        with opened_file(database) as opened:
            text = write(opened, words)
    except DamagedFileError:
        text = _salvaged(database, words, write)
    write_output(text + "\n", output)


def _salvaged(
    database: Path,
    words: tuple[str, ...],
    write: Callable[[Database, tuple[str, ...]], str],
) -> str:
    """What can be read of a file that SQLite refuses as a whole."""
    text, saved = "", 0
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.suppress(DamagedFileError),
        opened_file(readable_copy(database, Path(folder))) as opened,
    ):
        saved = len(opened.salvage())
        text = write(opened, words)
    if not saved or not text:
        raise DamagedFileError(
            f"the results file {database} is damaged, and no result in it can be read",
            remedy="use a copy of it, or move it away and tune again",
        )
    note(f"{database} is damaged; {saved} results can be read and were saved")
    return text


def _everything(opened: Database, words: tuple[str, ...]) -> str:
    runs = select_runs(read_runs(opened), words) if words else None
    return export_json(opened, runs)


def _winners(opened: Database, words: tuple[str, ...]) -> str:
    records = [
        trial.record
        for run in select_runs(read_runs(opened), words)
        for trial in read_trials(opened, run)
    ]
    # The kernels of plans have no names; they are left out of a selection.
    kernels = [] if words else PlannedKernels(opened).all()
    return winners_json(records, kernels)


def import_records(file: Path, database: Path, as_json: bool) -> None:
    """Add exported results, or winners, to a results file."""
    try:
        text = file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            f"cannot read {file}: {error}",
            remedy="name a file that 'tilewright results export' wrote",
        ) from error
    with Database(database) as opened:
        try:
            added = add_json(opened, text)
        except UserError as error:
            raise UserError(f"{file}: {error.fact}", remedy=error.remedy) from error
    if as_json:
        print_json({"format": IMPORT_FORMAT, "file": str(database), **asdict(added)})
        return
    console().print(f"{added} are in {database}", markup=False)
