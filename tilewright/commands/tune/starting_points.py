"""Starting points of a tuning run: what a results file has for near shapes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tilewright.codegen.targets import Target
from tilewright.ir.phrases import count
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.options import TuningTask
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.records import sizes_text
from tilewright.tuning.space.choices import Point
from tilewright.tuning.space.space import Space
from tilewright.tuning.transfer.family import Family
from tilewright.tuning.transfer.known_points import (
    STARTS,
    Proposal,
    Wanted,
    known_points,
    starting_points,
)


def known_starts(
    task: TuningTask[Any], path: Path, target: Target, measured: bool
) -> list[Proposal]:
    """The points of near shapes and other devices that a run begins with.

    Several sizes take turns, each with its nearest points first. The best point of
    these very sizes is not among them: a run starts from it anyway.
    """
    if not path.exists() or not task.family:
        return []
    with Database(path, read_only=True) as database:
        known = known_points(database, task.family)
    turns: list[list[Proposal]] = []
    for sizes in task.extents:
        family = Family(task.family, sizes)
        wanted = Wanted(family, task.schedule, target, measured)
        turns.append(starting_points(known, wanted, task.space))
    found: list[Proposal] = []
    for place in range(STARTS):
        for proposals in turns:
            new = proposals[place : place + 1]
            found += [p for p in new if p.point not in [f.point for f in found]]
    return found[: max(STARTS, len(turns))]


def table_starts(schedule: Schedule, space: Space) -> list[Point]:
    """The points of the schedule's table: a run for other sizes starts from them."""
    if schedule.table is None:
        return []
    points = [space.completed(rule.point) for rule in schedule.table.rules]
    return [point for point in points if space.contains(point)]


def say_starts(starts: list[Proposal], say: Callable[[str], object]) -> None:
    """Tell where the starting points come from, a line for each shape and device."""
    if not starts:
        return
    say(f"{count(len(starts), 'starting point')} from the results file:")
    for start in starts:
        known = start.known
        pairs = ", ".join(f"{name}={value}" for name, value in start.point.items())
        what = "" if known.measured else " (estimated)"
        say(
            f"  {sizes_text(known.sizes)} on {known.device}, "
            f"{known.milliseconds:.4g} ms{what}: {pairs}"
        )


def say_best_start(
    starts: list[Proposal], best: Point, say: Callable[[str], object]
) -> None:
    """Tell if the winner is a starting point: the search found nothing better."""
    for start in starts:
        if start.point == best:
            say(f"the best is the starting point of {start.known.origin}")
