"""Winners: the best points of a results file as a small JSON that ships with a model.

    {"format": "tilewright-winners-1",
     "winners": [{"payload": "gemm.mlir", "sizes": [[4096, 4096, 4096]], ...}],
     "kernels": [...]}

`winners` has the fastest point of each payload, sizes, schedule and device. `kernels`
has the best points of planned kernels, which later plans start from. Reading a file of
winners gives a results file in memory, so everything that reads one reads both.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tilewright.ir.errors import UserError
from tilewright.planning.recorded import KernelSignature
from tilewright.tuning.results import checked_values as checked
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.exports import EXPORT_FORMAT, OLDER_FORMAT, import_json
from tilewright.tuning.results.records import Final, Record, Setting, Versions
from tilewright.tuning.transfer.planned_kernels import PlannedKernel, PlannedKernels

WINNERS_FORMAT = "tilewright-winners-1"

_SQLITE = b"SQLite format 3\x00"


def winning(records: Sequence[Record]) -> list[Record]:
    """The fastest record of each payload, sizes, schedule and device, in their order.

    Where several sizes were timed, also the fastest at each of them. An estimate is
    left out where the same payload was measured at the same sizes.
    """
    best: dict[Any, tuple[Any, Record]] = {}
    for record in records:
        median = record.milliseconds
        if record.outcome != "ok" or median is None:
            continue
        setting = record.setting
        times = [median, *(record.each if len(setting.extents) > 1 else ())]
        for place, time in enumerate(times):
            key = (
                *(setting.family or setting.payload, setting.extents, setting.sizes),
                *(setting.schedule_name, setting.device, record.measured, place),
            )
            rank = (record.final is None, time)
            if key not in best or rank < best[key][0]:
                best[key] = rank, record
    chosen = {id(record): record for _, record in best.values()}.values()
    measured = {_problem(record) for record in chosen if record.measured}
    return [r for r in chosen if r.measured or _problem(r) not in measured]


def winners_json(records: Sequence[Record], kernels: Sequence[PlannedKernel]) -> str:
    """The winners among some records, and planned kernels, as JSON text.

    Each field is a line, so that people can read and compare the file.
    """
    found = [_entry(record) for record in winning(records)]
    planned = [
        {
            "target": one.signature.target,
            "structure": one.signature.structure,
            "extents": list(one.signature.extents),
            "sketch": one.sketch,
            "choices": one.point,
            "tuned": one.created,
        }
        for one in kernels
    ]
    return (
        f'{{\n"format": "{WINNERS_FORMAT}",\n"winners": [{_listed(found)}],\n'
        f'"kernels": [{_listed(planned)}]\n}}'
    )


def _listed(entries: Sequence[dict[str, Any]]) -> str:
    written = [
        ",\n  ".join(f'"{name}": {json.dumps(value)}' for name, value in entry.items())
        for entry in entries
    ]
    return ",".join(f"\n {{{fields}}}" for fields in written)


def read_winners(text: str) -> tuple[list[Record], list[PlannedKernel]]:
    """The records and the kernels of a file of winners; raises for anything else."""
    try:
        data = checked.table(json.loads(text), "the file")
        found = data.get("format")
        if found != WINNERS_FORMAT:
            raise ValueError(_other_format(found))
        records = [
            _record(entry) for entry in checked.items(data.get("winners"), "winners")
        ]
        kernels = [
            _kernel(entry)
            for entry in checked.items(data.get("kernels", []), "kernels")
        ]
    except (ValueError, TypeError, RecursionError) as error:
        raise UserError(
            f"this is not a file of winners: {error}",
            remedy="write one with 'tilewright results export --winners -o FILE'",
        ) from error
    return records, kernels


def add_winners(database: Database, text: str) -> tuple[int, int]:
    """Add winners to a results file; returns the numbers of points and of kernels.

    A record of the same trial that the file has already stays as it is.
    """
    records, kernels = read_winners(text)
    with database.writing() as connection:
        for record in records:
            database.put(connection, record, renew=False)
    recorder = PlannedKernels(database)
    known = {one.signature for one in recorder.all()}
    for one in kernels:
        if one.signature not in known:
            recorder.record(one.signature, one.sketch, one.point, one.created)
    return len(records), len(kernels)


def open_known(path: Path) -> Database:
    """A results file, a file of winners or an export, opened to read."""
    if path.exists() and not path.is_file():  # a pipe would wait for a writer
        raise UserError(
            f"cannot read {path}: it is not a file",
            remedy="name a results file, or a file of winners",
        )
    try:
        with path.open("rb") as file:
            start = file.read(len(_SQLITE))
        if start == _SQLITE or not start.lstrip().startswith(b"{"):
            return Database(path, read_only=True)
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {path}: {error}") from error
    database = Database(Path(":memory:"))
    try:
        add_json(database, text)
    except UserError as error:
        database.close()
        raise UserError(f"{path}: {error.fact}", remedy=error.remedy) from error
    database.path = path
    return database


@dataclass(frozen=True)
class Added:
    """What a file of JSON had."""

    results: int
    """Results; of a file of winners, its winners."""
    kernels: int = 0
    """Planned kernels of a file of winners."""
    new_runs: int = 0
    new_timings: int = 0
    """Runs and timings that the results file did not have."""
    are_winners: bool = False

    def __str__(self) -> str:
        """The numbers in words."""
        if self.are_winners:
            return f"{self.results} winners and {self.kernels} planned kernels"
        return (
            f"{self.results} results ({self.new_runs} new runs, {self.new_timings} "
            "new timings)"
        )


def add_json(database: Database, text: str) -> Added:
    """Add winners or an export to a results file."""
    if _format_of(text) in (EXPORT_FORMAT, OLDER_FORMAT):
        done = import_json(database, text)
        return Added(done.records, 0, done.runs, done.samples)
    points, kernels = add_winners(database, text)
    return Added(points, kernels, are_winners=True)


def _format_of(text: str) -> Any:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data.get("format") if isinstance(data, dict) else None


def _other_format(found: object) -> str:
    if isinstance(found, str) and found.startswith("tilewright-winners-"):
        return f"its format '{found}' is of another version of tilewright"
    return f"its format is {found!r}"


def _problem(record: Record) -> tuple[Any, ...]:
    setting = record.setting
    return setting.family or setting.payload, setting.extents, setting.sizes


def _entry(record: Record) -> dict[str, Any]:
    """A winner as people read it; the hashes come last."""
    setting, final = record.setting, record.final
    return {
        "payload": setting.payload_name,
        "sizes": [list(each) for each in setting.extents],
        "open_sizes": setting.sizes,
        "device": setting.device,
        "measured": record.measured,
        "schedule": setting.schedule_name,
        "choices": dict(record.point),
        "ms": record.milliseconds,
        "interval": None if final is None else [final.low, final.high],
        "ms_at_each_size": list(record.each),
        "tuned": record.created,
        "versions": asdict(setting.versions),
        "keys": {
            "family": setting.family,
            "payload": setting.payload,
            "schedule": setting.schedule,
            "closed": record.closed,
            "program": record.program,
        },
    }


def _record(data: Any) -> Record:
    entry = checked.table(data, "a winner")
    keys = checked.table(entry.get("keys"), "keys")
    versions = checked.table(entry.get("versions"), "versions")
    names = ("torch", "triton", "tilewright", "sources")
    time = checked.a_time(entry.get("ms"))
    interval = entry.get("interval")
    final = None
    if interval is not None:
        low, high = map(checked.a_time, checked.items(interval, "interval"))
        final = Final(time, low, high)
    setting = Setting(
        checked.word(keys, "payload"),
        checked.word(keys, "schedule"),
        checked.word(entry, "device"),
        Versions(**{name: checked.word(versions, name) for name in names}),
        checked.word(entry, "open_sizes", ""),
        checked.word(entry, "payload"),
        checked.word(entry, "schedule"),
        checked.word(keys, "family"),
        tuple(
            tuple(map(checked.whole_number, checked.items(each, "sizes")))
            for each in checked.items(entry.get("sizes"), "sizes")
        ),
    )
    return Record(
        setting,
        {
            checked.plain_text(name, "a choice"): checked.choice_value(value)
            for name, value in checked.table(entry.get("choices"), "choices").items()
        },
        checked.word(keys, "program"),
        "ok",
        checked.flag(entry.get("measured")),
        p50=time,
        each=tuple(
            map(checked.a_time, checked.items(entry.get("ms_at_each_size", []), "ms"))
        ),
        final=final,
        created=checked.word(entry, "tuned"),
        closed=checked.word(keys, "closed", ""),
    )


def _kernel(data: Any) -> PlannedKernel:
    entry = checked.table(data, "a kernel")
    signature = KernelSignature(
        checked.word(entry, "target"),
        checked.word(entry, "structure"),
        tuple(
            map(checked.whole_number, checked.items(entry.get("extents"), "extents"))
        ),
    )
    point = {
        checked.plain_text(name, "a choice"): (
            checked.plain_text(value, name)
            if isinstance(value, str)
            else checked.whole_number(value)
        )
        for name, value in checked.table(entry.get("choices"), "choices").items()
    }
    return PlannedKernel(
        signature,
        checked.word(entry, "sketch"),
        point,
        checked.word(entry, "tuned", ""),
    )
