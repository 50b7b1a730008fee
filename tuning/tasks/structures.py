"""The structure of a whole payload: which covers are worth a trial, and what they earn.

The kernels of all covers are tasks. A cover is as fast as its kernels at their best
points, if no other kernel is in its way; so the sums say which covers are tried in the
whole program, and the whole says which one is best.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.planning.structure import Cover, Region, region_names
from tilewright.tuning.results.tuning_result import GAIN

if TYPE_CHECKING:
    from tilewright.planning.kernels import PlannedKernel
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.tasks.task_search import TaskOutcome
    from tilewright.tuning.tasks.whole import WholeProgram

SLOWER = 1.1
"""A cover is tried in the whole if its kernels take at most this factor of the planned
ones' time alone: among others they may be faster, since they share the L2 cache."""


@dataclass(frozen=True)
class CoverOutcome:
    """What is known of a cover."""

    cover: Cover
    alone_ms: float | None
    """Its kernels alone, at their best points; None where one could not be timed."""
    whole_ms: float | None = None
    """The whole program with it; None where it was not tried, or does not work."""
    failure: str = ""
    """Why the whole program does not work with it."""


@dataclass(frozen=True)
class StructureOutcome:
    """What is known of a region's covers, the planned one first."""

    name: str
    """The name of the choice."""
    covers: tuple[CoverOutcome, ...]
    picked: str
    """The label of the winner's cover."""

    @property
    def planned(self) -> CoverOutcome:
        """The planner's pick."""
        return self.covers[0]

    @property
    def best(self) -> CoverOutcome:
        """The winner's cover."""
        return next(one for one in self.covers if one.cover.label == self.picked)

    @property
    def gain(self) -> float | None:
        """How many times as fast the whole is as with the planned cover.

        The numbers of all kernels are tuned in both.
        """
        before, after = self.planned.whole_ms, self.best.whole_ms
        return None if before is None or not after else before / after

    @property
    def is_faster(self) -> bool:
        """Whether the winner's cover is faster than the planned one, beyond noise."""
        return self.gain is not None and self.gain > 1 + GAIN

    @property
    def untried(self) -> list[CoverOutcome]:
        """The covers that may be faster than the planned one, and were not tried."""
        planned = self.planned.alone_ms
        return [
            one
            for one in self.covers[1:]
            if one.whole_ms is None
            and not one.failure
            and _may_be_faster(one.alone_ms, planned)
        ]

    @property
    def unused(self) -> list[PlannedKernel]:
        """The kernels that the winner's cover does not have."""
        own = self.best.cover.kernels
        every = {k.number: k for one in self.covers for k in one.cover.kernels}
        return [kernel for kernel in every.values() if kernel not in own]


class StructureSearch:
    """Tries the covers of a plan's regions in its whole program."""

    def __init__(self, whole: WholeProgram, outcomes: Sequence[TaskOutcome]):
        self._plan = plan = whole.plan
        self._whole = whole
        self._tasks = {
            kernel.number: outcome
            for outcome in outcomes
            for owner, kernel in outcome.task.places
            if owner is plan
        }
        self._tried: dict[str, dict[str, tuple[float | None, str]]] = {}

    def run(self, changes: Sequence[Point]) -> None:
        """Try covers beside the planned ones; `changes` make these faster.

        The most promising cover of each region first, all regions together; then the
        others, one by one.
        """
        regions = dict(
            zip(region_names(self._plan.regions), self._plan.regions, strict=True)
        )
        if not regions:
            return
        numbers: Point = {}
        for change in changes:
            numbers |= change
        planned = self._whole.milliseconds(numbers)
        promising = {name: list(self._promising(r)) for name, r in regions.items()}
        for name, region in regions.items():
            self._tried[name] = {region.planned.label: (planned, "")}
        firsts = {name: covers[0] for name, covers in promising.items() if covers}
        points = [self._point(name, cover) for name, cover in firsts.items()]
        best = dict(numbers)
        taken = self._whole.adopt(points, numbers)
        for is_taken, point in zip(taken, points, strict=True):
            best |= point if is_taken else {}
        for name, covers in promising.items():
            for cover in covers:
                best = self._try(name, cover, numbers, best)

    def _try(self, name: str, cover: Cover, numbers: Point, best: Point) -> Point:
        """Time a cover of one region; the best point with it, if it is faster."""
        point = self._point(name, cover)
        # What was tried with other regions costs no time.
        if not (self._whole.has_tried(numbers | point) or self._whole.has_time()):
            return best
        alone = self._whole.milliseconds({**numbers, **point})
        failure = self._whole.failure({**numbers, **point}) if alone is None else ""
        self._tried[name][cover.label] = alone, failure
        with_others = {**best, **point}
        if not (self._whole.has_tried(with_others) or self._whole.has_time()):
            return best
        before = self._whole.milliseconds(best)
        after = self._whole.milliseconds(with_others)
        is_faster = after is not None and (before is None or after < before)
        return with_others if is_faster else best

    def outcomes(self, winner: Mapping[str, object]) -> Iterator[StructureOutcome]:
        """What was found of each region, and which cover the winner has."""
        names = region_names(self._plan.regions)
        for name, region in zip(names, self._plan.regions, strict=True):
            tried = self._tried.get(name, {})
            covers = tuple(
                CoverOutcome(
                    cover, self._alone(cover), *tried.get(cover.label, (None, ""))
                )
                for cover in region.covers
            )
            yield StructureOutcome(name, covers, region.cover(winner.get(name)).label)

    def _promising(self, region: Region) -> Iterator[Cover]:
        """The covers beside the planned one that may be faster, the best one first."""
        planned = self._alone(region.planned)
        timed = [(self._alone(cover), cover) for cover in region.covers[1:]]
        known = [(ms, cover) for ms, cover in timed if ms is not None]
        for ms, cover in sorted(known, key=lambda one: one[0]):
            if _may_be_faster(ms, planned):
                yield cover
        yield from (cover for ms, cover in timed if ms is None)

    def _alone(self, cover: Cover) -> float | None:
        """The milliseconds of a cover's kernels, each alone at its best point."""
        total = 0.0
        for kernel in cover.kernels:
            outcome = self._tasks.get(kernel.number)
            ms = None if outcome is None else outcome.used_ms
            if ms is None:
                return None
            total += len(kernel.groups) * ms
        return total

    def _point(self, name: str, cover: Cover) -> Point:
        """A cover with its kernels at their best points, as choices of the whole."""
        found: Point = {name: cover.label}
        for kernel in cover.kernels:
            outcome = self._tasks.get(kernel.number)
            if outcome is not None and outcome.change is not None:
                found |= outcome.task.in_whole(self._plan, outcome.change)
        return found


def _may_be_faster(alone_ms: float | None, planned_ms: float | None) -> bool:
    """Whether a cover is worth a trial, by the time of its kernels alone."""
    return alone_ms is None or planned_ms is None or alone_ms <= SLOWER * planned_ms
