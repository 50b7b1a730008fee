"""What `tilewright explain` prints, section by section."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from tilewright.commands.explain.effects_report import say_effects, say_structures
from tilewright.commands.explain.wrapped import milliseconds, say, title
from tilewright.ir.phrases import count
from tilewright.tuning.explaining.limits import PARTS
from tilewright.tuning.explaining.time_spent import NEAR, STOPS, reached
from tilewright.tuning.explaining.tuning_log import point_text

if TYPE_CHECKING:
    from rich.console import Console

    from tilewright.tuning.explaining.explanation import Explanation
    from tilewright.tuning.explaining.failures import FailureGroup
    from tilewright.tuning.explaining.limits import Limits

_REASONS = 8
"""Reasons for failures that are listed."""
_NEAR = 0.01
"""Programs this near to the winner are as good: another run may rank them first."""
_BARS = 24
"""The characters of the longest bar."""


def report(log: Console, found: Explanation) -> None:
    """Print all sections; those about which nothing is known say so."""
    _say_run(log, found)
    _say_winner(log, found)
    if found.log.trials:
        say_effects(log, found)
        say_structures(log, found.choices)
        _say_unused(log, found)
        _say_failures(log, found)
        _say_seconds(log, found)
        _say_convergence(log, found)
        _say_suggestions(log, found)


def _say_run(log: Console, found: Explanation) -> None:
    run = found.log
    outcomes = ", ".join(f"{n} {name}" for name, n in run.outcomes.items())
    space = ""
    if run.known_space is not None:
        space = f" of {run.known_space.count()} valid points"
    number = f"run {run.name}: " if run.name.startswith("#") else ""
    sizes = f" {run.sizes}" if run.sizes else ""
    say(log, f"{number}{run.payload}{sizes} under {run.schedule}, {run.device}")
    trials = count(len(run.trials), "trial")
    say(log, f"{trials}{space}: {outcomes or 'none has ended'}")
    facts = [
        f"{run.strategy} search" if run.strategy.isidentifier() else run.strategy,
        f"started {run.started[:16].replace('T', ' ')}" if run.started else "",
        run.versions,
        run.source,
    ]
    say(log, "; ".join(filter(None, facts)), more="", style="dim")
    if not run.measured:
        say(log, "Nothing ran on a GPU: all times are the cost model's.", more="")


def _say_winner(log: Console, found: Explanation) -> None:
    best = found.log.best
    title(log, "the winner")
    if best is None:
        say(log, "No trial worked; see the failures.", indent="  ")
        return
    own = milliseconds(best.milliseconds or 0.0)
    final = f", {milliseconds(best.final)} ms in the final round" if best.final else ""
    say(log, f"{own} ms{final}: {point_text(best.point)}", indent="  ")
    near = found.log.near_best(_NEAR)
    say(log, f"{count(near, 'other program')} within {_NEAR:.0%} of it", indent="  ")
    if found.limits is None:
        say(
            log, "Its rates are not known: the file has no features of it.", indent="  "
        )
    else:
        for line in _limit_lines(found.limits):
            say(log, line, indent="  ")


def _rate(value: float) -> str:
    """A rate that does not read as zero where it is small."""
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def _limit_lines(limits: Limits) -> list[str]:
    rates: list[str] = []
    if limits.tflops is not None and limits.compute_share is not None:
        rates.append(
            f"{_rate(limits.tflops)} TFLOP/s ({limits.compute_share:.0%} of "
            f"{limits.peak_tflops:.0f})"
        )
    rates.append(
        f"{_rate(limits.gigabytes_per_second)} GB/s of arguments and results "
        f"({limits.memory_share:.0%} of {limits.peak_gigabytes_per_second:.0f})"
    )
    lines = [f"{', '.join(rates)}: {limits.verdict}"]
    parts = ", ".join(f"{PARTS[name]} {s:.0%}" for name, s in limits.parts[:4])
    if parts and limits.over_estimate is not None:
        lines.append(
            f"the cost model: {parts} of its estimate (they overlap); the time is "
            f"{limits.over_estimate:.2f} of the estimate"
        )
    if limits.registers is not None:
        shared = "" if limits.shared_kib is None else f", {limits.shared_kib:.0f} KiB"
        lines.append(
            f"{count(limits.launches, 'kernel')}; the main one has "
            f"{limits.registers} registers, "
            f"{'spills' if limits.spills else 'no spills'}"
            + (f"{shared} of shared memory" if shared else "")
        )
    return lines


def _say_unused(log: Console, found: Explanation) -> None:
    lines = [f"{one.name}: {one.text}" for one in found.inert]
    for facts in found.choices:
        if facts.never_worked:
            values = ", ".join(map(str, facts.never_worked))
            lines.append(f"{facts.name}: never worked with {values}")
        if facts.untried:
            values = ", ".join(map(str, facts.untried))
            lines.append(f"{facts.name}: never tried with {values}")
    title(log, "choices that changed nothing, options without a result")
    for line in lines:
        say(log, line, indent="  ")
    if not lines:
        say(log, "None.", indent="  ")
    if found.log.known_space is None and found.choices:
        say(
            log,
            "The file does not have the schedule; `-s SCHEDULE` tells which of its "
            "options were never tried.",
            indent="  ",
            more="",
        )


def _say_failures(log: Console, found: Explanation) -> None:
    failed, trials = len(found.log.failed), len(found.log.trials)
    if not failed:
        title(log, "failures: none")
        return
    title(log, f"failures: {failed} of {trials} trials ({failed / trials:.0%})")
    for group in found.failures[:_REASONS]:
        _say_failure(log, group)
    others = sum(group.count for group in found.failures[_REASONS:])
    if others:
        kinds = len(found.failures) - _REASONS
        say(log, f"and {others} trials for {kinds} other reasons", indent="  ")


def _say_failure(log: Console, group: FailureGroup) -> None:
    at = ", ".join(filter(None, (group.op, group.place)))
    share = f"{group.share:.0%}" if group.share >= 0.01 else "<1%"
    say(
        log,
        f"{share} ({group.count}) {group.outcome} at {group.stage}"
        f"{f', {at}' if at else ''}: {group.reason}",
        indent="  ",
        more="    ",
    )
    if group.by_environment:
        say(log, "caused from outside: the next run tries them again", indent="      ")
    if group.options:
        common = " ".join(f"{name}={value}" for name, value in group.options)
        say(log, f"all of them: {common}", indent="      ")
    say(log, f"such as: {point_text(group.example)}", indent="      ")
    if group.remedy:
        say(log, f"remedy: {group.remedy}", indent="      ")


def _say_seconds(log: Console, found: Explanation) -> None:
    if not found.stages:
        return
    wall = found.log.wall_seconds
    title(log, "where the time went" + (f": {wall:.1f} s in all" if wall else ""))
    table = Table("stage", box=None, header_style="bold", pad_edge=True)
    for column in ("seconds", "a trial", "for failures"):
        table.add_column(column, justify="right")
    table.add_column("")
    longest = max(stage.seconds for stage in found.stages)
    for stage in found.stages:
        lost = stage.failed_seconds
        table.add_row(
            stage.stage,
            f"{stage.seconds:.1f}",
            "" if stage.mean_seconds is None else f"{stage.mean_seconds:.3f}",
            f"{lost / stage.seconds:.0%}" if lost else "",
            "━" * max(1, round(_BARS * stage.seconds / longest)),
        )
    log.print(table)
    note = "transform to compile run in parallel processes, so they may exceed the run."
    if not found.log.stage_seconds:
        note += " Only what trials account for: no start, no waiting."
    say(log, note, indent="  ", more="")


def _say_convergence(log: Console, found: Explanation) -> None:
    steps = found.improvements
    if not steps:
        return
    title(log, "speed against tuning time")
    clock = found.log.clock or "not in the file: counted in trials"
    first = found.log.trials[0].ended
    start = "" if first is None else f"; the first trial ended after {first:.1f} s"
    say(log, f"clock: {clock}{start}", indent="  ")
    moments: dict[str, list[str]] = {}
    for near in NEAR:
        step = reached(steps, near)
        if step is not None:
            seconds = "" if step.seconds is None else f"{step.seconds:.1f} s, "
            name = f"within {near:.0%}" if near else "the best"
            moments.setdefault(f"{seconds}trial {step.trial}", []).append(name)
    text = "; ".join(f"{', '.join(names)} at {at}" for at, names in moments.items())
    say(log, text, indent="  ")
    table = Table("stopped after", box=None, header_style="bold", pad_edge=True)
    for column in ("trials", "best ms", "behind"):
        table.add_column(column, justify="right")
    for share, moment in zip(STOPS, found.stops, strict=False):
        at = "" if moment.seconds is None else f" ({moment.seconds:.1f} s)"
        table.add_row(
            f"{share:.0%}{at}",
            str(moment.trials),
            "-" if moment.milliseconds is None else milliseconds(moment.milliseconds),
            "-" if moment.behind is None else f"{moment.behind:+.1%}",
        )
    log.print(table)


def _say_suggestions(log: Console, found: Explanation) -> None:
    if found.suggestions:
        title(log, "what to try next")
        for line in found.suggestions:
            say(log, line, indent="  ")
