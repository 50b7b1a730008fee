"""The tasks of plans: each kernel by itself; equal kernels are one task."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from tilewright.ir.text import to_text
from tilewright.planning.alone import PlannedAlone, planned_alone, whole_point
from tilewright.planning.analysis.facts import Role
from tilewright.planning.kernels import PlannedKernel
from tilewright.planning.plan import Plan
from tilewright.tuning.space.read import read_space

if TYPE_CHECKING:
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.space.space import Space

_NAMED = 3
"""Ops that the name of a task lists."""


@dataclass(frozen=True)
class KernelTask:
    """A kernel to tune by itself."""

    alone: PlannedAlone
    places: tuple[tuple[Plan, PlannedKernel], ...]
    """The kernels of whole plans that it stands for."""

    @property
    def kernels(self) -> tuple[PlannedKernel, ...]:
        """The kernels that it stands for."""
        return tuple(kernel for _, kernel in self.places)

    @property
    def name(self) -> str:
        """The kernel's number in the plan, and its ops."""
        kernel = self.kernels[0]
        ops = [facts.name for facts in kernel.group.ops if facts.role != Role.FILL]
        more = ", ..." if len(ops) > _NAMED else ""
        return f"{kernel.number}: {', '.join(ops[:_NAMED])}{more}"

    @property
    def uses(self) -> int:
        """How often the payloads run the kernel."""
        return sum(len(kernel.groups) for kernel in self.kernels)

    @property
    def is_planned(self) -> bool:
        """Whether the planned structure has it, not other structures alone."""
        return any(kernel in plan.kernels for plan, kernel in self.places)

    @property
    def planned_ms(self) -> float:
        """The planner's estimate of one run, at the defaults."""
        return 1e3 * self.alone.kernel.candidates[0].seconds

    @property
    def bound_ms(self) -> float:
        """The least milliseconds of one run: the roofline, and no less than a launch.

        A kernel whose data stays in the L2 cache may be faster.
        """
        launch = self.alone.plan.target.calibration.launch
        return 1e3 * max(self.alone.bound_seconds, launch)

    @cached_property
    def space(self) -> Space:
        """The choices of the kernel."""
        return read_space(self.alone.plan.schedule.module)

    def in_whole(self, plan: Plan, point: Point) -> Point:
        """A point of the task as choices of a whole plan, for all its kernels there."""
        found: Point = {}
        for owner, kernel in self.places:
            if owner is plan:
                found |= whole_point(plan, kernel, point)
        return found


@dataclass(frozen=True)
class Extraction:
    """The tasks of plans, and the kernels that are no tasks."""

    tasks: tuple[KernelTask, ...]
    """The longest estimate, over all uses, first."""
    fixed: tuple[PlannedKernel, ...]
    """Kernels without a choice, or that cannot be tuned alone."""


def extract_tasks(*plans: Plan) -> Extraction:
    """The kernels of plans as tasks; equal payloads and schedules are one task.

    A plan that is given twice counts twice. Where the structure is open, the kernels of
    all covers are tasks: their times are compared, so they need no choices.
    """
    tasks: dict[tuple[str, str], KernelTask] = {}
    fixed: list[PlannedKernel] = []
    placed = [(owner, kernel) for owner in plans for kernel in owner.every_kernel]
    for plan, kernel in placed:
        alone = planned_alone(plan, kernel)
        if alone is None or not (_has_choices(alone) or plan.is_compared(kernel)):
            fixed.append(kernel)
            continue
        key = to_text(alone.payload), alone.plan.text
        known = tasks.get(key)
        tasks[key] = (
            KernelTask(alone, ((plan, kernel),))
            if known is None
            else replace(known, places=(*known.places, (plan, kernel)))
        )
    longest = sorted(tasks.values(), key=lambda task: -task.planned_ms * task.uses)
    return Extraction(tuple(longest), tuple(fixed))


def _has_choices(alone: PlannedAlone) -> bool:
    candidates = alone.kernel.candidates
    return len(candidates) > 1 or any(
        len(knob.options) > 1 for candidate in candidates for knob in candidate.knobs
    )
