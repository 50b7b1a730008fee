"""Everything that is wrong with a payload and a schedule, with places for an editor."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from xdsl.dialects.builtin import ModuleOp

from tilewright.explorer.server.texts import Texts
from tilewright.ir.errors import Place, UserError
from tilewright.ir.text import parse_module
from tilewright.ir.warnings import payload_warnings
from tilewright.schedules.check.check import check_warnings
from tilewright.schedules.language.parsing.syntax_errors import syntax_errors
from tilewright.schedules.schedule import Schedule, read_schedule
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import ENTRY
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.requirements import (
    requirement_errors,
    requirement_warnings,
)

Severity: TypeAlias = Literal["error", "warning", "info"]


@dataclass
class Reading:
    """The parsed texts, as far as they parse, and what was found."""

    texts: Texts
    payload: ModuleOp | None = None
    schedule: Schedule | None = None
    found: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Diagnostics as JSON; docs/explorer_data.md has the fields."""

    @property
    def has_errors(self) -> bool:
        """Whether the schedule cannot run."""
        return any(one["severity"] == "error" for one in self.found)

    def add(self, severity: Severity, error: UserError) -> None:
        """Add a diagnostic; one that is there already is not repeated."""
        found = diagnostic(severity, error, self.texts)
        if not any(_key(one) == _key(found) for one in self.found):
            self.found.append(found)


def read(texts: Texts) -> Reading:
    """Parse and check both texts; nothing runs."""
    reading = Reading(texts)
    embedded = _read_payload(reading)
    if texts.has_schedule:
        _read_schedule(reading)
    elif embedded is not None:
        reading.schedule, errors = embedded.starting_at(texts.payload_name, ENTRY)
        for error in errors:
            reading.add("error", error)
    if reading.schedule is not None and not reading.has_errors:
        _check_schedule(reading, reading.schedule)
    return reading


def _read_payload(reading: Reading) -> Schedule | None:
    """Parse the payload; returns a schedule that is in the same text."""
    texts = reading.texts
    if not texts.payload.strip():
        fact = "there is no payload"
        reading.add(
            "error",
            UserError(
                fact, Place(texts.payload_name, 1, 1), "write one, or open an example"
            ),
        )
        return None
    try:
        module = parse_module(texts.payload, texts.payload_name, schedule_context())
    except UserError as error:
        reading.add("error", error)
        return None
    reading.payload, embedded = Schedule.split(module)
    for warning in payload_warnings(reading.payload):
        reading.add("warning", warning)
    return embedded


def _read_schedule(reading: Reading) -> None:
    texts = reading.texts
    try:
        reading.schedule, errors = read_schedule(texts.schedule, texts.schedule_name)
    except UserError as error:
        errors = [error]
        if texts.schedule_name.endswith(".tw") and error.place is not None:
            errors = syntax_errors(texts.schedule, texts.schedule_name, error)
    for error in errors:
        reading.add("error", error)


def _check_schedule(reading: Reading, schedule: Schedule) -> None:
    """Warnings about the schedule, and requirements that no point meets."""
    for warning in check_warnings(schedule.module):
        reading.add("warning", warning)
    try:
        space = read_space(schedule.module, schedule.entry)
        for error in requirement_errors(space):
            reading.add("error", error)
        for warning in requirement_warnings(space):
            reading.add("warning", warning)
    except UserError as error:
        reading.add("error", error)


def diagnostic(severity: Severity, error: UserError, texts: Texts) -> dict[str, Any]:
    """An error as JSON, with the editor that it belongs to."""
    return {
        "severity": severity,
        **placed(error.place, texts),
        "fact": error.fact,
        "remedy": error.remedy,
        "notes": [
            {"fact": note.fact, **placed(note.place, texts)} for note in error.notes
        ],
    }


def placed(place: Place | None, texts: Texts) -> dict[str, Any]:
    """The editor, line and column of a place; all null where neither text has it."""
    if place is None:
        return {"file": None, "line": None, "column": None}
    both = {texts.payload_name: "payload", texts.schedule_name: "schedule"}
    return {
        "file": both.get(place.file),
        "line": place.line,
        "column": place.column,
    }


def _key(one: dict[str, Any]) -> tuple[Any, ...]:
    return one["file"], one["line"], one["column"], one["fact"]
