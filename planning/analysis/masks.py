"""Masks along a dimension: conditions that select elements by where they are.

A causal mask compares the number of a key with that of a query. Such a condition says
before the run which part of a long dimension a row needs. Lengths and documents are
data: what they keep is known only to the kernel, which finds it before it starts. This
module finds the conditions in bodies, and samples the share of elements that those on
indices keep.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import IndexOp, StructuredOp
from tilewright.ir.indexing.index_ops import values_behind
from tilewright.ir.structured.loops import nest_of
from tilewright.planning.analysis.facts import OpFacts

SAMPLES = (8, 24)
"""The rows, and the indices along the dimension, that the share is sampled at."""

DATA_SHARE = 0.25
"""The share of elements that conditions on data are taken to keep: a few documents."""

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
    """The conditions along a dimension in one op."""

    facts: OpFacts
    loop: int
    conditions: tuple[tuple[SSAValue, bool], ...]
    """Truth values that depend on where an element is, and which value keeps it."""

    def reads(self, loop: int) -> bool:
        """Whether a condition depends on the index of a loop."""
        return any(
            _is_index(value, loop)
            for condition, _ in self.conditions
            for value in values_behind(condition)
        )

    def share(self) -> float:
        """The share of elements that the conditions keep, at some indices.

        Numbers that are not known before the run are guessed to keep `DATA_SHARE`.
        """
        guess = DATA_SHARE if self.reads_data else 1.0
        return guess * sum(self._kept) / (SAMPLES[0] * SAMPLES[1])

    @property
    def grows(self) -> bool:
        """Whether the later half of the rows keeps more elements than the first."""
        half = SAMPLES[0] // 2
        return sum(self._kept[half:]) > sum(self._kept[:half])

    @cached_property
    def _kept(self) -> list[int]:
        """How many of the samples of each row the conditions keep."""
        extents = self.facts.extents
        rows, columns = SAMPLES
        found: list[int] = []
        for row in range(rows):
            kept = 0
            for column in range(columns):
                at = [int((row + 0.5) / rows * extent) for extent in extents]
                place = (column + 0.5) / columns
                at[self.loop] = int(place * extents[self.loop])
                kept += all(_holds(v, wanted, at) for v, wanted in self.conditions)
            found.append(kept)
        return found

    @property
    def reads_data(self) -> bool:
        """Whether a condition depends on numbers that are not known before the run."""
        return any(self._is_data(value) for value, _ in self.conditions)

    def _is_data(self, condition: SSAValue) -> bool:
        block = self.facts.op.body.block
        return any(value.owner is block for value in values_behind(condition))


def index_mask(facts: OpFacts, loop: int) -> IndexMask | None:
    """The conditions of an op along one loop; None if it has none."""
    found = tuple(
        (op.results[0], _keeps(op.results[0]))
        for op in facts.op.body.block.ops
        if isinstance(op, arith.CmpiOp) and _is_mask(op, facts.op, loop)
    )
    return IndexMask(facts, loop, found) if found else None


def _is_mask(op: arith.CmpiOp, around: StructuredOp, loop: int) -> bool:
    """Whether a comparison keeps some of the indices along a loop."""
    behind = list(values_behind(op.results[0]))
    has_index = any(_is_index(value, loop) for value in behind)
    data = [v for v in behind if v.owner is around.body.block]
    if has_index and data:
        # A label is one index among many, not a range of them.
        return op.predicate.value.data > 1
    return has_index or any(_is_data_along(value, around, loop) for value in data)


def _is_data_along(value: SSAValue, op: StructuredOp, loop: int) -> bool:
    """Whether a value is an integer of a tensor that varies along a loop."""
    if not isinstance(value, BlockArgument) or not isinstance(value.type, IntegerType):
        return False
    results = nest_of(op).maps[value.index].results
    dims = [e.position for e in results if isinstance(e, AffineDimExpr)]
    return loop in dims


def _holds(value: SSAValue, wanted: bool, at: Sequence[int]) -> bool:
    """Whether a condition keeps an element, or may keep it."""
    try:
        return bool(_value(value, at)) == wanted
    except _UnknownError:
        return True


def _is_index(value: SSAValue, loop: int) -> bool:
    owner = value.owner
    return isinstance(owner, IndexOp) and owner.dim.value.data == loop


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
