"""The programs of a command that was given no `--set`: one for each point it needs.

A schedule with a decision table has a point for each rule. Without a table, the results
file may have a point for this payload or a near shape. Else the defaults hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.program import Shapes
from tilewright.codegen.targets import Target
from tilewright.known_points import (
    ChosenPoint,
    chosen_by,
    first_that_builds,
    inherited_line,
    inherited_points,
    no_known_point,
    rule_for,
)
from tilewright.pipeline import Built, Point
from tilewright.schedules.schedule import Schedule
from tilewright.schedules.size_table import Rule


@dataclass(frozen=True)
class ChosenBuild:
    """A program, the runs that it serves, and the line that says where it is from."""

    built: Built
    point: Point
    """What the schedule was bound to."""
    runs: list[Shapes]
    line: str = ""


def chosen_builds(
    payload: ModuleOp,
    schedule: Schedule,
    runs: Sequence[Shapes],
    build: Callable[[Point, Sequence[Shapes]], Built],
    *,
    target: Target,
    measured: bool,
    results: Path | None,
) -> list[ChosenBuild]:
    """The programs for some runs: one for each rule of the table, else one for all.

    An inherited point is that of the largest of the runs.
    """
    if schedule.table is not None:
        parts: list[ChosenBuild] = []
        for rule, shapes in _by_rule(payload, schedule, runs):
            built = build(rule.point, shapes)
            line = inherited_line(chosen_by(rule))
            parts.append(ChosenBuild(built, rule.point, shapes, line))
        return parts
    choices: list[ChosenPoint] = []
    if results is not None:
        choices = inherited_points(
            payload,
            schedule,
            target,
            results,
            shapes=max(runs, key=_elements),
            measured=measured,
        )
    found = first_that_builds(choices, lambda point: build(point, runs), target, runs)
    if found is not None:
        built, choice = found
        return [ChosenBuild(built, choice.point, list(runs), inherited_line(choice))]
    nothing = no_known_point(schedule, results)
    line = f"point of {nothing}" if nothing else ""
    return [ChosenBuild(build({}, runs), {}, list(runs), line)]


def _by_rule(
    payload: ModuleOp, schedule: Schedule, runs: Sequence[Shapes]
) -> list[tuple[Rule, list[Shapes]]]:
    """The runs of each rule, in the order in which rules are first needed."""
    found: dict[str, tuple[Rule, list[Shapes]]] = {}
    for shapes in runs:
        rule = rule_for(payload, schedule, shapes)
        assert rule is not None, "the sizes of a run are known"
        found.setdefault(rule.title, (rule, []))[1].append(shapes)
    return list(found.values())


def _elements(shapes: Shapes) -> int:
    return sum(math.prod(shape) for shape in shapes)
