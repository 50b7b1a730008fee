"""Asks a verb's translation what its slots accept, instead of listing it again.

A translation reads its fields through the protocol `Fields`. A probe answers every
question and takes notes: the names that a slot knows, the attribute that an option
sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cache

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.test_value import create_ssa_value

from tilewright.editor.reading.roles import slots_of
from tilewright.ir.launch_attributes.table import LAUNCH_ATTRIBUTES, LaunchAttribute
from tilewright.ir.structured.roles import Role
from tilewright.schedules.language.verbs.forms import Kind
from tilewright.schedules.language.verbs.verb import Verb
from tilewright.schedules.language.verbs.vocabulary import BY_NAME
from tilewright.transforms.core.base import AnyOpType, AnyParamType
from tilewright.transforms.handles.annotate import AnnotateOp


class _Probe:
    """Fields that are all there, or one of them; notes the names it is asked for."""

    def __init__(self, only: str | None = None) -> None:
        self.known: dict[str, Sequence[str]] = {}
        self._only = only

    def has(self, field: str) -> bool:
        return self._only is None or field == self._only

    def handle(self, field: str) -> SSAValue:
        return create_ssa_value(AnyOpType())

    def param(self, field: str) -> SSAValue:
        return create_ssa_value(AnyParamType())

    def written(self, field: str) -> None:
        return None

    def sizes(self, field: str) -> list[SSAValue | int]:
        return [1]

    def numbers(self, field: str) -> list[int]:
        return [0]

    def positions(self, field: str) -> list[int]:
        return [0]

    def word(self, field: str) -> str:
        return ""

    def strings(self, field: str) -> list[str]:
        return [""]

    def flag(self, field: str) -> bool:
        return False

    def names(self, field: str, known: Sequence[str]) -> list[str]:
        self.known[field] = list(known)
        return list(known[:1])

    def setting(self, field: str) -> tuple[str, SSAValue | None]:
        return "", None

    def settings(self, field: str) -> dict[str, Attribute]:
        return {}

    def op(self, name: str) -> Operation:
        raise LookupError(name)


@cache
def names_for(verb: str, field: str) -> tuple[str, ...]:
    """The names that a slot of a verb accepts, such as `block.x`; none if unknown."""
    for only in (None, field):
        probe = _Probe(only)
        with suppress(Exception):
            list(BY_NAME[verb].translation.build(probe))
        if field in probe.known:
            return tuple(probe.known[field])
    return ()


@cache
def attribute_of(verb: str, field: str) -> LaunchAttribute | None:
    """The launch attribute that an option of a verb sets, if it sets one."""
    entry = BY_NAME[verb]
    if AnnotateOp.name not in entry.translation.ops:
        return None
    with suppress(Exception):
        for op in entry.translation.build(_Probe(field)):
            if isinstance(op, AnnotateOp):
                return _launch_attribute(op)
    return None


def words_for(verb: Verb, field: str) -> tuple[str, ...]:
    """The words that a slot accepts, ready to be typed: `"cublas"` or `block.x`."""
    kinds = {slot.field: slot.kind for slot in slots_of(verb.form.parts)}
    if kinds.get(field) is Kind.NAMES:
        return names_for(verb.name, field)
    if kinds.get(field) is Kind.ROLE:
        return tuple(Role)
    if kinds.get(field) is Kind.SETTINGS:
        return ()
    attribute = attribute_of(verb.name, field)
    if attribute is None:
        return ()
    return tuple(f'"{word}"' for word in attribute.words)


def _launch_attribute(op: AnnotateOp) -> LaunchAttribute | None:
    name = op.properties.get("name")
    text = getattr(name, "data", None)
    return next((each for each in LAUNCH_ATTRIBUTES if each.name == text), None)
