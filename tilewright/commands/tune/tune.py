"""`tilewright tune`: search, report the best trials, write the winning schedule."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.runtime.size_checks import refused_sizes
from tilewright.codegen.runtime.source_cache import source_directory
from tilewright.commands.inputs.programs import (
    parse_settings,
    read_both,
    wanted_target,
)
from tilewright.commands.inputs.rounding_slack import say_slack, with_rounding_slack
from tilewright.commands.inputs.sizes import Names
from tilewright.commands.inputs.strategies import parse_strategy
from tilewright.commands.inputs.tune_sizes import (
    SizedCase,
    names_of_sizes,
    tune_cases,
)
from tilewright.commands.planned import Request, told_plan
from tilewright.commands.terminal.console import console as output_console
from tilewright.commands.terminal.diagnostics import warn
from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.terminal.output_files import replace_text, writing
from tilewright.commands.terminal.process_start import command_start
from tilewright.commands.terminal.sigterm import ended_by_sigterm
from tilewright.commands.tune.check_winner import Winner, check_winner
from tilewright.commands.tune.machines import (
    MachineOptions,
    check_machine_options,
    run_machines,
)
from tilewright.commands.tune.per_size import (
    check_names,
    decide,
    say_decision,
    table_text,
    timed_finalists,
    varied_sizes,
)
from tilewright.commands.tune.report import TrialProgress, report
from tilewright.commands.tune.starting_points import (
    known_starts,
    say_best_start,
    say_starts,
    table_starts,
)
from tilewright.commands.tune.summary import write_summary
from tilewright.commands.tune.tasks import (
    TRIALS_OF_A_TASK,
    separate_kernels,
    tune_kernels,
)
from tilewright.commands.tune.tasks_report import (
    TasksBar,
    report_tasks,
    summary_of_tasks,
)
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.text import to_text
from tilewright.ir.tolerance import Comparison
from tilewright.numeric_check import (
    check_kernel_ir,
    rounds_anew,
    slack_of_rounding_anew,
    with_rounding,
)
from tilewright.pipeline import Built, Point, build
from tilewright.planning.plan import Plan
from tilewright.planning.ranking import kernel_points, ranked_points
from tilewright.schedules.schedule import Schedule
from tilewright.schedules.size_table import Rule
from tilewright.transforms.shared_prefixes import SharedPrefixes
from tilewright.tuning.options import (
    ExpectedResults,
    TuneOptions,
    TuningTask,
)
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.records import text_hash
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.space import Space
from tilewright.tuning.tasks.kernel_tasks import KernelTask
from tilewright.tuning.tasks.tune_tasks import TasksResult
from tilewright.tuning.transfer.family import family_of
from tilewright.tuning.transfer.planned_kernels import PlannedKernels
from tilewright.tuning.tuner import tune as search
from tilewright.tuning.workers.run_workers import local_workers

DEFAULT_TRIALS = 50
SEEDS = 24
"""The points of a planned schedule that are tried first, as the planner ranks them."""
CHECK_ALL_BELOW = 2e9
"""Floating-point operations up to which an interpreter checks every candidate; for
larger payloads it checks only the winner."""


@dataclass(frozen=True)
class Options:
    """The arguments of the command."""

    file: Path
    schedule: Path | None
    settings: tuple[str, ...]
    strategy: str
    trials: int | None
    budget: str | None
    database: Path
    target: str | None
    seed: int
    output: Path | None
    summary: Path | None = None
    sizes: tuple[str, ...] = ()
    per_size: bool = False
    machines: MachineOptions = MachineOptions()
    jointly: bool = False
    until_no_gain: int | None = None


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

    trials, budget = _limits(options)
    path = options.output or _winner_path(options)
    for target_file in (path, options.summary):
        if target_file is not None:
            _check_writable(target_file)
    where = stack.enter_context(
        run_machines(options.machines, lambda line: console.print(line, style="dim"))
    )
    here = where.target
    on_gpu = here is not None and options.target is None
    target = here if on_gpu else wanted_target(options.target or "h200")
    assert target is not None
    stack.enter_context(ended_by_sigterm())
    workers = None
    if where.machines is None:
        # Now, so that they load torch while this process reads, plans and prepares.
        workers = stack.enter_context(local_workers(where.jobs, with_device=on_gpu))
    payload, loaded = read_both(options.file, options.schedule)
    names = options.file.name, (options.schedule or options.file).name
    seeds: Sequence[Point] = ()
    plan: Plan | None = None
    if loaded is None:
        request = Request(
            payload,
            options.file,
            options.target,
            options.sizes,
            database=options.database,
        )
        plan = told_plan(request, say)
        loaded, seeds = plan.schedule, ranked_points(plan, SEEDS)
        names = options.file.name, "planned"
    schedule = loaded.with_point(parse_settings(options.settings))
    space = read_space(schedule.module)
    console.print(
        f"{space.count()} of {space.combinations()} combinations are valid; strategy "
        f"{options.strategy}"
    )
    with console.status("computing the reference on numpy"):
        cases = tune_cases(
            payload, schedule, space, options.sizes, options.seed, on_gpu=on_gpu
        )
        kernels = None
        if plan is not None:
            kernels = separate_kernels(plan, _why_jointly(options, cases), say)
        if kernels is not None:
            cases = [with_rounding_slack(one) for one in cases]
            say_slack(cases, say)
    _say_sizes(cases, console, options.per_size)
    varied: Names = {}
    if options.per_size:
        check_names(space.choices)
        varied = varied_sizes(payload, names_of_sizes(payload, schedule, space), cases)
    task = tuning_task(payload, schedule, space, cases, on_gpu, names)
    starts = known_starts(task, options.database, target, on_gpu)
    say_starts(starts, say)
    task = replace(task, seeds=seeds, starts=[start.point for start in starts])
    task = replace(task, starts=[*table_starts(schedule, space), *task.starts])
    if not on_gpu:
        console.print(
            f"no GPU: candidates are compiled for {target.name} and ranked by the cost "
            f"model; {_what_is_checked(cases)}",
            style="yellow",
        )
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
        finalists=timed_finalists(task) if options.per_size else 5,
        workers=where.jobs,
    )
    by_kernel: TasksResult | None = None
    with Database(options.database) as database:
        if plan is not None and kernels is not None:

            def alone(one: KernelTask) -> TuningTask:
                made = _task_alone(one, options, on_gpu)
                known = known_starts(made, options.database, target, on_gpu)
                return replace(made, starts=[start.point for start in known])

            if trials is not None and options.trials is None:
                trials = TRIALS_OF_A_TASK * len(kernels.tasks)
            settings = replace(settings, trials=trials)
            with TasksBar(console, trials) as bar:
                by_kernel = tune_kernels(
                    plan, kernels.tasks, alone, task, settings, database, bar, workers
                )
            result = by_kernel.whole
        else:
            with TrialProgress(console, settings, space) as bar:
                result = search(task, settings, database, bar, workers)
        if plan is not None and result.measured and by_kernel is None:
            recorder = PlannedKernels(database)
            whole = {**schedule.point, **result.best.point}
            for signature, sketch, point in kernel_points(plan, whole):
                recorder.record(signature, sketch, point)
    warn(list(result.remarks))
    if by_kernel is not None:
        report_tasks(by_kernel, console)
    else:
        titles = [one.title for one in cases if one.timed]
        report(result, console, titles, per_size=options.per_size)
        say_best_start(starts, result.best.point, say)
    now = datetime.now(UTC)
    winners: dict[str, Point] = {"the winner": result.best.point}
    rules: Sequence[Rule] = ()
    if options.per_size:
        decision = decide(result, payload, varied, cases)
        say_decision(decision, console, result.measured)
        replace_text(path, table_text(schedule, decision, result.device, now))
        console.print(f"the schedule and its table: {path}", style="bold")
        rules = decision.table.rules
        winners = {f"the point of '{rule.title}'": rule.point for rule in rules}
    else:
        bound = schedule.with_point(result.best.point)
        replace_text(path, bound.to_tw(device=result.device, time=now))
        console.print(f"the winner, with no choices left: {path}", style="bold")
    if options.summary is not None:
        tasks = [] if by_kernel is None else summary_of_tasks(by_kernel)
        write_summary(result, options.summary, tasks, rules)
        console.print(f"summary: {options.summary}", style="dim", markup=False)
    console.print(f"all results: {options.database}", style="dim", markup=False)
    if not on_gpu:
        for name, point in winners.items():
            left = None if budget is None else budget - (time.perf_counter() - started)
            winner = Winner(payload, schedule, point, cases, name)
            check_winner(winner, path, console, left)


def _why_jointly(options: Options, cases: Sequence[SizedCase]) -> str:
    """Why the kernels of a plan cannot be tuned one by one; empty if they can."""
    if options.jointly:
        return "--jointly"
    if options.settings:
        return "--set fixes choices of the whole schedule"
    if any(one.shapes is not None for one in cases):
        return "the payload leaves sizes open"
    return ""


def _task_alone(one: KernelTask, options: Options, on_gpu: bool) -> TuningTask:
    """The tuning task of a kernel by itself."""
    payload, schedule = one.alone.payload, one.alone.plan.schedule
    cases = tune_cases(payload, schedule, one.space, (), options.seed, on_gpu=on_gpu)
    names = f"{options.file.name}, kernel {one.name}", "planned"
    made = tuning_task(payload, schedule, one.space, cases, on_gpu, names)
    return replace(made, seeds=ranked_points(one.alone.plan, SEEDS))


def _what_is_checked(cases: Sequence[SizedCase]) -> str:
    """Which candidates an interpreter checks, in words."""
    quick = [one for one in cases if one.case.work <= CHECK_ALL_BELOW]
    if len(quick) == len(cases):
        return "each is checked by the kernel-level interpreter"
    if not quick:
        return "the winner alone is checked by an interpreter: the payload is large"
    return "each is checked by the kernel-level interpreter at the smaller sizes"


def tuning_task(
    payload: ModuleOp,
    schedule: Schedule,
    space: Space,
    cases: Sequence[SizedCase],
    on_gpu: bool,
    names: tuple[str, str],
) -> TuningTask:
    """The tuning task of a schedule over a payload."""
    expected = tuple(one.expected_results() for one in cases)
    timed = [one for one in cases if one.timed]
    shapes = [one.shapes for one in timed if one.shapes is not None]

    # Each build worker is a fork, and fills its own.
    prefixes = SharedPrefixes()

    def make(point: Point) -> Built:
        # Verifying after each step would take half of a schedule's time.
        built = build(
            payload,
            schedule,
            point,
            verify_steps=False,
            shapes=shapes,
            prefixes=prefixes,
        )
        for one in timed:
            if not one.fits(built):
                reason = refused_sizes(built.kernel, one.shapes or ())
                raise SilenceableFailure(f"not for {one.title}: {reason}")
        return built

    def check(built: Built) -> Comparison:
        return _first_wrong(
            (one.title, check_kernel_ir(built, one.case))
            for one in cases
            if one.case.work <= CHECK_ALL_BELOW and one.fits(built)
        )

    def accepts(built: Built, results: ExpectedResults) -> bool:
        return results.shapes is None or (
            refused_sizes(built.kernel, results.shapes) is None
        )

    case_of = {id(results): one for results, one in zip(expected, cases, strict=True)}

    def rounding(built: Built) -> str:
        if not built.roundings:
            return "at other sizes" if rounds_anew(built) else ""
        return text_hash(to_text(built.roundings[-1].payload))

    def expected_for(built: Built, results: ExpectedResults) -> ExpectedResults:
        """The results of the payload after the candidate's rounding."""
        if not built.roundings:
            slack = slack_of_rounding_anew(payload)
            return replace(results, slack=max(slack, results.slack))
        case = with_rounding(built, case_of[id(results)].case)
        return replace(
            results, arrays=case.expected, slack=case.device_slack, on_device=None
        )

    quick = not on_gpu and any(one.case.work <= CHECK_ALL_BELOW for one in cases)
    return TuningTask(
        build=make,
        space=space,
        payload=text_hash(to_text(payload)),
        schedule=text_hash(to_text(schedule.module)),
        expected=expected,
        check=check if quick else None,
        sizes="; ".join(one.title for one in timed),
        accepts=accepts,
        expected_for=expected_for,
        on_numpy=lambda results: case_of[id(results)].on_numpy(),
        rounding=rounding,
        payload_name=names[0],
        schedule_name=names[1],
        family=family_of(payload).key,
        extents=tuple(family_of(payload, one.shapes).sizes for one in timed),
    )


