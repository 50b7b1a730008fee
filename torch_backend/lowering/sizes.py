"""Sizes of torch in a payload: numbers, and symbols that a call gives numbers for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy
import torch

from tilewright.frontend.builder.sizes import Shape, Size, product
from tilewright.frontend.builder.user_lines import fail

AnySize = int | torch.SymInt


@dataclass(frozen=True)
class Sizes:
    """What symbols, or whole sizes, stand for: a number, or a name that stays open."""

    of_symbol: Mapping[Any, Size] = field(default_factory=dict[Any, Size])

    def size(self, size: AnySize) -> Size:
        """A size of a tensor."""
        if isinstance(size, int):
            return size
        expression = expression_of(size)
        if not any(isinstance(self.of_symbol.get(s), str) for s in symbols_of(size)):
            return int(self.number(size))
        number, rest = expression.as_coeff_Mul()
        parts: list[Size] = [int(number)]
        for part in sympy.Mul.make_args(rest):
            if (found := self.of_symbol.get(part)) is None or number < 1:
                fail(f"the size {expression} is known only at run time")
            parts.append(found)
        return product(parts)

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
            if isinstance(size, torch.SymInt) and expression_of(size).is_Symbol:
                found[expression_of(size)] = int(number)
    return Sizes(found)
