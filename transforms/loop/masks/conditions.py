"""Conditions on indices, as linear inequalities, and their range within a tile.

The mask of a causal tile of scores is `j + jj <= i + ii`: `jj` and `ii` run over the
tile, `j` is the index of the loop, `i` lies outside of it. It is read as the comparison
`i + ii - j - jj >= 0`, whose greatest and least values in the tile are linear in `i`
and `j`. Where it compares indices with data, the data's extremes take its place
(`tile_data.py`); where it compares data with data, positions do (`matches.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType
from xdsl.ir import Operation, SSAValue

from tilewright.ir.dialects import arith, math
from tilewright.ir.dialects.arith.choices import INTEGER_PREDICATES
from tilewright.ir.dialects.linalg import IndexOp, StructuredOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.index_ops import Choice, index_op
from tilewright.ir.indexing.linear import Linear
from tilewright.ir.indexing.ranges import PROVEN, Form, candidates, linear_of
from tilewright.transforms.core.extents import known_size
from tilewright.transforms.loop.masks.matches import Matches, Search
from tilewright.transforms.loop.masks.tile_data import TileData, is_of_body


@dataclass(frozen=True)
class Comparison:
    """The condition that a linear form is not negative."""

    form: Form

    @property
    def negated(self) -> Comparison:
        """The opposite condition: of integers, `form < 0` is `-form - 1 >= 0`."""
        return Comparison(self.form * -1 - 1)


@dataclass(frozen=True)
class Opaque:
    """A condition that is not on indices alone, such as one that reads a tensor."""

    value: SSAValue
    is_negated: bool = False

    @property
    def negated(self) -> Opaque:
        """The opposite condition."""
        return Opaque(self.value, not self.is_negated)


@dataclass(frozen=True)
class Joint:
    """All conditions of a list together, or any of them."""

    parts: tuple[Condition, ...]
    needs_all: bool

    @property
    def negated(self) -> Joint:
        """The opposite condition, by De Morgan's laws."""
        return Joint(tuple(part.negated for part in self.parts), not self.needs_all)


@dataclass(frozen=True)
class Within:
    """A comparison of data, which positions along the loop bound."""

    value: SSAValue
    matches: Matches
    is_enough: bool
    """Whether it holds at these positions, or only at some of them."""

    @property
    def negated(self) -> Opaque:
        """The opposite condition: nothing is known of it."""
        return Opaque(self.value, is_negated=True)


Condition: TypeAlias = Comparison | Opaque | Joint | Within


def condition_of(value: SSAValue, search: Search | None = None) -> Condition:
    """The condition that an i1 value stands for."""
    op = value.owner
    if (number := constant_int(value)) is not None:
        return Joint((), needs_all=bool(number))
    match op:
        case arith.AndIOp() | arith.OrIOp():
            parts = tuple(condition_of(operand, search) for operand in op.operands)
            return Joint(parts, needs_all=isinstance(op, arith.AndIOp))
        case arith.XOrIOp():
            for this, other in (op.operands, reversed(op.operands)):
                if (number := constant_int(this)) is not None:
                    found = condition_of(other, search)
                    return found.negated if number else found
        case arith.CmpiOp():
            matches = None if search is None else search.matches(op)
            if search is not None and matches is not None:
                return Within(value, matches, is_enough=search.for_all)
            if isinstance(op.lhs.type, IndexType) and (found := _compared(op)):
                return found
        case _:
            pass
    return Opaque(value)


def _compared(op: arith.CmpiOp) -> Condition | None:
    """A comparison of two indices; None for those that ignore the sign."""
    lhs, rhs = op.operands
    match INTEGER_PREDICATES[op.predicate.value.data]:
        case "sle":
            return _at_most(lhs, rhs)
        case "sge":
            return _at_most(rhs, lhs)
        case "slt":
            return _at_most(rhs, lhs).negated
        case "sgt":
            return _at_most(lhs, rhs).negated
        case "eq":
            return Joint((_at_most(lhs, rhs), _at_most(rhs, lhs)), needs_all=True)
        case "ne":
            equal = Joint((_at_most(lhs, rhs), _at_most(rhs, lhs)), needs_all=True)
            return equal.negated
        case _:
            return None


def _at_most(lhs: SSAValue, rhs: SSAValue) -> Condition:
    """`lhs <= rhs`, where either may be the least or greatest of several indices."""
    choice, lows = _choices(lhs)
    if len(lows) > 1:
        parts = tuple(_form_at_most(low, rhs) for low in lows)
        return Joint(parts, needs_all=choice is Choice.GREATEST)
    return _form_at_most(lows[0], rhs)


def _form_at_most(low: Form, rhs: SSAValue) -> Condition:
    choice, highs = _choices(rhs)
    parts = tuple(Comparison(high - low) for high in highs)
    if len(parts) == 1:
        return parts[0]
    return Joint(parts, needs_all=choice is Choice.LEAST)


