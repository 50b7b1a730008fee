"""Build and recognize ops by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from xdsl.context import Context
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from tilewright.ir.context import payload_context


@cache
def _context() -> Context:
    return payload_context()


@cache
def kind_of(name: str) -> type[Operation]:
    """The op class of this name."""
    return _context().get_op(name)


def make(
    name: str,
    operands: Sequence[SSAValue],
    result_types: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] | None = None,
) -> Operation:
    """A new op of this name."""
    return kind_of(name).create(
        operands=operands,
        result_types=result_types,
        properties=dict(properties or {}),
    )


def remade(op: Operation, operands: Sequence[SSAValue]) -> Operation:
    """A copy of an op without regions, on equally many other operands."""
    return type(op).create(
        operands=operands,
        result_types=op.result_types,
        properties=op.properties.copy(),
        attributes=op.attributes.copy(),
    )


def owner_named(value: SSAValue, *names: str) -> Operation | None:
    """The op that defines a value, if it has one of these names."""
    # Not isinstance: it goes through abc, and this is the hottest call.
    if type(value) is OpResult and value.op.name in names:
        return value.op
    return None
