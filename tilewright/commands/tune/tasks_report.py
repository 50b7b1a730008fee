"""What `tilewright tune` prints and writes of a payload that it tunes by kernels."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table

from tilewright.commands.terminal.trial_bar import TrialBar
from tilewright.ir.phrases import count
from tilewright.tuning.results.tuning_result import GAIN, Trial, TuningResult
from tilewright.tuning.tasks.run_description import TasksResult
from tilewright.tuning.tasks.structures import StructureOutcome
from tilewright.tuning.tasks.task_search import TaskOutcome


class TasksBar(TrialBar):
    """A progress bar with the kernel whose round began last."""

    def __init__(self, console: Console, trials: int | None):
        super().__init__(console, "start", trials)

    def on_trial(self, trial: Trial) -> None:
        """Count the trial."""
        self.count()


def report_tasks(result: TasksResult, console: Console) -> None:
    """Print a table of the kernels, then the times of the whole program."""
    unit = "ms" if result.measured else "ms (estimated)"
    wholes = [whole for whole in result.wholes if whole is not None]
    table = Table(
        *("kernel", "uses", "share", f"default {unit}", f"tuned {unit}", "gain"),
        *("trials", "seconds", "ended"),
        box=None,
        header_style="bold",
    )
    for outcome, share in zip(result.tasks, shares(result), strict=True):
        gain = _gain(outcome)
        table.add_row(
            outcome.task.name,
            str(outcome.task.uses),
            f"{100 * share:.0f}%",
            _shown(outcome.default_ms),
            _shown(outcome.best_ms),
            "-" if gain is None else f"{gain:.2f}x",
            str(outcome.trials),
            f"{outcome.seconds:.1f}",
            outcome.ended,
        )
    console.print(table)
    report_structures(result, console)
    for whole in wholes:
        _report_whole(whole, console, unit)
    for outcome in result.tasks:
        if outcome.failure:
            console.print(
                f"note: kernel {outcome.task.name} has no trial that works; the first: "
                f"{outcome.failure[:160]}",
                style="yellow",
                markup=False,
            )
    for outcome in result.tasks:
        if outcome.left_out:
            console.print(
                f"note: kernel {outcome.task.name} keeps its default: "
                f"{outcome.left_out}",
                style="yellow",
                markup=False,
            )
    if result.interrupted:
        console.print(
            f"interrupted after {count(result.trials, 'trial')}; the best so far is "
            "kept",
            style="yellow",
        )
    for warning in dict.fromkeys(line for whole in wholes for line in whole.warnings):
        console.print(f"note: {warning}", style="yellow")


def report_structures(result: TasksResult, console: Console) -> None:
    """Print the covers of each region, and what the winner's cover earned."""
    unit = "ms" if result.measured else "ms (estimated)"
    for structure in result.structures:
        table = Table(
            *(structure.name, "kernels", "planner us", f"kernels alone {unit}"),
            *(f"in the whole {unit}", ""),
            box=None,
            header_style="bold",
        )
        for one in structure.covers:
            picked = "the winner's" if one.cover.label == structure.picked else ""
            table.add_row(
                one.cover.label,
                str(one.cover.kernel_count),
                f"{one.cover.seconds * 1e6:.1f}",
                _shown(one.alone_ms),
                _shown(one.whole_ms),
                one.failure[:80] or picked,
            )
        console.print(table)
        console.print(_earned(structure, unit), style="bold", markup=False)


def _earned(structure: StructureOutcome, unit: str) -> str:
    """What a structural choice earned, in a sentence."""
    name, picked, gain = structure.name, structure.picked, structure.gain
    if structure.best is structure.planned:
        untried = ", ".join(one.cover.label for one in structure.untried)
        kept = f"{name}: the planned kernels are kept"
        return f"{kept}; not tried in the whole: {untried}" if untried else kept
    if gain is None:
        return f"{name}: {picked}; the whole was not timed with the planned kernels"
    if not structure.is_faster:
        return f"{name}: {picked} is as fast as the planned kernels, within {GAIN:.1%}"
    before, after = structure.planned.whole_ms, structure.best.whole_ms
    return (
        f"{name}: {picked} makes the whole {gain:.2f}x as fast, {_shown(before)} to "
        f"{_shown(after)} {unit}, each at the best numbers found"
    )


