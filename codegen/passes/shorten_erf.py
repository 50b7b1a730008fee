"""Compute `erf(y) + 1` in half the instructions where 16 bits are kept of it.

**Before**

    %e = math.erf %y : vector<128x128xf32>
    %f = arith.addf %e, %one : vector<128x128xf32>
    %g = arith.mulf %x, %f : vector<128x128xf32>
    %h = kernel.cast %g : vector<128x128xf32> to vector<128x128xbf16>

**After**, with a polynomial p of degree 10 that is zero at zero

    q = exp2(p(|y|))                               // erfc(|y|)
    %f = y < 0 ? q : 2 - q

Triton's `erf` is a function of the CUDA library. Of a linear layer with gelu and a
residual on an H200, an element has 43 instructions by it, of which 14 move constants,
and 27 by the polynomial. q is within 7e-7 of erfc(|y|), as a share of it, up to
|y| = 2, and within 4e-6 up to 4.2; the sum is within 1.3e-7 of `erf(y) + 1`, which f32
cannot tell from zero below -3.9. The polynomial falls on behind 4.2.

**Requires** f32, no other reader of the erf, and results that are only multiplied,
divided, and added to before they are rounded to 16 bits or fewer.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp, VectorType, f32
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from tilewright.codegen.kernel.modules import kernels_of
from tilewright.ir.dense_constants import dense_of, is_splat
from tilewright.ir.dialects import arith, math
from tilewright.ir.dialects.kernel import (
    CastOp,
    CompareOp,
    HalvesOp,
    ReshapeOp,
    element_of,
)
from tilewright.ir.dtypes import element

POLYNOMIAL = (
    *(-1.6279136, -0.91836065, -0.1486686, 0.028479952, -0.00077282358),
    *(-0.0017283532, 0.00066268345, -0.00012783667, 1.3323340e-05, -5.9410070e-07),
)
"""log2(erfc(y)) in powers of y, from y itself. Its largest error as a share of erfc is
least up to 4.2 (above 2.5 more is allowed, up to 15 times at 4.2): 1.1e-7 before
rounding. It falls by at least 1 / log(2) for each 1 of y behind."""

_PASSED_ON = (arith.MulfOp, arith.AddfOp, arith.SubfOp, arith.NegfOp, arith.DivfOp)


def shorten_erf(module: ModuleOp) -> ModuleOp:
    """Rewrite the sums in all kernels."""
    for kernel in kernels_of(module).values():
        for op in list(kernel.body.walk()):
            if not isinstance(op, math.ErfOp):
                continue
            sums = list(_sums(op))
            if sums and len(sums) == op.result.uses.get_length():
                for added in sums:
                    _rewrite(op, added)
                Rewriter.erase_op(op)
    return module


def _sums(op: math.ErfOp) -> Iterator[arith.AddfOp]:
    """The sums of an erf and 1 that are rounded to 16 bits."""
    of = op.result.type
    if not isinstance(of, VectorType) or element_of(of) != f32:
        return
    for use in op.result.uses:
        added = use.operation
        if (
            isinstance(added, arith.AddfOp)
            and _is_one(added.operands[1 - use.index])
            and _is_rounded(added.result)
        ):
            yield added


def _is_one(value: SSAValue) -> bool:
    constant = value.owner
    if not isinstance(constant, arith.ConstantOp):
        return False
    held = constant.value
    if not isinstance(held, DenseIntOrFPElementsAttr) or not is_splat(held):
        return False
    return held.get_values()[0] == 1.0


def _is_rounded(value: SSAValue) -> bool:
    """Whether all that is computed of a value ends in 16 bits or fewer."""
    uses = [use.operation for use in value.uses]
    return bool(uses) and all(map(_rounds, uses))


def _rounds(op: Operation) -> bool:
    if isinstance(op, CastOp):
        of = element(element_of(op.result.type))
        return of.is_float and of.byte_width <= 2
    if isinstance(op, (*_PASSED_ON, ReshapeOp, HalvesOp)):
        return all(map(_is_rounded, op.results))
    return False


def _rewrite(erf: math.ErfOp, added: arith.AddfOp) -> None:
    """Compute the sum by the polynomial, in front of it."""
    y, of = erf.operand, erf.result.type

    def add(op: Operation) -> SSAValue:
        op.location = erf.location
        Rewriter.insert_op(op, InsertPoint.before(added))
        return op.results[0]

    def constant(value: float) -> SSAValue:
        return add(arith.ConstantOp(dense_of(of, [value])))

    def times(one: SSAValue, other: SSAValue) -> SSAValue:
        return add(arith.MulfOp(one, other))

    def plus(one: SSAValue, other: SSAValue) -> SSAValue:
        return add(arith.AddfOp(one, other))

    size = add(math.AbsFOp(y))
    total = constant(POLYNOMIAL[-1])
    for coefficient in reversed(POLYNOMIAL[:-1]):
        total = plus(times(total, size), constant(coefficient))
    rest = add(math.Exp2Op(times(total, size)))
    rest.name_hint = "rest"
    is_negative = add(CompareOp("lt", y, constant(0.0)))
    whole = add(arith.SubfOp(constant(2.0), rest))
    made = add(arith.SelectOp(is_negative, rest, whole))
    made.name_hint = added.result.name_hint
    added.result.replace_all_uses_with(made)
    Rewriter.erase_op(added)
