"""`tilewright opt`: choose the schedule and the point, then run them (`session.py`)."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from tilewright.commands.inputs.programs import (
    need_schedule,
    parse_settings,
    read_both,
    wanted_target,
)
from tilewright.commands.opt.arguments import Options, check_usage
from tilewright.commands.opt.session import Session
from tilewright.commands.terminal.console import console
from tilewright.commands.terminal.output_files import write_output
from tilewright.inspect.timings import Clock
from tilewright.known_points import (
    ChosenPoint,
    any_shapes,
    chosen_by,
    existing_results,
    first_that_builds,
    inherited_line,
    inherited_points,
    no_known_point,
    ruled_point,
)
from tilewright.pipeline import Point
from tilewright.schedules.schedule import Schedule


def opt(options: Options) -> None:
    """Run a schedule over a payload and print the result."""
    check_usage(options)
    clock = Clock()
    with clock("parse and check"):
        payload, schedule = read_both(options.file, options.schedule, options.entry)
    existing_results(options.results)
    point = parse_settings(options.settings)
    is_planned = schedule is None and options.plan and options.asks_for_steps
    if is_planned:
        with clock("plan"):
            schedule = _planned(options, payload, point)
    if options.emit.endswith("-schedule"):
        given = need_schedule(schedule, options.file)
        if options.emit == "tw-schedule":
            text = given.with_point(point).to_tw()
        else:
            # mlir-opt does not know defaults.
            text = given.with_defaults(point).to_mlir()
        write_output(text, options.output)
        return
    if schedule is not None and not point and not is_planned:
        point = _chosen(options, payload, schedule)
    if schedule is not None:
        point = schedule.full_point(point)
    Session(options, payload, schedule, point, clock, is_planned).run()


def _chosen(options: Options, payload: ModuleOp, schedule: Schedule) -> Point:
    """The point of the schedule's table or of the results file, with a line for it."""
    if schedule.table is not None:
        choice = ruled_point(payload, schedule) or chosen_by(schedule.table.rules[-1])
    else:
        choice = _inherited(options, payload, schedule)
    if choice is None:
        return {}
    line = inherited_line(choice)
    console(stderr=True).print(line, style="dim", markup=False)
    return choice.point


def _inherited(
    options: Options, payload: ModuleOp, schedule: Schedule
) -> ChosenPoint | None:
    """The best known point that builds, if a results file has one."""
    results = options.results
    if results is None or not results.exists() or not schedule.open_choices():
        return None
    from tilewright.codegen.targets import detect, target_named
    from tilewright.pipeline import build

    here = detect() if options.target is None else wanted_target(options.target)
    target = here or target_named("h200")
    measured = here is not None and options.target is None
    choices = inherited_points(payload, schedule, target, results, measured=measured)
    found = first_that_builds(
        choices,
        lambda point: build(payload, schedule, point),
        target,
        [any_shapes(payload)],
    )
    if found is not None:
        return found[1]
    if nothing := no_known_point(schedule, results):
        line = f"point of {nothing}"
        console(stderr=True).print(line, style="dim", markup=False)
    return None


def _planned(options: Options, payload: ModuleOp, point: Point) -> Schedule:
    """A schedule that is planned for the payload, with a line that says so."""
    from tilewright.commands.planned import Request, planned_schedule

    log = console(stderr=True)
    return planned_schedule(
        Request(
            payload, options.file, options.target, point=point, database=options.results
        ),
        lambda line: log.print(line, style="dim", markup=False),
    )
