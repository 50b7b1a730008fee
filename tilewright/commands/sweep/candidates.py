"""The points that a sweep compares, and the program of each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.launches.size_checks import refused_sizes
from tilewright.codegen.program import Shapes
from tilewright.codegen.targets import Target
from tilewright.ir.errors import UserError
from tilewright.known_points import inherited_points
from tilewright.pipeline import Built, Point
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.space.choices import canonical


@dataclass(frozen=True)
class Candidate:
    """A point with its program, and where it is from."""

    name: str
    """A letter, which the table and the picture use."""
    point: Point
    origin: str
    built: Built
    refused: tuple[str | None, ...]
    """Why the program does not take a size; None where it does."""

    def text(self) -> str:
        """The point in words."""
        return ", ".join(f"{name}={value}" for name, value in self.point.items())


def candidates(
    payload: ModuleOp,
    schedule: Schedule,
    given: Sequence[Point],
    runs: Sequence[Shapes],
    most: int,
    target: Target,
    results: Path | None,
    measured: bool,
    build: Callable[[Point], Built],
    say: Callable[[str], object],
) -> list[Candidate]:
    """The different programs among the points, at most so many; says what is refused.

    `given` are the points that the command names: then there are no others.
    """
    found: list[Candidate] = []
    programs: set[str] = set()
    proposed: set[str] = set()
    refusal: UserError | None = None
    for other, origin in _points(
        payload, schedule, given, runs, target, results, measured
    ):
        if (len(found) == most and not given) or canonical(other) in proposed:
            continue
        proposed.add(canonical(other))
        try:
            built = build(other)
        except UserError as error:
            refusal = error
            say(f"{origin}: refused: {error.fact}")
            continue
        if built.program.text in programs:
            continue
        programs.add(built.program.text)
        refused = tuple(refused_sizes(built.program.launch_plan, run) for run in runs)
        name = chr(ord("A") + len(found))
        shown = dict(other) or dict(built.defaults)
        found.append(Candidate(name, shown, origin, built, refused))
    if not found:
        assert refusal is not None
        raise refusal
    return found


def _points(
    payload: ModuleOp,
    schedule: Schedule,
    given: Sequence[Point],
    runs: Sequence[Shapes],
    target: Target,
    results: Path | None,
    measured: bool,
) -> Iterator[tuple[Point, str]]:
    """The points that the command names, or those of table, defaults and results."""
    if given:
        yield from ((point, "given") for point in given)
        return
    if schedule.table is not None:
        for rule in schedule.table.rules:
            yield rule.point, f"the schedule's table, rule '{rule.title}'"
    choices = schedule.open_choices()
    if all(choice.default is not None for choice in choices):
        yield {}, "the schedule's defaults" if choices else "the schedule"
    if results is None:
        return
    # The middle first: its best points serve the most sizes.
    ordered = sorted(runs, key=_elements)
    middle = len(ordered) // 2
    for shapes in sorted(ordered, key=lambda one: abs(ordered.index(one) - middle)):
        for known in inherited_points(
            payload, schedule, target, results, shapes=shapes, measured=measured
        ):
            yield known.point, known.origin


def _elements(shapes: Shapes) -> int:
    return sum(math.prod(shape) for shape in shapes)
