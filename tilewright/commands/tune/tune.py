"""`tilewright tune`: search, report the best trials, write the winning schedule."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from tilewright.codegen.runtime.source_cache import source_directory
from tilewright.commands.inputs.programs import wanted_target
from tilewright.commands.inputs.strategies import parse_strategy
from tilewright.commands.terminal.console import console as output_console
from tilewright.commands.terminal.diagnostics import warn
from tilewright.commands.terminal.output_files import replace_text
from tilewright.commands.terminal.process_start import command_start
from tilewright.commands.terminal.sigterm import ended_by_sigterm
from tilewright.commands.tune.arguments import (
    Options,
    check_writable,
    limits,
    winner_path,
)
from tilewright.commands.tune.check_winner import Winner, check_winner
from tilewright.commands.tune.machines import check_machine_options, run_machines
from tilewright.commands.tune.per_size import (
    decide,
    say_decision,
    table_text,
    timed_finalists,
)
from tilewright.commands.tune.prepare import Device, Subject, prepare, task_alone
from tilewright.commands.tune.report import TrialProgress, report
from tilewright.commands.tune.starting_points import say_best_start
from tilewright.commands.tune.summary import command_line, write_summary
from tilewright.commands.tune.tasks import TRIALS_OF_A_TASK, tune_kernels
from tilewright.commands.tune.tasks_report import (
    TasksBar,
    report_tasks,
    summary_of_tasks,
)
from tilewright.commands.tune.watch import watched
from tilewright.pipeline import Point
from tilewright.planning.ranking import kernel_points
from tilewright.schedules.size_table import Rule
from tilewright.tuning.options import TuneOptions
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.tuning_result import TuningResult
from tilewright.tuning.tasks.run_description import TasksResult
from tilewright.tuning.transfer.planned_kernels import PlannedKernels
from tilewright.tuning.tuner import tune as search
from tilewright.tuning.workers.run_workers import Workers, local_workers


@dataclass(frozen=True)
class _Found:
    """What the search found."""

    result: TuningResult
    by_kernel: TasksResult | None
    """The kernels, where they were tuned one by one; `result` is that of the whole."""


def tune(options: Options) -> None:
    """Tune a schedule, report the run and write the winner."""
    with ExitStack() as stack:
        _tune(options, stack)


def _tune(options: Options, stack: ExitStack) -> None:
    started = command_start()
    strategy, strategy_options = parse_strategy(options.strategy)
    check_machine_options(options.machines)
    console = output_console()

    def say(line: str) -> None:
        console.print(line, style="dim", markup=False)

    trials, budget = limits(options)
    path = options.output or winner_path(options)
    for target_file in (path, options.summary):
        if target_file is not None:
            check_writable(target_file)
    if options.watch:
        stack.enter_context(watched(options.database, say))
    where = stack.enter_context(
        run_machines(options.machines, lambda line: console.print(line, style="dim"))
    )
    here = where.target
    on_gpu = here is not None and options.target is None
    target = here if on_gpu else wanted_target(options.target or "h200")
    assert target is not None
    device = Device(target, on_gpu)
    stack.enter_context(ended_by_sigterm())
    workers = None
    if where.machines is None:
        # Now, so that they load torch while this process reads, plans and prepares.
        workers = stack.enter_context(local_workers(where.jobs, with_device=on_gpu))
    subject = prepare(options, device, console, say)
    settings = TuneOptions(
        target=target,
        cache_dir=source_directory(),
        device="cuda" if on_gpu else None,
        device_name=where.device_name,
        machines=where.machines,
        strategy=strategy,
        strategy_options=strategy_options,
        trials=trials,
        until_no_gain=options.until_no_gain,
        budget=budget,
        started=started,
        seed=options.seed,
        per_size=options.per_size,
        finalists=timed_finalists(subject.task) if options.per_size else 5,
        workers=where.jobs,
        command=command_line(),
    )
    found = _search(subject, options, settings, device, console, workers)
    result = found.result
    warn(list(result.remarks))
    if found.by_kernel is not None:
        report_tasks(found.by_kernel, console)
    else:
        titles = [one.title for one in subject.cases if one.timed]
        report(result, console, titles, per_size=options.per_size)
        say_best_start(subject.starts, result.best.point, say)
    winners, rules = _write_winner(subject, result, path, console, options.per_size)
    if options.summary is not None:
        by_kernel = found.by_kernel
        tasks = [] if by_kernel is None else summary_of_tasks(by_kernel)
        write_summary(result, options.summary, tasks, rules)
        say(f"summary: {options.summary}")
    say(f"all results: {options.database}")
    if result.stopped is not None:
        raise result.stopped
    if not on_gpu:
        for name, point in winners.items():
            left = None if budget is None else budget - (time.perf_counter() - started)
            winner = Winner(
                subject.payload, subject.schedule, point, subject.cases, name
            )
            check_winner(winner, path, console, left)


def _search(
    subject: Subject,
    options: Options,
    settings: TuneOptions,
    device: Device,
    console: Console,
    workers: Workers | None,
) -> _Found:
    """Search, the kernels one by one or the whole at once, and record the results."""
    plan, kernels = subject.plan, subject.kernels
    with Database(options.database) as database:
        if plan is not None and kernels is not None:
            if settings.trials is not None and options.trials is None:
                trials = TRIALS_OF_A_TASK * len(kernels.tasks)
                settings = replace(settings, trials=trials)
            with TasksBar(console, settings.trials) as bar:
                by_kernel = tune_kernels(
                    plan,
                    kernels.tasks,
                    lambda one: task_alone(
                        one, options.file.name, options.seed, options.database, device
                    ),
                    subject.task,
                    settings,
                    database,
                    bar,
                    workers,
                )
            return _Found(by_kernel.whole, by_kernel)
        with TrialProgress(console, settings, subject.space) as bar:
            result = search(subject.task, settings, database, bar, workers)
        if plan is not None and result.measured:
            recorder = PlannedKernels(database)
            whole = {**subject.schedule.point, **result.best.point}
            for signature, sketch, point in kernel_points(plan, whole):
                recorder.record(signature, sketch, point)
    return _Found(result, None)


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
