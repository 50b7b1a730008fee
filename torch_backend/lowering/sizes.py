"""Sizes of torch in a payload: numbers, and symbols that a call gives numbers for."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy
import torch
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineExpr

from tilewright.frontend.builder.function_builder import Formula
from tilewright.frontend.builder.sizes import Shape, Size, product
from tilewright.frontend.builder.user_lines import fail

AnySize = int | torch.SymInt
_SIGNS = {"//": " by ", "+": " plus ", "-": " minus ", "*": " times "}
"""Words for the signs of a formula, in the name of a size that is computed by it."""


@dataclass(frozen=True)
class Sizes:
    """What symbols, or whole sizes, stand for: a number, or a name that stays open."""

    of_symbol: Mapping[Any, Size] = field(default_factory=dict[Any, Size])
    formulas: dict[str, Formula] = field(default_factory=dict[str, Formula])
    """How sizes are computed that are no products of open ones, such as `s0 + 1`."""

    def size(self, size: AnySize) -> Size:
        """A size of a tensor."""
        if isinstance(size, int):
            return size
        if not any(isinstance(self.of_symbol.get(s), str) for s in symbols_of(size)):
            return int(self.number(size))
        return self._open(expression_of(size))

    def shape(self, shape: Sequence[AnySize]) -> Shape:
        """The shape of a tensor."""
        return tuple(self.size(size) for size in shape)

    def number(self, size: Any) -> int | float:
        """A size as a number; refuses sizes that stay open."""
        if isinstance(size, int | float):
            return size
        expression = expression_of(size)
        if isinstance(found := self.of_symbol.get(expression), int):
            return found
        known = {
            s: sympy.Integer(n) for s, n in self.of_symbol.items() if isinstance(n, int)
        }
        value = expression.xreplace(known)
        if value.free_symbols:
            fail(f"the size {expression} is known only at run time")
        return float(value) if isinstance(size, torch.SymFloat) else int(value)

    def _open(self, expression: Any) -> Size:
        """A product of a number and names: symbols, or sizes that are computed."""
        number, rest = expression.as_coeff_Mul()
        if number < 1 or not number.is_Integer:
            return self._computed(expression)
        parts: list[Size] = [int(number)]
        for part in sympy.Mul.make_args(rest):
            known = self.of_symbol.get(part)
            if known is None and part.is_Symbol:
                fail(f"the size {expression} is known only at run time")
            parts.append(self._computed(part) if known is None else known)
        return product(parts)

    def _computed(self, expression: Any) -> str:
        """The name of a size that is computed from others."""
        words = str(expression)
        for sign, word in _SIGNS.items():
            words = words.replace(sign, word)
        # A name that ends in _1, say, is one that the printer gives.
        words = re.sub(r"_(?=\d)", "", re.sub(r"\W+", "_", words).strip("_").upper())
        symbols: list[Size] = []
        formula = Formula(self._affine(expression, symbols), tuple(symbols))
        for number in itertools.count(1):
            name = f"N_{words}" if number == 1 else f"N_{words}V{number}"
            if self.formulas.setdefault(name, formula) == formula:
                return name
        raise AssertionError

    def _affine(self, expression: Any, symbols: list[Size]) -> AffineExpr:
        """An affine expression of the sizes in `symbols`, which grows."""
        if expression.is_Integer:
            return AffineExpr.constant(int(expression))
        if expression.is_Add:
            first, *rest = [self._affine(one, symbols) for one in expression.args]
            return sum(rest, first)
        number, rest = expression.as_coeff_Mul()
        if number != 1 and number.is_Integer:
            return self._affine(rest, symbols) * int(number)
        if expression.is_Symbol or expression.is_Mul:
            size = self._open(expression)
            if size not in symbols:
                symbols.append(size)
            return AffineExpr.symbol(symbols.index(size))
        kind = _QUOTIENTS.get(type(expression).__name__)
        if kind is None or not (
            expression.args[1].is_Integer and expression.args[1] > 0
        ):
            fail(f"the size {expression} is known only at run time")
        dividend = self._affine(expression.args[0], symbols)
        divisor = AffineExpr.constant(int(expression.args[1]))
        return AffineBinaryOpExpr(kind, dividend, divisor)


_QUOTIENTS = {
    "FloorDiv": AffineBinaryOpKind.FloorDiv,
    "CleanDiv": AffineBinaryOpKind.FloorDiv,
    "Mod": AffineBinaryOpKind.Mod,
    "PythonMod": AffineBinaryOpKind.Mod,
}
"""torch's functions of sizes whose second operand may be a positive number."""


def expression_of(size: Any) -> Any:
    """The expression behind a symbolic number."""
    return size.node.expr


def symbols_of(value: Any) -> set[Any]:
    """The symbols in a shape or a number."""
    if isinstance(value, torch.Tensor):
        return {symbol for size in value.shape for symbol in symbols_of(size)}
    if isinstance(value, torch.SymInt | torch.SymFloat | torch.SymBool):
        return set(expression_of(value).free_symbols)
    if isinstance(value, list | tuple):
        return {symbol for one in value for symbol in symbols_of(one)}
    return set()


def left_open(values: Sequence[Any]) -> Sizes:
    """All symbols as names of sizes that stay open."""
    symbols = {symbol for value in values for symbol in symbols_of(value)}
    return Sizes({symbol: str(symbol).upper() for symbol in symbols})


def hinted(values: Sequence[Any]) -> Sizes:
    """The numbers that sizes had in the example that was traced."""
    found: dict[Any, Size] = {}
    for value in values:
        for size in value.shape if isinstance(value, torch.Tensor) else [value]:
            if isinstance(size, torch.SymInt):
                if (hint := size.node.hint) is not None:
                    found[expression_of(size)] = int(hint)
    return Sizes(found)


def bound(values: Sequence[Any], actual: Sequence[Any]) -> Sizes:
    """The numbers that symbols have in a call, read off its arguments."""
    found: dict[Any, Size] = {}
    for value, given in zip(values, actual, strict=True):
        if isinstance(value, torch.Tensor):
            pairs = list(zip(value.shape, given.shape, strict=True))
        else:
            pairs = [(value, given)]
        for size, number in pairs:
            if isinstance(size, torch.SymInt):
                found[expression_of(size)] = int(number)
    return Sizes(found)
