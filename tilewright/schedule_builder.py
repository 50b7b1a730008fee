"""Schedules that are built in Python, checked and applied: `tilewright.schedule`.

s = tilewright.schedule("linear")
mm, tail = s.match("linalg.matmul"), s.match("linalg.generic")
BM = s.knob("BM", [64, 128])
tail, grid = s.tile(tail, [BM, 128], onto=["block.y", "block.x"])
mm, grid = s.fuse(mm, grid)
print(s.to_tw())
applied = s.apply("payload.mlir", BM=128)
applied.steps[1]                 # a notebook shows what the step changed
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from tilewright.check_schedule.report import CheckReport, checked
from tilewright.compile_inputs import GivenPayload, read_given
from tilewright.ir.errors import UserError
from tilewright.ir.text import read_text, to_text
from tilewright.pipeline import Point, apply_schedule
from tilewright.schedules.builder.builder import BuiltSchedule
from tilewright.schedules.builder.python_text import python_text
from tilewright.schedules.language.parsing.parser import parse
from tilewright.schedules.schedule import Schedule
from tilewright.snapshots import Recorder, Snapshot, steps_html


@dataclass(frozen=True, repr=False)
class AppliedSchedule:
    """A payload after a schedule ran over it, with every step."""

    payload: ModuleOp
    steps: tuple[Snapshot, ...]
    """The payload as it was given, then after each step."""
    point: Point
    """The choices that were made, by the caller or by their defaults."""
    added: tuple[str, ...] = ()
    """What the compiler's default added to finish the schedule, a line each."""
    warnings: tuple[UserError, ...] = ()

    def text(self) -> str:
        """The payload after the last step."""
        return to_text(self.payload)

    def __repr__(self) -> str:
        """The number of steps: the IR of all would be long."""
        return f"<applied schedule: {len(self.steps) - 1} steps>"

    def _repr_html_(self) -> str:
        """Every step with what it changed, for notebooks."""
        return steps_html(repr(self)[1:-1], self.steps)


class ScheduleBuilder(BuiltSchedule):
    """A schedule under construction: add statements, then check, apply or compile it.

    Every verb of the schedule language is a method, and so is every other statement.
    `tilewright.compile` and `tilewright.view` take it as they take a `.tw` file.
    """

    def check(
        self, payload: GivenPayload | None = None, *, limit: int = 32
    ) -> CheckReport:
        """Find mistakes; with a payload, run the schedule at up to `limit` points."""
        schedule, errors = self.read()
        module = None if payload is None else read_given(payload, schedule)[0]
        return checked(schedule, errors, module, limit=limit)

    def apply(
        self, payload: GivenPayload, *, complete: bool = False, **point: Any
    ) -> AppliedSchedule:
        """Run the schedule over a copy of a payload; `point` makes its choices.

        With `complete`, the compiler's default adds what the schedule leaves open.
        """
        return applied_schedule(self.schedule, payload, complete=complete, **point)


def applied_schedule(
    schedule: Schedule, payload: GivenPayload, *, complete: bool = False, **point: Any
) -> AppliedSchedule:
    """Run a schedule over a copy of a payload, and keep every step."""
    module, _ = read_given(payload, schedule)
    recorder = Recorder(module)
    ran = apply_schedule(
        module, schedule, point, complete=complete, observers=[recorder]
    )
    made = {**schedule.defaults(point), **schedule.full_point(point)}
    steps = tuple(recorder.snapshots)
    return AppliedSchedule(ran.payload, steps, made, ran.added, ran.warnings)


def to_python(given: str | Path | Schedule) -> str:
    """A Python program that builds the same schedule; `given` is a path or a text."""
    if isinstance(given, Schedule):
        return python_text(parse(given.to_tw(), "schedule.tw"))
    if isinstance(given, str) and "{" in given:
        return python_text(parse(given, "schedule.tw"))
    path = Path(given)
    if path.suffix == ".mlir":
        return to_python(Schedule.from_path(path))
    return python_text(parse(read_text(path), str(path)))


def schedule(name: str = "schedule") -> ScheduleBuilder:
    """Begin a schedule: `s = tilewright.schedule("linear")`."""
    return ScheduleBuilder(name)
