"""One kernel of a plan as a payload and a plan of its own, to be tuned alone.

It has the sketches and the options that the kernel has in the whole plan. Its choices
have the names of the whole schedule without the kernel's suffix.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.disjoint_sets import DisjointSets
from tilewright.planning.analysis.bounds import kernel_bound
from tilewright.planning.analysis.dataflow import analyse
from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.extraction import extracted
from tilewright.planning.grouping.group import Group, Place, Stream
from tilewright.planning.grouping.grouping import Grouping
from tilewright.planning.kernels import PlannedKernel, kernel_suffix
from tilewright.planning.plan import Plan
from tilewright.planning.schedule_text import ScheduleWriter
from tilewright.planning.sketches.table import sketches_for
from tilewright.planning.writing.names import is_taken

Value = TypeVar("Value")


@dataclass(frozen=True)
class PlannedAlone:
    """A kernel's payload, and the plan that has this kernel only."""

    payload: ModuleOp
    plan: Plan

    @property
    def kernel(self) -> PlannedKernel:
        """The kernel."""
        return self.plan.kernels[0]

    @property
    def bound_seconds(self) -> float:
        """The least time of the kernel: its arithmetic or its bytes at full rate."""
        group, target = self.kernel.group, self.plan.target
        return kernel_bound(group.ops, group.moved_bytes, target).seconds


def planned_alone(
    plan: Plan, kernel: PlannedKernel, *, names: bool = False
) -> PlannedAlone | None:
    """A kernel of a plan alone; None if it has no sketch, or one that needs the rest.

    Of several equal groups it is the first. With `names`, its ops are named as in the
    whole plan.
    """
    payload = extracted(kernel.group, names=names)
    analysis = analyse(payload, is_taken)
    members = dict(zip(kernel.group.ops, analysis.ops, strict=True))
    group = _moved(kernel.group, members)
    sketches = {s.label: s for s in sketches_for(analysis, group, plan.target)}
    if not kernel.candidates or any(
        candidate.sketch.label not in sketches for candidate in kernel.candidates
    ):
        return None
    candidates = tuple(
        replace(candidate, sketch=sketches[candidate.sketch.label])
        for candidate in kernel.candidates
    )
    alone = PlannedKernel(1, (group,), candidates)
    grouping = Grouping((group,), ())
    writer = ScheduleWriter(analysis, grouping, (alone,), (), plan.target)
    found = Plan(plan.target, analysis, grouping, (alone,), writer)
    return PlannedAlone(payload, found)


def whole_point(
    plan: Plan, kernel: PlannedKernel, point: Mapping[str, Value]
) -> dict[str, Value]:
    """A point of a kernel alone as choices of the whole schedule."""
    suffix = kernel_suffix(plan.every_kernel, kernel)
    return {name + suffix: value for name, value in point.items()}


def _moved(group: Group, members: Mapping[OpFacts, OpFacts]) -> Group:
    """A group with other ops in the place of its own."""
    numbers = {old.number: new.number for old, new in members.items()}

    def moved(place: Place) -> Place:
        return numbers[place[0]], place[1]

    places = DisjointSets[Place]()
    for place in group.places:
        first = group.places.find(place)
        if place[0] in numbers and first[0] in numbers:
            places.union_left(moved(first), moved(place))
    stream = group.stream
    return Group(
        [members[facts] for facts in group.ops],
        places,
        [],
        [members[facts] for facts in group.also_sinks],
        {members[facts] for facts in group.leaving if facts in members},
        {members[facts] for facts in group.prologues if facts in members},
        None
        if stream is None
        else Stream(
            members[stream.matmul],
            tuple(members[facts] for facts in stream.others),
            frozenset(members[facts] for facts in stream.ops),
            stream.loop,
            stream.rows,
        ),
    )
