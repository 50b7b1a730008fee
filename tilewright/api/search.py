"""`tilewright.search`: a strategy proposes points, and your own loop measures them.

search = tilewright.search("payload.mlir", "schedule.tw")
for point in search.ask(4):
    search.tell(point, my_clock(search.compile(point)))
search.best
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp

from tilewright.api.options_in_errors import in_python
from tilewright.codegen.targets import Target
from tilewright.commands.inputs.strategies import parse_strategy
from tilewright.compile_inputs import GivenPayload, GivenSchedule, read_given
from tilewright.compiled_program import Program
from tilewright.ir.errors import UserError
from tilewright.pipeline import build
from tilewright.program import compile_program, find_target, plan_payload
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.learning.features import FITS, describe_program
from tilewright.tuning.search.guide import Description
from tilewright.tuning.search.seeding import SeededStrategy
from tilewright.tuning.search.strategies import DEFAULT, make_strategy
from tilewright.tuning.space.choices import Point, Value, canonical
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.space import Space

_ESTIMATE = "estimate.ms"


def search(
    payload: GivenPayload,
    schedule: GivenSchedule = None,
    *,
    strategy: str | None = None,
    seed: int = 0,
    target: str = "auto",
) -> Search:
    """Begin a search over the choices of a schedule; without one, it is planned.

    `strategy` is a name with options, such as `"guided:sample=64"`; `target` is the GPU
    that estimates are for.
    """
    module, read = read_given(payload, schedule)
    card, _ = find_target(target)
    with in_python():
        name, options = parse_strategy(strategy or DEFAULT)
    found = read or plan_payload(module, target).schedule
    space = read_space(found.module, found.entry, module)
    guide = BuildingGuide(module, found, card)
    default = space.default_point()
    seeds = [] if default is None or not space.contains(default) else [default]
    made = make_strategy(name, space, seed, options, guide)
    return Search(module, found, space, guide, SeededStrategy(seeds, made))


@dataclass(frozen=True)
class BuildingGuide:
    """Describes points by building them, in this process; each is built once."""

    payload: ModuleOp
    schedule: Schedule
    target: Target
    _known: dict[str, Description | None] = field(default_factory=dict)

    def describe(self, points: Sequence[Point]) -> list[Description | None]:
        """The features of each point; None where it cannot be built, or not fit."""
        found = [self._features(point) for point in points]
        return [one if one is not None and one[FITS] else None for one in found]

    def estimate(self, points: Sequence[Point]) -> list[float | None]:
        """The cost model's milliseconds; infinite where there is no program."""
        described = self.describe(points)
        return [math.inf if one is None else one[_ESTIMATE] for one in described]

    def _features(self, point: Point) -> Description | None:
        key = canonical(point)
        if key not in self._known:
            try:
                built = build(self.payload, self.schedule, point, verify_steps=False)
            except UserError:
                self._known[key] = None
            else:
                self._known[key] = describe_program(built.program, self.target, [])
        return self._known[key]


@dataclass(frozen=True, repr=False)
class Search:
    """A search whose points are measured by its caller."""

    payload: ModuleOp
    schedule: Schedule
    space: Space
    """All points, and which of them are valid."""
    _guide: BuildingGuide
    _strategy: SeededStrategy
    trials: list[tuple[Point, float | None]] = field(
        default_factory=list[tuple[Point, "float | None"]]
    )
    """The points that were told, with their milliseconds; None: it did not work."""
    _proposed: set[str] = field(default_factory=set[str])
    """The points that were proposed or told."""

    def ask(self, count: int = 1) -> list[Point]:
        """Up to `count` points, none proposed before; an empty list: no more."""
        if count < 1:
            raise UserError(f"ask({count})", remedy="ask for at least one point")
        while points := self._strategy.ask(count):
            # Those that were told before they were proposed are left out.
            new = [dict(p) for p in points if canonical(p) not in self._proposed]
            self._proposed.update(map(canonical, new))
            if new:
                return new
        return []

    def tell(self, point: Mapping[str, Value], milliseconds: float | None) -> None:
        """Take the time of a point; None where it did not work."""
        whole = self.space.completed(dict(point))
        if (reason := self.space.why_not(whole)) is not None:
            raise UserError(
                f"this is no point of the schedule: {reason}",
                remedy="tell the points that ask gave, or valid ones",
            )
        if milliseconds is not None and not 0 < milliseconds < math.inf:
            raise UserError(
                f"a time of {milliseconds} ms",
                remedy="give milliseconds, or None where the point does not work",
            )
        self.trials.append((whole, milliseconds))
        self._proposed.add(canonical(whole))
        self._strategy.tell(whole, milliseconds)

    @property
    def best(self) -> tuple[Point, float] | None:
        """The fastest point and its milliseconds; None where none has worked."""
        worked = [(point, ms) for point, ms in self.trials if ms is not None]
        return min(worked, key=lambda one: one[1], default=None)

    @property
    def exhausted(self) -> bool:
        """Whether every valid point was proposed, or told without that."""
        return self.space.is_exact() and (
            len(self._proposed) >= self.space.count_valid()
        )

    def compile(self, point: Mapping[str, Value]) -> Program:
        """The program of a point."""
        bound = self.schedule.with_point(self.space.completed(dict(point)))
        return compile_program(self.payload, bound, inherit=False)

    def estimate(self, point: Mapping[str, Value]) -> float | None:
        """The cost model's milliseconds; None where the point cannot be built."""
        (found,) = self._guide.estimate([self.space.completed(dict(point))])
        return None if found is None or found == math.inf else found

    def __repr__(self) -> str:
        """`<search: 3 of 12 points told, best 0.0041 ms>`."""
        best = "none works yet" if self.best is None else f"best {self.best[1]:.4g} ms"
        told = len({canonical(point) for point, _ in self.trials})
        return f"<search: {told} of {self.space.count()} points told, {best}>"
