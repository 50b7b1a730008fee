"""Planning: analysis, groups, a sketch for each, and the schedule that says it all.

found = plan(read_payload(path), target_named("h200"))
found.text            # the schedule, with its choices open and a default for each
found.kernels         # the groups, their sketches, and the estimates
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.targets import Target
from tilewright.ir.errors import Place
from tilewright.planning.analysis.dataflow import Analysis, Shapes, analyse
from tilewright.planning.grouping.changes import NO_CHANGES, Changes
from tilewright.planning.grouping.cost import Cost
from tilewright.planning.grouping.equal import equal_groups
from tilewright.planning.grouping.group import Group
from tilewright.planning.grouping.grouping import Grouping, group_ops
from tilewright.planning.grouping.search import TIE
from tilewright.planning.grouping.streams import NO_CHAINS, Streams
from tilewright.planning.kernels import (
    Candidate,
    PlannedKernel,
    ProgramEstimate,
    count_kernels,
)
from tilewright.planning.known_sketches import KnownSketches
from tilewright.planning.preparation import Prepared, RefusedCall, preparations
from tilewright.planning.recorded import (
    History,
    RecordedPoint,
    changes_of,
    signature_of,
    signature_of_structure,
)
from tilewright.planning.schedule_text import ScheduleWriter, WrittenSchedule
from tilewright.planning.sketches.base import Knob, Point
from tilewright.planning.splitting import split_long_rows
from tilewright.planning.structure import (
    Region,
    Structures,
    every_kernel,
    region_names,
)
from tilewright.planning.writing.lines import PLANNED as PLANNED
from tilewright.planning.writing.lines import kernel_part
from tilewright.planning.writing.names import is_taken
from tilewright.schedules.language.comments.notes import OPEN
from tilewright.schedules.language.syntax import RESERVED
from tilewright.schedules.language.verbs.vocabulary import BY_NAME
from tilewright.schedules.schedule import Schedule

CLOSE = 2.0
"""A sketch stays open as long as its estimate is within this factor of the best."""
UNSURE = 1.1
"""The factor by which an estimate must be better than the time of a sure sketch."""
NEAR = 1.6
"""An option stays open if a point within this factor of the sketch's best has it."""

NO_STREAMS = (0, "streams")
"""In place of a kernel's number and a label: no kernel streams a chain."""
STREAM = "stream"
"""In place of a label, after an op's number: no kernel streams the chain it ends."""
NO_GROUPS = (0, "groups")
"""In place of a kernel's number and a label: the default gives each op a kernel.

The plan has no statements then: nothing is prepared, grouped or sketched.
"""


@dataclass(frozen=True, repr=False)
class Plan:
    """A planned schedule and everything that it was planned from."""

    target: Target
    analysis: Analysis
    grouping: Grouping
    kernels: tuple[PlannedKernel, ...]
    writer: ScheduleWriter
    """Writes the schedule, with its choices open or made."""
    refused_calls: tuple[RefusedCall, ...] = ()
    """Ops that were rewritten because no library computes them."""
    regions: tuple[Region, ...] = ()
    """Kernels whose ops other kernels may compute, where the structure is open."""
    changes: Changes = NO_CHANGES
    """What is decided otherwise than the estimates do."""
    structure_source: str = ""
    """Where the structure was measured, if it is not the planner's."""
    estimate: ProgramEstimate | None = None
    """Of the program that was generated at the defaults, once there is one."""

    def __repr__(self) -> str:
        """The head of the schedule."""
        head = self.text.partition("\n")[0].replace(f". {OPEN} ", ", ")
        head = head.removeprefix("// ").removesuffix(".")
        return f"<tilewright.Plan: {head}>"

    def __str__(self) -> str:
        """The schedule."""
        return self.text

    def _repr_html_(self) -> str:
        """The schedule, for notebooks."""
        from tilewright.ir.notebook_html import text_html

        return text_html(repr(self)[1:-1], self.text, {*BY_NAME, *RESERVED})

    @cached_property
    def written(self) -> WrittenSchedule:
        """The schedule: its statements and its text."""
        return self.writer.written(self.estimate)

    @property
    def text(self) -> str:
        """The schedule, in the schedule language."""
        return self.written.text

    @property
    def is_empty(self) -> bool:
        """Whether the schedule has no statement: the default does everything."""
        return not self.written.statements

    @cached_property
    def schedule(self) -> Schedule:
        """The schedule, to run."""
        return self.written.schedule()

    @property
    def every_kernel(self) -> tuple[PlannedKernel, ...]:
        """The kernels, and those of other covers, by their numbers."""
        return every_kernel(self.kernels, self.regions)

    def is_compared(self, kernel: PlannedKernel) -> bool:
        """Whether a kernel is in some covers of its ops and not in others."""
        return any(
            kernel in cover.kernels
            for region in self.regions
            for cover in region.covers
        )

    def kernels_at(self, point: Mapping[str, object]) -> list[PlannedKernel]:
        """The kernels that the schedule has at a point; open choices have defaults."""
        found = {kernel.number: kernel for kernel in self.kernels}
        for name, region in zip(region_names(self.regions), self.regions, strict=True):
            cover = region.cover(point.get(name))
            for kernel in region.planned.kernels:
                del found[kernel.number]
            found |= {kernel.number: kernel for kernel in cover.kernels}
        return [found[number] for number in sorted(found)]

    @property
    def kernel_count(self) -> int:
        """How many kernels the schedule writes; those of equal groups count too."""
        return count_kernels(self.kernels)

    @property
    def seconds(self) -> float:
        """How long all kernels take together; infinite if one has no estimate."""
        return sum(
            math.inf if kernel.seconds is None else kernel.seconds
            for kernel in self.kernels
        )

    @property
    def recorded(self) -> tuple[str, ...]:
        """What was measured before, structure and kernels, and where: a line each."""
        structure = self.structure_source
        return (
            *([f"the structure: {structure}"] if structure else []),
            *(
                f"kernel {kernel.number}: {kernel.candidates[0].source}"
                for kernel in self.kernels
                if kernel.candidates and kernel.candidates[0].source
            ),
        )

    def kernel_at(self, place: Place) -> PlannedKernel | None:
        """The kernel that a statement at a place of the schedule belongs to."""
        for kernel in self.every_kernel:
            if place.part == kernel_part(kernel.number):
                return kernel
        return None


