"""`tune --per-size`: a decision table from the times of one run at several sizes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rich.console import Console
from rich.table import Table
from xdsl.dialects.builtin import ModuleOp

from tilewright.commands.inputs.sizes import Names, is_open
from tilewright.commands.inputs.tune_sizes import SizedCase
from tilewright.commands.terminal.failure import UsageError
from tilewright.ir.interpreter.core.registry import find_function
from tilewright.ir.interpreter.core.signature import signature_of
from tilewright.ir.printable import printable
from tilewright.schedules.language.syntax import RESERVED
from tilewright.schedules.schedule import Schedule
from tilewright.schedules.size_table import Condition, Rule, Size, SizeTable
from tilewright.tuning.averages import geometric_mean
from tilewright.tuning.options import TuningTask
from tilewright.tuning.results.tuning_result import TuningResult, trial_at
from tilewright.tuning.space.choices import Point
from tilewright.tuning.transfer.certificates import certificate
from tilewright.tuning.transfer.per_size import FINALISTS, leaders
from tilewright.tuning.transfer.size_tree import (
    TimedSize,
    pick,
    rules,
    smallest_tree,
    worst_regret,
)


@dataclass(frozen=True)
class Decision:
    """The candidates of a run, their times at each size, and the table."""

    titles: tuple[str, ...]
    points: tuple[Point, ...]
    timed: tuple[TimedSize, ...]
    picks: tuple[int, ...]
    """The candidate that the table takes at each size."""
    common: int
    """The best candidate for all sizes together."""
    default: int | None
    """The candidate that is the schedule's default point."""
    worst: float
    """The most that the table loses against the best candidate of a size."""
    table: SizeTable


def check_names(choices: Iterable[str]) -> None:
    """Refuse, before the search, choices that a table cannot name."""
    for name in choices:
        if not name.isidentifier() or name in RESERVED:
            raise UsageError(
                f"--per-size: a table cannot have the choice '{name}'",
                remedy="rename it to letters, digits and _",
            )


def varied_sizes(payload: ModuleOp, names: Names, cases: Sequence[SizedCase]) -> Names:
    """The open sizes that differ between the cases; refuses cases without any."""
    arguments = signature_of(find_function(payload, None)).arguments
    shapes = [one.shapes for one in cases if one.timed and one.shapes is not None]
    varied = {
        name: extents
        for name, extents in names.items()
        if len({shape[extents[0][0]][extents[0][1]] for shape in shapes}) > 1
    }
    if not is_open(arguments) or not varied:
        raise UsageError(
            "--per-size: there is only one size to tune for",
            remedy="give several values of a size that the payload leaves open: "
            "--size M=16,256,4096",
        )
    return varied


def timed_finalists(task: TuningTask[Any]) -> int:
    """How many timings the final round takes, for the time that is kept for it."""
    sizes = len(task.extents)
    return sizes * (sizes * FINALISTS + 1)


def decide(
    result: TuningResult,
    payload: ModuleOp,
    varied: Names,
    cases: Sequence[SizedCase],
) -> Decision:
    """The smallest table that is within two percent of the best of every size."""
    arguments = signature_of(find_function(payload, None)).arguments
    timed_cases = [one for one in cases if one.timed]
    points, times = _candidates(result, len(timed_cases))
    timed = tuple(
        TimedSize(
            {name: _shapes(one)[e[0][0]][e[0][1]] for name, e in varied.items()},
            tuple(each[place] for each in times),
        )
        for place, one in enumerate(timed_cases)
    )
    tree = smallest_tree(timed)
    common = min(range(len(points)), key=lambda c: geometric_mean(times[c]))
    default = result.default_point
    picks = tuple(pick(tree, one.sizes) for one in timed)
    found: list[Rule] = []
    for limits, candidate in rules(tree):
        tuned = [
            f"{one.title}: {times[candidate][place]:.4f} ms"
            for place, one in enumerate(timed_cases)
            if picks[place] == candidate
        ]
        conditions = tuple(Condition(name, "<=", number) for name, number in limits)
        found.append(Rule(conditions, points[candidate], ", ".join(tuned)))
    sizes = tuple(
        Size(name, arguments[extents[0][0]].name, extents[0][1])
        for name, extents in varied.items()
    )
    return Decision(
        tuple(one.title for one in timed_cases),
        points,
        timed,
        picks,
        common,
        points.index(default) if default in points else None,
        worst_regret(tree, timed),
        SizeTable(sizes, tuple(found)),
    )


def say_decision(decision: Decision, console: Console, measured: bool) -> None:
    """Print the times at each size: its own best, the table's, one point for all."""
    unit = "ms" if measured else "ms (estimated)"
    columns = ["size", f"own best {unit}", "table", "one point for all"]
    if decision.default is not None:
        columns.append("default point")
    table = Table(*columns, box=None, header_style="bold")
    for title, one, picked in zip(
        decision.titles, decision.timed, decision.picks, strict=True
    ):
        others = [picked, decision.common]
        if decision.default is not None:
            others.append(decision.default)
        cells = [f"{one.time(c):.4f} ({100 * one.regret(c):+.1f}%)" for c in others]
        table.add_row(title, f"{one.time(one.best):.4f}", *cells)
    console.print(table)
    rules_ = decision.table.rules
    alone = max(one.regret(decision.common) for one in decision.timed)
    console.print(
        f"decision table: {len(rules_)} rule{'s' * (len(rules_) != 1)} for "
        f"{len(decision.timed)} sizes, at most {100 * decision.worst:.1f}% slower than "
        f"the best of a size; one point for all: {100 * alone:.1f}%"
    )
    for line in _certificates(decision, measured):
        console.print(line, markup=False)


def _certificates(decision: Decision, measured: bool) -> Iterator[str]:
    """In which range of sizes each point of the table stays near the best."""
    by = "" if measured else ", by the cost model"
    for candidate in dict.fromkeys((*decision.picks, decision.common)):
        found = certificate(decision.timed, candidate)
        if found is not None:
            point = ", ".join(
                f"{name}={value}" for name, value in decision.points[candidate].items()
            )
            yield f"{point}: {found}{by}"


def table_text(
    schedule: Schedule, decision: Decision, device: str, time: datetime
) -> str:
    """The schedule with its choices open, and its table."""
    moment = time.isoformat(sep=" ", timespec="seconds")
    header = f"// tuned for each size on {printable(device)}, {moment}\n\n"
    is_original = not schedule.point and schedule.table is None
    is_language = "named_sequence" not in schedule.source
    if is_original and is_language:
        text = schedule.source.rstrip("\n") + "\n"
    else:
        text = schedule.to_tw()
    return header + decision.table.text() + "\n" + text


def _candidates(
    result: TuningResult, sizes: int
) -> tuple[tuple[Point, ...], list[tuple[float, ...]]]:
    """The points to choose from, and their times at each size.

    The finalists were timed in turn. Without a device, the best trials are chosen from.
    """
    finalists = [one for one in result.finalists if one.point is not None and one.each]
    if finalists:
        found = [(one.point or {}, one.each) for one in finalists]
    else:
        trials = leaders(result.trials, sizes, FINALISTS)
        for point in (result.best.point, result.default_point):
            trial = trial_at(result.trials, point)
            if trial is not None and trial.record.each and trial not in trials:
                trials.append(trial)
        found = [(trial.point, trial.record.each) for trial in trials]
    return tuple(point for point, _ in found), [each for _, each in found]


def _shapes(case: SizedCase) -> Sequence[Sequence[int]]:
    assert case.shapes is not None
    return case.shapes
