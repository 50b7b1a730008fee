"""The Python interface: `tilewright.compile` returns a callable on torch tensors.

program = tilewright.compile("payload.mlir", "schedule.tw", BM=128, BN=128)
program = tilewright.compile("payload.mlir")     # under a planned schedule
out = program(a, b)
print(program.source)            # the Triton source
print(program.steps[3].text())   # the IR after the third step
print(program.report)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp

from tilewright.compile_inputs import GivenSchedule, fitting_shapes, read_given
from tilewright.compile_warnings import warn_caller
from tilewright.compiled_program import Program
from tilewright.frontend.builder import Payload
from tilewright.ir.errors import UserError
from tilewright.ir.phrases import did_you_mean
from tilewright.ir.warnings import payload_warnings
from tilewright.known_points import (
    RESULTS,
    ChosenPoint,
    any_shapes,
    chosen_by,
    existing_results,
    inherited_points,
    no_known_point,
    recorded_kernels,
    ruled_point,
    size_positions,
    why_unfit,
)
from tilewright.pipeline import Built, Point, build
from tilewright.schedules.schedule import Schedule
from tilewright.snapshots import RecordedSteps

_NO_GPU = " (no GPU here)"
_KEYWORDS = ("schedule", "target", "inherit", "results")
"""The keywords of `compile`; others are choices of the schedule."""

if TYPE_CHECKING:
    from tilewright.codegen.targets import Target
    from tilewright.planning.plan import Plan
    from tilewright.schedules.size_table import Rule


def compile_program(
    payload: str | Path | ModuleOp | Payload,
    schedule: GivenSchedule = None,
    target: str = "auto",
    *,
    inherit: bool | str | Path = True,
    results: str | Path | None = None,
    **point: Any,
) -> Program:
    """Compile a payload under a schedule; `point` makes the schedule's open choices.

    Without a point, the rule of the schedule's table is used, or the best point that
    the results file of `tilewright tune` has for this payload or a near shape, or else
    the defaults; `program.origin` says which. The file is `results.db` in the present
    folder, or the one that `results` names: a results file, or the winners of
    `tilewright results export --winners`, which ship with a model. `inherit=False`
    reads none.

    `payload` is a path, an MLIR text, a module or a `Payload`. `schedule` is a path, a
    `.tw` text, a `Schedule` or a `Plan`; None uses the schedule in the payload's text,
    or else plans one, for `target` or this machine's GPU. `Schedule.empty()` leaves
    everything to the compiler's default. Mistakes raise `tilewright.UserError` with
    place, fact and remedy. What is legal and probably not meant, such as a match that
    finds nothing, gives a `tilewright.CompileWarning`.
    """
    find_target(target)
    module, loaded = read_given(payload, schedule)
    _check_keywords(point, loaded)
    known = _results(inherit if results is None else results)
    try:
        program = compile_read(module, loaded, target, known, point)
    except UserError as error:
        raise _in_python(error) from error
    warn_caller([*payload_warnings(module), *program.built.warnings])
    return program


def _check_keywords(point: Point, schedule: Schedule | None) -> None:
    """Refuse a misspelt keyword, which would count as a choice of the schedule."""
    known = set() if schedule is None else schedule.choice_names
    for name in point:
        near = did_you_mean(name, _KEYWORDS)
        if near is not None and name not in known:
            raise UserError(f"compile has no keyword '{name}'", remedy=near)


def compile_read(
    module: ModuleOp,
    schedule: Schedule | None,
    target: str,
    results: Path | None,
    point: Point,
) -> Program:
    """`compile_program`, for a payload and a schedule that are read already."""
    from tilewright.codegen.targets import writing_for

    named = None if target == "auto" else find_target(target)[0]
    with writing_for(named):
        return _compile_read(module, schedule, target, results, point)


def _compile_read(
    module: ModuleOp,
    schedule: Schedule | None,
    target: str,
    results: Path | None,
    point: Point,
) -> Program:
    card, title = find_target(target)
    if schedule is None:
        return _under_a_plan(module, card, title, point, results)
    if not point and schedule.table is not None:
        return _under_a_table(module, schedule, title)
    if not point and results is not None:
        measured = target == "auto" and not title.endswith(_NO_GPU)
        for choice in inherited_points(
            module, schedule, card, results, measured=measured
        ):
            # A point that does not fit this payload gives way to the next.
            with suppress(UserError):
                return _built(module, schedule, choice, title, card)
    nothing = "" if point else no_known_point(schedule, results)
    return _built(module, schedule, ChosenPoint(point, nothing), title)


def _built(
    module: ModuleOp,
    schedule: Schedule,
    choice: ChosenPoint,
    title: str,
    card: Target | None = None,
) -> Program:
    """The program of a point; with a card, refuses one that is not for all sizes."""
    built = build(module, schedule, choice.point)
    if card is not None:
        reason = why_unfit(built, card, [any_shapes(module)])
        if reason is not None:
            raise UserError(f"it cannot run on {card.name}: {reason}")
    point = dict(schedule.full_point(choice.point))
    steps = RecordedSteps(module, schedule, point, built)
    return Program(built, steps, point, title, schedule, origin=choice.origin)


def _under_a_table(module: ModuleOp, schedule: Schedule, title: str) -> Program:
    """The program of the rule for known sizes; for open ones, one for each rule."""
    from tilewright.sized_program import SizedProgram

    assert schedule.table is not None
    known = ruled_point(module, schedule)
    if known is not None:
        return _built(module, schedule, known, title)
    positions = size_positions(module, schedule)

    def compile_rule(rule: Rule) -> Program:
        return _built(module, schedule, chosen_by(rule), title)

    last = compile_rule(schedule.table.rules[-1])
    return SizedProgram(
        last.built,
        last.steps,
        last.point,
        title,
        schedule,
        origin=last.origin,
        table=schedule.table,
        positions=positions,
        compile_rule=compile_rule,
        compiled={schedule.table.rules[-1].title: last},
    )


def _under_a_plan(
    module: ModuleOp, card: Target, title: str, point: Point, results: Path | None
) -> Program:
    """The program of a planned schedule, with recorded points as its defaults."""
    from tilewright.planned_build import build_planned
    from tilewright.planned_estimate import with_estimate

    def build_under(schedule: Schedule) -> Built:
        return build(module, schedule, point)

    with recorded_kernels(results) as history:
        done = with_estimate(
            build_planned(
                module, card, build_under, history=history, fall_back=not point
            )
        )
    point = done.plan.schedule.full_point(point)
    return Program(
        done.built,
        RecordedSteps(module, done.plan.schedule, point, done.built),
        dict(point),
        title,
        done.plan.schedule,
        done.plan,
        done.refusals,
        origin="; ".join(done.plan.recorded),
    )


def plan_payload(
    payload: str | Path | ModuleOp | Payload,
    target: str = "auto",
    *,
    shapes: Sequence[Sequence[int]] | None = None,
    results: str | Path | None = None,
    structure: bool = False,
    margin: float | None = None,
) -> Plan:
    """Plan a schedule for a payload; `plan.text` is a `.tw` file with its choices open.

    `payload` is a path, an MLIR text, a module or a `Payload`; a schedule in it is left
    out. The target is a name, or `auto` for this machine's GPU (without one, h200).
    `shapes` of all arguments give the sizes that the types leave open. Where `compile`
    finds that code generation refuses a planned kernel, it plans again without it.
    `results` is a results file of `tilewright tune`, or a file of winners: points that
    it has for shapes nearby become the defaults. `structure` leaves open which ops
    share a kernel, where the estimates of other kernels are within `margin`.
    """
    from tilewright.planning.plan import plan
    from tilewright.planning.structure import MARGIN

    card, _ = find_target(target)
    module, _ = read_given(payload, None)
    given = None if shapes is None else fitting_shapes(module, shapes)
    near = MARGIN if structure and margin is None else margin
    if results is None:
        return plan(module, card, shapes=given, margin=near)
    with recorded_kernels(_results(results)) as history:
        return plan(module, card, shapes=given, history=history, margin=near)


def _results(inherit: bool | str | Path) -> Path | None:
    """The results file to inherit from."""
    if isinstance(inherit, bool):
        return RESULTS if inherit else None
    return existing_results(Path(inherit))


def _in_python(error: UserError) -> UserError:
    """The error with a remedy for Python: choices are keywords, not `--set`."""
    remedy = re.sub(r"--set (\w+=[^\s,]+)", r"compile(..., \1)", error.remedy or "")
    return type(error)(error.fact, error.place, remedy or None, error.notes)


def find_target(name: str) -> tuple[Target, str]:
    """The target of a name, and how to call it; `auto` is the present GPU, or h200."""
    from tilewright.codegen.targets import detect, target_named

    if not isinstance(name, str):
        raise UserError(
            f"a target is a name such as 'h200'; this is {type(name).__name__}",
            remedy="choices go by keyword: compile(payload, schedule, BM=128)",
        )
    if name != "auto":
        found = target_named(name)
        return found, found.name
    if (here := detect()) is not None:
        return here, here.title
    return target_named("h200"), f"h200{_NO_GPU}"


__all__ = [
    "Program",
    "UserError",
    "compile_program",
    "compile_read",
    "find_target",
    "plan_payload",
]
