"""The findings of a check: each mistake once, ordered by file and line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tilewright.ir.errors import Note, Place, UserError
from tilewright.tuning.space.choices import Value


class Severity(StrEnum):
    """The severity of a finding; an error fails the check."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"


@dataclass
class Finding:
    """One mistake, and the points of the space at which it occurred."""

    severity: Severity
    error: UserError
    points: list[Mapping[str, Value]] = field(default_factory=list[Mapping[str, Value]])

    def __str__(self) -> str:
        """The text of the error, with the severity in place of `error:`."""
        return self.error.message(self.severity)

    def as_json(self) -> dict[str, Any]:
        """The finding as JSON; docs/commands.md lists the fields."""
        return {
            "severity": str(self.severity),
            **_place_json(self.error.place),
            "fact": self.error.fact,
            "remedy": self.error.remedy,
            "notes": [
                {**_place_json(note.place), "fact": note.fact}
                for note in self.error.notes
            ],
            "points": [dict(point) for point in self.points],
        }


class Findings:
    """Findings by place and fact; a repeated one is merged."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], Finding] = {}

    def add(
        self,
        severity: Severity,
        error: UserError,
        point: Mapping[str, Value] | None = None,
    ) -> Finding:
        """Add a finding; a repeated one keeps the worst severity."""
        key = str(error.place), error.fact
        found = self._found.setdefault(key, Finding(severity, error))
        order = list(Severity)
        found.severity = min(found.severity, severity, key=order.index)
        if point:
            found.points.append(point)
        return found

    def add_all(self, severity: Severity, errors: Iterable[UserError]) -> None:
        """Add several findings of one severity."""
        for error in errors:
            self.add(severity, error)

    def drop(self, place: Place | None, kind: type[UserError]) -> None:
        """Leave out findings of a kind at this place: another one says more."""
        self._found = {
            (where, fact): found
            for (where, fact), found in self._found.items()
            if where != str(place) or not isinstance(found.error, kind)
        }

    def has_place(self, place: Place | None) -> bool:
        """Whether there is a finding at this place."""
        return any(str(place) == where for where, _ in self._found)

    def in_order(self) -> list[Finding]:
        """The findings by file, line and column."""
        return sorted(self._found.values(), key=_position)

    def count(self, severity: Severity) -> int:
        """The number of findings of a severity."""
        return sum(1 for each in self._found.values() if each.severity is severity)


def shown(point: Mapping[str, Value]) -> str:
    """`BM = 64, loads = pointers`."""
    return ", ".join(f"{name} = {value}" for name, value in point.items())


def add_note(error: UserError, fact: str, place: Place | None = None) -> UserError:
    """The error with one more note."""
    notes: Sequence[Note] = [*error.notes, Note(fact, place)]
    return type(error)(error.fact, error.place, error.remedy, list(notes))


def _place_json(place: Place | None) -> dict[str, Any]:
    if place is None:
        return {"file": None, "line": None, "column": None}
    return {"file": place.file, "line": place.line, "column": place.column}


def _position(finding: Finding) -> tuple[str, int, int, str]:
    place = finding.error.place
    if place is None:
        return ("", 0, 0, finding.error.fact)
    return (place.file, place.line, place.column, finding.error.fact)
