"""The range of an index: the least and the greatest number it can be.

An index is read as a linear form of SSA values. Its least value is found by putting in,
for the index of a loop, where the loop begins or ends, for a minimum one of its
candidates, and so on until only numbers are left. What cancels on the way need not be
known: `n - i` is at least 1 in a loop over `i` up to `n`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.indexing.composition import composed_over_dims, folded, of_dims
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.index_ops import Choice, IndexOp, index_op
from tilewright.ir.indexing.intervals import UNKNOWN, Interval, interval
from tilewright.ir.indexing.linear import (
    Linear,
    linear_bound,
    linear_form,
    linear_in,
)
from tilewright.ir.indexing.loops import loop_range

Form: TypeAlias = Linear[SSAValue]

MAX_STEPS = 12
"""How often something is put in before the search is given up: it may branch."""


def linear_of(value: SSAValue | int) -> Form:
    """An index as a linear form of the values that sums and products lead back to."""
    if (number := constant_int(value)) is not None:
        return Linear({}, number)
    assert isinstance(value, SSAValue)
    found = index_op(value)
    # Integers narrower than an index may wrap around.
    if (
        found is None
        or found.choice is not Choice.ONLY
        or not isinstance(value.type, IndexType)
    ):
        return Linear({value: 1})
    form: Form | None
    if isinstance(value.owner, arith.IndexCastOp):
        # Data of a tensor as an index: the index is the term, not the integer.
        (operand,) = found.operands
        form = linear_of(operand)
        return Linear({value: 1}) if form == Linear({operand: 1}) else form
    if found.is_affine:
        map_, operands = composed_over_dims(found.map, found.operands)
        form = _of_values(_forms(map_)[0], operands)
    else:
        operands = found.operands
        form = linear_in(found.map.results[0], lambda dim: linear_of(operands[dim]))
    return Linear({value: 1}) if form is None else form


def candidates(op: IndexOp) -> list[Form] | None:
    """What a minimum or a maximum chooses from; None if a candidate is not linear."""
    map_, operands = folded(op.map, op.operands)
    found: list[Form] = []
    for of_map in _forms(of_dims(map_)):
        if (form := _of_values(of_map, operands)) is None:
            return None
        found.append(form)
    return found


@lru_cache(maxsize=1 << 12)
def _forms(map_: AffineMap) -> tuple[Linear[int] | None, ...]:
    """The results of a map without symbols, those that are linear."""
    return tuple(linear_form(expr) for expr in map_.results)


def _of_values(form: Linear[int] | None, operands: Sequence[SSAValue]) -> Form | None:
    """A linear form of the dims of a map as a linear form of its operands."""
    if form is None:
        return None
    total: Form = Linear({}, form.constant)
    for dim, factor in form.terms.items():
        total = total.plus(linear_of(operands[dim]), factor)
    return total


class Ranges:
    """The range analysis, with what a client knows of values that nothing bounds."""

    def __init__(
        self, known: Callable[[SSAValue], Interval] = lambda _: UNKNOWN
    ) -> None:
        """`known` gives the interval of a value whose definition does not bound it."""
        self._known = known

    def lowest(self, value: SSAValue | int) -> int | None:
        """A number that an index never falls below, if one is known."""
        return self.least(linear_of(value))

    def highest(self, value: SSAValue | int) -> int | None:
        """A number that an index never exceeds, if one is known."""
        return self.greatest(linear_of(value))

    def greatest(self, form: Form) -> int | None:
        """A number that a linear form never exceeds, if one is known."""
        negated = self.least(form * -1)
        return None if negated is None else -negated

    def least(self, form: Form, steps: int = MAX_STEPS) -> int | None:
        """A number that a linear form never falls below, if one is known."""
        terms = form.terms
        if not terms:
            return form.constant
        if steps == 0:
            return None
        # The deepest value first: values further out define it, not the reverse.
        value = next(iter(terms)) if len(terms) == 1 else max(terms, key=_depth)
        factor, rest = terms[value], form.without(value)
        best: int | None = None
        for bound in self._bounds(value, upper=factor < 0):
            found = self.least(rest.plus(bound, factor), steps - 1)
            if found is not None and (best is None or found > best):
                best = found
        return best

    def upper_form(
        self,
        form: Form,
        may_stay: Callable[[SSAValue], bool],
        steps: int = MAX_STEPS,
    ) -> Form | None:
        """A form of values that may stay, which another form never exceeds.

        A number is preferred. The terms keep their order.
        """
        moving = [value for value in form.terms if not may_stay(value)]
        if not moving:
            return form
        if steps == 0:
            return None
        value = max(moving, key=_depth)
        factor = form.terms[value]
        found: list[Form] = []
        for bound in self._bounds(value, upper=factor > 0):
            put_in: Form = Linear({}, form.constant)
            for term, coefficient in form.terms.items():
                replaced = bound if term is value else Linear({term: 1})
                put_in = put_in.plus(replaced, coefficient)
            if (limit := self.upper_form(put_in, may_stay, steps - 1)) is not None:
                found.append(limit)
        return min(found, key=lambda limit: not limit.is_constant, default=None)

    def _bounds(self, value: SSAValue, *, upper: bool) -> list[Form]:
        """Linear forms that a value never exceeds, or never falls below."""
        if (found := index_op(value)) is not None:
            return self._bounds_of_op(value, found, upper=upper)
        if isinstance(value, BlockArgument):
            if (loop := loop_range(value)) is None:
                return self._given(value, upper=upper)
            first = linear_of(loop.lower)
            if not upper:
                return [first]
            return [_last(first, linear_of(loop.upper), constant_int(loop.step))]
        op = value.owner
        assert isinstance(op, Operation)
        match op.name:
            case "arith.select":
                return self._common(map(linear_of, op.operands[1:]), upper=upper)
            case "tensor.dim" | "memref.dim":
                return [] if upper else [Linear()]
            case "linalg.index":
                return _loop_bounds(op, upper=upper)
            case _:
                return self._given(value, upper=upper)

    def _bounds_of_op(self, value: SSAValue, op: IndexOp, *, upper: bool) -> list[Form]:
        """Bounds of a minimum, a maximum, or an expression that is not linear."""
        if op.choice is not Choice.ONLY:
            forms = candidates(op)
            if forms is None:
                return self._of_choice(op, upper=upper)
            if upper is (op.choice is Choice.LEAST):
                return forms
            return self._common(forms, upper=upper)
        if not isinstance(value.type, IndexType):
            return self._given(value, upper=upper)
        map_, operands = composed_over_dims(op.map, op.operands)
        found = _number(self._intervals(map_, operands)[0], upper=upper)
        linear = _of_values(linear_bound(map_.results[0], upper=upper), operands)
        return found if linear is None else [*found, linear]

    def _of_choice(self, op: IndexOp, *, upper: bool) -> list[Form]:
        """The numbers that bound a choice among expressions that are not linear."""
        map_, operands = composed_over_dims(op.map, op.operands)
        numbers = [found[upper] for found in self._intervals(map_, operands)]
        known = [number for number in numbers if number is not None]
        if upper is (op.choice is Choice.LEAST):
            return [Linear({}, number) for number in known]
        if not known or len(known) != len(numbers):
            return []
        return [Linear({}, max(known) if upper else min(known))]

    def _intervals(
        self, map_: AffineMap, operands: Sequence[SSAValue]
    ) -> list[Interval]:
        """The intervals of the results of a map."""
        of_dims = [(self.lowest(each), self.highest(each)) for each in operands]
        return [interval(result, of_dims) for result in map_.results]

    def _common(self, forms: Iterable[Form], *, upper: bool) -> list[Form]:
        """The number that bounds all of some linear forms."""
        numbers = [self.least(f * -1 if upper else f, MAX_STEPS // 4) for f in forms]
        known = [number for number in numbers if number is not None]
        if not known or len(known) != len(numbers):
            return []
        return [Linear({}, -min(known) if upper else min(known))]

    def _given(self, value: SSAValue, *, upper: bool) -> list[Form]:
        return _number(self._known(value), upper=upper)


PROVEN = Ranges()
"""Ranges that follow from the ops alone."""


def _number(interval: Interval, *, upper: bool) -> list[Form]:
    number = interval[upper]
    return [] if number is None else [Linear({}, number)]


def _depth(value: SSAValue) -> tuple[int, bool, bool]:
    """How deep a value is defined, and how late."""
    owner = value.owner
    node = owner if isinstance(owner, Block) else owner.parent
    depth = 0
    while node is not None:
        parent = node.parent_op()
        node = None if parent is None else parent.parent
        depth += 1
    # A block's ops come after its arguments, and index arithmetic after what it reads.
    return depth, isinstance(owner, Operation), index_op(value) is not None


def _loop_bounds(op: Operation, *, upper: bool) -> list[Form]:
    """Bounds of the index of a structured op's loop."""
    parent = op.parent_op()
    if not upper:
        return [Linear()]
    if not isinstance(parent, StructuredOp):
        return []
    dim: Any = op.properties["dim"]
    loop: int = dim.value.data
    extent = parent.get_static_loop_ranges()[loop]
    return [] if extent == DYNAMIC_INDEX else [Linear({}, extent - 1)]


def _last(first: Form, end: Form, step: int | None) -> Form:
    """The last index of a loop, or something beyond it."""
    distance = end - first
    if step is None or step < 1 or not distance.is_constant:
        return end - 1
    trips = max(distance.constant - 1, 0) // step
    return first + trips * step
