"""The programs of a command that was given no `--set`: one for each point it needs.

A schedule with a decision table has a point for each rule. Without a table, the results
file may have a point for this payload or a near shape. Else the defaults hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from tilewright.commands.inputs.programs import wanted_target
from tilewright.known_points import (
    ChosenPoint,
    any_shapes,
    chosen_by,
    first_that_builds,
    inherited_line,
    inherited_points,
    no_known_point,
    rule_for,
    ruled_point,
)
from tilewright.pipeline import Built, Point
from tilewright.schedules.schedule import Schedule
from tilewright.schedules.size_table import Rule

if TYPE_CHECKING:
    from tilewright.codegen.program import Shapes
    from tilewright.codegen.targets import Target


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


def chosen_point(
    payload: ModuleOp,
    schedule: Schedule,
    target_name: str | None,
    results: Path | None,
    say: Callable[[str], object],
) -> Point:
    """The point of the schedule's table or of the results file; says where it is from.

    Empty where there is none: then the defaults hold. Open sizes have the last rule.
    """
    if schedule.table is not None:
        choice = ruled_point(payload, schedule) or chosen_by(schedule.table.rules[-1])
    else:
        choice = _best_known(payload, schedule, target_name, results, say)
    if choice is None:
        return {}
    say(inherited_line(choice))
    return choice.point


def _best_known(
    payload: ModuleOp,
    schedule: Schedule,
    target_name: str | None,
    results: Path | None,
    say: Callable[[str], object],
) -> ChosenPoint | None:
    """The best known point that builds, if a results file has one."""
    if results is None or not results.exists() or not schedule.open_choices():
        return None
    from tilewright.codegen.targets import detect, target_named
    from tilewright.pipeline import build

    here = detect() if target_name is None else wanted_target(target_name)
    target = here or target_named("h200")
    measured = here is not None and target_name is None
    choices = inherited_points(payload, schedule, target, results, measured=measured)
    found = first_that_builds(
        choices,
        lambda point: build(payload, schedule, point),
        target,
        [any_shapes(payload)],
    )
    if found is not None:
        return found[1]
    if nothing := no_known_point(schedule, results):
        say(f"point of {nothing}")
    return None


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
