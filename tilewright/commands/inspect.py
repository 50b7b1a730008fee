"""`tilewright check` and `space`: look at a schedule without running it."""

from __future__ import annotations

from pathlib import Path

from tilewright.commands.console import console, progress_bar
from tilewright.commands.inputs import raise_all, remark, warn
from tilewright.ir.dialects import func
from tilewright.ir.warnings import payload_warnings
from tilewright.pipeline import apply_schedule, build, read_payload
from tilewright.schedules.check import check_warnings
from tilewright.schedules.schedule import Schedule
from tilewright.schedules.scope import count
from tilewright.tuning.idle import probe
from tilewright.tuning.read_space import read_space


def check(schedule: Path, file: Path | None) -> None:
    """Check a schedule in every branch; with a payload, run it over that too."""
    read, errors = Schedule.read_path(schedule)
    raise_all(errors)
    warn(check_warnings(read.module))
    found = read_space(read.module)
    if found.count_valid() == 0:
        raise found.nothing_valid()
    if schedule.suffix == ".mlir" and file is None and _holds_payload(schedule):
        file = schedule
    print(f"{schedule}: ok; {count(found.count_valid(), 'valid point')}")
    if file is None:
        return
    payload = read_payload(file)
    warn(payload_warnings(payload))
    point = next(found.points())
    applied = apply_schedule(payload, read, point, complete=False)
    warn(applied.warnings)
    remark(applied.remarks)
    shown = ", ".join(f"{name} = {value}" for name, value in point.items())
    print(
        f"{file}: it runs; {count(len(applied.steps), 'step')}"
        + (f" at {shown}" if shown else "")
    )


def _holds_payload(path: Path) -> bool:
    return any(isinstance(op, func.FuncOp) for op in read_payload(path).walk())


def space(schedule: Path, file: Path | None) -> None:
    """Show a schedule's open choices; with a payload, those that change nothing."""
    read = Schedule.from_path(schedule)
    found = read_space(read.module)
    console().print(found.describe())
    if file is None or not found.choices:
        return
    payload = read_payload(file)
    with progress_bar(console(stderr=True), "trying choices") as tell:
        probes = probe(
            found,
            lambda point: build(payload, read, point, verify_steps=False).program.key,
            tell=tell,
        )
    for one in probes:
        if one.tried == 0:
            print(f"{one.name}: could not be tried here; no two points can be built")
        elif one.changes_nothing:
            print(
                f"{one.name}: changes nothing in the kernels or their launches "
                f"({count(one.tried, 'pair')} of points tried)"
            )
    if all(one.tried and not one.changes_nothing for one in probes):
        print("every choice changes the kernels or their launches")
