"""Planned kernels: a group, and the sketches that were considered for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tilewright.codegen.targets.limits import Limit
from tilewright.planning.grouping.group import Group
from tilewright.planning.sketches.base import Knob, Point, Sketch


@dataclass(frozen=True)
class Candidate:
    """A sketch at its best point."""

    sketch: Sketch
    point: Point
    seconds: float
    knobs: tuple[Knob, ...]
    """The knobs of the sketch, with the options that are worth a trial."""
    source: str = ""
    """Where the point was measured, if it is not the model's."""
    words: Mapping[str, str] = field(default_factory=dict[str, str])
    """Branches of its choices that were measured with the point."""

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
    slower: tuple[Candidate, ...] = ()
    """Sketches that were considered and are left out of the schedule."""

    @property
    def group(self) -> Group:
        """The first of the equal groups."""
        return self.groups[0]

    @property
    def considered(self) -> tuple[Candidate, ...]:
        """All candidates, those that the schedule leaves out last."""
        return (*self.candidates, *self.slower)

    @property
    def seconds(self) -> float | None:
        """The estimate of the best candidate, for all equal groups together."""
        if not self.candidates:
            return None
        return self.candidates[0].seconds * len(self.groups)

    def at_defaults(self) -> PlannedKernel:
        """The kernel with its best candidate alone, at its point."""
        if not self.candidates:
            return self
        best = self.candidates[0]
        knobs = tuple(Knob(k.name, (best.point[k.name],)) for k in best.knobs)
        return replace(self, candidates=(replace(best, knobs=knobs),))


@dataclass(frozen=True)
class ProgramEstimate:
    """The estimate of the program that was generated at a plan's defaults."""

    seconds: float
    """Of all launches and calls, those of the compiler's default too."""
    kernels: Mapping[int, KernelEstimate]
    """By the kernel's number."""
    launches: int
    """Launches and calls of libraries."""


@dataclass(frozen=True)
class KernelEstimate:
    """The estimate of all that was generated for a planned kernel."""

    seconds: float
    """Of one of its equal groups."""
    limit: Limit


def count_kernels(kernels: Sequence[PlannedKernel]) -> int:
    """How many kernels a schedule writes; those of equal groups count too."""
    return sum(len(kernel.groups) for kernel in kernels if kernel.candidates)


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
