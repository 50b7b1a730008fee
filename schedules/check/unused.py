"""Warns of knobs, constants and found handles that a schedule never uses.

Handles that a transformation returns may be left unused: the transformation has an
effect. A match or a knob has none unless its result is used.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from tilewright.ir.errors import UserError
from tilewright.ir.text import place_of
from tilewright.schedules.language.syntax import LIBRARY
from tilewright.schedules.language.verbs.vocabulary import verb_of
from tilewright.transforms.control.choices.constrain import ConstrainParamsOp
from tilewright.transforms.control.choices.tune_knob import KnobOp
from tilewright.transforms.core.base import TransformOp


class UnusedResult(UserError):
    """Nothing uses what an op finds."""


def unused(module: ModuleOp) -> Iterator[UserError]:
    """A warning for each name that nothing uses."""
    for op in module.walk():
        place = place_of(op)
        if place is not None and place.file.startswith(LIBRARY):
            continue
        if isinstance(op, KnobOp):
            yield from _unused_knob(op)
        elif _only_finds(op) and op.results and not _is_used(op):
            yield UnusedResult(
                f"{verb_of(op)}: nothing uses {_name(op.results[0])}",
                place,
                "use it, or leave the line out",
            )


def _unused_knob(op: KnobOp) -> Iterator[UserError]:
    users = list(_users(op.result))
    if not all(isinstance(user, ConstrainParamsOp) for user in users):
        return
    only = "only requirements use" if users else "nothing uses"
    yield UserError(
        f"knob: {only} '{op.knob_name.data}'; picking it changes nothing",
        place_of(op),
        "use it, or leave it out: the tuner would try each of its options",
    )


def _users(number: SSAValue) -> Iterator[Operation]:
    """The ops that use a number, or another number that is computed from it."""
    waiting, seen = [number], {number}
    while waiting:
        for use in waiting.pop().uses:
            user = use.operation
            if isinstance(user, ConstrainParamsOp) and user.results:
                waiting += set(user.results) - seen
                seen.update(user.results)
            else:
                yield user


def _only_finds(op: Operation) -> bool:
    """Whether an op has no effect unless its results are used."""
    return isinstance(op, ConstrainParamsOp) or (
        isinstance(op, TransformOp) and op.ONLY_LOOKS
    )


def _is_used(op: Operation) -> bool:
    return any(result.uses.get_length() for result in op.results)


def _name(value: SSAValue) -> str:
    return f"'{value.name_hint}'" if value.name_hint else "what it finds"
