"""The reductions that Triton supports, and the ops that combine two results."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Operation, SSAValue

from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects.kernel import element_of
from tilewright.ir.structured.combiners import combining_op

_SCANNED = frozenset(
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
"""The kinds that `codegen/emit/expressions/tiles.py` has a scan for."""
_REDUCED = _SCANNED | {CombiningKindFlag.MAXUI, CombiningKindFlag.MINUI}
"""The kinds that it has a reduction for."""


def check_kind(
    op: Operation, kind: CombiningKindFlag, value: SSAValue, *, scans: bool = False
) -> None:
    """Refuse a kind of reduction, or of scan, that Triton does not have."""
    of, known = element_of(value.type), _SCANNED if scans else _REDUCED
    if kind not in known or combining_op(kind, of) is None:
        verb = "scan" if scans else "reduce"
        kinds = ", ".join(sorted(map(str, known)))
        refuse(
            op,
            f"a kernel cannot {verb} {of} by '{kind}'",
            f"kernels {verb} by {kinds}; interpret runs the others",
        )


def combine(
    op: Operation, kind: CombiningKindFlag, lhs: SSAValue, rhs: SSAValue
) -> Operation:
    """The op that combines two results of a reduction."""
    check_kind(op, kind, lhs)
    combining: Any = combining_op(kind, element_of(lhs.type))
    assert combining is not None
    return combining(lhs, rhs)