def _first_wrong(outcomes: Iterable[tuple[str, Comparison]]) -> Comparison:
    """The first comparison that fails, with its sizes; else the last comparison."""
    last: Comparison | None = None
    for title, last in outcomes:
        if not last.ok:
            where = f"at {title}: " if title else ""
            return replace(last, message=f"{where}{last.message}")
    return last or Comparison(True, 0.0, 0.0, "not checked")


def _say_sizes(
    cases: Sequence[SizedCase], console: Console, per_size: bool = False
) -> None:
    timed = [one.title for one in cases if one.timed and one.title]
    checked = [one.title for one in cases if not one.timed]
    if not timed:
        return
    mean = ", ranked by the geometric mean of the times" if len(timed) > 1 else ""
    what = "a point for each size" if per_size else "one program for any size"
    console.print(
        f"{what}, tuned at {' and at '.join(timed)}{'' if per_size else mean}; "
        f"also checked at {' and at '.join(checked)}",
        style="dim",
    )


def _check_writable(path: Path) -> None:
    """Refuse, before the search, a file that cannot be written."""
    existed = path.exists()
    with writing(path), path.open("a"):
        pass
    if not existed:
        path.unlink()


def _limits(options: Options) -> tuple[int | None, float | None]:
    budget = _seconds(options.budget) if options.budget is not None else None
    trials = options.trials
    if trials is None and budget is None and options.until_no_gain is None:
        trials = DEFAULT_TRIALS
    if trials is not None and trials < 1:
        raise UsageError(
            f"--trials {trials}: at least one is needed",
            remedy=f"leave it out for {DEFAULT_TRIALS}, or limit the time by --budget",
        )
    return trials, budget


def _seconds(text: str) -> float:
    remedy = "such as 60s, 5m, 1h"
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(s|m|h)?", text, re.ASCII)
    if match is None:
        raise UsageError(f"--budget {text}: not a time", remedy=remedy)
    seconds = float(match[1]) * {"s": 1, "m": 60, "h": 3600}[match[2] or "s"]
    if seconds == 0 or not math.isfinite(seconds):
        fact = "no time" if seconds == 0 else "too long"
        raise UsageError(f"--budget {text[:40]}: that is {fact}", remedy=remedy)
    return seconds


def _winner_path(options: Options) -> Path:
    base = options.schedule or options.file
    return Path(base.name).with_suffix(".best.tw")
