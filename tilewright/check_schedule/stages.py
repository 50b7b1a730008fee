"""The stages of a check; one that finds errors is the last."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.check_schedule.findings import Findings, Severity
from tilewright.schedules.check.check import check_warnings
from tilewright.schedules.includes import note_includes
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.requirements import (
    excluded_options,
    requirement_errors,
    requirement_warnings,
)
from tilewright.tuning.space.space import Space
from tilewright.tuning.space.unusable_options import unusable_options

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from tilewright.check_schedule.run_points import Examination


@dataclass(frozen=True)
class Runs:
    """How a check runs a schedule over a payload."""

    payload: ModuleOp
    limit: int = 32
    """The most points that it is run at."""
    to_kernel: bool = True
    """Whether each run goes on to the kernels."""
    tell: Callable[[str], None] = lambda _: None
    """Told of each point."""


def check_stages(
    schedule: Schedule, findings: Findings, runs: Runs | None
) -> tuple[Space, Examination | None]:
    """Check a schedule that was read without errors; with a payload, run it too."""
    found = _run_stages(schedule, findings, runs)
    errors = [finding.error for finding in findings.in_order()]
    note_includes(errors, schedule.module, schedule.entry)
    return found


def _run_stages(
    schedule: Schedule, findings: Findings, runs: Runs | None
) -> tuple[Space, Examination | None]:
    findings.add_all(Severity.WARNING, check_warnings(schedule.module, schedule.entry))
    payload = None if runs is None else runs.payload
    space = read_space(schedule.module, schedule.entry, payload)
    findings.add_all(Severity.ERROR, requirement_errors(space))
    if findings.count(Severity.ERROR):
        return space, None
    findings.add_all(Severity.WARNING, requirement_warnings(space))
    findings.add_all(Severity.WARNING, excluded_options(space))
    if runs is None:
        # With a payload, the runs find these options, and those it refuses.
        for error, hopeless in unusable_options(schedule.module, space):
            severity = Severity.ERROR if hopeless else Severity.WARNING
            findings.add(severity, error)
        return space, None
    from tilewright.check_schedule.run_points import examine

    done = examine(
        runs.payload,
        schedule,
        space,
        findings,
        limit=runs.limit,
        to_kernel=runs.to_kernel,
        tell=runs.tell,
    )
    return space, done
