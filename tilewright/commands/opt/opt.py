"""`tilewright opt`: choose the schedule and the point, then run them (`session.py`)."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from tilewright.commands.inherited import chosen_point
from tilewright.commands.inputs.programs import (
    need_schedule,
    parse_settings,
    read_both,
)
from tilewright.commands.opt.arguments import Options, check_usage
from tilewright.commands.opt.session import Session
from tilewright.commands.terminal.console import console
from tilewright.commands.terminal.output_files import write_output
from tilewright.inspect.timings import Clock
from tilewright.ir.dialects.unregistered import first_unregistered
from tilewright.ir.errors import UserError
from tilewright.ir.text import place_of
from tilewright.known_points import existing_results
from tilewright.pipeline import Point
from tilewright.schedules.schedule import Schedule


def opt(options: Options) -> None:
    """Run a schedule over a payload and print the result."""
    check_usage(options)
    clock = Clock()
    with clock("parse and check"):
        payload, schedule = read_both(
            options.file,
            options.schedule,
            options.entry,
            reads_unregistered=options.allow_unregistered,
            libraries=options.libraries,
        )
    existing_results(options.results)
    point = parse_settings(options.settings)
    is_planned = schedule is None and options.plan and options.asks_for_steps
    if is_planned or options.needs_kernels:
        _refuse_unregistered(payload)
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
        log = console(stderr=True)
        point = chosen_point(
            payload,
            schedule,
            options.target,
            options.results,
            lambda line: log.print(line, style="dim", markup=False),
        )
    if schedule is not None:
        point = schedule.full_point(point)
    Session(options, payload, schedule, point, clock, is_planned).run()


def _refuse_unregistered(payload: ModuleOp) -> None:
    """Refuse ops of unknown dialects: nothing says how to compute them."""
    if (unknown := first_unregistered(payload)) is not None:
        raise UserError(
            f"'{unknown.name}' is an op of an unregistered dialect: nothing says what "
            "it computes",
            place_of(unknown),
            "only a script that rewrites the payload may have it around: leave --emit "
            "out",
        )


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
