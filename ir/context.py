"""The one context: every dialect a payload may use, in upstream's syntax."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import builtin, func, math, ub

from tilewright.ir.dialects.affine import Affine
from tilewright.ir.dialects.arith import Arith
from tilewright.ir.dialects.bufferization import Bufferization
from tilewright.ir.dialects.gpu import Gpu
from tilewright.ir.dialects.kernel import Kernel
from tilewright.ir.dialects.linalg import Linalg
from tilewright.ir.dialects.memref import MemRef
from tilewright.ir.dialects.scf import Scf
from tilewright.ir.dialects.tensor import Tensor
from tilewright.ir.dialects.vector import Vector

PAYLOAD_DIALECTS = (
    builtin.Builtin,
    func.Func,
    Arith,
    math.Math,
    Affine,
    Tensor,
    Scf,
    Linalg,
    Vector,
    MemRef,
    Bufferization,
    Gpu,
    ub.UB,
    Kernel,
)


def payload_context() -> Context:
    """A fresh context with the payload dialects loaded."""
    context = Context()
    for dialect in PAYLOAD_DIALECTS:
        context.load_dialect(dialect)
    return context
