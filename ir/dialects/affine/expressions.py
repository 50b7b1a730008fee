"""Maps that are written over values: `[%i + symbol(%n) * 2, 3]`.

A name stands for a dimension, a name in `symbol(...)` for a symbol. A value has one
dimension and one symbol at most, however often it is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)
from xdsl.parser import Parser
from xdsl.parser.affine_parser import AffineParser
from xdsl.printer import Printer

_SUM, _PRODUCT = 1, 2


@dataclass
class ValueExpressions:
    """The values that some expressions have named so far."""

    parser: Parser
    dims: list[SSAValue] = field(default_factory=list[SSAValue])
    symbols: list[SSAValue] = field(default_factory=list[SSAValue])

    def parse(self) -> AffineExpr:
        """One expression."""
        reader = AffineParser(self.parser._parser_state)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        return reader._parse_affine_expr(self._optional_name)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]

    def map_of(self, results: Sequence[AffineExpr]) -> AffineMapAttr:
        """The map of expressions that were read."""
        return AffineMapAttr(
            AffineMap(len(self.dims), len(self.symbols), tuple(results))
        )

    def _optional_name(self) -> AffineExpr | None:
        if self.parser.parse_optional_keyword("symbol") is not None:
            with self.parser.in_parens():
                value = self.parser.parse_operand(IndexType())
            return AffineExpr.symbol(_position(value, self.symbols))
        named = self.parser.parse_optional_unresolved_operand()
        if named is None:
            return None
        value = self.parser.resolve_operand(named, IndexType())
        return AffineExpr.dimension(_position(value, self.dims))


def _position(value: SSAValue, among: list[SSAValue]) -> int:
    if value not in among:
        among.append(value)
    return among.index(value)


def parse_access(parser: Parser) -> tuple[AffineMapAttr, list[SSAValue]]:
    """`[%i + 1, symbol(%n)]`: a map, and its dimensions and symbols."""
    read = ValueExpressions(parser)
    results = parser.parse_comma_separated_list(Parser.Delimiter.SQUARE, read.parse)
    return read.map_of(results), [*read.dims, *read.symbols]


def print_access(printer: Printer, map: AffineMap, values: Sequence[SSAValue]) -> None:
    """`[%i + 1, symbol(%n)]`."""
    with printer.in_square_brackets():
        printer.print_list(
            map.results,
            lambda result: print_expression(printer, result, map.num_dims, values),
        )


def print_expression(
    printer: Printer,
    expr: AffineExpr,
    num_dims: int,
    values: Sequence[SSAValue],
    outer: int = 0,
) -> None:
    """An expression over values, the dimensions first; `outer` is what binds it."""
    match expr:
        case AffineConstantExpr(value=value):
            printer.print_string(str(value))
        case AffineDimExpr(position=position):
            printer.print_ssa_value(values[position])
        case AffineSymExpr(position=position):
            printer.print_string("symbol(")
            printer.print_ssa_value(values[num_dims + position])
            printer.print_string(")")
        case AffineBinaryOpExpr(kind=kind, lhs=lhs, rhs=rhs):
            own = _SUM if kind is AffineBinaryOpKind.Add else _PRODUCT
            printer.print_string("(" if own <= outer else "")
            # Sums associate; nothing else is written without parentheses.
            inner = 0 if own == _SUM else _PRODUCT
            print_expression(printer, lhs, num_dims, values, inner)
            printer.print_string(f" {kind.get_token()} ")
            print_expression(printer, rhs, num_dims, values, inner)
            printer.print_string(")" if own <= outer else "")
        case _:
            raise ValueError(f"not an affine expression: {expr}")
