"""Concats with parts that have no elements, such as a cache before its first token.

What is left is a copy, which the kernel that makes the part writes at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import torch

Tensor = torch.Tensor
aten = torch.ops.aten


def without_empty_parts(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """`cat` of the parts that have elements; the type is that of all parts."""
    kept = [one for one in tensors if not _is_empty(one)]
    if not kept or len(kept) == len(tensors):
        return NotImplemented
    dtype = reduce(torch.promote_types, [one.dtype for one in tensors])
    kept = [one.to(dtype) for one in kept]
    return kept[0].clone() if len(kept) == 1 else aten.cat.default(kept, dim)


def _is_empty(part: Tensor) -> bool:
    return any(isinstance(size, int) and size == 0 for size in part.shape)


EMPTY_PARTS: dict[Any, Callable[..., Any]] = {aten.cat.default: without_empty_parts}
"""Decompositions by op."""
