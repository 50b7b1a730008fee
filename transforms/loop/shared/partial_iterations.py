"""Simplify `affine.min` and `affine.max` in a peeled loop.

Before, in a loop to 10 by 4 that was cut at 8:
    %size = affine.min affine_map<(d0) -> (-d0 + 10, 4)>(%i)

After, in the main loop and in the last, partial iteration:
    %size = affine.apply affine_map<() -> (4)>()
    %size = affine.apply affine_map<(d0) -> (-d0 + 10)>(%i)
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineMap

from tilewright.ir.dialects import affine, scf
from tilewright.ir.dialects.affine import MaxOp
from tilewright.ir.indexing.index_ops import index_op
from tilewright.ir.indexing.ranges import Form, candidates, linear_of
from tilewright.transforms.core.rewriter import Rewriter


def _follows_from(form: Form, fact: Form) -> bool:
    """Whether `form >= 0` wherever `fact >= 0`.

    It is if `form` is a positive multiple of the fact plus a number that is not
    negative (Farkas' lemma, for one inequality).
    """
    if form.is_constant:
        return form.constant >= 0
    if form.terms.keys() != fact.terms.keys():
        return False
    ratios = {Fraction(n, fact.terms[value]) for value, n in form.terms.items()}
    if len(ratios) != 1:
        return False
    ratio = ratios.pop()
    return ratio > 0 and form.constant >= ratio * fact.constant


def full_iteration(loop: scf.ForOp, upper: SSAValue) -> Form:
    """What holds in each iteration of the main loop: `upper - index - step >= 0`."""
    return linear_of(upper) - linear_of(loop.body.block.args[0]) - linear_of(loop.step)


def partial_iteration(loop: scf.ForOp, upper: SSAValue) -> Form:
    """What holds in the last iteration: `index + step - upper - 1 >= 0`."""
    end = linear_of(loop.body.block.args[0]) + linear_of(loop.step)
    return end - linear_of(upper) - 1


def simplify_bounds(loop: scf.ForOp, fact: Form, rewriter: Rewriter) -> None:
    """Replace each minimum and maximum in a loop that the fact decides."""
    for op in list(loop.walk()):
        if not isinstance(op, affine.MinOp | MaxOp):
            continue
        found = winner(op, lambda form: _follows_from(form, fact))
        if found is not None:
            map_ = op.map.data
            chosen = AffineMap(map_.num_dims, map_.num_symbols, (map_.results[found],))
            rewriter.replace_with(
                op, affine.ApplyOp(list(op.operands), AffineMapAttr(chosen))
            )


def winner(op: affine.MinOp | MaxOp, holds: Callable[[Form], bool]) -> int | None:
    """The position of the least or greatest candidate; `holds` proves a form >= 0."""
    found = index_op(op.results[0])
    forms = None if found is None else candidates(found)
    if forms is None:
        return None
    sign = 1 if isinstance(op, affine.MinOp) else -1
    for position, candidate in enumerate(forms):
        differences = [(other - candidate) * sign for other in forms]
        if all(map(holds, differences)):
            return position
    return None
