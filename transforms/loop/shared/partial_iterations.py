"""`affine.min` and `affine.max` in a peeled loop, where every iteration is full.

Before, in a loop to 10 by 4 that was cut at 8:
    %size = affine.min affine_map<(d0) -> (-d0 + 10, 4)>(%i)

After, in the main loop and in the last, partial iteration:
    %size = affine.apply affine_map<() -> (4)>()
    %size = affine.apply affine_map<(d0) -> (-d0 + 10)>(%i)
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineMap

from tilewright.ir.dialects import affine, scf
from tilewright.ir.dialects.affine import MaxOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.linear import Linear, linear_form
from tilewright.transforms.core.rewriter import Rewriter

Form = Linear[SSAValue]


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


def _form(value: SSAValue) -> Form:
    number = constant_int(value)
    return Linear({value: 1}) if number is None else Linear({}, number)


def full_iteration(loop: scf.ForOp, upper: SSAValue) -> Form:
    """What holds in each iteration of the main loop: `upper - index - step >= 0`."""
    return _form(upper) - _form(loop.body.block.args[0]) - _form(loop.step)


def partial_iteration(loop: scf.ForOp, upper: SSAValue) -> Form:
    """What holds in the last iteration: `index + step - upper - 1 >= 0`."""
    return _form(loop.body.block.args[0]) + _form(loop.step) - _form(upper) - 1


def simplify_bounds(loop: scf.ForOp, fact: Form, rewriter: Rewriter) -> None:
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
    map_: AffineMap, operands: Sequence[SSAValue], fact: Form, sign: int
) -> int | None:
    """Which result is the least (sign 1) or the greatest (-1) wherever `fact` holds."""
    results = _results(map_, operands)
    if results is None:
        return None
    for position, candidate in enumerate(results):
        differences = [(other - candidate) * sign for other in results]
        if all(_follows_from(difference, fact) for difference in differences):
            return position
    return None


def _results(map_: AffineMap, operands: Sequence[SSAValue]) -> list[Form] | None:
    """The map's results in terms of its operands; None if one is not linear."""
    dims = [AffineMap.identity(len(operands)).results[i] for i in range(len(operands))]
    results: list[Form] = []
    for expr in map_.results:
        in_dims = expr.replace_dims_and_symbols(
            dims[: map_.num_dims], dims[map_.num_dims :]
        )
        form = linear_form(in_dims)
        if form is None:
            return None
        total: Form = Linear({}, form.constant)
        for position, factor in form.terms.items():
            total = total.plus(_form(operands[position]), factor)
        results.append(total)
    return results
