"""The kinds of a reduction: which op combines two partial results, what is neutral."""

from __future__ import annotations

import math
from typing import Any

from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Operation, SSAValue

from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects import arith
from tilewright.ir.dialects.kernel import element_of
from tilewright.ir.neutral import neutral_element

_COMBINE: dict[CombiningKindFlag, tuple[Any, Any]] = {
    CombiningKindFlag.ADD: (arith.AddfOp, arith.AddiOp),
    CombiningKindFlag.MUL: (arith.MulfOp, arith.MuliOp),
    CombiningKindFlag.MAXIMUMF: (arith.MaximumfOp, None),
    CombiningKindFlag.MAXNUMF: (arith.MaxnumfOp, None),
    CombiningKindFlag.MINIMUMF: (arith.MinimumfOp, None),
    CombiningKindFlag.MINNUMF: (arith.MinnumfOp, None),
    CombiningKindFlag.MAXSI: (None, arith.MaxSIOp),
    CombiningKindFlag.MINSI: (None, arith.MinSIOp),
}
"""The op for floats and the one for integers."""


def check_kind(op: Operation, kind: CombiningKindFlag, value: SSAValue) -> None:
    """Refuse a kind of reduction that Triton has nothing for."""
    of = element_of(value.type)
    if _COMBINE.get(kind, (None, None))[0 if isinstance(of, AnyFloat) else 1] is None:
        refuse(op, f"a reduction of kind '{kind}' on {of}")


def combine(
    op: Operation, kind: CombiningKindFlag, lhs: SSAValue, rhs: SSAValue
) -> Operation:
    """The op that joins two results of a reduction."""
    check_kind(op, kind, lhs)
    is_float = isinstance(element_of(lhs.type), AnyFloat)
    return _COMBINE[kind][0 if is_float else 1](lhs, rhs)


def is_neutral(
    constant: FloatAttr | IntegerAttr | None, kind: CombiningKindFlag
) -> bool:
    """Whether starting from this number changes nothing."""
    if constant is None:
        return False
    neutral = neutral_element(kind, constant.type)
    if neutral is None:
        return False
    start, wanted = constant.value.data, neutral.value.data
    return start == wanted or (math.isnan(start) and math.isnan(wanted))
