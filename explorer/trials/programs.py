"""The steps and the source of single trials, small enough for many in one page.

Every different line of all trials is stored once, in one table. A step is stored as its
difference from the step before.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tilewright.explorer.program.line_table import LineTable, hunks
from tilewright.explorer.program.program_data import program_data
from tilewright.explorer.program.request import ProgramRequest, TextFile
from tilewright.explorer.trials.sources import Row, RunSource
from tilewright.explorer.trials.structures import structures_of
from tilewright.ir.errors import UserError
from tilewright.pipeline import parse_payload
from tilewright.tuning.space.choices import canonical

Tell = Callable[[str], None]


class ProgramBook:
    """Builds the programs of trials, and keeps them until a budget is used up."""

    def __init__(self, most_bytes: int, most_seconds: float) -> None:
        self.table = LineTable()
        self._bytes = most_bytes
        self._until = time.perf_counter() + most_seconds

    @property
    def is_full(self) -> bool:
        """Whether bytes or seconds are used up."""
        return self._bytes <= 0 or time.perf_counter() > self._until

    def program(self, source: RunSource, row: Row) -> dict[str, Any] | None:
        """The steps of a trial; None where the file has no payload or no schedule."""
        lines = len(self.table.lines)
        found = build(source, row, self.table)
        if found is not None:
            added = [*self.table.lines[lines:], json.dumps(found)]
            self._bytes -= sum(len(text) + 3 for text in added)
        return found


def build(source: RunSource, row: Row, table: LineTable) -> dict[str, Any] | None:
    """Run the schedule at a trial's point, and keep each step as a difference."""
    schedule = None if source.schedule is None else source.schedule.schedule
    if source.payload is None or schedule is None:
        return None
    name = str(source.about["payload"])
    try:
        data = program_data(
            ProgramRequest(
                parse_payload(source.payload, name),
                TextFile(name, source.payload),
                schedule,
                TextFile(schedule.name, schedule.source),
                schedule.full_point(row.trial.point),
            )
        )
    except UserError as error:
        return {"steps": [], "failure": str(error)}
    failure = data["failure"]
    return {
        "steps": _differences(data["steps"], data["text"], table),
        "failure": None if failure is None else failure["message"],
    }


def _differences(
    steps: Sequence[Mapping[str, Any]], text: Sequence[str], table: LineTable
) -> list[dict[str, Any]]:
    """Each step: its title, who made it, and `[a, b, lines]` for [a, b) of the last."""
    numbers = table.add(text)
    before: list[int] = []
    found: list[dict[str, Any]] = []
    for step in steps:
        after = [numbers[line] for line in step["lines"]]
        new = step["diff"] is None
        parts = [(0, len(before), 0, len(after))] if new else hunks(before, after)
        found.append(
            {
                "title": step["title"],
                "origin": step["origin"],
                "hunks": [[a, b, _ranges(after[c:d])] for a, b, c, d in parts],
            }
        )
        before = after
    return found


def _ranges(numbers: Sequence[int]) -> list[int]:
    """`[first, count, ...]`: lines that are new stand one after the other."""
    found: list[int] = []
    for number in numbers:
        if found and number == found[-2] + found[-1]:
            found[-1] += 1
        else:
            found += [number, 1]
    return found


def worth_building(source: RunSource, best: int | None, count: int) -> list[int]:
    """The rows to build: the winner, the best of each structure, then by time."""
    trials = source.log.trials
    chosen = [] if best is None else [best]
    chosen += [one["best"] for one in structures_of(source) if one["best"] is not None]
    worked = [row for row in range(len(trials)) if trials[row].milliseconds is not None]
    chosen += sorted(worked, key=lambda row: trials[row].milliseconds or 0.0)
    found: dict[str, int] = {}
    for row in chosen:
        found.setdefault(trials[row].program or canonical(trials[row].point), row)
        if len(found) >= count:
            break
    return list(found.values())[:count]
