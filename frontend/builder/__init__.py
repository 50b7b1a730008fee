"""Payloads built from Python: calls on symbolic tensors append structured ops.

From the bottom: `function_builder.py` holds the function that is built; `scalar.py` and
`generic.py` trace a Python function of elements into one `linalg.generic`; `views.py`,
`elements.py`, `functions.py`, `reductions.py`, `scans.py`, `scatters.py` and
`products.py` are the ops; `tensor.py` gives tensors operators for them; `layers/`
combines them; `payload.py` is where a user begins. Reads only `ir/`.
"""

from __future__ import annotations

from tilewright.frontend.builder.gathers import embedding, gather, take_along
from tilewright.frontend.builder.layers.attention import attention
from tilewright.frontend.builder.layers.linear import (
    gated_mlp,
    linear,
    mlp,
    scaled_matmul,
)
from tilewright.frontend.builder.layers.losses import cross_entropy
from tilewright.frontend.builder.layers.normalize import layernorm, rmsnorm
from tilewright.frontend.builder.layers.rope import rope
from tilewright.frontend.builder.layers.softmax import (
    log_softmax,
    logsumexp,
    softmax,
)
from tilewright.frontend.builder.ops.elements import (
    Pointwise,
    cast,
    elementwise,
    pointwise,
)
from tilewright.frontend.builder.ops.functions import (
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
from tilewright.frontend.builder.ops.products import matmul
from tilewright.frontend.builder.ops.reductions import argmax, reduce
from tilewright.frontend.builder.ops.scans import scan
from tilewright.frontend.builder.ops.scatters import scatter, scatter_add
from tilewright.frontend.builder.ops.views import broadcast_to, concatenate
from tilewright.frontend.builder.payload import Payload
from tilewright.frontend.builder.scalar import Scalar, index
from tilewright.frontend.builder.tensor import Tensor

__all__ = [
    "Payload",
    "Pointwise",
    "Scalar",
    "Tensor",
    "absolute",
    "argmax",
    "attention",
    "broadcast_to",
    "cast",
    "ceil",
    "concatenate",
    "cos",
    "cross_entropy",
    "elementwise",
    "embedding",
    "erf",
    "exp",
    "exp2",
    "floor",
    "gated_mlp",
    "gather",
    "gelu",
    "gelu_tanh",
    "index",
    "layernorm",
    "linear",
    "log",
    "log2",
    "log_softmax",
    "logsumexp",
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
    "scan",
    "scatter",
    "scatter_add",
    "sigmoid",
    "silu",
    "sin",
    "softmax",
    "sqrt",
    "take_along",
    "tanh",
    "where",
]
