"""Reading the payload, the schedule and the settings of a command."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from tilewright.commands.inputs.files import check_payload
from tilewright.commands.terminal.diagnostics import raise_all, warn
from tilewright.commands.terminal.failure import UsageError
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module, read_text, source_name
from tilewright.ir.warnings import payload_warnings
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import ENTRY

if TYPE_CHECKING:
    from tilewright.codegen.targets import Target


def read_both(
    file: Path,
    schedule: Path | None,
    entry: str | None = None,
    *,
    reads_unregistered: bool = False,
    libraries: Sequence[Path] = (),
) -> tuple[ModuleOp, Schedule | None]:
    """Read payload and schedule; the schedule may be in the payload's file.

    Reports all errors of the schedule, not only the first. With `reads_unregistered`,
    the payload may have ops of unknown dialects. `libraries` define sequences that the
    schedule declares.
    """
    check_payload(file)
    if schedule is not None and file == schedule == Path("-"):
        raise UsageError(
            "payload and schedule cannot both come from standard input",
            remedy="write one of them to a file",
        )
    context = schedule_context(reads_unregistered=reads_unregistered)
    module = parse_module(read_text(file), source_name(file), context)
    payload, embedded = Schedule.split(module)
    warn(payload_warnings(payload))
    if schedule is not None:
        read, errors = Schedule.read_path(schedule, entry or ENTRY)
        raise_all(errors)
        return payload, _linked(read, libraries, schedule, read.entry)
    if libraries:
        return payload, _linked(embedded, libraries, file, entry or ENTRY)
    if embedded is not None:
        embedded, errors = embedded.starting_at(str(file), entry or ENTRY)
        raise_all(errors)
    elif entry is not None:
        raise UserError(f"{file} has no sequence @{entry}", remedy="give one with -s")
    return payload, embedded


def _linked(
    schedule: Schedule | None, libraries: Sequence[Path], file: Path, entry: str
) -> Schedule | None:
    """The schedule with the sequences of libraries, checked again."""
    if not libraries:
        return schedule
    from tilewright.schedules.linking import linked, read_libraries

    whole = linked(schedule, read_libraries(libraries))
    if whole is not None:
        whole, errors = whole.starting_at(str(file), entry)
        raise_all(errors)
    return whole


def need_schedule(schedule: Schedule | None, file: Path) -> Schedule:
    """The schedule; raises an error with a remedy where there is none."""
    if schedule is None:
        raise UserError(
            f"{file} holds no schedule", remedy="give one with -s SCHEDULE.tw"
        )
    return schedule


def wanted_target(name: str) -> Target:
    """The GPU that --target names."""
    from tilewright.codegen.targets import target_named

    try:
        return target_named(name)
    except UserError as error:
        raise UsageError(f"--target {name}: {error.fact}", None, error.remedy) from None


def parse_settings(settings: tuple[str, ...]) -> dict[str, int | str]:
    """`BM=128` pairs as a point; numbers become numbers."""
    point: dict[str, int | str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name or not value:
            raise UsageError(
                f"--set {setting}: expected NAME=VALUE", remedy="such as --set BM=128"
            )
        name, value = name.strip(), value.strip()
        if name in point:
            raise UsageError(
                f"--set {name} is given twice: {point[name]} and {value}",
                remedy="give one value for each choice",
            )
        try:
            point[name] = int(value)
        except ValueError:
            point[name] = value
    return point
