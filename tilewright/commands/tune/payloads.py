"""Tuning the kernels of several payloads in one run; winners go to a results file.

    python -m tilewright.commands.tune.payloads a.mlir b.mlir --db results.db

`torch.compile(model, backend="tilewright", mode="max-autotune")` runs this in a process
of its own. Equal kernels of all payloads are one task. Kernels that the results file
has at these very sizes are not tuned again. A payload is entered as tuned once each of
its kernels had its trials; what the budget does not reach is left to the next run.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.runtime.source_cache import source_directory
from tilewright.codegen.targets import detect, device_name, target_named
from tilewright.commands.inputs.rounding_slack import with_rounding_slacks
from tilewright.commands.inputs.tune_sizes import tune_cases
from tilewright.commands.terminal.console import console
from tilewright.commands.terminal.messages import say
from tilewright.commands.terminal.process_start import command_start
from tilewright.commands.terminal.sigterm import ended_by_sigterm
from tilewright.commands.tune.prepare import Device, task_alone
from tilewright.commands.tune.tasks_report import (
    TasksBar,
    report_tasks,
    say_tasks_time,
    summary_of_structures,
    summary_of_tasks,
)
from tilewright.commands.tune.tuning_task import tuning_task
from tilewright.ir.errors import UserError
from tilewright.ir.phrases import count
from tilewright.pipeline import Built, build, parse_payload
from tilewright.planned_build import build_planned
from tilewright.planned_estimate import with_estimate
from tilewright.planning.plan import Plan
from tilewright.planning.recorded import signature_of
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.options import TuneOptions, TuningTask, default_workers
from tilewright.tuning.results.database import Database
from tilewright.tuning.space.read import read_space
from tilewright.tuning.tasks.kernel_tasks import KernelTask, extract_tasks
from tilewright.tuning.tasks.run_description import TasksResult, WholePayload
from tilewright.tuning.tasks.tune_tasks import tune_tasks
from tilewright.tuning.transfer.planned_kernels import PlannedKernels
from tilewright.tuning.transfer.tuned_payloads import TunedPayloads
from tilewright.tuning.workers.run_workers import local_workers

if TYPE_CHECKING:
    from rich.console import Console

START_SECONDS = 10.0
TASK_SECONDS = 6.0
MOST_SECONDS = 300.0
"""The budget that a run has by default: to start, for each kernel, and at most."""

_SEED = 0


@dataclass(frozen=True)
class Request:
    """What a run tunes, where it keeps the winners, and for how long."""

    files: tuple[Path, ...]
    database: Path
    budget: float | None = None
    """Seconds; None: as many as the kernels need by default."""
    target: str | None = None
    """A card that is not here: its kernels are estimated, and nothing is kept."""
    trials: int | None = None
    """Trials of all kernels together; None: as many as there is time for."""
    margin: float | None = None
    """How near the structures are that are tried; None: those of the planner."""


@dataclass(frozen=True)
class _Planned:
    """A payload that can be built, and its plan."""

    name: str
    text: str
    payload: ModuleOp
    plan: Plan


@dataclass(frozen=True)
class Outcome:
    """What a run did."""

    known: int
    """Kernels, each once, that the results file had."""
    result: TasksResult | None
    """None where every kernel was known."""
    refused: tuple[str, ...] = ()
    """Payloads and kernels that cannot be tuned, with the reason."""


def tune_payloads(request: Request, log: Console) -> Outcome:
    """Tune the kernels that the results file does not have, and record the winners."""
    started = command_start()
    with ExitStack() as stack:
        stack.enter_context(ended_by_sigterm())
        here = detect() if request.target is None else None
        target = here or target_named(request.target or "h200")
        device = Device(target, here is not None)
        jobs = default_workers()
        # Now, so that they load torch while this process reads, plans and prepares.
        workers = stack.enter_context(local_workers(jobs, with_device=device.measures))
        database = stack.enter_context(Database(request.database))
        history = PlannedKernels(database)
        refused: list[str] = []
        planned = _planned(request, device, history, refused)
        found = extract_tasks(*(one.plan for one in planned)).tasks
        new = [task for task in found if not _is_known(task, history, device)]
        known = len(found) - len(new)
        made = _with_tasks(new, request, device, refused)
        if not made:
            _enter(database, planned, (), device)
            return Outcome(known, None, tuple(refused))
        wanted = {id(owner) for task, _ in made for owner, _ in task.places}
        changed = [one for one in planned if id(one.plan) in wanted]
        changed.sort(key=lambda one: -one.plan.kernel_count)
        wholes = [WholePayload(one.plan, _whole(one, device)) for one in changed]
        limit = min(START_SECONDS + TASK_SECONDS * len(made), MOST_SECONDS)
        log.print(
            f"{count(len(made), 'kernel')} to tune, {known} known, "
            f"{request.budget or limit:.0f} s",
            style="dim",
        )
        settings = TuneOptions(
            target=target,
            cache_dir=source_directory(),
            device="cuda" if device.measures else None,
            device_name=device_name() if device.measures else None,
            trials=request.trials,
            budget=request.budget or limit,
            started=started,
            seed=_SEED,
            workers=jobs,
            command="torch.compile",
        )
        with TasksBar(log, request.trials) as bar:
            result = tune_tasks(wholes, made, settings, database, bar, workers)
        _enter(
            database, planned, [o.task for o in result.tasks if not o.rounds], device
        )
        return Outcome(known, result, tuple(refused))


def _planned(
    request: Request, device: Device, history: PlannedKernels, refused: list[str]
) -> list[_Planned]:
    """The plans of payloads, from the points that are known; refused ones are left."""
    found: list[_Planned] = []
    for file in request.files:
        text = file.read_text()
        payload = parse_payload(text)

        def build_under(schedule: Schedule, payload: ModuleOp = payload) -> Built:
            return build(payload, schedule, verify_steps=False)

        try:
            done = build_planned(
                payload,
                device.target,
                build_under,
                history=history,
                margin=request.margin,
                builds_structures=False,  # promising ones are, in the whole
            )
        except UserError as error:
            refused.append(f"{file.name}: {error.fact}")
            continue
        found.append(_Planned(file.stem, text, payload, with_estimate(done).plan))
    return found


def _is_known(task: KernelTask, history: PlannedKernels, device: Device) -> bool:
    return history.has(signature_of(task.alone.kernel.group, device.target.name))


def _with_tasks(
    tasks: Sequence[KernelTask], request: Request, device: Device, refused: list[str]
) -> list[tuple[KernelTask, TuningTask[Any]]]:
    """How to build, check and measure each kernel by itself."""
    made: list[tuple[KernelTask, TuningTask[Any]]] = []
    for task in tasks:
        try:
            given = task_alone(task, "torch", _SEED, request.database, device)
        except UserError as error:
            refused.append(f"kernel {task.name}: {error.fact}")
            continue
        made.append((task, given))
    return made


def _whole(one: _Planned, device: Device) -> TuningTask[Any]:
    """How to build, check and measure a whole payload."""
    schedule, on_gpu = one.plan.schedule, device.measures
    space = read_space(schedule.module)
    cases = tune_cases(one.payload, schedule, space, (), _SEED, on_gpu=on_gpu)
    if one.plan.estimate is not None and one.plan.estimate.launches > 1:
        cases = with_rounding_slacks(cases)
    names = one.name, "planned"
    return tuning_task(one.payload, schedule, space, cases, on_gpu, names)


def _enter(
    database: Database,
    planned: Sequence[_Planned],
    untried: Sequence[KernelTask],
    device: Device,
) -> None:
    """Enter the payloads as tuned whose kernels all had their trials."""
    if not device.measures:
        return
    left = {id(owner) for task in untried for owner, _ in task.places}
    tuned = TunedPayloads(database)
    for one in planned:
        if id(one.plan) not in left:
            tuned.add(one.text, device.target.name)


def _written(outcome: Outcome) -> dict[str, Any]:
    """The outcome as JSON for the process that asked."""
    result = outcome.result
    return {
        "structures": [] if result is None else summary_of_structures(result),
        "known": outcome.known,
        "refused": list(outcome.refused),
        "tasks": [] if result is None else summary_of_tasks(result),
        "seconds": 0.0 if result is None else result.seconds,
        "measured": result is not None and result.measured,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line and tune."""
    parser = argparse.ArgumentParser(prog="tilewright.commands.tune.payloads")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--db", required=True, type=Path)
    parser.add_argument("--budget", type=float)
    parser.add_argument("--trials", type=int)
    parser.add_argument("--margin", type=float)
    parser.add_argument("--target")
    parser.add_argument("--summary", type=Path)
    parser.add_argument("--quiet", action="store_true")
    given = parser.parse_args(arguments)
    log = console(stderr=True)
    log.quiet = given.quiet
    request = Request(
        tuple(given.files),
        given.db,
        given.budget,
        given.target,
        given.trials,
        given.margin,
    )
    try:
        outcome = tune_payloads(request, log)
    except UserError as error:
        say(error, error=True)
        return 1
    if outcome.result is not None:
        report_tasks(outcome.result, log)
        say_tasks_time(outcome.result, outcome.result.seconds, log)
    if given.summary is not None:
        given.summary.write_text(json.dumps(_written(outcome)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
