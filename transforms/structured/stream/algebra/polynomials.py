"""The rule for powers: sums of polynomials in a running value, as in a variance.

    sum((x - m)**2), m changes to m':
        sum((x - m')**2) = sum((x - m)**2) - 2 sum(x) (m' - m) + count (m'**2 - m**2)

A coefficient is a number, which the count of elements multiplies, or a number times a
term that another reduction of the chain sums up.
"""

from __future__ import annotations

from tilewright.ir.dialects import arith
from tilewright.transforms.structured.stream.algebra.corrections import Powers, Resists
from tilewright.transforms.structured.stream.algebra.expressions import (
    Depends,
    Expression,
)

_HIGHEST = 2

Terms = dict[tuple[int, tuple[object, ...]], tuple[float, tuple[Expression, ...]]]
"""Number and streamed factors of each power of the running value."""


def powers(summand: Expression, because: Resists) -> Powers:
    """A summand as a polynomial of one running value, of degree 2 at most."""
    bases: dict[object, Expression] = {}
    terms = _terms(summand, bases, because)
    if len(bases) != 1:
        raise because
    sums: dict[int, list[tuple[float, Expression | None]]] = {}
    for (power, _), (number, factors) in terms.items():
        if power == 0 or number == 0.0:
            continue
        if len(factors) > 1:
            raise Resists(summand, "the sum of a product of streamed terms is unknown")
        sums.setdefault(power, []).append((number, factors[0] if factors else None))
    (base,) = bases.values()
    return Powers(base, {power: tuple(found) for power, found in sums.items()})


def _terms(e: Expression, bases: dict[object, Expression], because: Resists) -> Terms:
    if e.is_running:
        bases.setdefault(e.key(), e)
        return {(1, ()): (1.0, ())}
    if e.constant is not None:
        return {(0, ()): (e.constant, ())}
    if not e.depends & Depends.RUNNING:
        return {(0, (e.key(),)): (1.0, (e,))}
    op = e.op
    parts = [_terms(arg, bases, because) for arg in e.args]
    if isinstance(op, arith.AddfOp):
        return _sum(parts[0], parts[1], 1.0)
    if isinstance(op, arith.SubfOp):
        return _sum(parts[0], parts[1], -1.0)
    if isinstance(op, arith.NegfOp):
        return _sum({}, parts[0], -1.0)
    if isinstance(op, arith.ExtFOp):
        return parts[0]
    if isinstance(op, arith.MulfOp):
        return _product(parts[0], parts[1], e, because)
    raise because


def _sum(left: Terms, right: Terms, sign: float) -> Terms:
    made = dict(left)
    for key, (number, factors) in right.items():
        before = made.get(key, (0.0, factors))[0]
        made[key] = (before + sign * number, factors)
    return made


def _product(left: Terms, right: Terms, e: Expression, because: Resists) -> Terms:
    made: Terms = {}
    for (power, keys), (number, factors) in left.items():
        for (other, more), (times, others) in right.items():
            if power + other > _HIGHEST:
                raise Resists(e, f"its power is higher than {_HIGHEST}")
            every = sorted(
                zip((*keys, *more), (*factors, *others), strict=True), key=_order
            )
            key = (power + other, tuple(k for k, _ in every))
            before = made.get(key, (0.0, ()))[0]
            made[key] = (before + number * times, tuple(f for _, f in every))
    return made


def _order(pair: tuple[object, Expression]) -> str:
    return repr(pair[0])
