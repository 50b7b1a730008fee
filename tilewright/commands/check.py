"""`tilewright check`: what is wrong with a schedule, in every branch."""

from __future__ import annotations

from pathlib import Path

from tilewright.commands.files import sort_files
from tilewright.commands.inputs import raise_all, remark, warn
from tilewright.ir.warnings import payload_warnings
from tilewright.pipeline import apply_schedule, read_payload
from tilewright.schedules.check import check_warnings
from tilewright.schedules.schedule import Schedule
from tilewright.schedules.scope import count
from tilewright.tuning.read_space import read_space


def check(file: Path, other: Path | None = None, schedule: Path | None = None) -> None:
    """Check a schedule in every branch; with a payload, run it over that too."""
    files = sort_files(file, other, schedule)
    read, errors = Schedule.read_path(files.schedule)
    raise_all(errors)
    warn(check_warnings(read.module))
    found = read_space(read.module)
    if found.count_valid() == 0:
        raise found.nothing_valid()
    print(f"{files.schedule}: ok; {count(found.count_valid(), 'valid point')}")
    if files.payload is None:
        return
    payload = read_payload(files.payload)
    warn(payload_warnings(payload))
    point = next(found.points())
    applied = apply_schedule(payload, read, point, complete=False)
    warn(applied.warnings)
    remark(applied.remarks)
    shown = ", ".join(f"{name} = {value}" for name, value in point.items())
    print(
        f"{files.payload}: it runs; {count(len(applied.steps), 'step')}"
        + (f" at {shown}" if shown else "")
    )
