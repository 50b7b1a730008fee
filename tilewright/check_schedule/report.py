"""What a check of a schedule found, as a value: Python's form of `tilewright check`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from tilewright.check_schedule.findings import Finding, Findings, Severity, shown
from tilewright.check_schedule.run_points import Examination
from tilewright.check_schedule.stages import Runs, check_stages
from tilewright.ir.errors import UserError
from tilewright.ir.notebook_html import table_html
from tilewright.ir.phrases import count
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.space.solving.counts import Count


@dataclass(frozen=True, repr=False)
class CheckReport:
    """The findings of a check, by place."""

    findings: tuple[Finding, ...]
    points: Count | None = None
    """How many points the schedule's choices have; None if it was not read."""
    examination: Examination | None = None
    """The points at which it was run over a payload, if one was given."""

    @property
    def valid_points(self) -> int | None:
        """`points` as a number."""
        return None if self.points is None else self.points.number

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
        words = "ok" if self.points is None else f"ok; {self.points.of('valid point')}"
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
    """Check a schedule that was read with these errors; with a payload, run it too."""
    findings = Findings()
    findings.add_all(Severity.ERROR, errors)
    if errors:
        return CheckReport(tuple(findings.in_order()))
    runs = None if payload is None else Runs(payload, limit)
    space, done = check_stages(schedule, findings, runs)
    return CheckReport(tuple(findings.in_order()), space.count(), done)


def _remedy(finding: Finding) -> str:
    at = f" (at {shown(finding.points[0])})" if finding.points else ""
    return (finding.error.remedy or "") + at
