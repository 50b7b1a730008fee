"""`tilewright.check` and `tilewright.space`: mistakes and choices of a schedule."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from tilewright.check_schedule.findings import Finding, Severity
from tilewright.check_schedule.report import CheckReport, checked
from tilewright.compile_inputs import GivenPayload, GivenSchedule, read_given
from tilewright.ir.errors import UserError
from tilewright.program import plan_payload
from tilewright.schedules.builder.builder import BuiltSchedule
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.space import Space

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

Given = GivenPayload | Schedule | BuiltSchedule
"""A payload, or a schedule alone."""


def check(
    payload: Given, schedule: GivenSchedule = None, *, limit: int = 32
) -> CheckReport:
    """Find mistakes in a schedule, as `tilewright check` does.

    With a payload it also runs, at up to `limit` points that try every option. Without
    a schedule, that of the payload's text is checked, or a planned one. A schedule
    alone (`check("schedule.tw")`) is checked without a run.
    """
    try:
        module, read = _both(payload, schedule)
    except UserError as error:
        return CheckReport((Finding(Severity.ERROR, error),))
    return checked(read, [], module, limit=limit)


def space(payload: Given, schedule: GivenSchedule = None) -> Space:
    """The open choices of a schedule: `.count()`, `.points()`, `.sample(...)`, ...

    Options that depend on the payload (`pow2(16, dim(mm, 2))`) need it; a schedule
    alone may be given instead. Without a schedule, one is planned.
    """
    module, read = _both(payload, schedule)
    return read_space(read.module, read.entry, module)


def _both(payload: Given, schedule: GivenSchedule) -> tuple[ModuleOp | None, Schedule]:
    """Payload and schedule; a schedule alone has no payload."""
    if _is_schedule(payload):
        if schedule is not None:
            raise UserError(
                "two schedules are given, and no payload",
                remedy="the payload comes first: check(payload, schedule)",
            )
        return None, _alone(payload)
    module, read = read_given(cast("GivenPayload", payload), schedule)
    return module, read or plan_payload(module).schedule


def _is_schedule(given: Given) -> bool:
    if isinstance(given, Schedule | BuiltSchedule):
        return True
    if isinstance(given, str) and "{" in given:
        return given.lstrip().startswith(("schedule ", "sequence ", "import "))
    return isinstance(given, str | Path) and Path(given).suffix == ".tw"


def _alone(given: Given) -> Schedule:
    if isinstance(given, Schedule):
        return given
    if isinstance(given, BuiltSchedule):
        return given.schedule
    if isinstance(given, str) and "{" in given:
        return Schedule.from_text(given)
    return Schedule.from_path(Path(cast("str | Path", given)))
