"""`tilewright tune` of a planned schedule with several kernels: kernel by kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from tilewright.ir.phrases import count
from tilewright.planning.plan import Plan
from tilewright.planning.structure import region_names
from tilewright.tuning.options import TuneOptions, TuningTask
from tilewright.tuning.results.database import Database
from tilewright.tuning.tasks.kernel_tasks import Extraction, KernelTask, extract_tasks
from tilewright.tuning.tasks.run_description import (
    TasksProgress,
    TasksResult,
    WholePayload,
)
from tilewright.tuning.tasks.tune_tasks import tune_tasks
from tilewright.tuning.workers.run_workers import Workers

TRIALS_OF_A_TASK = 24
"""Trials for each kernel, if neither --trials nor --budget limits them."""

MakeTask: TypeAlias = Callable[[KernelTask], TuningTask[Any]]
"""How to build, check and measure the points of a kernel by itself."""


def separate_kernels(
    plan: Plan, why_jointly: str, say: Callable[[str], object]
) -> Extraction | None:
    """The kernels of a plan, if they are to be tuned one by one; says what is done.

    `why_jointly` is a reason of the caller against it, or empty.
    """
    if len([kernel for kernel in plan.every_kernel if kernel.candidates]) < 2:
        return None
    if why_jointly:
        say(f"all kernels are tuned jointly: {why_jointly}")
        return None
    found = extract_tasks(plan)
    if not found.tasks:
        return None
    for line in _said(found):
        say(line)
    return found


def structure_lines(plan: Plan, margin: float | None) -> Iterator[str]:
    """What is open in the structure of a plan."""
    if margin is None:
        return
    if not plan.regions:
        yield (
            f"structure: no other kernels are within {margin:g} times the estimate of "
            "the planned ones; --margin allows more"
        )
    for name, region in zip(region_names(plan.regions), plan.regions, strict=True):
        labels = ", ".join(cover.label for cover in region.covers)
        yield f"{name}: {labels}"


def _said(found: Extraction) -> Iterator[str]:
    """What is tuned, and what is not."""
    uses = sum(task.uses for task in found.tasks)
    different = f", {len(found.tasks)} different" if uses > len(found.tasks) else ""
    yield (
        f"tuned kernel by kernel: {count(uses, 'kernel')}{different}; "
        "to tune them jointly: --jointly"
    )
    left = [kernel for kernel in found.fixed if kernel.candidates]
    if left:
        numbers = ", ".join(str(kernel.number) for kernel in left)
        yield f"not tuned, since they have no choices: kernels {numbers} of the plan"


def tune_kernels(
    plan: Plan,
    tasks: Sequence[KernelTask],
    make: MakeTask,
    whole: TuningTask[Any],
    options: TuneOptions,
    database: Database,
    progress: TasksProgress,
    workers: Workers | None,
) -> TasksResult:
    """Tune the kernels, then the whole."""
    made = [(task, make(task)) for task in tasks]
    payloads = [WholePayload(plan, whole)]
    return tune_tasks(payloads, made, options, database, progress, workers)
