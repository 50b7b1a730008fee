"""What is wrong with a text: the parser, the check, and runs over the payload.

A stage that finds errors is the last, as in `tilewright check`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tilewright.check_schedule.findings import Finding, Findings, Severity
from tilewright.check_schedule.stages import Runs, check_stages
from tilewright.editor.reading.payload import Payload
from tilewright.ir.errors import UserError
from tilewright.schedules.language.parsing.syntax_errors import syntax_errors
from tilewright.schedules.schedule import Schedule, read_schedule
from tilewright.tuning.space.space import Space

POINTS_WHILE_TYPING = 4
POINTS_WHEN_SAVED = 16
"""Points at which the schedule runs over the payload."""


@dataclass(frozen=True)
class Checked:
    """The findings of a text, its schedule, and its space where it has no errors."""

    findings: tuple[Finding, ...]
    text: str = ""
    schedule: Schedule | None = None
    """As far as it could be read: a statement with an error is left out."""
    space: Space | None = None

    @property
    def errors(self) -> list[Finding]:
        """The findings that are errors."""
        return [each for each in self.findings if each.severity is Severity.ERROR]

    @property
    def has_errors(self) -> bool:
        """Whether one of the findings is an error."""
        return bool(self.errors)

    @property
    def stage(self) -> int:
        """How far the text could be read: it parses at 1, its names are right at 2."""
        return (self.schedule is not None) + (self.space is not None)


def check_text(text: str, path: Path) -> Checked:
    """The findings that need no payload."""
    found = Findings()
    try:
        schedule, errors = read_schedule(text, str(path))
    except UserError as error:
        errors = [error]
        if error.place is not None:
            errors = syntax_errors(text, str(path), error)
        found.add_all(Severity.ERROR, errors)
        return Checked(tuple(found.in_order()), text)
    found.add_all(Severity.ERROR, errors)
    if errors:
        return Checked(tuple(found.in_order()), text, schedule)
    space, _ = check_stages(schedule, found, None)
    return Checked(tuple(found.in_order()), text, schedule, space)


def check_over(
    checked: Checked,
    payload: Payload,
    *,
    when_saved: bool,
    tell: Callable[[str], None],
) -> tuple[Finding, ...]:
    """All findings, with those of runs over the payload.

    `tell` is called before each run; what it raises ends the check.
    """
    if checked.schedule is None or checked.space is None or checked.has_errors:
        return checked.findings
    found = Findings()
    limit = POINTS_WHEN_SAVED if when_saved else POINTS_WHILE_TYPING
    runs = Runs(payload.module, limit, to_kernel=when_saved, tell=tell)
    check_stages(checked.schedule, found, runs)
    return tuple(found.in_order())
