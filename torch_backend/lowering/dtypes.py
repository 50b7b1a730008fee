"""torch's element types under the names of payloads."""

from __future__ import annotations

import torch

from tilewright.frontend.builder.user_lines import fail

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
