"""Whether the tiles that a forall writes cover a whole output.

Known for what tiling makes: along each dimension either everything, or tiles of one
length side by side, the last of them cut off at the end. Lengths, counts and extents
may be values. They are compared as polynomials of values, of which those stand for one
another that ops need to be equal.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeAlias

from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from tilewright.ir.dialects import affine
from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp, slice_of
from tilewright.ir.disjoint_sets import DisjointSets
from tilewright.ir.indexing.composition import composed_over_dims
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.linear import Linear
from tilewright.ir.structured.equal_extents import Term, equal_terms
from tilewright.transforms.core.extents import Extent, destination_of

Monomial: TypeAlias = tuple[Hashable, ...]
"""Factors in the order of their hashes; equal products are equal but for collisions."""

Polynomial: TypeAlias = Linear[Monomial]


def tiles_cover(
    forall: ForallOp,
    argument: BlockArgument,
    whole: SSAValue,
    equal: DisjointSets[Term],
) -> bool:
    """Whether every element of a shared output is written by some iteration.

    `whole` is the tensor that the output starts from, `equal` has sizes that ops which
    are gone needed to be equal.
    """
    inserts = [
        op
        for op in forall.terminator.region.block.ops
        if isinstance(op, ParallelInsertSliceOp) and op.dest is argument
    ]
    if len(inserts) != 1:
        return False
    offsets, sizes, strides = slice_of(inserts[0])
    if any(constant_int(stride) != 1 for stride in strides):
        return False
    if any(constant_int(bound) != 0 for bound in forall.lower_bounds):
        return False
    forms = _Forms(forall, equal)
    used: set[int] = set()
    for dim, (offset, size) in enumerate(zip(offsets, sizes, strict=True)):
        extent = forms.of_dim(whole, dim)
        if constant_int(offset) == 0 and forms.of(size) == extent:
            continue
        index = _covering_index(forms, extent, offset, size)
        if index is None or index in used:
            return False
        used.add(index)
    return True


class _Forms:
    """Sizes as polynomials of the values in a function."""

    def __init__(self, forall: ForallOp, equal: DisjointSets[Term]):
        self.forall = forall
        self._equal = equal
        self._is_complete = False

    def of(self, size: Extent) -> Polynomial:
        """A number or a value."""
        if (number := constant_int(size)) is not None:
            return Linear({}, number)
        assert isinstance(size, SSAValue)
        map_, operands = composed_over_dims(AffineMap.identity(1), [size])
        return self.of_expr(map_.results[0], operands)

    def of_dim(self, value: SSAValue, dim: int) -> Polynomial:
        """A dimension of a tensor."""
        while (destination := destination_of(value)) is not None:
            value = destination
        size = shape_of(value.type)[dim]
        return Linear({}, size) if size >= 0 else self._atom((value, dim))

    def of_expr(self, expr: AffineExpr, operands: Sequence[SSAValue]) -> Polynomial:
        """An expression over values."""
        match expr:
            case AffineConstantExpr():
                return Linear({}, expr.value)
            case AffineDimExpr():
                return self._of_value(operands[expr.position])
            case AffineBinaryOpExpr():
                left = self.of_expr(expr.lhs, operands)
                right = self.of_expr(expr.rhs, operands)
                if expr.kind == AffineBinaryOpKind.Add:
                    return left + right
                if expr.kind == AffineBinaryOpKind.Mul:
                    return _product(left, right)
                return Linear({((expr.kind, left, right),): 1})
            case _:
                return Linear({(expr, *operands): 1})

    def _of_value(self, value: SSAValue) -> Polynomial:
        number = constant_int(value)
        return self._atom(value) if number is None else Linear({}, number)

    def _atom(self, term: Term) -> Polynomial:
        """A value or a dimension, by what is known to equal it."""
        if not self._is_complete:
            self._equal = self._equal.copy()
            block = self.forall.parent
            before: Operation | None = block.first_op if block is not None else None
            while before is not None and before is not self.forall:
                for first, second in equal_terms(before):
                    self._equal.union_left(first, second)
                before = before.next_op
            self._is_complete = True
        root = self._equal.find(term)
        return Linear({}, root) if isinstance(root, int) else Linear({(root,): 1})


def _product(left: Polynomial, right: Polynomial) -> Polynomial:
    total: Polynomial = left * right.constant + (Linear(right.terms) * left.constant)
    for one, factor in left.terms.items():
        for other, times in right.terms.items():
            factors = tuple(sorted((*one, *other), key=hash))
            total = total + Linear({factors: factor * times})
    return total


def _quotient(extent: Polynomial, by: Polynomial) -> Polynomial:
    """How many parts of a length an extent has, the last one perhaps shorter."""
    return Linear({((AffineBinaryOpKind.CeilDiv, extent, by),): 1})


def _covering_index(
    forms: _Forms, extent: Polynomial, offset: Extent, size: Extent
) -> int | None:
    """The position of the index whose tiles are adjacent and reach the end."""
    forall, start = forms.forall, forms.of(offset)
    for position, index in enumerate(forall.induction_vars):
        factor = _factor_of(start, index)
        if factor is None:
            continue
        step = _product(factor, forms.of(forall.steps[position]))
        count = forms.of(forall.upper_bounds[position])
        if _reaches(count, factor, extent) and _is_tile(
            forms, size, step, extent - start
        ):
            return position
    return None


def _factor_of(form: Polynomial, index: SSAValue) -> Polynomial | None:
    """The factor f of a form that is index * f."""
    if form.constant != 0 or not form.terms:
        return None
    factor: Polynomial = Linear()
    for monomial, coefficient in form.terms.items():
        if monomial.count(index) != 1:
            return None
        rest = tuple(atom for atom in monomial if atom is not index)
        term: Polynomial = (
            Linear({rest: coefficient}) if rest else Linear({}, coefficient)
        )
        factor = factor + term
    if factor.is_constant and factor.constant <= 0:
        return None
    return factor


def _reaches(count: Polynomial, factor: Polynomial, extent: Polynomial) -> bool:
    """Whether tiles that begin before `count * factor` reach the end."""
    if _product(count, factor) == extent:
        return True
    if count.is_constant and factor.is_constant and extent.is_constant:
        return count.constant * factor.constant >= extent.constant
    return count == _quotient(extent, factor) or factor == _quotient(extent, count)


def _is_tile(forms: _Forms, size: Extent, step: Polynomial, rest: Polynomial) -> bool:
    """Whether a size is the step, or the rest of the extent if that is less."""
    if forms.of(size) == step:
        return True
    owner = size.owner if isinstance(size, SSAValue) else None
    if isinstance(owner, affine.MaxOp):
        # A tile that begins after the end has size 0.
        zero, others = AffineExpr.constant(0), owner.map.data.results
        values = [e for e in others if e != zero]
        if len(values) != 1 or not isinstance(values[0], AffineDimExpr):
            return False
        owner = owner.arguments[values[0].position].owner
    if not isinstance(owner, affine.MinOp):
        return False
    map_, operands = composed_over_dims(owner.map.data, owner.arguments)
    found = [forms.of_expr(expr, operands) for expr in map_.results]
    return found in ([step, rest], [rest, step])
