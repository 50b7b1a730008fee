"""What `tilewright tune` tunes: payload, schedule, space, cases and starting points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.targets import Target
from tilewright.commands.inputs.programs import parse_settings, read_both
from tilewright.commands.inputs.rounding_slack import (
    builds_several_kernels,
    say_slack,
    with_rounding_slacks,
)
from tilewright.commands.inputs.sizes import Names
from tilewright.commands.inputs.tune_sizes import (
    SizedCase,
    names_of_sizes,
    tune_cases,
)
from tilewright.commands.planned import Request, told_plan
from tilewright.commands.tune.arguments import Options, check_structure
from tilewright.commands.tune.per_size import check_names, varied_sizes
from tilewright.commands.tune.sharing import pull_family
from tilewright.commands.tune.starting_points import (
    known_starts,
    say_starts,
    table_starts,
)
from tilewright.commands.tune.tasks import separate_kernels, structure_lines
from tilewright.commands.tune.tuning_task import tuning_task, what_is_checked
from tilewright.pipeline import Point
from tilewright.planning.plan import Plan
from tilewright.planning.ranking import ranked_points
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.options import TuningTask
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.space import Space
from tilewright.tuning.tasks.kernel_tasks import Extraction, KernelTask
from tilewright.tuning.transfer.family import family_of
from tilewright.tuning.transfer.known_points import Proposal

SEEDS = 24
"""The points of a planned schedule that are tried first, as the planner ranks them."""


@dataclass(frozen=True)
class Device:
    """The card that candidates are for."""

    target: Target
    measures: bool
    """Whether it is here, so that candidates are measured; else they are estimated."""


@dataclass(frozen=True)
class Subject:
    """What a run tunes."""

    payload: ModuleOp
    schedule: Schedule
    space: Space
    cases: Sequence[SizedCase]
    task: TuningTask
    starts: list[Proposal]
    """The starting points that the results file has."""
    varied: Names
    """With --per-size: the sizes that the decision table asks for."""
    plan: Plan | None
    """Where the schedule is planned."""
    kernels: Extraction | None
    """The kernels of the plan, where they are tuned one by one."""


def prepare(
    options: Options, device: Device, console: Console, say: Callable[[str], object]
) -> Subject:
    """Read and plan what is tuned, compute its references and say what is done."""
    payload, loaded = options.given or read_both(options.file, options.schedule)
    check_structure(options, has_schedule=loaded is not None)
    names = options.file.name, (options.schedule or options.file).name
    if options.share is not None:
        pull_family(options.share, options.database, family_of(payload).key, say)
    seeds: Sequence[Point] = ()
    plan: Plan | None = None
    if loaded is None:
        request = Request(
            payload,
            options.file,
            options.target,
            options.sizes,
            database=options.database,
            margin=options.margin,
        )
        plan = told_plan(request, say)
        for line in structure_lines(plan, options.margin):
            say(line)
        loaded, seeds = plan.schedule, ranked_points(plan, SEEDS)
        names = options.file.name, "planned"
    schedule = loaded.with_point(parse_settings(options.settings))
    space = read_space(schedule.module, payload=payload)
    if space.choices:
        console.print(
            f"{space.count()} of {space.combinations()} combinations are valid; "
            f"strategy {options.strategy}"
        )
    else:
        console.print(
            "nothing is open: the schedule has no choices; it is checked as it is, and "
            "there is one trial",
            style="yellow",
        )
    on_gpu = device.measures
    with console.status("computing the reference on numpy"):
        cases = tune_cases(
            payload, schedule, space, options.sizes, options.seed, on_gpu=on_gpu
        )
        kernels = None
        if plan is not None:
            kernels = separate_kernels(plan, _why_jointly(options, cases), say)
        if (
            plan.estimate.launches > 1
            if plan is not None and plan.estimate is not None
            else builds_several_kernels(payload, schedule)
        ):
            cases = with_rounding_slacks(cases)
            say_slack(cases, say)
    _say_sizes(cases, say, options.per_size)
    varied: Names = {}
    if options.per_size:
        check_names(space.choices)
        varied = varied_sizes(payload, names_of_sizes(payload, schedule, space), cases)
    task = tuning_task(payload, schedule, space, cases, on_gpu, names)
    if on_gpu:
        task = timed_by(task, options.timing.options())
    starts = known_starts(task, options.database, device.target, on_gpu)
    say_starts(starts, say)
    points = [*table_starts(schedule, space), *(start.point for start in starts)]
    if not on_gpu:
        console.print(
            f"no GPU: candidates are compiled for {device.target.name} and ranked by "
            f"the cost model; {what_is_checked(cases)}",
            style="yellow",
        )
    return Subject(
        payload,
        schedule,
        space,
        cases,
        replace(task, seeds=seeds, starts=points),
        starts,
        varied,
        plan,
        kernels,
    )


def task_alone(
    one: KernelTask,
    payload_name: str,
    seed: int,
    database: Path,
    device: Device,
    timing: TimingOptions | None = None,
) -> TuningTask:
    """The tuning task of a kernel by itself; `database` has points to start from."""
    payload, schedule = one.alone.payload, one.alone.plan.schedule
    on_gpu = device.measures
    cases = tune_cases(payload, schedule, one.space, (), seed, on_gpu=on_gpu)
    names = f"{payload_name}, kernel {one.name}", "planned"
    made = tuning_task(payload, schedule, one.space, cases, on_gpu, names)
    if on_gpu and timing is not None:
        made = timed_by(made, timing)
    known = known_starts(made, database, device.target, on_gpu)
    return replace(
        made,
        seeds=ranked_points(one.alone.plan, SEEDS),
        starts=[start.point for start in known],
    )


def timed_by(task: TuningTask, timing: TimingOptions) -> TuningTask:
    """The task with a key that says how the L2 is flushed, if not in full.

    Such times are others: no run with another flush may use them.
    """
    if not timing.flush_text:
        return task
    return replace(task, sizes="; ".join(filter(None, [task.sizes, timing.flush_text])))


def _why_jointly(options: Options, cases: Sequence[SizedCase]) -> str:
    """Why the kernels of a plan cannot be tuned one by one; empty if they can."""
    if options.jointly:
        return "--jointly"
    if options.settings:
        return "--set fixes choices of the whole schedule"
    if any(one.shapes is not None for one in cases):
        return "the payload leaves sizes open"
    return ""


def _say_sizes(
    cases: Sequence[SizedCase], say: Callable[[str], object], per_size: bool
) -> None:
    timed = [one.title for one in cases if one.timed and one.title]
    checked = [one.title for one in cases if not one.timed]
    if not timed:
        return
    mean = ", ranked by the geometric mean of the times" if len(timed) > 1 else ""
    what = "a point for each size" if per_size else "one program for any size"
    say(
        f"{what}, tuned at {' and at '.join(timed)}{'' if per_size else mean}; "
        f"also checked at {' and at '.join(checked)}"
    )
