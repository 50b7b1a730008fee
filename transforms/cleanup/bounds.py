"""Between which numbers an index lies: a small range analysis.

An index is seen as a sum of values times coefficients. Its least value is found by
putting in, for the index of a loop, where the loop begins or ends, for a minimum one of
its candidates, and so on until only numbers are left. What cancels on the way need not
be known: `n - i` is at least 1 in a loop over `i` up to `n`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.intervals import interval
from tilewright.ir.indexing.linear import Linear, linear_form
from tilewright.transforms.cleanup.build import owner_named
from tilewright.transforms.cleanup.patterns.affine import compose, fed, map_of, of_dims

MAX_STEPS = 12
"""How often something is put in before the search is given up: it may branch."""


@dataclass(frozen=True)
class Sum:
    """Values times coefficients, plus a constant."""

    terms: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    constant: int = 0

    def plus(self, other: Sum, times: int = 1) -> Sum:
        """The sum of both, the other one times a number."""
        constant = self.constant + other.constant * times
        if not other.terms or not times:
            return Sum(self.terms, constant)
        terms = dict(self.terms)
        for value, factor in other.terms.items():
            terms[value] = terms.get(value, 0) + factor * times
        kept = {value: factor for value, factor in terms.items() if factor}
        return Sum(kept, constant)

    def __add__(self, other: Sum) -> Sum:
        """The sum of both."""
        return self.plus(other)

    def __mul__(self, factor: int) -> Sum:
        """Every term times a number."""
        if factor == 0:
            return Sum()
        terms = {value: by * factor for value, by in self.terms.items()}
        return Sum(terms, self.constant * factor)

    def __sub__(self, other: Sum) -> Sum:
        """The difference."""
        return self.plus(other, -1)

    def without(self, value: SSAValue) -> Sum:
        """The sum without one of its terms."""
        terms = {v: factor for v, factor in self.terms.items() if v is not value}
        return Sum(terms, self.constant)


def sum_of(value: SSAValue | int) -> Sum:
    """A value as a sum of others: what affine.apply and arith compute is taken in."""
    if (number := constant_int(value)) is not None:
        return Sum({}, number)
    assert isinstance(value, SSAValue)
    if owner_named(value, "affine.apply") is not None:
        map_, operands = compose(AffineMap.identity(1), [value])
        if (form := linear_form(map_.results[0])) is not None:
            total = Sum({}, form.constant)
            for dim, factor in form.terms.items():
                total = total.plus(sum_of(operands[dim]), factor)
            return total
    elif (op := owner_named(value, "arith.addi", "arith.subi")) is not None:
        lhs, rhs = (sum_of(operand) for operand in op.operands)
        if isinstance(value.type, IndexType):  # narrower integers may wrap around
            return lhs + rhs if op.name == "arith.addi" else lhs - rhs
    elif (op := owner_named(value, "arith.muli")) is not None:
        factor = constant_int(op.operands[1])
        if factor is not None and isinstance(value.type, IndexType):
            return sum_of(op.operands[0]) * factor
    return Sum({value: 1})


def candidates(op: Operation) -> list[Sum] | None:
    """The candidates of an affine.min or max; None if one is not linear."""
    map_, operands = fed(map_of(op), op.operands)
    found: list[Sum] = []
    for form in _all_terms(map_):
        if form is None:
            return None
        total = Sum({}, form.constant)
        for dim, factor in form.terms.items():
            total = total.plus(sum_of(operands[dim]), factor)
        found.append(total)
    return found


@lru_cache(maxsize=1 << 12)
def _all_terms(map_: AffineMap) -> tuple[Linear[int] | None, ...]:
    return tuple(linear_form(expr) for expr in of_dims(map_).results)


def lowest(value: SSAValue | int) -> int | None:
    """A number that a value never falls below, if one is known."""
    return least(sum_of(value))


def highest(value: SSAValue | int) -> int | None:
    """A number that a value never exceeds, if one is known."""
    least_negative = least(sum_of(value) * -1)
    return None if least_negative is None else -least_negative


def least(total: Sum, steps: int = MAX_STEPS) -> int | None:
    """A number that a sum never falls below, if one is known."""
    if not total.terms:
        return total.constant
    if steps == 0:
        return None
    # What is defined deepest depends on the others, not the other way round.
    terms = total.terms
    value = next(iter(terms)) if len(terms) == 1 else max(terms, key=_depth)
    factor, rest = terms[value], total.without(value)
    best: int | None = None
    for bound in _bounds(value, upper=factor < 0):
        found = least(rest.plus(bound, factor), steps - 1)
        if found is not None and (best is None or found > best):
            best = found
    return best


def _depth(value: SSAValue) -> tuple[int, int]:
    """How deep a value is defined, and how late."""
    owner = value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    depth = 0
    node = block
    while node is not None:
        parent = node.parent_op()
        node = None if parent is None else parent.parent
        depth += 1
    # A block's ops come after its arguments; among ops, the order hardly matters.
    return depth, int(isinstance(owner, Operation))


def _bounds(value: SSAValue, *, upper: bool) -> list[Sum]:
    """Sums that a value never exceeds, or never falls below."""
    if isinstance(value, BlockArgument):
        return _index_bounds(value, upper=upper)
    owner = value.owner
    assert isinstance(owner, Operation)
    match owner.name:
        case "affine.min" if upper:
            return candidates(owner) or []
        case "affine.max" if not upper:
            return candidates(owner) or []
        case "affine.min" | "affine.max":
            return _common(candidates(owner), upper=upper)
        case "arith.minsi" if upper:
            return [sum_of(operand) for operand in owner.operands]
        case "arith.maxsi" if not upper:
            return [sum_of(operand) for operand in owner.operands]
        case "arith.minsi" | "arith.maxsi":
            return _common([sum_of(v) for v in owner.operands], upper=upper)
        case "arith.select":
            return _common([sum_of(v) for v in owner.operands[1:]], upper=upper)
        case "affine.apply":
            return _quotient_bounds(owner, upper=upper)
        case "tensor.dim" | "memref.dim":
            return [] if upper else [Sum({}, 0)]
        case "linalg.index":
            return _loop_bounds(owner, upper=upper)
        case _:
            return []


def _common(found: list[Sum] | None, *, upper: bool) -> list[Sum]:
    """The number that all of some sums keep to."""
    numbers = [
        least(total * -1 if upper else total, MAX_STEPS // 4) for total in found or ()
    ]
    known = [number for number in numbers if number is not None]
    if not known or len(known) != len(numbers):
        return []
    return [Sum({}, -min(known) if upper else min(known))]


def _quotient_bounds(op: Operation, *, upper: bool) -> list[Sum]:
    """Of an expression with quotients and remainders: from its parts' numbers."""
    map_, operands = compose(map_of(op), op.operands)
    low, high = interval(
        map_.results[0], [(lowest(value), highest(value)) for value in operands]
    )
    number = high if upper else low
    return [] if number is None else [Sum({}, number)]


