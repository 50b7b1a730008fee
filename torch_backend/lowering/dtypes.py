"""torch's element types under the names of payloads."""

from __future__ import annotations

import torch

from tilewright.frontend.builder.user_lines import fail
from tilewright.ir.dtypes import Array, element
from tilewright.ir.element_types import TENSOR_TYPES

_NAMES: dict[torch.dtype, str] = {
    getattr(torch, row.torch): row.name for row in TENSOR_TYPES
}


def has_name(dtype: torch.dtype) -> bool:
    """Whether payloads have an element type; they lack complex and unsigned ones."""
    return dtype in _NAMES


def dtype_name(dtype: torch.dtype) -> str:
    """The payload's name of an element type; refuses those without a name."""
    if not has_name(dtype):
        fail(f"elements of type {str(dtype).removeprefix('torch.')}")
    return _NAMES[dtype]


def array_of(tensor: torch.Tensor) -> Array:
    """A copy of a tensor's elements as an array of the payload's type."""
    flat = tensor.detach().cpu().contiguous().reshape(-1)
    kind = element(dtype_name(tensor.dtype)).numpy
    return flat.view(torch.uint8).numpy().view(kind).reshape(tuple(tensor.shape))
