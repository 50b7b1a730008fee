"""Sums of products by BLAS, and reductions by one combiner.

Both work on arrays laid out over the loops: one axis for each loop, of the loop's
extent, or of size 1 where the array does not depend on it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.core.elementwise import widen
from tilewright.ir.structured.contractions import ContractionLoops

_ALONE = 1 << 18
"""OpenBLAS computes products of up to this m * n * k in the calling thread."""

_TILE = 1 << 24
"""Up to this m * n * k a product is computed in pieces of that size: waking a second
thread for a tile costs far more than the tile where the machine is busy."""


def contract(
    lhs: Array, rhs: Array, extents: Sequence[int], reduced: Sequence[int]
) -> Array:
    """The sum over the loops `reduced` of lhs * rhs; reduced axes keep size 1.

    Narrow floats are multiplied and summed in f32. Loops of both factors that stay are
    the batch, loops of one factor its rows or columns.
    """
    lhs, rhs = widen(lhs), widen(rhs)
    if not (np.isfinite(lhs).all() and np.isfinite(rhs).all()):
        # What one factor is summed up along does not commute with an infinite other.
        lhs, rhs = (_repeated(one, extents, reduced) for one in (lhs, rhs))
    loops = range(len(extents))
    runs = [loop for loop in loops if extents[loop] != 1]
    in_lhs = tuple(loop for loop in runs if lhs.shape[loop] == extents[loop])
    in_rhs = tuple(loop for loop in runs if rhs.shape[loop] == extents[loop])
    kept = tuple(loop for loop in loops if loop not in reduced)
    roles = ContractionLoops(in_lhs, in_rhs, kept)
    batch, rows, columns = roles.batch, roles.rows, roles.columns
    inner = tuple(sorted(roles.inner))
    repeated = 1
    for loop in sorted(reduced):
        if loop in inner:
            continue
        if loop in in_lhs:
            lhs = lhs.sum(axis=loop, keepdims=True, dtype=lhs.dtype)
        elif loop in in_rhs:
            rhs = rhs.sum(axis=loop, keepdims=True, dtype=rhs.dtype)
        else:
            repeated *= extents[loop]
    left = _grouped(lhs, (batch, rows, inner))
    right = _grouped(rhs, (batch, inner, columns))
    product = _matmul(left, right)
    order = (*batch, *rows, *columns)
    product = product.reshape([extents[loop] for loop in order])
    product = product.transpose(np.argsort(order) if order else ())
    product = np.expand_dims(product, [loop for loop in loops if loop not in order])
    if repeated == 1:
        return product
    return product * np.asarray(repeated).astype(product.dtype)


def _repeated(value: Array, extents: Sequence[int], loops: Sequence[int]) -> Array:
    """The array along loops that it does not depend on."""
    shape = list(value.shape)
    for loop in loops:
        shape[loop] = extents[loop]
    return np.broadcast_to(value, shape)


def _grouped(value: Array, groups: Sequence[Sequence[int]]) -> Array:
    """The array with one axis for each group of loops."""
    order = [loop for group in groups for loop in group]
    rest = [axis for axis in range(value.ndim) if axis not in order]
    flat = value.transpose([*order, *rest])
    sizes = [int(np.prod([value.shape[d] for d in group])) for group in groups]
    return flat.reshape(sizes)


def _matmul(lhs: Array, rhs: Array) -> Array:
    if lhs.dtype.kind in "iu":
        # numpy multiplies integer matrices without BLAS. Where no sum can exceed f64's
        # 53 bits, a matmul of floats gives the same integers.
        bound = _magnitude(lhs) * _magnitude(rhs) * lhs.shape[-1]
        if bound >= 2**53:
            return np.matmul(lhs, rhs)
        exact = _matmul(lhs.astype(np.float64), rhs.astype(np.float64))
        return exact.astype(np.int64).astype(lhs.dtype)
    work = lhs.shape[-2] * lhs.shape[-1] * rhs.shape[-1]
    if not _ALONE < work <= _TILE:
        return np.matmul(lhs, rhs)
    rows = max(1, _ALONE // (lhs.shape[-1] * rhs.shape[-1]))
    return np.concatenate(
        [
            np.matmul(lhs[:, start : start + rows], rhs)
            for start in range(0, lhs.shape[-2], rows)
        ],
        axis=1,
    )


def _magnitude(value: Array) -> int:
    if value.size == 0:
        return 0
    return max(abs(int(value.max())), abs(int(value.min())))


def reduce_by(
    combiner: np.ufunc, value: Array, extents: Sequence[int], reduced: Sequence[int]
) -> Array:
    """Combine over the loops `reduced`; reduced axes keep size 1.

    None of their extents is 0. Narrow floats are combined in f32.
    """
    shape = [
        extents[loop] if loop in reduced else size
        for loop, size in enumerate(value.shape)
    ]
    full = np.broadcast_to(widen(value), shape)
    # Without a dtype numpy would sum an i32 in 64 bits.
    return combiner.reduce(full, axis=tuple(reduced), keepdims=True, dtype=full.dtype)