def plan(
    payload: ModuleOp,
    target: Target,
    *,
    shapes: Shapes | None = None,
    without: Collection[tuple[int, str]] = (),
    history: History | None = None,
    is_open: bool = True,
    changes: Changes | None = None,
    margin: float | None = None,
    refused: Collection[Changes] = (),
) -> Plan:
    """Plan a schedule for a payload, with a default for every choice.

    `shapes` of the arguments give the sizes that the types leave open. `without` leaves
    out sketches: pairs of a kernel's number and a sketch's label, or of a matmul's
    number and `STREAM`, or `NO_STREAMS`, or `NO_GROUPS`. The default schedules a kernel
    that has no sketch left. `history` has points that were measured for near shapes:
    they become the defaults instead of the model's. Unless it `is_open`, the text has
    each kernel at its defaults alone: it is read sooner. `changes` decide otherwise
    than the estimates; by default, those that the history has of this payload. With a
    `margin`, the structure is open too: other kernels for the same ops whose estimates
    are within this factor, without those that were `refused`.
    """
    if NO_GROUPS in without:
        return _one_kernel_an_op(payload, target, shapes)
    options = (shapes, without, history, is_open, changes, margin, refused)
    plans = [_plan(prepared, target, *options) for prepared in preparations(payload)]
    return fastest_of(plans)


def fastest_of(plans: Sequence[Plan]) -> Plan:
    """The plan with the shortest estimate; of those as good as equal, fewest kernels.

    Kernels that pass less through memory win a tie, as in the search of one plan.
    """
    best = min(each.seconds for each in plans)
    near = [each for each in plans if each.seconds <= (1 + TIE) * best]
    return min(near, key=lambda each: (each.kernel_count, each.seconds))


def _plan(
    prepared: Prepared,
    target: Target,
    shapes: Shapes | None,
    without: Collection[tuple[int, str]],
    history: History | None,
    is_open: bool,
    changes: Changes | None,
    margin: float | None,
    refused: Collection[Changes],
) -> Plan:
    """Plan a schedule for a payload that was prepared in one way."""
    if NO_STREAMS not in without:
        prepared = split_long_rows(prepared, target, shapes)
    analysis = analyse(prepared.payload, is_taken, shapes)
    known = KnownSketches(analysis, target)

    def grouped(
        asked: Changes, streams: Streams | None, with_decisions: bool = False
    ) -> Grouping:
        return group_ops(
            analysis,
            target,
            known.seconds,
            streams=streams,
            unstreamed={number for number, label in without if label == STREAM},
            changes=asked,
            with_decisions=with_decisions,
        )

    def kernel(number: int, groups: Sequence[Group]) -> PlannedKernel:
        return _planned(known, number, groups, target, without, history)

    measured = None
    if changes is None:
        signature = signature_of_structure(analysis.plannable, target.name)
        measured = None if history is None else history(signature)
        changes = changes_of(measured)
    base = changes
    streams = NO_CHAINS if NO_STREAMS in without else None
    grouping = grouped(base, streams, margin is not None)
    equal = equal_groups(grouping.groups, grouping.shared)
    kernels = tuple(kernel(number, groups) for number, groups in enumerate(equal, 1))
    regions: tuple[Region, ...] = ()
    if margin is not None:
        cost = Cost(target, known.seconds)
        regions = Structures(
            analysis,
            grouping,
            kernels,
            lambda asked: grouped(base | asked, grouping.streams),
            kernel,
            cost,
            margin,
            refused,
        ).regions()
    shown = kernels if is_open else [kernel.at_defaults() for kernel in kernels]
    writer = ScheduleWriter(
        analysis, grouping, shown, prepared.statements, target, regions
    )
    calls = prepared.refused_calls
    source = measured.source if measured is not None and base else ""
    return Plan(
        target, analysis, grouping, kernels, writer, calls, regions, base, source
    )


