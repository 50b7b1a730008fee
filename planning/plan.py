"""Planning: analysis, groups, a sketch for each, and the schedule that says it all.

found = plan(read_payload(path), target_named("h200"))
found.text            # the schedule, with its choices open and a default for each
found.kernels         # the groups, their sketches, and the estimates
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.dataflow import Analysis, Shapes, analyse
from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.grouping.equal import equal_groups
from tilewright.planning.grouping.group import Group
from tilewright.planning.grouping.grouping import Grouping, group_ops
from tilewright.planning.preparation import prepare
from tilewright.planning.sketches.base import Knob, Point, Sketch
from tilewright.planning.sketches.library import LibraryAndKernel, LibraryCall
from tilewright.planning.sketches.table import sketches_for
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.names import is_taken
from tilewright.schedules.schedule import Schedule

PLANNED = "<planned>"
"""The file name of a planned schedule in the places of its statements."""
CLOSE = 2.0
"""A sketch stays open as long as its estimate is within this factor of the best."""
DOUBT = 1.1
"""The factor by which an estimate must be better than the time of a sure sketch."""
NEAR = 1.6
"""An option stays open if a point within this factor of the sketch's best has it."""
FEW = 16
"""Up to this number of ops, `split_handle` names them all."""


@dataclass(frozen=True)
class Candidate:
    """A sketch at its best point."""

    sketch: Sketch
    point: Point
    seconds: float
    knobs: tuple[Knob, ...]
    """The knobs of the sketch, with the options that are worth a trial."""

    def points(self) -> list[Point]:
        """The points within these options, the fastest estimate first."""
        options = {knob.name: knob.options for knob in self.knobs}
        points = [
            point
            for point in self.sketch.points()
            if all(value in options[name] for name, value in point.items())
        ]
        return sorted(points, key=self.sketch.seconds)


@dataclass(frozen=True)
class PlannedKernel:
    """The kernel of one group, or of several equal ones."""

    number: int
    groups: tuple[Group, ...]
    candidates: tuple[Candidate, ...]
    """The best one first; none if the default schedules the group."""

    @property
    def group(self) -> Group:
        """The first of the equal groups."""
        return self.groups[0]

    @property
    def seconds(self) -> float | None:
        """The estimate of the best candidate, for all equal groups together."""
        if not self.candidates:
            return None
        return self.candidates[0].seconds * len(self.groups)


@dataclass(frozen=True)
class Plan:
    """A planned schedule and everything that it was planned from."""

    target: Target
    analysis: Analysis
    grouping: Grouping
    kernels: tuple[PlannedKernel, ...]
    text: str
    """The schedule, in the schedule language."""
    line_ranges: Mapping[int, range]
    """The lines of the text, from 1, that each kernel has, by its number."""

    @cached_property
    def schedule(self) -> Schedule:
        """The schedule, read."""
        return Schedule.from_text(self.text, PLANNED)

    def kernel_at(self, line: int) -> PlannedKernel | None:
        """The kernel that a line of the text, from 1, belongs to."""
        for kernel in self.kernels:
            if line in self.line_ranges.get(kernel.number, range(0)):
                return kernel
        return None


def plan(
    payload: ModuleOp,
    target: Target,
    *,
    shapes: Shapes | None = None,
    without: Collection[tuple[int, str]] = (),
) -> Plan:
    """Plan a schedule for a payload, with a default for every choice.

    `shapes` of the arguments give the sizes that the types leave open. `without` leaves
    out sketches: pairs of a kernel's number and a sketch's label. The default schedules
    a kernel that has no sketch left.
    """
    prepared = prepare(payload)
    analysis = analyse(prepared.payload, is_taken, shapes)
    grouping = group_ops(
        analysis, target, lambda group: bool(sketches_for(analysis, group, target))
    )
    kernels = tuple(
        _planned(analysis, number, groups, target, without)
        for number, groups in enumerate(
            equal_groups(grouping.groups, grouping.shared), start=1
        )
    )
    writer = _Writer(analysis, grouping, kernels, prepared.statements, target)
    text = writer.text()
    return Plan(target, analysis, grouping, kernels, text, writer.line_ranges)


