"""Reading the payload and the schedule of `tilewright.compile`, in any form."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from tilewright.frontend.builder import Payload
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module, read_text, source_name
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.interpreter import ENTRY
from tilewright.transforms.table import schedule_context

_PAYLOAD = "a payload is a path, an MLIR text, a module or a Payload"
_SCHEDULE = "a schedule is a path, a .tw text, a Schedule or None"


def read_given(
    payload: str | Path | ModuleOp | Payload,
    schedule: str | Path | Schedule | None,
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


def _schedule(schedule: str | Path | Schedule | None) -> Schedule | None:
    if schedule is None or isinstance(schedule, Schedule):
        return schedule
    if isinstance(schedule, str) and _is_text(schedule):
        return Schedule.from_text(schedule)
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
