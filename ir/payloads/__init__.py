"""Payloads built from Python: symbolic tensors in, a function of structured ops out."""

from __future__ import annotations

from tilewright.ir.payloads.elements import Pointwise, cast, elementwise, pointwise
from tilewright.ir.payloads.functions import (
    absolute,
    ceil,
    cos,
    erf,
    exp,
    exp2,
    floor,
    gelu,
    gelu_tanh,
    log,
    log2,
    maximum,
    minimum,
    relu,
    rsqrt,
    sigmoid,
    silu,
    sin,
    sqrt,
    tanh,
    where,
)
from tilewright.ir.payloads.layers import (
    attention,
    gated_mlp,
    linear,
    mlp,
    rope,
    scaled_matmul,
)
from tilewright.ir.payloads.normalize import layernorm, rmsnorm, softmax
from tilewright.ir.payloads.payload import Payload
from tilewright.ir.payloads.products import matmul
from tilewright.ir.payloads.reductions import reduce
from tilewright.ir.payloads.scalar import Scalar, index
from tilewright.ir.payloads.tensor import Tensor
from tilewright.ir.payloads.views import concatenate

__all__ = [
    "Payload",
    "Pointwise",
    "Scalar",
    "Tensor",
    "absolute",
    "attention",
    "cast",
    "ceil",
    "concatenate",
    "cos",
    "elementwise",
    "erf",
    "exp",
    "exp2",
    "floor",
    "gated_mlp",
    "gelu",
    "gelu_tanh",
    "index",
    "layernorm",
    "linear",
    "log",
    "log2",
    "matmul",
    "maximum",
    "minimum",
    "mlp",
    "pointwise",
    "reduce",
    "relu",
    "rmsnorm",
    "rope",
    "rsqrt",
    "scaled_matmul",
    "sigmoid",
    "silu",
    "sin",
    "softmax",
    "sqrt",
    "tanh",
    "where",
]
