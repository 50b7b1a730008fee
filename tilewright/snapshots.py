"""The payload as it was given and after each step, to look at.

steps = RecordedSteps(payload, schedule, point, built)
print(steps[2].text())                        # the IR after the second step
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import overload

from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.text import to_text
from tilewright.pipeline import Built, Point, apply_schedule
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.interpreter import Step


class DiffLines(tuple[str, ...]):
    """The lines of a unified diff; `print` shows it."""

    __slots__ = ()

    def __str__(self) -> str:
        """The lines, one below the other."""
        return "\n".join(self)


@dataclass(frozen=True)
class Snapshot:
    """The payload after a step, printed on demand."""

    step: Step | None
    """None for the payload as it was given."""
    module: ModuleOp
    diff: DiffLines = DiffLines()
    """The hunks of a unified diff from the payload before the step."""

    @property
    def title(self) -> str:
        """`03 structured.vectorize`."""
        if self.step is None:
            return "00 payload"
        return f"{self.step.index:02} {self.step.name}"

    def __repr__(self) -> str:
        """The title and the place of the statement: the IR would be long."""
        return f"<step {self.title}{self._where}>"

    def _repr_html_(self) -> str:
        """What the step changed, for notebooks; the payload itself for the first."""
        from tilewright.ir.notebook_html import diff_html, text_html

        if self.step is None:
            return text_html(self.title, self.text())
        return diff_html(self.title + self._where, self.diff)

    @property
    def _where(self) -> str:
        place = None if self.step is None else self.step.place
        return "" if place is None else f"  {place}"

    def text(self) -> str:
        """The IR."""
        return to_text(self.module)

    def outline(self) -> str:
        """The loops and the structured ops in them, a line each."""
        from tilewright.ir.outline import outline_text

        return outline_text(self.module)


class Recorder:
    """An observer that keeps the payload after each step, and what changed."""

    def __init__(self, payload: ModuleOp):
        from tilewright.ir.diffs import Diffs

        self.snapshots = [Snapshot(None, payload.clone())]
        self._diffs = Diffs(payload)

    def __call__(self, step: Step, payload: ModuleOp) -> None:
        """Keep a copy; `Snapshot.text` prints it."""
        diff = DiffLines(self._diffs.after(payload))
        self.snapshots.append(Snapshot(step, payload.clone(), diff))


def steps_html(title: str, steps: Sequence[Snapshot]) -> str:
    """Every step, folded; what it changed shows on a click."""
    from tilewright.ir.notebook_html import folded_html

    heading = f"<b>{escape(title)}</b>"
    shown = [folded_html(repr(step)[1:-1], step._repr_html_()) for step in steps]
    return f"<div>{heading}{''.join(shown)}</div>"


class RecordedSteps(Sequence[Snapshot]):
    """The payload as it was given and after each step.

    The schedule runs a second time when somebody looks: most programs are only called,
    and copies of a large payload take longer than all the steps.
    """

    def __init__(
        self,
        payload: ModuleOp,
        schedule: Schedule | None,
        point: Point | None,
        built: Built,
    ):
        self._payload = payload.clone()
        self._schedule, self._point = schedule, dict(point or {})
        self._count = 1 + len(built.steps)

    @cached_property
    def _snapshots(self) -> tuple[Snapshot, ...]:
        recorder = Recorder(self._payload)
        apply_schedule(
            self._payload,
            self._schedule,
            self._point,
            observers=[recorder],
            verify_steps=False,
        )
        return tuple(recorder.snapshots)

    @overload
    def __getitem__(self, index: int) -> Snapshot: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Snapshot]: ...

    def __getitem__(self, index: int | slice) -> Snapshot | Sequence[Snapshot]:
        """The payload after some steps; 0 gives it as it was."""
        return self._snapshots[index]

    def __len__(self) -> int:
        """One more than the steps."""
        return self._count

    def __repr__(self) -> str:
        """The number of steps: the IR of all would be long."""
        return f"<{self._count - 1} steps>"

    def _repr_html_(self) -> str:
        """Every step with what it changed, for notebooks."""
        return steps_html(f"{self._count - 1} steps", self)
