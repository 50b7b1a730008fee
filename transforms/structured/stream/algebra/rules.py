"""The rules by which an accumulator stays right while running values change.

A reduction combines `f(x, r)`, where `x` streams and `r` is the result of an earlier
reduction. While the loop runs, only a running value of `r` is known. Each rule is about
a form of `f`:

factor    a sum of u(x) * w(r) or u(x) / w(r): sum up u(x), apply w(r) after the loop
shift     a maximum or minimum of u(x) + w(r) or u(x) - w(r): the same
exponent  a sum of exp(u(x) + w(r)), or exp2: where r becomes r', multiply what was
          summed up by exp(w(r') - w(r))
power     a sum of a polynomial in w(r): add w(r')**k - w(r)**k times the sum of the
          coefficients of power k
match     any reduction of u(x) where x == r, and its neutral element elsewhere, with r
          the maximum or minimum of x: where r changes, begin again

A product may have factors of several rules. `exp(u(x) + w(r))` is never split into
exp(u(x)) * exp(w(r)): the first may overflow where the whole does not. Conversions
between float types are looked through: a factor commutes with rounding up to one
rounding of the element.
"""

from __future__ import annotations

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.utils.hints import isa

from tilewright.ir.dialects import arith, math
from tilewright.ir.structured.combiners import is_neutral
from tilewright.transforms.structured.stream.algebra.corrections import (
    Correction,
    Exponent,
    Match,
    Pulled,
    Resists,
    Term,
    Use,
)
from tilewright.transforms.structured.stream.algebra.expressions import (
    ORDERED_EQUAL,
    Depends,
    Expression,
    unguarded,
)
from tilewright.transforms.structured.stream.algebra.polynomials import powers

EXPONENTIALS = (math.ExpOp, math.Exp2Op)
_CONVERSIONS = (arith.ExtFOp, arith.TruncFOp)
_UNE, _EQ = 13, 0
"""Predicates of comparisons: unordered or not equal; equal integers."""
_MAXIMA = (CombiningKindFlag.MAXIMUMF, CombiningKindFlag.MAXNUMF)
_MINIMA = (CombiningKindFlag.MINIMUMF, CombiningKindFlag.MINNUMF)
_EXTREME_INTEGERS = (
    CombiningKindFlag.MAXSI,
    CombiningKindFlag.MAXUI,
    CombiningKindFlag.MINSI,
    CombiningKindFlag.MINUI,
)
EXTREMES = (*_MAXIMA, *_MINIMA, *_EXTREME_INTEGERS)
"""The reductions that pick one of their elements."""


def correction(kind: CombiningKindFlag, summand: Expression) -> Correction:
    """The correction of a reduction; raises `Resists` where no rule applies."""
    made = Correction()
    if not summand.depends & Depends.RUNNING:
        return made
    if (found := _match(kind, summand)) is not None:
        made.match = found
    elif kind == CombiningKindFlag.ADD:
        try:
            _product(summand, made, inverse=False)
        except Resists as first:
            made = Correction(powers=powers(summand, first))
    elif kind in (*_MAXIMA, *_MINIMA):
        _shift(summand, made)
    else:
        raise Resists(summand, f"there is no rule for a reduction by {kind.value}")
    return made


def _match(kind: CombiningKindFlag, e: Expression) -> Match | None:
    """A selection of what equals a running value, if the summand is one."""
    if e.leaf is not None or not isinstance(e.op, arith.SelectOp):
        return None
    condition, chosen, otherwise = e.args
    if chosen.depends & Depends.RUNNING or not _is_neutral(otherwise, kind):
        return None
    for part in _alternatives(condition):
        if part.is_mixed and (found := _equality(part)) is not None:
            others = [o for o in _alternatives(condition) if o is not part]
            if all(_is_nan_test(other, found.streamed) for other in others):
                return Match(found.streamed, found.running, takes_nan=bool(others))
    return None


def _alternatives(condition: Expression) -> list[Expression]:
    if condition.leaf is None and isinstance(condition.op, arith.OrIOp):
        return [part for arg in condition.args for part in _alternatives(arg)]
    return [condition]


def _equality(condition: Expression) -> Match | None:
    op = condition.op
    is_equal = (
        isinstance(op, arith.CmpfOp) and op.predicate.value.data == ORDERED_EQUAL
    ) or (isinstance(op, arith.CmpiOp) and op.predicate.value.data == _EQ)
    left, right = condition.args[:2] if is_equal else (condition, condition)
    if left.depends == Depends.STREAMED and right.is_running:
        return Match(left, right)
    if right.depends == Depends.STREAMED and left.is_running:
        return Match(right, left)
    return None


