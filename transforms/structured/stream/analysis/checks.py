"""Checks of derived corrections: what running values are before and between tiles.

A correction is right only if running values are numbers where it reads them. A maximum
begins with -inf. An exponent reads it as 0 as long as it is -inf, and what was summed
up until then is dropped. That is right where every element so far is exp(-inf) = 0: in
exponents of the elements of that very maximum.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import SSAValue

from tilewright.ir.dialects import math as math_dialect
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.structured.reductions import reduction_of
from tilewright.transforms.structured.stream.algebra.corrections import (
    Correction,
    Exponent,
    Resists,
    Streamed,
    Term,
)
from tilewright.transforms.structured.stream.algebra.expressions import (
    Expression,
    Leaf,
    is_same,
    running_leaves,
)
from tilewright.transforms.structured.stream.algebra.rules import EXPONENTIALS, EXTREMES
from tilewright.transforms.structured.stream.analysis.chain import (
    Chain,
    loops_of_reader,
)
from tilewright.transforms.structured.stream.analysis.limits import (
    limit,
    start_of,
    start_of_result,
)

_ANY_NAN = (CombiningKindFlag.MAXIMUMF, CombiningKindFlag.MINIMUMF)
_LOGARITHMS = (math_dialect.LogOp, math_dialect.Log2Op)


def check_starts(
    chain: Chain, op: StructuredOp, made: Correction, earlier: Sequence[Streamed]
) -> None:
    """A running value that changes must be a number, or an infinity that is known."""
    known: dict[SSAValue, Streamed] = {r.op.results[0]: r for r in earlier}
    for node in made.compared_nodes:
        if math.isnan(_start(node, known)):
            raise Resists(node, "it may be no number before the first tile")
        _check_logarithms(node, known)
    for exponent in made.exponents:
        for term in exponent.terms:
            if _check_sign(term):
                _check_zeros(chain, op, exponent, term, known)


def _start(node: Expression, known: dict[SSAValue, Streamed]) -> float:
    """The limit of a node before the first tile; NaN if it may be anything."""
    for leaf in running_leaves(node):
        found = known.get(leaf.value)
        if found is None:
            continue
        for pulled in found.correction.pulled:
            by = _start(pulled.node, known)
            if pulled.how in ("mul", "div"):
                is_number = by == 0.0 if pulled.how == "mul" else math.isinf(by)
            else:
                start = start_of_result(leaf.value)
                is_number = not math.isnan(
                    start - by if pulled.how == "sub" else start + by
                )
            if not is_number:
                return math.nan
    return start_of(node)


def _check_sign(term: Term) -> bool:
    """An infinite start must make the factor 0; whether the start is infinite."""
    start = start_of(term.node)
    if not start:
        return False
    sign = -1.0 if term.negative else 1.0
    for _, scale in term.scales:
        number = scale.constant
        if not number:
            raise Resists(scale, "the sign of the factor in the exponent is not known")
        sign *= math.copysign(1.0, number)
    if start * sign < 0:
        raise Resists(term.node, "the exponential grows without bound where it begins")
    return True


def _check_zeros(
    chain: Chain,
    op: StructuredOp,
    exponent: Exponent,
    term: Term,
    known: dict[SSAValue, Streamed],
) -> None:
    """While a maximum is infinite, all that was summed up must be zero."""
    sign = -1.0 if exponent.divides else 1.0
    for leaf in _infinite_leaves(term.node):
        maximum = known.get(leaf.value)
        at_start = _at_start(leaf, maximum, loops_of_reader(chain, leaf, op))
        if limit(exponent.argument, at_start) * sign != -math.inf:
            raise Resists(
                term.node, "it is no maximum or minimum of what stands in the exponent"
            )


def _at_start(
    leaf: Leaf, maximum: Streamed | None, loops: dict[int, int]
) -> Callable[[Expression], float | None]:
    """The limits where all elements of a maximum are what it begins with."""
    summand = None if maximum is None else maximum.summand
    start = start_of_result(leaf.value)

    def known(e: Expression) -> float | None:
        if e.is_running:
            return 0.0
        is_element = summand is not None and is_same(summand, e, dict(loops))
        return start if is_element else None

    return known


def _infinite_leaves(node: Expression) -> list[Leaf]:
    return [leaf for leaf in running_leaves(node) if start_of_result(leaf.value)]


def _check_logarithms(node: Expression, known: dict[SSAValue, Streamed]) -> None:
    """A logarithm in a node must be of sums of exp(x - m), with m in the node too.

    Another running sum may be 0 or negative for a while. This one is at least 1, or m
    is infinite.
    """
    leaves = running_leaves(node)
    for e in _logarithms(node):
        leaf = e.args[0].leaf
        total = None if leaf is None else known.get(leaf.value)
        summand = None if total is None else total.summand
        is_exponential = (
            summand is not None
            and summand.leaf is None
            and isinstance(summand.op, EXPONENTIALS)
        )
        if total is None or not is_exponential:
            raise Resists(e, "the running sum may have no logarithm")
        output = total.op.maps[len(total.op.inputs)].results
        maxima = [
            found
            for exponent in total.correction.exponents
            for term in exponent.terms
            for found in _infinite_leaves(term.node)
            if found.map is not None and found.map.results == output
        ]
        is_below = {found.value for found in maxima} & {other.value for other in leaves}
        if not is_below or len({other.map for other in leaves}) != 1:
            raise Resists(e, "the running sum may have no logarithm")


def _logarithms(e: Expression) -> Iterator[Expression]:
    if e.leaf is None:
        if isinstance(e.op, _LOGARITHMS) and e.is_running:
            yield e
        for arg in e.args:
            yield from _logarithms(arg)


def check_match(
    chain: Chain, op: StructuredOp, made: Correction, earlier: Sequence[Streamed]
) -> None:
    """A match is with the maximum or minimum of the very elements that are tested."""
    if made.match is None:
        return
    leaf = made.match.running.leaf
    for found in earlier:
        if leaf is None or leaf.value is not found.op.results[0]:
            continue
        reduction = reduction_of(found.op, 0)
        if reduction is None or reduction.kind not in EXTREMES or found.summand is None:
            break
        loops = loops_of_reader(chain, leaf, op)
        if not is_same(found.summand, made.match.streamed, loops):
            break
        if made.match.takes_nan and reduction.kind not in _ANY_NAN:
            raise Resists(made.match.running, "it drops NaN, and the match keeps it")
        return
    raise Resists(
        made.match.running, "it is no maximum or minimum of what it is compared with"
    )