def _planned(
    analysis: Analysis,
    number: int,
    groups: Sequence[Group],
    target: Target,
    without: Collection[tuple[int, str]],
) -> PlannedKernel:
    """The candidates of a group that are worth a trial, the best one first."""
    candidates: list[Candidate] = []
    for sketch in sketches_for(analysis, groups[0], target):
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
    candidates.sort(key=lambda c: c.seconds * (1 if c.sketch.is_sure else DOUBT))
    worth = [c for c in candidates if c.seconds <= CLOSE * candidates[0].seconds]
    return PlannedKernel(number, tuple(groups), tuple(worth))


def _worth(knob: Knob, near: Sequence[Point], far: Sequence[Point]) -> Knob:
    """A knob with the options that the near points have.

    It keeps all options if the sketch's points do not differ in it: the estimate
    knows nothing about it.
    """
    kept = {point[knob.name] for point in near}
    if len(kept | {point[knob.name] for point in far}) == 1:
        return knob
    return Knob(knob.name, tuple(o for o in knob.options if o in kept))


def kernel_suffix(kernels: Sequence[PlannedKernel], kernel: PlannedKernel) -> str:
    """What a kernel's choices are called after their name, among several kernels."""
    several = sum(1 for other in kernels if other.candidates) > 1
    return f"_{kernel.number}" if several else ""


def knob_suffix(
    kernels: Sequence[PlannedKernel], kernel: PlannedKernel, candidate: Candidate
) -> str:
    """What a candidate's knobs are called after their name."""
    suffix = kernel_suffix(kernels, kernel)
    if sum(1 for other in kernel.candidates if other.sketch.knobs()) > 1:
        return f"_{candidate.sketch.label}{suffix}"
    return suffix


