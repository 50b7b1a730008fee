"""The one context: every dialect a payload may use, in upstream's syntax.

xDSL's dialects have ops that nothing here can run or compile; those are left out, so
that a payload with one of them is refused where it is read, and says so.
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.context import Context
from xdsl.dialects import builtin
from xdsl.ir import Dialect

from tilewright.ir.dialects.affine import Affine
from tilewright.ir.dialects.arith import Arith
from tilewright.ir.dialects.bufferization import Bufferization
from tilewright.ir.dialects.func import Func
from tilewright.ir.dialects.gpu import Gpu
from tilewright.ir.dialects.kernel import Kernel
from tilewright.ir.dialects.linalg import Linalg
from tilewright.ir.dialects.math import Math
from tilewright.ir.dialects.memref import MemRef
from tilewright.ir.dialects.scf import Scf
from tilewright.ir.dialects.tensor import Tensor
from tilewright.ir.dialects.ub import UB
from tilewright.ir.dialects.vector import Vector
from tilewright.ir.parsing.op_names import NOT_YET

PAYLOAD_DIALECTS = (
    builtin.Builtin,
    Func,
    Arith,
    Math,
    Affine,
    Tensor,
    Scf,
    Linalg,
    Vector,
    MemRef,
    Bufferization,
    Gpu,
    UB,
    Kernel,
)


def _supported(dialect: Dialect) -> Dialect:
    """A dialect without the ops that are not supported yet."""
    known = [op for op in dialect.operations if op.name not in NOT_YET]
    return replace(dialect, _operations=known)


_SUPPORTED = tuple(_supported(dialect) for dialect in PAYLOAD_DIALECTS)


def payload_context() -> Context:
    """A fresh context with the payload dialects loaded."""
    context = Context()
    for dialect in _SUPPORTED:
        context.load_dialect(dialect)
    return context