def _choices(value: SSAValue) -> tuple[Choice, list[Form]]:
    """The forms that an index is the least or greatest of; mostly, it is one form."""
    if isinstance(value.owner, math.AbsIOp):
        form = linear_of(value.owner.operands[0])
        return Choice.GREATEST, [form, form * -1]
    found = index_op(value)
    if found is not None and found.choice is not Choice.ONLY:
        forms = candidates(found)
        if forms is not None:
            return found.choice, forms
    return Choice.ONLY, [linear_of(value)]


def emptying_forms(
    condition: Condition, op: StructuredOp, data: TileData
) -> Iterator[Form]:
    """Forms of a condition's parts: where one is negative, a part is false, or true,
    at every element of an op's tile.
    """
    match condition:
        case Comparison():
            for either in (condition, condition.negated):
                form = greatest_in_tile(either.form, op, data)
                if form is not None:
                    yield form
        case Joint():
            for part in condition.parts:
                yield from emptying_forms(part, op, data)
        case Within():
            if not condition.is_enough:
                yield from condition.matches.outside
        case Opaque():
            return


def filling_forms(
    condition: Condition, op: StructuredOp, data: TileData
) -> Iterator[Form]:
    """Forms of the parts that a condition needs: where none is negative, they hold.

    Parts of which nothing is known are left out.
    """
    match condition:
        case Comparison():
            form = least_in_tile(condition.form, op, data)
            if form is not None:
                yield form
        case Joint() if condition.needs_all:
            for part in condition.parts:
                yield from filling_forms(part, op, data)
        case Within() if condition.is_enough:
            yield from condition.matches.inside
        case _:
            return


def greatest_in_tile(
    form: Form, op: StructuredOp, data: TileData | None = None
) -> Form | None:
    """A form that bounds another one from above at every element of an op's tile."""
    return _extreme_in_tile(form, op, data, greatest=True)


def least_in_tile(
    form: Form, op: StructuredOp, data: TileData | None = None
) -> Form | None:
    """A form that bounds another one from below at every element of an op's tile."""
    return _extreme_in_tile(form, op, data, greatest=False)


def _extreme_in_tile(
    form: Form, op: StructuredOp, data: TileData | None, *, greatest: bool
) -> Form | None:
    total: Form = Linear({}, form.constant)
    for value, factor in form.terms.items():
        wants_greatest = greatest is (factor > 0)
        index = value.owner
        if isinstance(index, IndexOp) and index.parent_op() is op:
            if not wants_greatest:
                continue  # the first index of the tile is 0
            extent = extent_of(op, index.dim.value.data)
            if extent is None:
                return None
            total = total + factor * (extent - 1)
            continue
        if data is not None and is_of_body(value, op):
            found = data.bounded(form, value, op, greatest=wants_greatest)
            if found is None:
                return None
            value = found
        total = total.plus(Linear({value: 1}), factor)
    return total


def extent_of(op: StructuredOp, loop: int) -> int | None:
    """A number that the extent of an op's loop never exceeds, if one is known."""
    extent = op.get_static_loop_ranges()[loop]
    if extent != DYNAMIC_INDEX:
        return extent
    for operand, dim in op.dims_of_loop(loop):
        size = known_size(operand, dim)
        if size is not None and (found := PROVEN.highest(size)) is not None:
            return found
    return None


def conditions_in(root: Operation) -> Iterator[tuple[StructuredOp, arith.CmpiOp]]:
    """The comparisons of integers in the bodies of structured ops, with their ops."""
    for op in root.walk():
        if isinstance(op, arith.CmpiOp):
            parent = op.parent_op()
            if isinstance(parent, StructuredOp):
                yield parent, op


def decided(
    condition: Condition,
    op: StructuredOp,
    facts: Sequence[Form],
    data: TileData | None = None,
) -> bool | None:
    """Whether a condition holds at all elements of an op's tile, or at none.

    `facts` are forms that are known not to be negative; None if they do not decide it.
    """
    match condition:
        case Comparison():
            least = least_in_tile(condition.form, op, data)
            if least is not None and follows(least, facts):
                return True
            least = least_in_tile(condition.negated.form, op, data)
            return False if least is not None and follows(least, facts) else None
        case Joint():
            parts = {decided(part, op, facts, data) for part in condition.parts}
            if (not condition.needs_all) in parts:
                return not condition.needs_all
            return None if None in parts else condition.needs_all
        case Within():
            return _decided_by_positions(condition, facts)
        case Opaque():
            return None


def _decided_by_positions(condition: Within, facts: Sequence[Form]) -> bool | None:
    matches = condition.matches
    if condition.is_enough:
        holds = all(follows(form, facts) for form in matches.inside)
        return True if holds else None
    fails = any(follows(form * -1 - 1, facts) for form in matches.outside)
    return False if fails else None


def follows(form: Form, facts: Sequence[Form]) -> bool:
    """Whether a form is certainly not negative where others are not."""
    return any(
        (found := PROVEN.least(each)) is not None and found >= 0
        for each in (form, *(form - fact for fact in facts))
    )