def _loop_bounds(op: Operation, *, upper: bool) -> list[Sum]:
    """Of the index of a structured op's loop."""
    parent = op.parent_op()
    if not upper:
        return [Sum({}, 0)]
    if not isinstance(parent, StructuredOp):
        return []
    dim: Any = op.properties["dim"]
    loop: int = dim.value.data
    extent = parent.get_static_loop_ranges()[loop]
    return [] if extent == DYNAMIC_INDEX else [Sum({}, extent - 1)]


def _index_bounds(value: BlockArgument, *, upper: bool) -> list[Sum]:
    """Of the index of a loop."""
    loop = value.block.parent_op()
    if isinstance(loop, ForallOp) and value.index < loop.rank:
        lower_bound = loop.lower_bounds[value.index]
        upper_bound = loop.upper_bounds[value.index]
        step = loop.steps[value.index]
    elif loop is not None and loop.name == "scf.for" and value.index == 0:
        lower_bound, upper_bound, step = loop.operands[:3]
    else:
        return []
    first = sum_of(lower_bound)
    return [_last(first, sum_of(upper_bound), constant_int(step)) if upper else first]


def _last(first: Sum, end: Sum, step: int | None) -> Sum:
    """The last index of a loop, or something beyond it."""
    distance = end - first
    if step is None or step < 1 or distance.terms:
        return Sum(end.terms, end.constant - 1)
    trips = max(distance.constant - 1, 0) // step
    return Sum(first.terms, first.constant + trips * step)
