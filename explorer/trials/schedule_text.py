"""The schedule of a run as lines, and the lines that each choice decides.

A page can then write the choices of any trial into the text, and dim the branches that
the trial does not take, without a text for every trial.
"""

from __future__ import annotations

import itertools
import shlex
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from xdsl.ir import Operation, Region

from tilewright.ir.errors import UserError
from tilewright.ir.text import place_of
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.tuning.results.records import text_hash
from tilewright.tuning.results.runs import Run

_MLIR = ("module", "builtin.module")
"""How a schedule in MLIR begins."""


@dataclass(frozen=True)
class ScheduleText:
    """A schedule with its choices open."""

    name: str
    text: str
    schedule: Schedule | None
    """None for a text that is no schedule, such as the choices of a Triton kernel."""
    is_original: bool
    """Whether places in errors mean lines of this text."""

    def as_data(self) -> dict[str, Any]:
        """The lines, and what each choice decides."""
        return {
            "name": self.name,
            "lines": self.text.rstrip("\n").split("\n"),
            "original": self.is_original,
            "choices": [] if self.schedule is None else _choices(self.schedule),
        }


def schedule_text(
    stored: str | None, name: str, key: str = "", run: Run | None = None
) -> ScheduleText | None:
    """The schedule of a stored text: MLIR, or the `.tw` language.

    A results file keeps MLIR. If the file that the command named still has the same
    schedule, its text is shown, with its comments and its line numbers.
    """
    if stored is None:
        return None
    if run is not None and (original := _original(run.command, key)) is not None:
        return original
    is_mlir = stored.lstrip().startswith(_MLIR)
    try:
        if not is_mlir:
            return ScheduleText(name, stored, Schedule.from_text(stored, name), True)
        text = Schedule.from_text(stored, "schedule.mlir").to_tw()
        return ScheduleText(name, text, Schedule.from_text(text, name), False)
    except UserError:
        return ScheduleText(name, stored, None, False)


def _original(command: str, key: str) -> ScheduleText | None:
    """The schedule file of a command line, if it is there and has not changed."""
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    named = [
        after
        for word, after in itertools.pairwise(words)
        if word in ("-s", "--schedule")
    ]
    if len(named) != 1 or not named[0].endswith(".tw"):
        return None
    path = Path(named[0])
    try:
        if not path.is_file():
            return None
        text = path.read_text()
        schedule = Schedule.from_text(text, path.name)
        if text_hash(schedule.to_mlir()) != key:
            return None
    except (OSError, UnicodeDecodeError, UserError):
        return None
    return ScheduleText(path.name, text, schedule, True)


def _choices(schedule: Schedule) -> list[dict[str, Any]]:
    """Each open choice: its line, and the lines of its branches by label."""
    found: list[dict[str, Any]] = []
    for choice in schedule.open_choices():
        line = _line(choice.op)
        if line is None:
            continue
        branches: dict[str, list[int]] = {}
        if isinstance(choice.op, AlternativesOp):
            branches = _branches(choice.op, line)
        found.append({"name": choice.name, "line": line, "branches": branches})
    return found


def _branches(op: AlternativesOp, line: int) -> dict[str, list[int]]:
    """First and last line of each branch; those that share a line are left out."""
    found: dict[str, list[int]] = {}
    before = line
    for label, region in zip(op.labels, op.alternatives, strict=True):
        last = _last_line(region)
        if last is None:
            return {}
        if last > before:
            found[label] = [before + 1, last]
        before = last
    return found


def _last_line(region: Region) -> int | None:
    """The line of the closing brace, which is the place of the region's yield."""
    end = region.block.last_op
    return None if end is None else _line(end)


def _line(op: Operation) -> int | None:
    """The line of an op, counted from 0."""
    place = place_of(op)
    return None if place is None else place.line - 1


def line_at(text: ScheduleText | None, place: str) -> str:
    """The line that `linear.tw:14` names; empty where it is not known."""
    name, _, number = place.rpartition(":")
    if text is None or not text.is_original or not number.isdecimal():
        return ""
    # A recorded space has another name than the file of its schedule.
    own = {
        PurePath(text.name).name,
        f"{text.schedule.name}.tw" if text.schedule else "",
    }
    if PurePath(name).name not in own:
        return ""
    lines = text.text.split("\n")
    line = int(number) - 1
    return lines[line].strip() if 0 <= line < len(lines) else ""
