"""`tilewright results`: list, show, export and import the records of a results file."""

from __future__ import annotations

from pathlib import Path

from rich.table import Table

from tilewright.commands.terminal.console import console
from tilewright.commands.terminal.output_files import write_output
from tilewright.ir.errors import UserError
from tilewright.ir.printable import printable
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.records import Record


def list_runs(database: Path) -> None:
    """Print a row for each payload, schedule, device and set of sizes."""
    groups = _groups(database)
    open_sizes = any(records[0].setting.sizes for records in groups.values())
    sized = ["sizes"] if open_sizes else []
    table = Table(
        *("id", "payload", "schedule", "device", *sized),
        *("trials", "ok", "best ms", "best point"),
        box=None,
    )
    for name, records in groups.items():
        good = _ranked(records)
        best = good[0] if good else None
        setting = records[-1].setting
        _add(
            table,
            name,
            setting.payload_name or setting.payload[:8],
            setting.schedule_name or setting.schedule[:8],
            records[0].setting.device,
            *([records[0].setting.sizes or "-"] if open_sizes else []),
            str(len(records)),
            str(len(good)),
            f"{best.milliseconds:.4f}" if best is not None else "-",
            _pairs(best) if best is not None else "-",
        )
    console().print(table)


def show(run_id: str, database: Path, count: int) -> None:
    """Print the trials of one run, fastest first, then the failed ones."""
    groups = _groups(database)
    if run_id not in groups:
        known = ", ".join(groups) or "none"
        raise UserError(f"no run '{run_id}' in {database}", remedy=f"it has: {known}")
    records = groups[run_id]
    table = Table("ms", "p20", "p80", "outcome", "point", "error", box=None)
    failed = [record for record in records if record.outcome != "ok"]
    for record in [*_ranked(records), *failed][:count]:
        times = [record.milliseconds, record.p20, record.p80]
        _add(
            table,
            *(f"{t:.4f}" if t is not None else "-" for t in times),
            record.outcome,
            _pairs(record),
            record.error.splitlines()[0][:80] if record.error else "",
        )
    console().print(table)


def export(database: Path, output: Path | None) -> None:
    """Write all records of a file as JSON."""
    with _open(database) as opened:
        records = opened.salvage()
        write_output(opened.export(records) + "\n", output)
        _say_damage(opened)


def import_records(file: Path, database: Path) -> None:
    """Add exported records to a results file."""
    try:
        text = file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {file}: {error}") from error
    with Database(database) as opened:
        count = opened.load(text)
    console().print(f"{count} results are in {database}", markup=False)


def _add(table: Table, *cells: str) -> None:
    """Add a row; a line break in a name is escaped, or it would look like a row."""
    table.add_row(*map(printable, cells))


def _open(database: Path) -> Database:
    if not database.exists():
        raise UserError(f"no such file: {database}", remedy="tune makes one")
    return Database(database, read_only=True)


def _say_damage(opened: Database) -> None:
    if opened.damaged:
        console(stderr=True).print(
            f"note: {len(opened.damaged)} results in {opened.path} cannot be read and "
            "are left out",
            style="yellow",
            markup=False,
        )


def _groups(database: Path) -> dict[str, list[Record]]:
    with _open(database) as opened:
        records = opened.list()
        _say_damage(opened)
    groups: dict[tuple[str, str, str, str], list[Record]] = {}
    for record in records:
        setting = record.setting
        key = (setting.payload, setting.schedule, setting.device, setting.sizes)
        groups.setdefault(key, []).append(record)
    return {
        f"{payload[:6]}-{schedule[:6]}-{index}": group
        for index, ((payload, schedule, _, _), group) in enumerate(groups.items(), 1)
    }


def _ranked(records: list[Record]) -> list[Record]:
    good = [(r.milliseconds, r) for r in records if r.outcome == "ok"]
    timed = [(time, record) for time, record in good if time is not None]
    return [record for _, record in sorted(timed, key=lambda pair: pair[0])]


def _pairs(record: Record) -> str:
    return " ".join(f"{name}={value}" for name, value in record.point.items())
