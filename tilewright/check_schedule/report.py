"""What a check of a schedule found, as a value: Python's form of `tilewright check`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from tilewright.check_schedule.findings import (
    Finding,
    Findings,
    Severity,
    excluded_options,
    shown,
)
from tilewright.check_schedule.run_points import Examination, examine
from tilewright.ir.errors import UserError
from tilewright.ir.notebook_html import table_html
from tilewright.ir.phrases import count
from tilewright.schedules.check.check import check_warnings
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.requirements import (
    requirement_errors,
    requirement_warnings,
)
from tilewright.tuning.space.unusable_options import unusable_options


@dataclass(frozen=True, repr=False)
class CheckReport:
    """The findings of a check, by place."""

    findings: tuple[Finding, ...]
    valid_points: int | None = None
    """How many points the schedule's choices have; None if it has errors."""
    examination: Examination | None = None
    """The points at which it was run over a payload, if one was given."""

    @property
    def ok(self) -> bool:
        """Whether nothing found is an error."""
        return not self.errors

    @property
    def errors(self) -> list[UserError]:
        """The errors among the findings."""
        return [f.error for f in self.findings if f.severity is Severity.ERROR]

    @property
    def summary(self) -> str:
        """`ok; 4 valid points; runs to the kernel at 2 of 2 points tried`."""
        if not self.ok:
            return count(len(self.errors), "error")
        words = f"ok; {count(self.valid_points or 0, 'valid point')}"
        if (done := self.examination) is not None:
            tried = count(done.run, "point")
            words += f"; runs to the kernel at {done.worked} of {tried} tried"
        return words

    def __str__(self) -> str:
        """Every finding with its line and a caret, then the summary."""
        return "\n".join([*map(str, self.findings), self.summary])

    def __repr__(self) -> str:
        """The summary."""
        return f"<check: {self.summary}>"

    def _repr_html_(self) -> str:
        """The findings as a table, for notebooks."""
        rows = [
            (each.severity, each.error.place or "", each.error.fact, _remedy(each))
            for each in self.findings
        ]
        head = ["", "place", "fact", "remedy"] if rows else []
        return table_html(self.summary, head, rows)


def checked(
    schedule: Schedule,
    errors: Sequence[UserError],
    payload: ModuleOp | None = None,
    *,
    limit: int = 32,
) -> CheckReport:
    """Check a schedule that was read with these errors; with a payload, run it too.

    A stage that finds errors is the last.
    """
    findings = Findings()
    findings.add_all(Severity.ERROR, errors)
    if errors:
        return CheckReport(tuple(findings.in_order()))
    findings.add_all(Severity.WARNING, check_warnings(schedule.module))
    space = read_space(schedule.module, schedule.entry)
    findings.add_all(Severity.ERROR, requirement_errors(space))
    if findings.count(Severity.ERROR):
        return CheckReport(tuple(findings.in_order()))
    findings.add_all(Severity.WARNING, requirement_warnings(space))
    findings.add_all(Severity.WARNING, excluded_options(space))
    done: Examination | None = None
    if payload is None:
        for error, hopeless in unusable_options(schedule.module, space):
            severity = Severity.ERROR if hopeless else Severity.WARNING
            findings.add(severity, error)
    else:
        done = examine(payload, schedule, space, findings, limit=limit)
    return CheckReport(tuple(findings.in_order()), space.count_valid(), done)


def _remedy(finding: Finding) -> str:
    at = f" (at {shown(finding.points[0])})" if finding.points else ""
    return (finding.error.remedy or "") + at