def _is_nan_test(condition: Expression, of: Expression) -> bool:
    """Whether a condition is x != x: then the running value is NaN from there on."""
    return (
        condition.leaf is None
        and isinstance(condition.op, arith.CmpfOp)
        and condition.op.predicate.value.data == _UNE
        and all(arg.key() == of.key() for arg in condition.args)
    )


def _is_neutral(e: Expression, kind: CombiningKindFlag) -> bool:
    owner = e.value.owner
    if not isinstance(owner, arith.ConstantOp):
        return False
    value = owner.value
    return isa(value, FloatAttr | IntegerAttr) and is_neutral(value, kind)


def _product(e: Expression, made: Correction, *, inverse: bool) -> None:
    """Take a product apart: factors to pull out, exponentials to correct."""
    if not e.is_mixed:
        raise Resists(e, "it does not depend on the stream")
    op = e.op
    if isinstance(op, (*_CONVERSIONS, arith.NegfOp)):
        _product(e.args[0], made, inverse=inverse)
    elif isinstance(op, arith.MulfOp | arith.DivfOp):
        for position, arg in enumerate(e.args):
            divides = isinstance(op, arith.DivfOp) and position == 1
            if arg.is_running:
                made.pulled.append(Pulled("div" if inverse != divides else "mul", arg))
                made.pulled_uses.add((op, position))
            elif arg.is_mixed:
                _product(arg, made, inverse=inverse != divides)
    elif isinstance(op, EXPONENTIALS):
        terms = _running_terms(e.args[0], made, inverse)
        made.exponents.append(Exponent(op, e.args[0], terms, inverse))
    elif isinstance(op, arith.SelectOp) and not e.args[0].depends & Depends.RUNNING:
        made.selects = True
        mixed = [arg for arg in e.args[1:] if arg.is_mixed]
        others = [arg for arg in e.args[1:] if not arg.is_mixed]
        # A correction is for all elements alike: only zeros may stand beside it.
        if len(mixed) != 1 or others[0].constant != 0.0 or inverse:
            raise Resists(e, "it selects between two values, and neither is 0")
        _product(mixed[0], made, inverse=inverse)
    else:
        raise Resists(e, "it is no product of floats, and no exponential of a sum")


def _running_terms(
    exponent: Expression, made: Correction, inverse: bool
) -> tuple[Term, ...]:
    found: list[Term] = []

    def take(
        e: Expression,
        use: Use | None,
        negative: bool,
        scales: tuple[tuple[str, Expression], ...],
    ) -> None:
        if e.is_running and use is not None:
            found.append(Term(unguarded(e), negative, scales))
            made.guarded.add(use)
            return
        if not e.is_mixed:
            return
        op = e.op
        if isinstance(op, arith.AddfOp | arith.SubfOp):
            take(e.args[0], (op, 0), negative, scales)
            flips = isinstance(op, arith.SubfOp)
            take(e.args[1], (op, 1), negative != flips, scales)
        elif isinstance(op, arith.NegfOp):
            take(e.args[0], (op, 0), not negative, scales)
        elif isinstance(op, arith.ExtFOp):
            take(e.args[0], (op, 0), negative, scales)
        elif isinstance(op, arith.MulfOp | arith.DivfOp):
            fixed = [
                n for n, arg in enumerate(e.args) if arg.depends == Depends.NOTHING
            ]
            how = "div" if isinstance(op, arith.DivfOp) else "mul"
            if not fixed or (how == "div" and fixed != [1]):
                raise Resists(e, "the exponent multiplies the stream by it")
            (other,) = {0, 1} - set(fixed[-1:])
            scale = (how, e.args[fixed[-1]])
            take(e.args[other], (op, other), negative, (*scales, scale))
        else:
            raise Resists(e, "the exponent is no sum of a streamed and a running part")

    take(exponent, None, inverse, ())
    return tuple(found)


def _shift(e: Expression, made: Correction) -> None:
    """Take a sum apart for a maximum or minimum: a running part is pulled out."""
    if not e.is_mixed:
        raise Resists(e, "it does not depend on the stream")
    op = e.op
    if not isinstance(op, arith.AddfOp | arith.SubfOp):
        raise Resists(e, "a maximum commutes with adding a running value only")
    for position, arg in enumerate(e.args):
        subtracts = isinstance(op, arith.SubfOp) and position == 1
        if arg.is_running:
            made.pulled.append(Pulled("sub" if subtracts else "add", arg))
            made.pulled_uses.add((op, position))
        elif arg.is_mixed:
            if subtracts:
                raise Resists(arg, "a maximum does not commute with a sign")
            _shift(arg, made)
