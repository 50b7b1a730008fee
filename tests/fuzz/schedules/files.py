"""Running a file with payload and schedule in one module, every step checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from fuzz.schedules.cases import Case
from fuzz.schedules.checks import Checks, Finding
from fuzz.schedules.oracle import Oracle
from tilewright.ir.context import payload_context
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter.core.registry import find_function
from tilewright.ir.interpreter.core.signature import signature_of
from tilewright.ir.interpreter.pick_sizes import pick_sizes
from tilewright.ir.text import parse_module
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import Step, prepare


@dataclass(frozen=True)
class Outcome:
    """The payload after a schedule, and the refusal if there was one."""

    text: str
    steps: int
    """The number of steps that changed the payload."""
    refusal: UserError | None = None


def run_file(text: str, name: str, *, each: bool = True) -> Outcome:
    """Run the schedule of a file over its payload with every check after each step.

    Without `each`, only the final payload is checked.
    """
    payload, schedule = Schedule.split(parse_module(text, name, schedule_context()))
    assert schedule is not None
    checks = Checks(_case(name, text, payload), payload)
    run = prepare(schedule.module, payload)

    def look(op: TransformOp, step: Step | None) -> None:
        verb = op.name.removeprefix("transform.")
        checks.handles(verb, run.state.all_payload_ops())
        checks.changed(verb)

    if each:
        run.after_each = look
    refusal = None
    try:
        run.start()
    except UserError as error:
        checks.refused("the next line", error)
        refusal = error
    checks.changed("the last line")
    return Outcome(checks.text, checks.steps, refusal)


def check_numbers(text: str, name: str, changed: str) -> None:
    """The payload of a file computes what a changed text of it does."""
    payload, _ = Schedule.split(parse_module(text, name, schedule_context()))
    oracle = Oracle(_case(name, text, payload), payload)
    wrong = oracle.wrong(parse_module(changed, "changed.mlir", payload_context()), 1)
    if wrong is not None:
        raise Finding(wrong.kind, name, f"{wrong.detail}\n{changed}")


def _case(name: str, text: str, payload: ModuleOp) -> Case:
    """Whole numbers as arguments, in the sizes that the function leaves open."""
    function = find_function(payload, None)
    dtypes = tuple(spec.element_type for spec in signature_of(function).arguments)
    picked: Sequence[tuple[tuple[int, ...], ...]] = [
        sizes.shapes for sizes in pick_sizes(function)
    ]
    return Case(name, text, dtypes, tuple(picked), whole_numbers=True)
