"""What `tilewright tune` prints: a progress bar, then the best trials and the times."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.progress import TextColumn
from rich.table import Table

from tilewright.commands.terminal.trial_bar import TrialBar
from tilewright.commands.tune.trial_table import print_trials
from tilewright.tuning.options import TuneOptions
from tilewright.tuning.results.tuning_result import (
    Trial,
    TuningResult,
    count_reasons,
    first_line,
)
from tilewright.tuning.space.space import Space

_ROWS = 10
"""Trials that the report lists."""
_REASONS = 6
"""Reasons for failures that the report lists."""


def report(
    result: TuningResult,
    console: Console,
    sizes: Sequence[str] = (),
    *,
    per_size: bool = False,
) -> None:
    """Print the best trials, the outcomes of all, and where the time went.

    With `per_size`, a table of the sizes follows (`per_size.py`).
    """
    unit = "ms" if result.measured else "ms (estimated)"
    if len(sizes) > 1:
        unit = f"mean {unit}"
    print_trials(result.ranking()[:_ROWS], unit, console)
    if result.finalists:
        finals = Table("finalist", "ms", "95% interval", box=None, header_style="bold")
        for finalist in result.finalists:
            final = finalist.final
            span = f"{final.low:.4f} .. {final.high:.4f}"
            finals.add_row(finalist.name, f"{final.median:.4f}", span)
        console.print(finals)
    if result.default_trial is not None:
        console.print(_default_line(result, result.default_trial), markup=False)
    each = () if per_size else result.best.record.each
    for title, ms in zip(sizes, each, strict=False):
        console.print(f"the best at {title}: {ms:.4f} ms")
    if result.interrupted:
        console.print(
            f"interrupted after {len(result.trials)} trials; the best so far is kept",
            style="yellow",
        )
    if result.stopped is not None:
        console.print(
            f"stopped after {len(result.trials)} trials; the best so far is kept",
            style="yellow",
        )
    counts = ", ".join(f"{n} {name}" for name, n in result.counts().items())
    origins = ", ".join(f"{n} {name}" for name, n in result.origins().items())
    console.print(f"trials: {counts} ({origins})")
    _say_reasons(result, console)
    for one in result.unchanged_choices():
        console.print(f"note: '{one.name}' {one}", style="yellow", markup=False)
    if result.measured:
        shares = ", ".join(
            f"{name} {seconds / result.wall_seconds:.0%}"
            for name, seconds in result.device_use.items()
            if seconds > 0.005 * result.wall_seconds
        )
        console.print(f"the device: {shares}", style="dim", markup=False)
        console.print(f"checked against {result.reference}", style="dim", markup=False)
    for warning in result.warnings:
        console.print(f"note: {warning}", style="yellow")


def say_time(result: TuningResult, seconds: float, console: Console) -> None:
    """Print how long the command took, and where the time of its search went."""
    spent = ", ".join(
        f"{stage} {seconds:.1f} s"
        for stage, seconds in result.seconds.items()
        if seconds
    )
    console.print(
        f"time: {seconds:.1f} s, {result.wall_seconds:.1f} s of them until the search "
        f"had ended ({result.trials_per_second:.2f} trials/s); {spent}",
        style="dim",
    )


def _default_line(result: TuningResult, default: Trial) -> str:
    """`default point (trial 1): 0.2104 ms; the best is 1.12x as fast`."""
    title = f"default point (trial {default.number})"
    if default.milliseconds is None:
        reason = first_line(default.record.error)
        return f"{title}: {default.outcome}: {reason}"
    shown = f"{title}: {default.milliseconds:.4f} ms"
    gain = result.gain()
    if default.record.program == result.best.record.program or gain is None:
        return f"{shown}; it is the best"
    return f"{shown}; the best is {gain:.2f}x as fast"


def say_payback(result: TuningResult, seconds: float, console: Console) -> None:
    """Print after how many calls the time of the command is won back."""
    if (line := result.payback(seconds)) is not None:
        console.print(line, markup=False)


def _say_reasons(result: TuningResult, console: Console) -> None:
    """Print why trials failed, with the schedule's line, most frequent first."""
    reasons = count_reasons(result.trials)
    for reason, count in reasons[:_REASONS]:
        console.print(f"  {count} x {reason}", style="dim", markup=False)
    if len(reasons) > _REASONS:
        console.print(f"  and {len(reasons) - _REASONS} other reasons", style="dim")
    passing = sum(trial.cause == "environment" for trial in result.trials)
    if passing:
        console.print(
            f"note: the environment made {passing} of them fail (a worker killed from "
            "outside, a full disk, a busy machine): the next run tries them again",
            style="yellow",
        )


class TrialProgress(TrialBar):
    """A progress bar with the best time so far."""

    def __init__(self, console: Console, options: TuneOptions, space: Space):
        best = TextColumn("{task.fields[best]}", markup=False)
        super().__init__(console, "search", options.planned(space), best, best="")
        self._best: Trial | None = None

    def on_trial(self, trial: Trial) -> None:
        """Count the trial and show the best time."""
        time = trial.milliseconds
        best = self._best.milliseconds if self._best is not None else None
        if time is not None and (best is None or time < best):
            self._best = trial
            best = time
        shown = f"best {best:.4f} ms" if best is not None else "none works yet"
        self.count(best=shown)
