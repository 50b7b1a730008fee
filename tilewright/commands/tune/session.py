"""A tuning run from its arguments to its result: what the command and Python share."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from rich.console import Console

from tilewright.codegen.runtime.source_cache import source_directory
from tilewright.commands.inputs.programs import wanted_target
from tilewright.commands.inputs.strategies import parse_strategy
from tilewright.commands.tune.arguments import Options, limits
from tilewright.commands.tune.check_winner import kept_for_check
from tilewright.commands.tune.machines import check_machine_options, run_machines
from tilewright.commands.tune.per_size import timed_finalists
from tilewright.commands.tune.prepare import Device, Subject, prepare, task_alone
from tilewright.commands.tune.report import TrialProgress
from tilewright.commands.tune.sharing import pushed
from tilewright.commands.tune.tasks import TRIALS_OF_A_TASK, tune_kernels
from tilewright.commands.tune.tasks_report import TasksBar
from tilewright.commands.tune.trial_log import TrialLog
from tilewright.planning.ranking import kernel_points
from tilewright.tuning.options import Progress, TuneOptions
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.tuning_result import Trial, TuningResult
from tilewright.tuning.tasks.run_description import TasksResult
from tilewright.tuning.transfer.planned_kernels import PlannedKernels
from tilewright.tuning.tuner import tune as search
from tilewright.tuning.workers.run_workers import Workers, local_workers

Callback = Callable[[Trial], object]
"""Is called with every trial that has ended; one that returns False ends the search."""


@dataclass(frozen=True)
class Caller:
    """Who runs the session, and what is told to whom."""

    console: Console
    """Where notes and the progress bar go."""
    started: float
    """When the command or the call began, by `time.perf_counter`."""
    command: str
    """How to run it again, for the results file."""
    callbacks: Sequence[Callback] = ()

    def say(self, line: str) -> None:
        """Print a line that is not part of the result."""
        self.console.print(line, style="dim", markup=False)


@dataclass(frozen=True)
class Tuned:
    """What a run tuned, and what it found."""

    subject: Subject
    result: TuningResult
    by_kernel: TasksResult | None
    """The kernels, where they were tuned one by one; `result` is that of the whole."""
    device: Device
    budget: float | None
    started: float

    @property
    def seconds(self) -> float:
        """Seconds since the command or the call began."""
        return time.perf_counter() - self.started

    @property
    def seconds_left(self) -> float | None:
        """Seconds that are left of the budget."""
        return None if self.budget is None else self.budget - self.seconds


def run_session(options: Options, caller: Caller, stack: ExitStack) -> Tuned:
    """Read, plan and prepare what is tuned, and search; workers end with the stack."""
    strategy, strategy_options = parse_strategy(options.strategy)
    check_machine_options(options.machines, options.target)
    console = caller.console
    trials, budget = limits(options)
    where = stack.enter_context(run_machines(options.machines, caller.say))
    here = where.target
    on_gpu = here is not None and options.target is None
    target = here if on_gpu else wanted_target(options.target or "h200")
    assert target is not None
    device = Device(target, on_gpu)
    workers = None
    if where.machines is None:
        # Now, so that they load torch while this process reads, plans and prepares.
        workers = stack.enter_context(
            local_workers(where.jobs, with_device=on_gpu, devices=where.devices)
        )
    subject = prepare(options, device, console, caller.say)
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
        kept=0.0 if on_gpu or budget is None else kept_for_check(budget),
        started=caller.started,
        seed=options.seed,
        per_size=options.per_size,
        finalists=timed_finalists(subject.task) if options.per_size else 5,
        workers=where.jobs,
        command=caller.command,
        timing=options.timing.options(),
    )
    if options.log is not None:
        log = stack.enter_context(TrialLog(options.log))
        caller = replace(caller, callbacks=(*caller.callbacks, log.write))
    if options.share is not None:
        stack.enter_context(pushed(options.share, options.database, caller.say))
    result, by_kernel = _search(subject, options, settings, device, caller, workers)
    return Tuned(subject, result, by_kernel, device, budget, caller.started)


def _search(
    subject: Subject,
    options: Options,
    settings: TuneOptions,
    device: Device,
    caller: Caller,
    workers: Workers | None,
) -> tuple[TuningResult, TasksResult | None]:
    """Search, the kernels one by one or the whole at once, and record the results."""
    plan, kernels = subject.plan, subject.kernels
    with Database(options.database) as database:
        if plan is not None and kernels is not None:
            if settings.trials is not None and options.trials is None:
                trials = TRIALS_OF_A_TASK * len(kernels.tasks)
                settings = replace(settings, trials=trials)
            with TasksBar(caller.console, settings.trials) as bar:
                by_kernel = tune_kernels(
                    plan,
                    kernels.tasks,
                    lambda one: task_alone(
                        one,
                        options.file.name,
                        options.seed,
                        options.database,
                        device,
                        settings.timing,
                    ),
                    subject.task,
                    settings,
                    database,
                    _Told(bar, caller.callbacks),
                    workers,
                )
            return by_kernel.whole, by_kernel
        with TrialProgress(caller.console, settings, subject.space) as bar:
            told = _Told(bar, caller.callbacks)
            result = search(subject.task, settings, database, told, workers)
        if plan is not None and result.measured:
            recorder = PlannedKernels(database)
            whole = {**subject.schedule.point, **result.best.point}
            for signature, sketch, point in kernel_points(plan, whole):
                recorder.record(signature, sketch, point)
    return result, None


@dataclass(frozen=True)
class _Told:
    """Tells a progress bar, then the callbacks."""

    bar: Progress
    callbacks: Sequence[Callback]

    def on_phase(self, name: str) -> None:
        """Tell the bar."""
        self.bar.on_phase(name)

    def on_trial(self, trial: Trial) -> None:
        """Tell the bar and the callbacks; one that returns False ends the search."""
        self.bar.on_trial(trial)
        # Every callback is told of the trial, also after one that ends the search.
        if any([callback(trial) is False for callback in self.callbacks]):
            raise KeyboardInterrupt