def summary_of_structures(result: TasksResult) -> list[dict[str, Any]]:
    """The structures for `tune --summary`; docs/result_formats.md has every field."""
    return [
        {
            "name": structure.name,
            "picked": structure.picked,
            "gain": structure.gain,
            "covers": [
                {
                    "label": one.cover.label,
                    "kernels": [
                        [facts.name for facts in group.ops]
                        for kernel in one.cover.kernels
                        for group in kernel.groups
                    ],
                    "planner_ms": 1e3 * one.cover.seconds,
                    "alone_ms": one.alone_ms,
                    "whole_ms": one.whole_ms,
                    "failure": one.failure,
                }
                for one in structure.covers
            ],
        }
        for structure in result.structures
    ]


def say_tasks_time(result: TasksResult, seconds: float, console: Console) -> None:
    """Print how long the command took, and the search in it."""
    wholes = [whole for whole in result.wholes if whole is not None]
    console.print(
        f"time: {seconds:.1f} s, {result.seconds:.1f} s of them until the search had "
        f"ended: {count(result.trials, 'trial')} of kernels, "
        f"{sum(len(whole.trials) for whole in wholes)} of the whole",
        style="dim",
    )


def _report_whole(whole: TuningResult, console: Console, unit: str) -> None:
    """Print the time of a whole program before and after."""
    default = whole.default_trial
    finals = {one.program: one.final for one in whole.finalists}
    best = whole.best
    final = finals.get(best.record.program)
    interval = "" if final is None else f" ({final.low:.4f} .. {final.high:.4f})"
    shown = f"the whole: {_shown(best.record.milliseconds)} {unit}{interval}"
    gain = whole.gain()
    if default is None or default.milliseconds is None:
        shown += "; the planned defaults do not work"
        if default is not None:
            shown += f": {default.outcome}: {default.record.error[:160]}"
    elif default.record.program == best.record.program or gain is None:
        tried = len({trial.record.program for trial in whole.trials})
        shown += "; these are the planned defaults"
        shown += f", the best of {tried} programs" if tried > 1 else ""
    else:
        shown += f", {gain:.2f}x as fast as the planned defaults"
    console.print(shown, style="bold", markup=False)


def shares(result: TasksResult) -> list[float]:
    """The share of each task in the time of the winners, at the best points.

    Kernels of structures that the winners do not have take no time there.
    """
    unused = {id(kernel) for one in result.structures for kernel in one.unused}
    times = [
        _ms(outcome)
        * sum(len(k.groups) for k in outcome.task.kernels if id(k) not in unused)
        for outcome in result.tasks
    ]
    whole = sum(times)
    return [time / whole if whole else 0.0 for time in times]


def summary_of_tasks(result: TasksResult) -> list[dict[str, Any]]:
    """The tasks for `tune --summary`; docs/result_formats.md has every field."""
    return [
        {
            "name": outcome.task.name,
            "uses": outcome.task.uses,
            "share": share,
            "bound_ms": outcome.task.bound_ms,
            "default_ms": outcome.default_ms,
            "ms": outcome.best_ms,
            "point": None if outcome.best is None else outcome.best.point,
            "trials": outcome.trials,
            "rounds": outcome.rounds,
            "seconds": outcome.seconds,
            "ended": outcome.ended,
            "kept": not outcome.left_out,
        }
        for outcome, share in zip(result.tasks, shares(result), strict=True)
    ]


def _ms(outcome: TaskOutcome) -> float:
    found = outcome.best_ms if outcome.best_ms is not None else outcome.default_ms
    return outcome.task.planned_ms if found is None else found


def _gain(outcome: TaskOutcome) -> float | None:
    if outcome.default_ms is None or not outcome.best_ms:
        return None
    return outcome.default_ms / outcome.best_ms


def _shown(ms: float | None) -> str:
    return "-" if ms is None else f"{ms:.4f}"
