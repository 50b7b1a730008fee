"""Structures: other kernels for some ops, where their estimates are near the planned.

A *cover* is a set of kernels that compute some ops. A *region* has planned kernels and
the covers of their ops; the planned one comes first. Regions have no kernel in common,
so their choices are independent. docs/structure.md has the design.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tilewright.ir.disjoint_sets import DisjointSets
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.grouping.changes import NO_CHANGES, Changes, Kind
from tilewright.planning.grouping.cost import Cost
from tilewright.planning.grouping.equal import equal_groups
from tilewright.planning.grouping.group import Group
from tilewright.planning.grouping.grouping import Grouping
from tilewright.planning.kernels import PlannedKernel

MARGIN = 1.3
"""A cover stays open as long as its estimate is within this factor of the planned."""
MOST_TRIED = 64
"""Structures that are grouped, the nearest decisions first: grouping takes time."""
MOST_COVERS = 8
"""Covers of a region beside the planned one: each has kernels to be tuned."""
PLANNED = "planned"
"""The label of the cover that the planner picks."""
CHOICE = "structure"
"""The name of a region's choice in a schedule; of several, a number follows."""

Regroup = Callable[[Changes], Grouping]
"""The groups of the payload under some changes."""
PlanKernel = Callable[[int, Sequence[Group]], PlannedKernel]
"""The kernel of equal groups, with a number."""


@dataclass(frozen=True)
class Cover:
    """Kernels that compute the ops of a region."""

    label: str
    kernels: tuple[PlannedKernel, ...]
    shared: tuple[OpFacts, ...]
    """Ops that several kernels of the payload compute."""
    changes: Changes
    """What is decided otherwise than the planner does."""
    seconds: float

    @property
    def kernel_count(self) -> int:
        """How many kernels there are; those of equal groups count too."""
        return sum(len(kernel.groups) for kernel in self.kernels)

    def in_words(self) -> str:
        """The ops of the kernels, `|` between these."""
        parts: list[str] = []
        for kernel in self.kernels:
            names = [f.name for f in kernel.group.ops if f.role != Role.FILL]
            times = f"{len(kernel.groups)} of " if len(kernel.groups) > 1 else ""
            parts.append(times + ", ".join(names or [kernel.group.sink.name]))
        return " | ".join(parts)


@dataclass(frozen=True)
class Region:
    """Planned kernels, and the covers of their ops."""

    covers: tuple[Cover, ...]
    """The planned kernels first."""

    @property
    def planned(self) -> Cover:
        """The planner's pick."""
        return self.covers[0]

    def cover(self, label: object) -> Cover:
        """The cover with a label, or the planned one."""
        return next((c for c in self.covers if c.label == label), self.planned)

    def uneven(self) -> set[OpFacts]:
        """The ops that several kernels compute in some covers and not in others."""
        every = [set(cover.shared) for cover in self.covers]
        return set[OpFacts]().union(*every) - every[0].intersection(*every)


def every_kernel(
    kernels: Sequence[PlannedKernel], regions: Sequence[Region]
) -> tuple[PlannedKernel, ...]:
    """Planned kernels and those of all covers, by their numbers."""
    found = {kernel.number: kernel for kernel in kernels}
    for region in regions:
        for cover in region.covers:
            found |= {kernel.number: kernel for kernel in cover.kernels}
    return tuple(found[number] for number in sorted(found))


def region_names(regions: Sequence[Region]) -> list[str]:
    """The names of the regions' choices."""
    if len(regions) == 1:
        return [CHOICE]
    return [f"{CHOICE}_{number}" for number in range(1, len(regions) + 1)]


@dataclass(frozen=True)
class _Structure:
    """The groups of a payload under some decisions."""

    label: str
    changes: Changes
    grouping: Grouping
    touched: frozenset[int]
    """The numbers of the planned kernels that it does not have."""


