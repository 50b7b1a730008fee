"""Reading the payload and the schedule of `tilewright.compile`, in any form."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from xdsl.dialects.builtin import ModuleOp

from tilewright.frontend.builder import Payload
from tilewright.ir.errors import UserError
from tilewright.ir.phrases import count
from tilewright.ir.text import parse_module, read_text, source_name
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import ENTRY

if TYPE_CHECKING:
    from tilewright.codegen.program import Shapes
    from tilewright.planning.plan import Plan
    from tilewright.schedules.builder.builder import BuiltSchedule

GivenPayload: TypeAlias = str | Path | ModuleOp | Payload
"""A payload: a path, an MLIR text, a module, or one built in Python."""
GivenSchedule: TypeAlias = "str | Path | Schedule | BuiltSchedule | Plan | None"
"""A schedule: a path, a `.tw` text, a schedule that was read, built or planned."""

_PAYLOAD = "a payload is a path, an MLIR text, a module or a Payload"
_SCHEDULE = "a schedule is a path, a .tw text, a Schedule, a Plan or None"


def read_given(
    payload: GivenPayload,
    schedule: GivenSchedule,
) -> tuple[ModuleOp, Schedule | None]:
    """Payload and schedule; without a schedule, the one in the payload's text."""
    if isinstance(payload, Payload):
        return payload.module, _schedule(schedule)
    if isinstance(payload, ModuleOp):
        module, name = payload, "<payload>"
    else:
        module, name = _parsed(payload)
    found, embedded = Schedule.split(module)
    if schedule is not None or embedded is None:
        return found, _schedule(schedule)
    embedded, errors = embedded.starting_at(name, ENTRY)
    if errors:
        raise errors[0]
    return found, embedded


def _parsed(payload: str | Path) -> tuple[ModuleOp, str]:
    """The module of a payload, and its name in error messages."""
    if isinstance(payload, str) and _is_text(payload):
        text, name = payload, "<payload>"
    else:
        path = _path(payload, _PAYLOAD)
        if path.suffix == ".tw":
            raise UserError(
                f"{path} is a schedule, and the payload comes first",
                remedy=f"write: compile(PAYLOAD, {str(path)!r})",
            )
        text, name = read_text(path), source_name(path)
    return parse_module(text, name, schedule_context()), name


def fitting_shapes(module: ModuleOp, shapes: Sequence[Sequence[int]]) -> Shapes:
    """The shapes of the arguments; refuses those that do not fit the types."""
    from tilewright.ir.interpreter.core.registry import find_function
    from tilewright.ir.interpreter.core.signature import DYNAMIC, signature_of

    arguments = signature_of(find_function(module, None)).arguments
    listed = ", ".join(str(argument) for argument in arguments)
    if len(shapes) != len(arguments):
        raise UserError(
            f"{count(len(shapes), 'shape')} for {count(len(arguments), 'argument')}",
            remedy=f"give one shape for each of: {listed}",
        )
    for shape, argument in zip(shapes, arguments, strict=True):
        if len(shape) != len(argument.shape) or any(
            known not in (DYNAMIC, size)
            for size, known in zip(shape, argument.shape, strict=True)
        ):
            raise UserError(
                f"shape {tuple(shape)} does not fit {argument}",
                remedy="give its whole shape; only the sizes that are ? may change",
            )
    return tuple(tuple(shape) for shape in shapes)


def _schedule(schedule: GivenSchedule) -> Schedule | None:
    if schedule is None or isinstance(schedule, Schedule):
        return schedule
    if isinstance(schedule, str) and _is_text(schedule):
        return Schedule.from_text(schedule)
    if not isinstance(schedule, str | PathLike):
        from tilewright.planning.plan import Plan
        from tilewright.schedules.builder.builder import BuiltSchedule

        if isinstance(schedule, Plan | BuiltSchedule):
            return schedule.schedule
    return Schedule.from_path(_path(schedule, _SCHEDULE))


def _is_text(given: str) -> bool:
    """Whether a string is a program's text, not a path."""
    return "\n" in given or "{" in given


def _path(given: object, allowed: str) -> Path:
    """A str or PathLike as a path; anything else is refused."""
    remedy = 'such as compile("payload.mlir", "schedule.tw", BM=128)'
    if not isinstance(given, str | PathLike):
        raise UserError(f"{allowed}; this is {type(given).__name__}", remedy=remedy)
    path = fspath(given)
    if isinstance(path, bytes) or not path.strip():
        what = "bytes" if isinstance(path, bytes) else "empty"
        raise UserError(f"{allowed}; this is {what}", remedy=remedy)
    return Path(path)
