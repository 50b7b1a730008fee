"""Masks on indices: conditions that select elements by where they are.

A causal mask compares the number of a key with that of a query. Such a condition says
before the run which part of a long dimension a row needs. This module finds the
conditions in bodies, and samples the share of elements that they keep.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import IndexOp
from tilewright.planning.analysis.facts import OpFacts

SAMPLES = (8, 24)
"""The rows, and the places along the dimension, that the share is sampled at."""

_NUMBERS: Mapping[str, Callable[[int, int], int]] = {
    "arith.addi": operator.add,
    "arith.subi": operator.sub,
    "arith.muli": operator.mul,
    "arith.andi": lambda left, right: left & right,
    "arith.ori": lambda left, right: left | right,
    "arith.xori": lambda left, right: left ^ right,
    "arith.minsi": min,
    "arith.maxsi": max,
}
_ALONE: Mapping[str, Callable[[int], int]] = {
    "math.absi": abs,
    "arith.index_cast": lambda number: number,
}
_COMPARED: Sequence[Callable[[int, int], bool]] = (
    operator.eq,
    operator.ne,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
)
"""By the number of the predicate: signed, then unsigned (indices are not negative)."""


@dataclass(frozen=True)
class IndexMask:
    """The conditions on a dimension's index in one op."""

    facts: OpFacts
    loop: int
    conditions: tuple[tuple[SSAValue, bool], ...]
    """Truth values that depend on indices alone, and which value keeps an element."""

    def reads(self, loop: int) -> bool:
        """Whether a condition depends on the index of a loop."""
        return any(
            _is_index(value, loop)
            for condition, _ in self.conditions
            for value in _behind(condition)
        )

    def share(self) -> float:
        """The share of elements that the conditions keep, at some places.

        1 where a condition depends on a number that is not known before the run.
        """
        extents = self.facts.extents
        rows, columns = SAMPLES
        kept = 0
        for row in range(rows):
            for column in range(columns):
                at = [int((row + 0.5) / rows * extent) for extent in extents]
                place = (column + 0.5) / columns
                at[self.loop] = int(place * extents[self.loop])
                try:
                    values = [
                        bool(_value(v, at)) == wanted for v, wanted in self.conditions
                    ]
                except _UnknownError:
                    return 1.0
                kept += all(values)
        return kept / (rows * columns)


def index_mask(facts: OpFacts, loop: int) -> IndexMask | None:
    """The conditions of an op on the index of one loop; None if it has none."""
    block = facts.op.body.block
    found = tuple(
        (op.results[0], _keeps(op.results[0]))
        for op in block.ops
        if isinstance(op, arith.CmpiOp)
        and _is_of_indices(op.results[0], block)
        and any(_is_index(value, loop) for value in _behind(op.results[0]))
    )
    return IndexMask(facts, loop, found) if found else None


def _behind(value: SSAValue) -> Iterator[SSAValue]:
    """A value and everything in its block that it is computed from."""
    yield value
    owner = value.owner
    if isinstance(owner, Operation):
        for operand in owner.operands:
            yield from _behind(operand)


def _is_index(value: SSAValue, loop: int) -> bool:
    owner = value.owner
    return isinstance(owner, IndexOp) and owner.dim.value.data == loop


def _is_of_indices(value: SSAValue, block: Block) -> bool:
    """Whether a value depends on no element of a tensor."""
    return not any(v.owner is block for v in _behind(value))


def _keeps(value: SSAValue) -> bool:
    """The truth value under which a selection keeps the element."""
    for use in value.uses:
        reader = use.operation
        if isinstance(reader, arith.SelectOp) and use.index == 0:
            return not isinstance(reader.operands[1].owner, arith.ConstantOp)
        if reader.name in ("arith.andi", "arith.ori"):
            return _keeps(reader.results[0])
        if isinstance(reader, arith.XOrIOp):
            return not _keeps(reader.results[0])
    return True


class _UnknownError(Exception):
    """A number that is known only at run time."""


def _value(value: SSAValue, at: Sequence[int]) -> int:
    """A number that is computed from indices."""
    op = value.owner
    if not isinstance(op, Operation):
        raise _UnknownError
    if isinstance(op, IndexOp):
        return at[op.dim.value.data]
    if isinstance(op, arith.ConstantOp) and isinstance(op.value, IntegerAttr):
        return op.value.value.data
    if isinstance(op, arith.CmpiOp):
        left, right = (_value(operand, at) for operand in op.operands)
        return int(_COMPARED[op.predicate.value.data](left, right))
    if op.name in _ALONE:
        return _ALONE[op.name](_value(op.operands[0], at))
    if op.name in _NUMBERS:
        left, right = (_value(operand, at) for operand in op.operands)
        return _NUMBERS[op.name](left, right)
    raise _UnknownError
