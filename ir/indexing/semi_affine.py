"""Semi-affine expressions: products and quotients of two values.

xDSL's operators refuse them. Upstream prints them for tiles whose size is known only at
run time: `affine_map<(d0)[s0] -> (d0 * s0)>`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)
from xdsl.parser.affine_parser import AffineParser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.mlir_lexer import MLIRToken, MLIRTokenKind

_KINDS = {
    "+": AffineBinaryOpKind.Add,
    "*": AffineBinaryOpKind.Mul,
    "ceildiv": AffineBinaryOpKind.CeilDiv,
    "floordiv": AffineBinaryOpKind.FloorDiv,
    "mod": AffineBinaryOpKind.Mod,
}


def binary(kind: AffineBinaryOpKind, lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr:
    """The operation `kind` on two expressions, folded where xDSL folds it."""
    product = kind == AffineBinaryOpKind.Mul
    if product and isinstance(lhs, AffineConstantExpr):
        lhs, rhs = rhs, lhs
    if isinstance(rhs, AffineConstantExpr) or kind == AffineBinaryOpKind.Add:
        return AffineExpr.binary(kind, lhs, rhs)
    return AffineBinaryOpExpr(kind, lhs, rhs)


def substitute(
    expr: AffineExpr, dims: Sequence[AffineExpr], symbols: Sequence[AffineExpr] = ()
) -> AffineExpr:
    """An expression with its dims and symbols replaced, not simplified further."""
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position]
    if isinstance(expr, AffineSymExpr):
        return symbols[expr.position]
    if isinstance(expr, AffineBinaryOpExpr):
        lhs = substitute(expr.lhs, dims, symbols)
        return binary(expr.kind, lhs, substitute(expr.rhs, dims, symbols))
    return expr


MOST_OPERATORS = 256
"""The limit for one map: whoever walks an expression recurses into its tree."""


class MapParser(AffineParser):
    """xDSL's parser of affine maps, extended to semi-affine ones."""

    _operators = 0

    def _parse_primary(
        self, parse_optional_bare_id: Callable[[], AffineExpr | None]
    ) -> AffineExpr:
        token = self._current_token
        if token.kind == MLIRTokenKind.MINUS:
            self._count(token)
        elif token.kind == MLIRTokenKind.INTEGER_LIT:
            if token.kind.get_int_value(token.span) >= 2**63:
                raise ParseError(token.span, f"{token.text} does not fit i64")
        return super()._parse_primary(parse_optional_bare_id)

    def _count(self, operator: MLIRToken) -> None:
        self._operators += 1
        if self._operators > MOST_OPERATORS:
            raise ParseError(
                operator.span,
                f"more than {MOST_OPERATORS} operators in an affine map; "
                "split it into several affine.apply",
            )

    def _create_binop_expr(
        self, lhs: AffineExpr, rhs: AffineExpr, binop: MLIRToken
    ) -> AffineExpr:
        self._count(binop)
        kind = _KINDS.get(binop.text)
        if kind is None:
            return super()._create_binop_expr(lhs, rhs, binop)
        return binary(kind, lhs, rhs)
