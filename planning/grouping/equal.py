"""Equal groups: the layers of a deep network repeat, and are planned once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Block, SSAValue

from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.grouping.group import Group


def equal_groups(
    groups: Sequence[Group], shared: Sequence[OpFacts]
) -> list[list[Group]]:
    """Groups of the same ops, sizes and dependences together, in program order.

    A group that computes a shared op stays alone: its ops are not its own.
    """
    found: dict[Hashable, list[Group]] = {}
    for group in groups:
        alone = any(facts in shared for facts in group.ops)
        key = id(group) if alone else _signature(group)
        found.setdefault(key, []).append(group)
    return list(found.values())


def _signature(group: Group) -> Hashable:
    """What equal groups have in common."""
    values: dict[SSAValue, int] = {}
    parts: list[Hashable] = []
    for facts in group.ops:
        operands = tuple(
            (values.setdefault(value, len(values)), value.type, _number(value))
            for value in facts.op.operands
        )
        for result in facts.op.results:
            values.setdefault(result, len(values))
        leaves = tuple(
            use.operation not in {other.op for other in group.ops}
            for result in facts.op.results
            for use in result.uses
        )
        parts.append(
            (
                facts.op.name,
                facts.op.maps,
                facts.reduced,
                operands,
                _body(facts.op.body.block),
                any(leaves),
                facts in group.prologues,
            )
        )
    return tuple(parts)


def _number(value: SSAValue) -> Hashable:
    """The constant that an operand is: not every kernel can start from any number."""
    is_scalar = not isinstance(value.type, ShapedType)
    return _constant(value, {}) if is_scalar else None


def _body(block: Block) -> Hashable:
    """The ops of a body; values from outside count by their type."""
    numbers: dict[SSAValue, int] = {value: i for i, value in enumerate(block.args)}
    parts: list[Hashable] = []
    for op in block.ops:
        operands = tuple(
            (numbers.get(value, -1), value.type, _constant(value, numbers))
            for value in op.operands
        )
        for result in op.results:
            numbers[result] = len(numbers)
        parts.append(
            (
                op.name,
                operands,
                tuple(sorted(op.properties.items(), key=lambda item: item[0])),
                tuple(op.result_types),
            )
        )
    return tuple(parts)


def _constant(value: SSAValue, numbers: dict[SSAValue, int]) -> Hashable:
    """The attributes of a constant from outside of the body."""
    if value in numbers or isinstance(value.owner, Block):
        return None
    return tuple(sorted(value.owner.properties.items(), key=lambda item: item[0]))