class Structures:
    """Finds the regions of a plan."""

    def __init__(
        self,
        analysis: Analysis,
        grouping: Grouping,
        kernels: Sequence[PlannedKernel],
        regroup: Regroup,
        plan_kernel: PlanKernel,
        cost: Cost,
        margin: float,
        refused: Collection[Changes] = (),
    ):
        self._refused = refused
        self._names = {facts.number: facts.name for facts in analysis.ops}
        self._grouping = grouping
        self._kernels = {kernel.number: kernel for kernel in kernels}
        self._regroup = regroup
        self._plan_kernel = plan_kernel
        self._cost = cost
        self._margin = margin
        self._tried = 0
        self._seen: set[Hashable] = {_key_of_all(grouping.groups)}
        self._numbered = {_kernel_key(k.groups, grouping): k for k in kernels}

    def regions(self) -> tuple[Region, ...]:
        """The regions, in the order of their first kernels."""
        structures = [
            structure
            for decision in self._grouping.decisions
            if (structure := self._structure(decision.changes)) is not None
        ]
        together = DisjointSets[int]()
        for structure in structures:
            first, *others = sorted(structure.touched)
            for other in [first, *others]:
                together.union_left(first, other)
        found: dict[int, list[_Structure]] = {}
        for structure in structures:
            found.setdefault(together.find(min(structure.touched)), []).append(
                structure
            )
        regions = [self._region(each) for _, each in sorted(found.items())]
        return tuple(region for region in regions if region is not None)

    def _structure(
        self, changes: Changes, label: str | None = None
    ) -> _Structure | None:
        """The structure of some changes, if it is new and its estimate is near."""
        if self._tried >= MOST_TRIED:
            return None
        self._tried += 1
        grouping = self._regroup(changes)
        key = _key_of_all(grouping.groups)
        if key in self._seen:
            return None
        self._seen.add(key)
        own = set(map(_key, grouping.groups))
        touched = [
            kernel
            for kernel in self._kernels.values()
            if any(_key(group) not in own for group in kernel.groups)
        ]
        kept = {_key(g) for g in self._grouping.groups} & own
        new = [group for group in grouping.groups if _key(group) not in kept]
        old = [group for kernel in touched for group in kernel.groups]
        new += [group for group in old if _key(group) in own]
        if not touched or not self._is_near(
            self._cost.seconds(new), self._cost.seconds(old)
        ):
            return None
        label = label or self._label(changes)
        numbers = frozenset(kernel.number for kernel in touched)
        return _Structure(label, changes, grouping, numbers)

    def _is_near(self, seconds: float, planned: float) -> bool:
        return math.isfinite(seconds) and seconds <= self._margin * planned

    def _region(self, structures: Sequence[_Structure]) -> Region | None:
        """The region that some structures touch; None if no cover is near."""
        numbers = frozenset[int]().union(*(each.touched for each in structures))
        own = [self._kernels[number] for number in sorted(numbers)]
        if not all(kernel.candidates for kernel in own):
            return None
        planned = self._cover(PLANNED, own, self._grouping, NO_CHANGES)
        outside = {
            _key(group)
            for kernel in self._kernels.values()
            if kernel.number not in numbers
            for group in kernel.groups
        }
        # Single decisions first: what differs most is tried first.
        covers = [
            *self._near_covers(structures, outside, planned),
            *self._near_covers(list(self._composed(structures)), outside, planned),
        ][:MOST_COVERS]
        return Region((planned, *_labelled(covers))) if covers else None

    def _near_covers(
        self,
        structures: Sequence[_Structure],
        outside: Collection[Hashable],
        planned: Cover,
    ) -> list[Cover]:
        """The covers of structures that are near the planned one, the fastest first."""
        covers: list[Cover] = []
        for each in structures:
            groups = [g for g in each.grouping.groups if _key(g) not in outside]
            kernels = list(self._planned(groups, each.grouping))
            cover = self._cover(each.label, kernels, each.grouping, each.changes)
            if each.changes in self._refused:
                continue  # only now, so that kernels keep their numbers
            if self._is_near(cover.seconds, planned.seconds):
                covers.append(cover)
        return sorted(covers, key=lambda cover: cover.seconds)

    def _composed(self, structures: Sequence[_Structure]) -> Iterator[_Structure]:
        """Structures of a region that touch different kernels, two at a time."""
        for one, other in itertools.combinations(structures, 2):
            if one.touched.isdisjoint(other.touched):
                label = f"{one.label}_and_{other.label}"
                both = self._structure(one.changes | other.changes, label)
                if both is not None:
                    yield both

    def _planned(
        self, groups: Sequence[Group], grouping: Grouping
    ) -> Iterator[PlannedKernel]:
        """The kernels of groups; one that several covers have is planned once."""
        for equal in equal_groups(groups, grouping.shared):
            key = _kernel_key(equal, grouping)
            if key not in self._numbered:
                number = len(self._numbered) + 1
                self._numbered[key] = self._plan_kernel(number, equal)
            yield self._numbered[key]

    def _cover(
        self,
        label: str,
        kernels: Sequence[PlannedKernel],
        grouping: Grouping,
        changes: Changes,
    ) -> Cover:
        seconds = sum(
            math.inf if kernel.seconds is None else kernel.seconds for kernel in kernels
        )
        groups = [group for kernel in kernels for group in kernel.groups]
        seconds += sum(map(self._cost.read_again, groups))
        return Cover(label, tuple(kernels), grouping.shared, changes, seconds)

    def _label(self, changes: Changes) -> str:
        """What the first of equal changes does, in a word."""
        change = min(changes)
        names = [self._names[number] for number in change.ops]
        if change.kind == Kind.JOINED:
            return "_with_".join(names)
        return f"{names[0]}_{change.kind}"


def _labelled(covers: Iterable[Cover]) -> Iterator[Cover]:
    """The covers with a label each."""
    taken = {PLANNED}
    for cover in covers:
        label, number = cover.label, 2
        while label in taken:
            label, number = f"{cover.label}_{number}", number + 1
        taken.add(label)
        yield replace(cover, label=label)


def _key(group: Group) -> Hashable:
    """What tells the groups of one payload apart."""
    return (
        tuple(facts.number for facts in group.ops),
        frozenset(facts.number for facts in group.leaving),
        group.stream is not None,
    )


def _key_of_all(groups: Iterable[Group]) -> Hashable:
    return frozenset(map(_key, groups))


def _kernel_key(groups: Sequence[Group], grouping: Grouping) -> Hashable:
    """What tells kernels apart: the groups, and the ops of them that are shared."""
    ops = {facts for group in groups for facts in group.ops}
    return _key_of_all(groups), frozenset(ops.intersection(grouping.shared))
