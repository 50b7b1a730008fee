"""Ops on tensors without elements, such as a cache before its first token.

A concat without its empty parts is a copy, which the kernel that makes the other part
writes at once. Sums and products of no terms are zeros, a frame around nothing is one
number, and an empty slice writes nothing: kernels have no loops over no elements.
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


def sum_of_no_terms(
    x: Tensor,
    dim: Sequence[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: torch.dtype | None = None,
) -> Tensor:
    """`sum` along dimensions without elements."""
    dims = {at % x.dim() for at in dim or range(x.dim())} if _is_empty(x) else set()
    sizes = [1 if at in dims else size for at, size in enumerate(x.shape)]
    if not dims or 0 in sizes:
        return NotImplemented
    is_exact = not (x.is_floating_point() or x.is_complex())
    kind = dtype or (torch.int64 if is_exact else x.dtype)
    kept = [size for at, size in enumerate(sizes) if keepdim or at not in dims]
    return torch.zeros(kept, dtype=kind, device=x.device)


def product_of_no_terms(a: Tensor, b: Tensor) -> Tensor:
    """`mm` and `bmm` along a dimension without elements."""
    shape = (*a.shape[:-1], b.shape[-1])
    if not _is_empty(a) or any(_is_zero(size) for size in shape):
        return NotImplemented
    return torch.zeros(shape, dtype=a.dtype, device=a.device)


def frame_of_nothing(x: Tensor, pad: Sequence[int], value: complex = 0) -> Tensor:
    """`constant_pad_nd` of a tensor without elements."""
    sizes = list(x.shape)
    for at in range(len(pad) // 2):
        sizes[-1 - at] += pad[2 * at] + pad[2 * at + 1]
    if not _is_empty(x) or any(_is_zero(size) for size in sizes):
        return NotImplemented
    return torch.full(sizes, value, dtype=x.dtype, device=x.device)


def without_empty_write(x: Tensor, part: Tensor, *_: Any, **__: Any) -> Tensor:
    """`slice_scatter` of a part without elements."""
    return x.clone() if _is_empty(part) and not _is_empty(x) else NotImplemented


def _is_zero(size: int | torch.SymInt) -> bool:
    return isinstance(size, int) and size == 0


def _is_empty(part: Tensor) -> bool:
    return any(map(_is_zero, part.shape))


EMPTY_PARTS: dict[Any, Callable[..., Any]] = {
    aten.cat.default: without_empty_parts,
    aten.sum.dim_IntList: sum_of_no_terms,
    aten.mm.default: product_of_no_terms,
    aten.bmm.default: product_of_no_terms,
    aten.constant_pad_nd.default: frame_of_nothing,
    aten.slice_scatter.default: without_empty_write,
}
"""Decompositions by op."""
