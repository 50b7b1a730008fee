"""Affine expressions with products and quotients of two values (semi-affine ones).

xDSL's operators refuse them; upstream prints them for tiles whose size is only known at
run time: `affine_map<(d0)[s0] -> (d0 * s0)>`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)
from xdsl.parser.affine_parser import AffineParser
from xdsl.utils.mlir_lexer import MLIRToken

_KINDS = {
    "+": AffineBinaryOpKind.Add,
    "*": AffineBinaryOpKind.Mul,
    "ceildiv": AffineBinaryOpKind.CeilDiv,
    "floordiv": AffineBinaryOpKind.FloorDiv,
    "mod": AffineBinaryOpKind.Mod,
}


def binary(kind: AffineBinaryOpKind, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """`lhs kind rhs`, folded where xDSL folds it."""
    product = kind == AffineBinaryOpKind.Mul
    if product and isinstance(lhs, AffineConstantExpr):
        lhs, rhs = rhs, lhs
    if isinstance(rhs, AffineConstantExpr) or kind == AffineBinaryOpKind.Add:
        return AffineExpr.binary(kind, lhs, rhs)
    return AffineBinaryOpExpr(kind, lhs, rhs)


def substitute(
    expr: AffineExpr, dims: Sequence[AffineExpr], symbols: Sequence[AffineExpr] = ()
) -> AffineExpr:
    """The expression with its dims and symbols replaced."""
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position]
    if isinstance(expr, AffineSymExpr):
        return symbols[expr.position]
    if isinstance(expr, AffineBinaryOpExpr):
        lhs = substitute(expr.lhs, dims, symbols)
        return binary(expr.kind, lhs, substitute(expr.rhs, dims, symbols))
    return expr


class MapParser(AffineParser):
    """xDSL's parser of affine maps, taking semi-affine ones too."""

    def _create_binop_expr(
        self, lhs: AffineExpr, rhs: AffineExpr, binop: MLIRToken
    ) -> AffineExpr:
        kind = _KINDS.get(binop.text)
        if kind is None:
            return super()._create_binop_expr(lhs, rhs, binop)
        return binary(kind, lhs, rhs)
