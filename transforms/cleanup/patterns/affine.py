"""Affine maps: compose, fold constants, drop what is not needed."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from tilewright.transforms.cleanup.patterns.constants import constant_int
from tilewright.transforms.cleanup.patterns.driver import pattern
from tilewright.transforms.rewriter import Rewriter


def compose(
    map_: AffineMap, operands: Sequence[SSAValue]
) -> tuple[AffineMap, list[SSAValue]]:
    """The same function with `affine.apply` operands and constants folded in."""
    inputs: list[SSAValue] = []

    def dim_of(value: SSAValue) -> AffineExpr:
        if value not in inputs:
            inputs.append(value)
        return AffineExpr.dimension(inputs.index(value))

    def expand(value: SSAValue) -> AffineExpr:
        if (number := constant_int(value)) is not None:
            return AffineExpr.constant(number)
        owner = value.owner
        if isinstance(owner, affine.ApplyOp) and not owner.map.data.num_symbols:
            inner = [expand(operand) for operand in owner.mapOperands]
            return owner.map.data.results[0].replace_dims_and_symbols(inner, [])
        return dim_of(value)

    expanded = [expand(operand) for operand in operands]
    dims, symbols = expanded[: map_.num_dims], expanded[map_.num_dims :]
    results = tuple(
        linearized(expr.replace_dims_and_symbols(dims, symbols))
        for expr in map_.results
    )
    return AffineMap(len(inputs), 0, results), inputs


def linear_terms(expr: AffineExpr) -> tuple[dict[int, int], int] | None:
    """Coefficients by dim, and the constant; None if the expression is not linear."""
    match expr:
        case AffineConstantExpr():
            return {}, expr.value
        case AffineDimExpr():
            return {expr.position: 1}, 0
        case AffineBinaryOpExpr():
            left, right = linear_terms(expr.lhs), linear_terms(expr.rhs)
            if left is None or right is None:
                return None
            if expr.kind == AffineBinaryOpKind.Add:
                dims = {**left[0]}
                for dim, factor in right[0].items():
                    dims[dim] = dims.get(dim, 0) + factor
                return dims, left[1] + right[1]
            if expr.kind == AffineBinaryOpKind.Mul and not (left[0] and right[0]):
                terms, factor = (left, right[1]) if not right[0] else (right, left[1])
                return {d: c * factor for d, c in terms[0].items()}, terms[1] * factor
            return None
        case _:
            return None


def linearized(expr: AffineExpr) -> AffineExpr:
    """A linear expression as a plain sum of products, in the order of its dims."""
    terms = linear_terms(expr)
    if terms is None:
        return expr
    total: AffineExpr | None = None
    for dim, factor in sorted(terms[0].items()):
        if factor:
            d = AffineExpr.dimension(dim)
            term = d if factor == 1 else d * factor
            total = term if total is None else total + term
    if total is None:
        return AffineExpr.constant(terms[1])
    return total + terms[1] if terms[1] else total


@pattern(affine.ApplyOp)
def fold_apply(op: affine.ApplyOp, rewriter: Rewriter) -> None:
    """Compose with what feeds it; a constant or an identity goes away."""
    map_, operands = compose(op.map.data, op.mapOperands)
    result = map_.results[0]
    if isinstance(result, AffineConstantExpr):
        constant = arith.ConstantOp(IntegerAttr.from_index_int_value(result.value))
        rewriter.replace_with(op, constant)
    elif isinstance(result, AffineDimExpr):
        rewriter.replace(op, [operands[result.position]])
    elif list(op.mapOperands) != operands or op.map.data != map_:
        rewriter.replace_with(op, affine.ApplyOp(operands, AffineMapAttr(map_)))


@pattern(affine.MinOp)
def fold_min(op: affine.MinOp, rewriter: Rewriter) -> None:
    """Compose with what feeds it; one candidate left, or only constants, go away."""
    map_, operands = compose(op.map.data, op.arguments)
    results = list(dict.fromkeys(map_.results))
    constants = [e.value for e in results if isinstance(e, AffineConstantExpr)]
    if len(constants) > 1:
        others = [e for e in results if not isinstance(e, AffineConstantExpr)]
        results = [*others, AffineExpr.constant(min(constants))]
    if len(results) == 1:
        single = AffineMapAttr(AffineMap(map_.num_dims, 0, (results[0],)))
        rewriter.replace_with(op, affine.ApplyOp(operands, single))
        return
    new_map = AffineMap(map_.num_dims, 0, tuple(results))
    if list(op.arguments) != operands or op.map.data != new_map:
        rewriter.replace_with(op, affine.MinOp(operands, AffineMapAttr(new_map)))


PATTERNS = (fold_apply, fold_min)