class _Writer:
    def __init__(
        self,
        analysis: Analysis,
        grouping: Grouping,
        kernels: Sequence[PlannedKernel],
        statements: Sequence[str],
        target: Target,
    ):
        self.analysis = analysis
        self.shared = grouping.shared
        self.kernels = kernels
        self.statements = statements
        self.target = target
        self.line_ranges: dict[int, range] = {}
        self.picks = len(analysis.ops) > FEW or any(
            len(kernel.groups) > 1 for kernel in kernels
        )

    def text(self) -> str:
        """The whole schedule."""
        lines = Lines()
        for statement in self.statements:
            lines.add(statement)
        self.bind_ops(lines)
        for kernel in self.kernels:
            if kernel.candidates:
                lines.add()
                first = len(lines.text)
                self.write_kernel(lines, kernel)
                # Two lines stand above the first statement, and lines count from 1.
                self.line_ranges[kernel.number] = range(first + 3, len(lines.text) + 3)
        shared = sorted(self.shared, key=lambda facts: -facts.number)
        if shared:
            lines.add()
            for facts in shared:
                self.recompute(lines, facts)
        written = sum(1 for kernel in self.kernels if kernel.candidates)
        kernels = "1 kernel" if written == 1 else f"{written} kernels"
        head = f"// Planned for {self.target.name}: {kernels}."
        return "\n".join([head, "schedule planned(root) {", *lines.text, "}", ""])

    def recompute(self, lines: Lines, facts: OpFacts) -> None:
        """Compute a shared op in every kernel that reads it.

        Kernels that call a library read no tiles of it: then the step does not apply.
        """
        statement = f"{facts.name} = recompute {facts.name}"
        if not any(
            isinstance(candidate.sketch, LibraryCall | LibraryAndKernel)
            for kernel in self.kernels
            if any(facts in group.ops for group in kernel.groups)
            for candidate in kernel.candidates
        ):
            lines.add(statement)
            return
        with lines.block("suppress root"):
            lines.add(statement)

    def bind_ops(self, lines: Lines) -> None:
        """Name the ops of the payload."""
        ops = self.analysis.ops
        if not ops:
            return
        if len(ops) == 1:
            lines.add(f"{ops[0].name} = match implementing [LinalgOp] in root")
            return
        lines.add("ops = match implementing [LinalgOp] in root")
        if not self.picks:
            lines.add(f"{', '.join(facts.name for facts in ops)} = split_handle ops")
        else:
            for kernel in self.kernels:
                self.pick_ops(lines, kernel)
            for facts in self.shared:
                lines.add(f"{facts.name} = pick ops at [{facts.number}]")

    def pick_ops(self, lines: Lines, kernel: PlannedKernel) -> None:
        """Name the ops of a kernel; those of equal groups have one name."""
        if not kernel.candidates:
            return
        for position, facts in enumerate(kernel.group.ops):
            if facts in self.shared:
                continue
            numbers = ", ".join(str(g.ops[position].number) for g in kernel.groups)
            lines.add(f"{self.handle(kernel, facts)} = pick ops at [{numbers}]")

    def handle(self, kernel: PlannedKernel, facts: OpFacts) -> str:
        """The name of an op's handle before its kernel is written."""
        return f"all_{facts.name}" if len(kernel.groups) > 1 else facts.name

    def write_kernel(self, lines: Lines, kernel: PlannedKernel) -> None:
        """Write the statements of a kernel: its knobs, and a branch a candidate."""
        lines.suffix = kernel_suffix(self.kernels, kernel)
        lines.shared = self.shared
        self.comment(lines, kernel)
        if len(kernel.candidates) == 1:
            self.write_candidate(lines, kernel, kernel.candidates[0])
            return
        best = kernel.candidates[0].sketch.label
        with lines.block(f"choose kernel{lines.suffix} default {best}"):
            for candidate in kernel.candidates:
                sketch = candidate.sketch
                lines.add(f"// {sketch.summary}: {candidate.seconds * 1e6:.1f} us")
                with lines.block(sketch.label):
                    self.write_candidate(lines, kernel, candidate)

    def comment(self, lines: Lines, kernel: PlannedKernel) -> None:
        """Say which kernel this is and what it does."""
        group = kernel.group
        moved = sum(operand.bytes for operand in group.outside_inputs())
        sinks = [*group.also_sinks, group.sink]
        moved += sum(sink.written_bytes for sink in sinks)
        names = ", ".join(facts.name for facts in group.ops)
        times = f", {len(kernel.groups)} times" if len(kernel.groups) > 1 else ""
        lines.add(
            f"// Kernel {kernel.number}{times}: {names}; "
            f"{group.flops / 1e9:.3g} GFLOP, {moved / 1e6:.3g} MB."
        )
        if len(kernel.candidates) == 1:
            candidate = kernel.candidates[0]
            lines.add(
                f"// {candidate.sketch.summary[:1].upper()}"
                f"{candidate.sketch.summary[1:]}: {candidate.seconds * 1e6:.1f} us."
            )

    def write_candidate(
        self, lines: Lines, kernel: PlannedKernel, candidate: Candidate
    ) -> None:
        """Knobs with their defaults, conditions, statements."""
        suffix = lines.suffix
        lines.suffix = knob_suffix(self.kernels, kernel, candidate)
        knobs = candidate.knobs
        for knob in knobs:
            if len(knob.options) == 1:
                lines.add(f"{lines.knob(knob.name)} = {knob.options[0]}")
        lines.add_side_by_side(
            [
                f"{lines.knob(knob.name)} = knob {list(knob.options)} "
                f"default {candidate.point[knob.name]}"
                for knob in knobs
                if len(knob.options) > 1
            ]
        )
        for condition in candidate.sketch.requires():
            words = condition
            for knob in knobs:
                words = _renamed(words, knob.name, lines.knob(knob.name))
            lines.add(f"require {words}")
        if len(kernel.groups) == 1:
            candidate.sketch.write(lines)
        else:
            own = [facts for facts in kernel.group.ops if facts not in self.shared]
            inner = ", ".join(facts.name for facts in own)
            outer = ", ".join(self.handle(kernel, facts) for facts in own)
            with lines.block(f"for each {inner} in {outer}"):
                candidate.sketch.write(lines)
        lines.suffix = suffix


def _renamed(text: str, name: str, new: str) -> str:
    """A condition with one name exchanged."""
    return re.sub(rf"\b{name}\b", new, text)
