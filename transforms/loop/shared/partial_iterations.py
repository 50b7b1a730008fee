"""`affine.min` and `affine.max` in a peeled loop, where every iteration is full.

Before, in a loop to 10 by 4 that was cut at 8:
    %size = affine.min affine_map<(d0) -> (-d0 + 10, 4)>(%i)

After, in the main loop and in the last, partial iteration:
    %size = affine.apply affine_map<() -> (4)>()
    %size = affine.apply affine_map<(d0) -> (-d0 + 10)>(%i)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineMap

from tilewright.ir.dialects import affine, scf
from tilewright.ir.dialects.affine import MaxOp
from tilewright.transforms.cleanup.constants import constant_int
from tilewright.transforms.cleanup.patterns.affine import linear_terms
from tilewright.transforms.core.rewriter import Rewriter


@dataclass(frozen=True)
class Linear:
    """A sum of values, each times a number, and a constant."""

    terms: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    constant: int = 0

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        """`self + factor * other`."""
        terms = dict(self.terms)
        for value, count in other.terms.items():
            terms[value] = terms.get(value, 0) + factor * count
        return Linear(
            {value: count for value, count in terms.items() if count},
            self.constant + factor * other.constant,
        )

    def follows_from(self, fact: Linear) -> bool:
        """Whether `self >= 0` wherever `fact >= 0`.

        It does if `self` is a multiple of the fact, not a negative one, plus a number
        that is not negative (Farkas' lemma, for one inequality).
        """
        if not self.terms:
            return self.constant >= 0
        if self.terms.keys() != fact.terms.keys():
            return False
        ratios = {Fraction(n, fact.terms[value]) for value, n in self.terms.items()}
        if len(ratios) != 1:
            return False
        ratio = ratios.pop()
        return ratio > 0 and self.constant >= ratio * fact.constant


def _linear(value: SSAValue) -> Linear:
    number = constant_int(value)
    return Linear({value: 1}) if number is None else Linear({}, number)


def full_iteration(loop: scf.ForOp, upper: SSAValue) -> Linear:
    """What holds in each iteration of the main loop: `upper - index - step >= 0`."""
    left = _linear(upper).plus(_linear(loop.body.block.args[0]), -1)
    return left.plus(_linear(loop.step), -1)


def partial_iteration(loop: scf.ForOp, upper: SSAValue) -> Linear:
    """What holds in the last iteration: `index + step - upper - 1 >= 0`."""
    reach = _linear(loop.body.block.args[0]).plus(_linear(loop.step))
    return reach.plus(_linear(upper), -1).plus(Linear({}, 1), -1)


def simplify_bounds(loop: scf.ForOp, fact: Linear, rewriter: Rewriter) -> None:
    """Replace each min and max in a loop whose winner the fact decides."""
    for op in list(loop.walk()):
        if not isinstance(op, affine.MinOp | MaxOp):
            continue
        sign = 1 if isinstance(op, affine.MinOp) else -1
        winner = _winner(op.map.data, op.operands, fact, sign)
        if winner is not None:
            map_ = op.map.data
            chosen = AffineMap(map_.num_dims, map_.num_symbols, (map_.results[winner],))
            rewriter.replace_with(
                op, affine.ApplyOp(list(op.operands), AffineMapAttr(chosen))
            )


def _winner(
    map_: AffineMap, operands: Sequence[SSAValue], fact: Linear, sign: int
) -> int | None:
    """Which result is the least (sign 1) or the greatest (-1) wherever `fact` holds."""
    results = _results(map_, operands)
    if results is None:
        return None
    for position, candidate in enumerate(results):
        differences = [other.plus(candidate, -1) for other in results]
        if all(Linear().plus(d, sign).follows_from(fact) for d in differences):
            return position
    return None


def _results(map_: AffineMap, operands: Sequence[SSAValue]) -> list[Linear] | None:
    """The map's results in terms of its operands; None if one is not linear."""
    dims = [AffineMap.identity(len(operands)).results[i] for i in range(len(operands))]
    results: list[Linear] = []
    for expr in map_.results:
        in_dims = expr.replace_dims_and_symbols(
            dims[: map_.num_dims], dims[map_.num_dims :]
        )
        terms = linear_terms(in_dims)
        if terms is None:
            return None
        total = Linear({}, terms[1])
        for position, factor in terms[0].items():
            total = total.plus(_linear(operands[position]), factor)
        results.append(total)
    return results
