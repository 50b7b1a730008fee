"""Products of sizes known only at run time, which the launcher computes.

Index expressions are linear in their atoms. A product of two sizes, such as the extent
of two open dimensions that are collapsed, is an atom of its own: kernels take it as a
number, like a size. Sums are multiplied out, so that equal products are one atom.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineExpr,
    AffineSymExpr,
)

from tilewright.codegen.analysis.elements.atoms import (
    MAX_EXTENT,
    Atom,
    Computed,
    Linear,
    Runtime,
)
from tilewright.ir.indexing.semi_affine import binary, substitute

Factors = tuple[Atom, ...]
MakeAtom = Callable[[int, int, Computed], Atom]
"""Makes the atom of a number with this inclusive range."""


class Products:
    """The products of sizes of one function, each with its atom."""

    def __init__(self, make: MakeAtom):
        self._make = make
        self._atoms: dict[Factors, Atom] = {}
        self._factors: dict[Atom, Factors] = {}

    def product(self, left: Linear, right: Linear) -> Linear | None:
        """The product of two forms; None unless the launcher can compute both."""
        if not is_on_host(left) or not is_on_host(right):
            return None
        total = right * left.constant + left * right.constant
        total -= Linear({}, left.constant * right.constant)
        pairs = itertools.product(left.terms.items(), right.terms.items())
        for (one, factor), (other, times) in pairs:
            total += Linear({self._atom(one, other): 1}) * (factor * times)
        return total

    def _atom(self, one: Atom, other: Atom) -> Atom:
        parts = [*self._factors.get(one, (one,)), *self._factors.get(other, (other,))]
        factors = tuple(sorted(parts))
        if factors not in self._atoms:
            low = math.prod(atom.low for atom in factors)
            high = math.prod(atom.high for atom in factors)
            made = self._make(low, min(high, MAX_EXTENT), _computed(factors))
            self._atoms[factors] = made
            self._factors[made] = factors
        return self._atoms[factors]


def is_on_host(form: Linear) -> bool:
    """Whether the launcher can compute a form: its atoms are sizes or their quotients.

    None of them is ever negative.
    """
    return all(
        atom.low >= 0
        and (
            atom.runtime is not None
            or (atom.quotient is not None and is_on_host(atom.quotient.dividend))
        )
        for atom in form.terms
    )


def _computed(factors: Factors) -> Computed:
    symbols: list[Runtime] = []
    first, *rest = [affine_of(Linear({atom: 1}), symbols) for atom in factors]
    for one in rest:
        first = binary(AffineBinaryOpKind.Mul, first, one)
    return Computed(first, tuple(symbols))


def affine_of(form: Linear, symbols: list[Runtime]) -> AffineExpr:
    """A form as an affine expression; its symbols are added to `symbols`."""
    total: AffineExpr | None = None
    for atom, coefficient in form.terms.items():
        term = _affine_of_atom(atom, symbols)
        if coefficient != 1:
            term = term * coefficient
        total = term if total is None else total + term
    if total is None:
        return AffineConstantExpr(form.constant)
    return total + form.constant if form.constant else total


def _affine_of_atom(atom: Atom, symbols: list[Runtime]) -> AffineExpr:
    if isinstance(atom.runtime, Computed):
        parts = [_symbol(key, symbols) for key in atom.runtime.of]
        return substitute(atom.runtime.expression, [], parts)
    if atom.runtime is not None:
        return _symbol(atom.runtime, symbols)
    quotient = atom.quotient
    assert quotient is not None, "a loop's variable outside of the kernel"
    dividend = affine_of(quotient.dividend, symbols)
    divisor = AffineConstantExpr(quotient.divisor)
    return AffineBinaryOpExpr(quotient.kind, dividend, divisor)


def _symbol(key: Runtime, symbols: list[Runtime]) -> AffineExpr:
    if key not in symbols:
        symbols.append(key)
    return AffineSymExpr(symbols.index(key))
