"""torch's element types under the names of payloads."""

from __future__ import annotations

import torch

from tilewright.frontend.builder.user_lines import fail
from tilewright.ir.dtypes import Array, element

_NAMES: dict[torch.dtype, str] = {
    torch.float64: "f64",
    torch.float32: "f32",
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.float8_e4m3fn: "f8E4M3FN",
    torch.float8_e5m2: "f8E5M2",
    torch.bool: "i1",
    torch.int8: "i8",
    torch.int16: "i16",
    torch.int32: "i32",
    torch.int64: "i64",
}


def dtype_name(dtype: torch.dtype) -> str:
    """The payload's name of an element type; refuses complex and unsigned ones."""
    if dtype not in _NAMES:
        fail(f"elements of type {str(dtype).removeprefix('torch.')}")
    return _NAMES[dtype]


def array_of(tensor: torch.Tensor) -> Array:
    """A copy of a tensor's elements as an array of the payload's type."""
    flat = tensor.detach().cpu().contiguous().reshape(-1)
    kind = element(dtype_name(tensor.dtype)).numpy
    return flat.view(torch.uint8).numpy().view(kind).reshape(tuple(tensor.shape))
