"""The reductions that Triton supports, and the ops that combine two results."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Operation, SSAValue

from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects.kernel import element_of
from tilewright.ir.structured.combiners import combining_op

_REDUCED = frozenset(
    {
        CombiningKindFlag.ADD,
        CombiningKindFlag.MUL,
        CombiningKindFlag.MAXIMUMF,
        CombiningKindFlag.MAXNUMF,
        CombiningKindFlag.MINIMUMF,
        CombiningKindFlag.MINNUMF,
        CombiningKindFlag.MAXSI,
        CombiningKindFlag.MINSI,
    }
)
"""The kinds that `codegen/emit/expressions/tiles.py` has a reduction for."""


def check_kind(op: Operation, kind: CombiningKindFlag, value: SSAValue) -> None:
    """Refuse a kind of reduction that Triton does not have."""
    of = element_of(value.type)
    if kind not in _REDUCED or combining_op(kind, of) is None:
        kinds = ", ".join(sorted(str(known) for known in _REDUCED))
        refuse(
            op,
            f"a kernel cannot reduce {of} by '{kind}'",
            f"kernels reduce by {kinds}; interpret runs the others",
        )


def combine(
    op: Operation, kind: CombiningKindFlag, lhs: SSAValue, rhs: SSAValue
) -> Operation:
    """The op that combines two results of a reduction."""
    check_kind(op, kind, lhs)
    combining: Any = combining_op(kind, element_of(lhs.type))
    assert combining is not None
    return combining(lhs, rhs)
