"""`tilewright tune`: search, report the best trials, write the winning schedule."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from tilewright.codegen.targets import writing_for
from tilewright.commands.inputs.programs import wanted_target
from tilewright.commands.terminal.console import console as output_console
from tilewright.commands.terminal.diagnostics import warn
from tilewright.commands.terminal.output_files import replace_text
from tilewright.commands.terminal.process_start import command_start
from tilewright.commands.terminal.sigterm import ended_by_sigterm
from tilewright.commands.tune.arguments import (
    Options,
    check_writable,
    winner_path,
)
from tilewright.commands.tune.check_winner import Winner, check_winner
from tilewright.commands.tune.per_size import decide, say_decision, table_text
from tilewright.commands.tune.prepare import Subject
from tilewright.commands.tune.report import report, say_payback, say_time
from tilewright.commands.tune.session import Caller, Tuned, run_session
from tilewright.commands.tune.starting_points import say_best_start
from tilewright.commands.tune.summary import command_line, write_summary
from tilewright.commands.tune.tasks_report import (
    report_tasks,
    say_tasks_time,
    summary_of_structures,
    summary_of_tasks,
)
from tilewright.commands.tune.watch import watched
from tilewright.pipeline import Point
from tilewright.schedules.size_table import Rule
from tilewright.tuning.results.tuning_result import TuningResult


def tune(options: Options) -> None:
    """Tune a schedule, report the run and write the winner."""
    caller = Caller(output_console(), command_start(), command_line())
    with ExitStack() as stack:
        if options.target is not None:
            stack.enter_context(writing_for(wanted_target(options.target)))
        tuned = _tune(options, caller, stack)
    # The workers have ended: this is all the time that the command takes.
    say_payback(tuned.result, tuned.seconds, caller.console)
    if tuned.by_kernel is not None:
        say_tasks_time(tuned.by_kernel, tuned.seconds, caller.console)
    else:
        say_time(tuned.result, tuned.seconds, caller.console)


def _tune(options: Options, caller: Caller, stack: ExitStack) -> Tuned:
    console = caller.console
    path = options.output or winner_path(options)
    for target_file in (path, options.summary, options.log):
        if target_file is not None:
            check_writable(target_file)
    if options.watch:
        stack.enter_context(watched(options.database, caller.say))
    stack.enter_context(ended_by_sigterm())
    tuned = run_session(options, caller, stack)
    subject, result = tuned.subject, tuned.result
    warn(list(result.remarks))
    if tuned.by_kernel is not None:
        report_tasks(tuned.by_kernel, console)
    else:
        titles = [one.title for one in subject.cases if one.timed]
        report(result, console, titles, per_size=options.per_size)
        say_best_start(subject.starts, result.best.point, caller.say)
    winners, rules = _write_winner(subject, result, path, console, options.per_size)
    if options.summary is not None:
        by_kernel = tuned.by_kernel
        tasks = [] if by_kernel is None else summary_of_tasks(by_kernel)
        structures = [] if by_kernel is None else summary_of_structures(by_kernel)
        write_summary(result, options.summary, tasks, rules, structures)
        caller.say(f"summary: {options.summary}")
    caller.say(f"all results: {options.database}")
    if result.stopped is not None:
        raise result.stopped
    if not tuned.device.measures:
        for name, point in winners.items():
            winner = Winner(
                subject.payload, subject.schedule, point, subject.cases, name
            )
            check_winner(winner, path, console, tuned.seconds_left)
    return tuned


def _write_winner(
    subject: Subject,
    result: TuningResult,
    path: Path,
    console: Console,
    per_size: bool,
) -> tuple[dict[str, Point], Sequence[Rule]]:
    """Write the schedule; returns the points that won, by title, and the table."""
    now = datetime.now(UTC)
    if per_size:
        decision = decide(result, subject.payload, subject.varied, subject.cases)
        say_decision(decision, console, result.measured)
        text = table_text(subject.schedule, decision, result.device, now)
        replace_text(path, text)
        console.print(f"the schedule and its table: {path}", style="bold")
        rules = decision.table.rules
        return {f"the point of '{rule.title}'": rule.point for rule in rules}, rules
    bound = subject.schedule.with_point(result.best.point)
    replace_text(path, bound.to_tw(device=result.device, time=now))
    console.print(f"the winner, with no choices left: {path}", style="bold")
    return {"the winner": result.best.point}, ()
