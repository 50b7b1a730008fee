"""Equal groups: the layers of a deep network repeat, and are planned once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Block, SSAValue

from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.grouping.group import Group, Place


def equal_groups(
    groups: Sequence[Group], shared: Sequence[OpFacts]
) -> list[list[Group]]:
    """Groups of the same ops, sizes and dependences together, in program order.

    A group that computes a shared op stays alone: its ops are not its own.
    """
    found: dict[Hashable, list[Group]] = {}
    signatures = Signatures()
    for group in groups:
        alone = any(facts in shared for facts in group.ops)
        key = id(group) if alone else signatures.of(group)
        found.setdefault(key, []).append(group)
    return list(found.values())


class Signatures:
    """What equal groups have in common; each op is described once."""

    def __init__(self) -> None:
        self._of_op: dict[OpFacts, int] = {}
        self._numbers: dict[Hashable, int] = {}

    def of(self, group: Group) -> Hashable:
        """The ops, what they read of each other, along which axes, and what leaves."""
        values: dict[SSAValue, int] = {}
        axes: dict[Place, int] = {}
        streamed = group.stream.ops if group.stream is not None else ()
        parts: list[Hashable] = []
        for facts in group.ops:
            read = tuple(values.setdefault(o, len(values)) for o in facts.op.operands)
            for result in facts.op.results:
                values.setdefault(result, len(values))
            along = tuple(
                axes.setdefault(group.axis(facts, loop), len(axes))
                for loop in range(len(facts.extents))
            )
            is_of = facts in group.leaving, facts in group.prologues, facts in streamed
            parts.append((self._number(facts), read, along, is_of))
        return tuple(parts)

    def _number(self, facts: OpFacts) -> int:
        """The same number for ops that compute the same of the same types."""
        if (found := self._of_op.get(facts)) is None:
            op = facts.op
            operands = tuple((value.type, _number(value)) for value in op.operands)
            body = _body(op.body.block)
            key = (op.name, op.maps, facts.reduced, facts.extents, operands, body)
            found = self._numbers.setdefault(key, len(self._numbers))
            self._of_op[facts] = found
        return found


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
