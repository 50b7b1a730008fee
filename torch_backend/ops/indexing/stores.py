"""Values stored at computed indices: by the kernels that compute them, at their places.

A new tensor is a copy with the values stored. Where torch writes in place (the names
with an underscore), the payload's argument is written, and nothing is copied. Of
several values for one place any one is stored, as in torch. Indices may count from the
end where torch's may.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from tilewright.frontend.builder.function_builder import Number
from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.functions import where
from tilewright.frontend.builder.ops.reshapes import reshape
from tilewright.frontend.builder.ops.scatters import scatter
from tilewright.frontend.builder.ops.views import broadcast_to
from tilewright.frontend.builder.scalar import Scalar, ScalarLike
from tilewright.frontend.builder.sizes import Shape
from tilewright.frontend.builder.tensor import Tensor
from tilewright.torch_backend.ops.axes import axis_of
from tilewright.torch_backend.ops.elements.promotion import converted
from tilewright.torch_backend.ops.result import Result, refuse

OUTSIDE = -(2**40)
"""A place that stays outside of a tensor when those of more dimensions are added."""


def entries(
    out: Result, x: Tensor, dim: int, indices: Tensor, values: Tensor | Number
) -> Tensor:
    """Entries stored at the places along a dimension that indices name."""
    _check(x, indices)
    if not isinstance(values, Tensor):
        values = out.full(values, (1,) * x.rank, x.dtype)
    elif values.shape != indices.shape:
        values = values[tuple(slice(0, size) for size in indices.shape)]
    return scatter(x, indices, values, axis_of(x, dim))


def rows(out: Result, x: Tensor, dim: int, indices: Tensor, values: Tensor) -> Tensor:
    """Slices stored at the places along a dimension that indices name."""
    _check(x, indices)
    if indices.rank != 1 or values.rank != x.rank:
        refuse("slices of another rank")
    axis = axis_of(x, dim)
    return scatter(x, _along(indices, axis, x.rank), values, axis)


def filled(
    out: Result, x: Tensor, dim: int, indices: Tensor, value: Tensor | Number
) -> Tensor:
    """One number stored in the slices that indices name."""
    _check(x, indices)
    if indices.rank != 1:
        refuse("slices at indices of another rank")
    axis = axis_of(x, dim)
    whole: Shape = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
    if isinstance(value, Tensor):
        one = elementwise(lambda v: converted(v, x.dtype), value, dtype=x.dtype)
        values = broadcast_to(one, whole)
    else:
        values = out.full(value, whole, x.dtype)
    (size,) = _numbers(x.shape[axis : axis + 1])
    places = elementwise(lambda at: _counted(at, size), indices, dtype=indices.dtype)
    return scatter(x, _along(places, axis, x.rank), values, axis)


def put_at_numbers(
    x: Tensor, indices: Sequence[Tensor | None], values: Tensor
) -> Tensor:
    """`x[indices] = values` by numbers along neighbouring dimensions, made one."""
    given = [(dim, one) for dim, one in enumerate(indices) if one is not None]
    first, last = given[0][0], given[-1][0]
    if last - first >= len(given):
        refuse("writes at indices along dimensions with others between them")
    for _, one in given:
        _check(x, one, may_be_number=True)
    sizes = _numbers(x.shape[first : last + 1])

    def place(*named: Scalar) -> ScalarLike:
        made: ScalarLike = 0
        for one, size in zip(named, sizes, strict=True):
            index = _counted(one.cast("i64"), size)
            inside = (index >= 0) & (index < size)
            made = where(inside, made * size + index, OUTSIDE)
        return made

    rank = max(1, *(one.rank for _, one in given))
    aligned = [one[(*[None] * (rank - one.rank), ...)] for _, one in given]
    places = elementwise(place, *aligned, dtype="i64")
    shape, before, after = places.shape, x.shape[:first], x.shape[last + 1 :]
    values = broadcast_to(values, (*before, *shape, *after))
    if len(shape) > 1:
        count = prod(_numbers(shape))
        values = reshape(values, (*before, count, *after))
        places = reshape(places, (count,))
    flat = reshape(x, (*before, prod(sizes), *after))
    made = scatter(flat, _along(places, first, flat.rank), values, first)
    return reshape(made, x.shape)


def _numbers(shape: Shape) -> list[int]:
    """Sizes that are known, as all are that `_check` has seen."""
    return [size for size in shape if isinstance(size, int)]


def _along(indices: Tensor, axis: int, rank: int) -> Tensor:
    """Indices as a view along an axis."""
    return indices[(*[None] * axis, slice(None), *[None] * (rank - axis - 1))]


def _counted(index: Scalar, size: int) -> Scalar:
    """An index from the start, where negative ones count from the end."""
    return where(index < 0, index + size, index)


def _check(x: Tensor, indices: Tensor, *, may_be_number: bool = False) -> None:
    if x.rank == 0 or (indices.rank == 0 and not may_be_number):
        refuse("a scatter to a single number")
    sizes = (*x.shape, *indices.shape)
    if not all(isinstance(size, int) for size in sizes):
        refuse("a scatter of sizes that are known only at run time")


TABLE: dict[str, Callable[..., object]] = {
    "aten.index_copy.default": rows,
    "aten.index_copy_.default": rows,
    "aten.index_fill.int_Scalar": filled,
    "aten.index_fill_.int_Scalar": filled,
    "aten.index_fill.int_Tensor": filled,
    "aten.index_fill_.int_Tensor": filled,
    "aten.scatter_.src": entries,
    "aten.scatter_.value": entries,
}
"""Stores by name."""
