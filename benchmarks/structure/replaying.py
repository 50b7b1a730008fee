"""What today's model makes of the structures that records hold.

The times of a record stay; every estimate is made anew. So a change of the model, or of
the search, shows here what it picks among structures that were measured, without a GPU.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tilewright
from structure.works import WORKS, Work
from tilewright.codegen.targets import Target
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.grouping.cost import Cost
from tilewright.planning.grouping.group import Group, Stream
from tilewright.planning.grouping.homes import Homes
from tilewright.planning.grouping.joining import as_one
from tilewright.planning.grouping.streams import find_streams
from tilewright.planning.known_sketches import KnownSketches
from tilewright.planning.plan import Plan

Kernels = list[list[str]]
"""The names of the ops of each kernel."""


@dataclass(frozen=True)
class Estimated:
    """A structure of a record."""

    label: str
    ms: float | None
    """The time of the whole program with it; None where it was not measured."""
    estimate: float
    """Today's milliseconds of its kernels; infinite if no kernel computes an op."""
    is_picked: bool
    """Whether the planner has these kernels today."""


@dataclass(frozen=True)
class ReplayedChoice:
    """The structures of one choice, which exclude each other."""

    work: str
    name: str
    structures: tuple[Estimated, ...]

    @property
    def picked(self) -> Estimated | None:
        """What the planner picks today; None if the record does not have it."""
        return next((one for one in self.structures if one.is_picked), None)

    @property
    def best(self) -> Estimated | None:
        """The fastest structure; None if no time is known."""
        timed = [one for one in self.structures if one.ms is not None]
        return min(timed, key=lambda one: one.ms or 0.0, default=None)

    @property
    def regret(self) -> float | None:
        """The time of the pick over that of the best, less one, if both are known."""
        best, picked = self.best, self.picked
        if best is None or picked is None or picked.ms is None or not best.ms:
            return None
        return picked.ms / best.ms - 1.0


def replay(
    files: Sequence[Path], target: str, works: Mapping[str, Work] = WORKS
) -> int:
    """Print what is picked in each work of some records, and the mean regret."""
    regrets: dict[str, float | None] = {}
    for choice in replayed(read_records(files), target, works):
        print(line_of(choice))
        before = regrets.get(choice.work, 0.0)
        own = choice.regret
        if before is None or own is None:
            regrets[choice.work] = None
        else:
            regrets[choice.work] = (1 + before) * (1 + own) - 1
    timed = {work: one for work, one in regrets.items() if one is not None}
    if timed:
        mean = 100 * sum(timed.values()) / len(timed)
        print(f"mean regret {mean:.1f}%: the picks of {len(timed)} of ", end="")
    else:
        print("no mean regret: the picks of none of ", end="")
    print(f"{len(regrets)} works were measured")
    return 0


def read_records(files: Sequence[Path]) -> dict[str, dict[str, Any]]:
    """The last row of each work that has a time of some structure."""
    rows: dict[str, dict[str, Any]] = {}
    for file in files:
        for name, row in json.loads(file.read_text())["works"].items():
            if any(
                cover["whole_ms"] is not None
                for choice in row.get("structures", ())
                for cover in choice["covers"]
            ):
                rows[name] = row
    return rows


def replayed(
    rows: Mapping[str, Mapping[str, Any]],
    target: str,
    works: Mapping[str, Work] = WORKS,
) -> Iterator[ReplayedChoice]:
    """The choices of the rows whose works there still are."""
    for name, row in rows.items():
        if name not in works:
            continue
        work = works[name]
        payload = tilewright.from_torch(
            work.function, work.inputs("meta"), name="payload"
        )
        estimates = Estimates(tilewright.plan(payload, target))
        for choice in row["structures"]:
            found = tuple(
                Estimated(
                    cover["label"],
                    cover["whole_ms"],
                    1e3 * estimates.seconds(cover["kernels"]),
                    estimates.is_planned(cover["kernels"]),
                )
                for cover in choice["covers"]
            )
            yield ReplayedChoice(name, choice["name"], found)


class Estimates:
    """Estimates of kernels that are given by the names of their ops."""

    def __init__(self, plan: Plan):
        self._analysis: Analysis = plan.analysis
        self._by_name = {facts.name: facts for facts in plan.analysis.ops}
        self._planned = {_names(group.ops) for group in plan.grouping.groups}
        self._chains = find_streams(plan.analysis).chains
        self._cost = search_cost(plan.analysis, plan.target)

    def is_planned(self, kernels: Kernels) -> bool:
        """Whether the plan has these kernels."""
        return all(frozenset(kernel) in self._planned for kernel in kernels)

    def seconds(self, kernels: Kernels) -> float:
        """The estimate of all kernels; each streams a chain if that is faster."""
        names = {name for kernel in kernels for name in kernel}
        if not names <= self._by_name.keys():
            return math.inf  # The payload has other ops now.
        ops = [[self._by_name[name] for name in kernel] for kernel in kernels]
        groups = [Group(sorted(one, key=lambda facts: facts.number)) for one in ops]
        homes = Homes(self._analysis, groups)
        return sum(self._seconds(homes, group) for group in groups)

    def _seconds(self, homes: Homes, group: Group) -> float:
        leaving = {facts for facts in group.ops if homes.is_stored(facts, (group,))}
        inside = [one for one in self._chains if one.ops <= set(group.ops)]
        kernels = [_kernel(group.ops, leaving, one) for one in (None, *inside)]
        return min(
            (self._cost.seconds([one]) for one in kernels if one is not None),
            default=math.inf,
        )


def _kernel(
    ops: Sequence[OpFacts], leaving: set[OpFacts], stream: Stream | None
) -> Group | None:
    """A kernel of some ops; None if their loops do not fit."""
    parts = [Group([facts], leaving={facts}) for facts in ops]
    parts[-1].stream = stream
    found = as_one(parts, set(leaving))
    return None if isinstance(found, str) else found


def _names(ops: Sequence[OpFacts]) -> frozenset[str]:
    return frozenset(facts.name for facts in ops)


def search_cost(analysis: Analysis, target: Target) -> Cost:
    """What the planner's search compares."""
    return Cost(target, KnownSketches(analysis, target).seconds)


def line_of(choice: ReplayedChoice) -> str:
    """A choice: what is picked, and what each structure takes, estimated and timed."""
    picked, regret = choice.picked, choice.regret
    pick = "kernels that the record does not have" if picked is None else picked.label
    share = "not known" if regret is None else f"{100 * regret:.1f}%"
    lines = [f"{choice.work}, {choice.name}: {pick}; regret {share}"]
    for one in choice.structures:
        ms = one.ms
        time = "not measured" if ms is None else f"measured {1e3 * ms:.1f} in the whole"
        mark = "*" if one.is_picked else " "
        estimate = f"estimated {1e3 * one.estimate:.1f} us"
        lines.append(f"  {mark} {one.label}: {estimate}, {time}")
    return "\n".join(lines)
