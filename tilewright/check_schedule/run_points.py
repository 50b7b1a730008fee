"""Running a schedule at points that try every option, down to the kernels.

A failure at a point is an error if one of its options works at no point that was run,
or if it is the default point. Where every option works at some other point it is a
warning: the tuner skips such points. A point that a condition of the schedule excludes
is neither. A match that finds nothing at any point is an error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp

from tilewright.check_schedule.findings import Findings, Severity, add_note, shown
from tilewright.check_schedule.watching import Watch, explained
from tilewright.codegen.generate import generate
from tilewright.ir.errors import DefiniteFailure, Place, UserError
from tilewright.ir.structured.equal_extents import same_extents
from tilewright.pipeline import open_run
from tilewright.planning.plain import finish
from tilewright.schedules.includes import own_remarks
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.control.choices.constrain import ExcludedPoint
from tilewright.tuning.space.choices import Point
from tilewright.tuning.space.covering import Covering, Option, taken
from tilewright.tuning.space.space import Space

_OWN_STEPS = (
    "the schedule's own steps apply; this is about the kernel made of what they leave "
    "(--steps-only makes none)"
)


@dataclass
class Examination:
    """How many points were run and worked, and the options that were not tried."""

    run: int = 0
    worked: int = 0
    steps: int = 0
    """Steps of the schedule at the first point that worked."""
    not_tried: list[Option] = field(default_factory=list[Option])


def examine(
    payload: ModuleOp,
    schedule: Schedule,
    space: Space,
    findings: Findings,
    *,
    limit: int,
    to_kernel: bool = True,
    tell: Callable[[str], None] = lambda _: None,
) -> Examination:
    """Run a schedule at up to `limit` points, and add what fails to the findings."""
    covering = Covering(space)
    watch = Watch()
    outcome = Examination()
    failures: list[tuple[Point, UserError]] = []
    warnings: list[tuple[Point, UserError]] = []
    while outcome.run < limit and (point := covering.next_point()) is not None:
        outcome.run += 1
        tell(f"point {outcome.run}: {shown(point)}")
        run = open_run(payload, schedule, point, verify_steps=False)
        watch.follow(run)
        steps: int | None = None
        try:
            run.start(schedule.entry)
            steps = len(run.steps)
            if to_kernel:
                finish(run)
                generate(run.payload, same_extents(payload))
        except UserError as error:
            if steps is not None:
                error = add_note(error, _OWN_STEPS)
            else:
                error = explained(run, error)
            failures.append((point, error))
            covering.tell(point, works=False)
        else:
            outcome.steps = outcome.steps or steps
            outcome.worked += 1
            covering.tell(point, works=True)
        warnings += [(point, warning) for warning in watch.warnings(run, point)]
        for note in own_remarks(run.remarks):
            findings.add(Severity.REMARK, UserError(note.fact, note.place), point)
    told = {str(w.place) for _, w in warnings if findings.has_place(w.place)}
    for point, warning in warnings:
        # A place that a check without a run has reported is not reported again.
        if str(warning.place) not in told:
            findings.add(Severity.WARNING, warning, point)
    watch.report(findings)
    for point, error in failures:
        options = list(taken(space.items, point))
        guilty = [option for option in options if option not in covering.works]
        is_default = point == space.default_point()
        verdicts = [(covering.verdict(option), option.place) for option in guilty]
        _add_failure(findings, point, error, verdicts, outcome, is_default)
    outcome.not_tried = covering.not_tried()
    return outcome


def _add_failure(
    findings: Findings,
    point: Point,
    error: UserError,
    guilty: list[tuple[str, Place | None]],
    outcome: Examination,
    is_default: bool,
) -> None:
    if isinstance(error, ExcludedPoint) and not is_default:
        # A condition is there to exclude points; that it excludes all is said once.
        if outcome.worked or findings.has_place(error.place):
            return
    is_error = (
        bool(guilty)
        or is_default
        or not outcome.worked
        or isinstance(error, DefiniteFailure)
    )
    if point:
        title = ", the default point" if is_default else ""
        error = add_note(error, f"at {shown(point)}{title}")
    if outcome.worked:
        for verdict, place in guilty:
            error = add_note(error, verdict, place)
    findings.add(Severity.ERROR if is_error else Severity.WARNING, error, point)