def _one_kernel_an_op(payload: ModuleOp, target: Target, shapes: Shapes | None) -> Plan:
    """The last resort: an empty schedule, so that the default schedules each op."""
    analysis = analyse(payload, is_taken, shapes)
    groups = tuple(Group([facts]) for facts in analysis.ops if not facts.is_empty)
    kernels = tuple(
        PlannedKernel(number, (group,), ())
        for number, group in enumerate(groups, start=1)
    )
    grouping = Grouping(groups, ())
    writer = ScheduleWriter(analysis, grouping, kernels, (), target)
    return Plan(target, analysis, grouping, kernels, writer)


def _planned(
    known: KnownSketches,
    number: int,
    groups: Sequence[Group],
    target: Target,
    without: Collection[tuple[int, str]],
    history: History | None,
) -> PlannedKernel:
    """The candidates of a group that are worth a trial, the best one first."""
    candidates: list[Candidate] = []
    for sketch in known.of(groups[0]):
        if (number, sketch.label) in without:
            continue
        timed = [
            (sketch.seconds(point), i, point) for i, point in enumerate(sketch.points())
        ]
        if timed:
            seconds, _, point = min(timed)
            near = [p for s, _, p in timed if s <= NEAR * seconds]
            far = [p for s, _, p in timed if s > NEAR * seconds]
            knobs = tuple(_worth(knob, near, far) for knob in sketch.knobs())
            candidates.append(Candidate(sketch, point, seconds, knobs))
    candidates.sort(key=lambda c: c.seconds * (1 if c.sketch.is_sure else UNSURE))
    candidates.sort(key=lambda c: c.sketch.is_spare)
    worth = [
        candidate
        for candidate in candidates
        if candidate.seconds <= CLOSE * candidates[0].seconds
        and candidate.sketch.is_spare == candidates[0].sketch.is_spare
    ]
    slower = [candidate for candidate in candidates if candidate not in worth]
    if history is not None and candidates:
        recorded = history(signature_of(groups[0], target.name))
        first = None if recorded is None else _recorded_candidate(candidates, recorded)
        if first is not None:
            worth = [first, *(c for c in worth if c.sketch is not first.sketch)]
            slower = [c for c in slower if c.sketch is not first.sketch]
    return PlannedKernel(number, tuple(groups), tuple(worth), tuple(slower))


def _recorded_candidate(
    candidates: Sequence[Candidate], recorded: RecordedPoint
) -> Candidate | None:
    """The candidate of a recorded sketch at its point; None if it has no such point."""
    for candidate in candidates:
        sketch, point = candidate.sketch, recorded.point
        options = {knob.name: knob.options for knob in sketch.knobs()}
        if (
            sketch.label != recorded.sketch
            or options.keys() != point.keys()
            or any(value not in options[name] for name, value in point.items())
            or not (recorded.is_of_this_shape or sketch.is_valid(point))
        ):
            continue
        knobs = tuple(
            Knob(knob.name, tuple(sorted({*knob.options, point[knob.name]})))
            for knob in candidate.knobs
        )
        seconds, words = sketch.seconds(point), recorded.words
        return Candidate(sketch, point, seconds, knobs, recorded.source, words)
    return None


def _worth(knob: Knob, near: Sequence[Point], far: Sequence[Point]) -> Knob:
    """A knob with the options that the near points have.

    It keeps all options if the sketch's points do not differ in it: the estimate
    knows nothing about it.
    """
    kept = {point[knob.name] for point in near}
    if len(kept | {point[knob.name] for point in far}) == 1:
        return knob
    return Knob(knob.name, tuple(o for o in knob.options if o in kept))
