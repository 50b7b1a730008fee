"""Writes at computed indices.

Where few elements can write to one place, writes are reads: each element asks who
writes to it. That is exact and quick for a scatter of a few entries along its
dimension, a mask with one value, a diagonal. Scatters of more entries add with atomics,
or store at their places (`stores.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.frontend.builder.function_builder import Number
from tilewright.frontend.builder.gathers import gather
from tilewright.frontend.builder.numerics import computed_in, is_float
from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.functions import maximum, minimum, where
from tilewright.frontend.builder.ops.scatters import scatter_add
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, index
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.structured.scatters import ADDED
from tilewright.torch_backend.ops.axes import axis_of
from tilewright.torch_backend.ops.elements.promotion import converted
from tilewright.torch_backend.ops.indexing.reading import whole_of
from tilewright.torch_backend.ops.indexing.stores import TABLE as STORES
from tilewright.torch_backend.ops.indexing.stores import entries, put_at_numbers
from tilewright.torch_backend.ops.result import Result, refuse

MOST_WRITERS = 4
"""The entries along the dimension that each element looks at."""

Write = Callable[[Scalar, Scalar, ScalarLike], Scalar]
"""The element before, whether it is written to, and what is written."""


def scattered(write: Write) -> Callable[..., Tensor]:
    """Entries written to the places along a dimension that indices name."""

    def op(
        out: Result, x: Tensor, dim: int, indices: Tensor, values: Tensor | Number
    ) -> Tensor:
        if x.rank == 0 or indices.rank == 0:
            refuse("a scatter to a single number")
        axis = axis_of(x, dim)
        count = indices.shape[axis]
        if not isinstance(count, int) or count > MOST_WRITERS:
            refuse(f"a scatter of more than {MOST_WRITERS} entries along its dimension")
        if not _covers(x, indices, axis):
            refuse("a scatter to a part of a tensor")
        places, given = whole_of(indices), values
        if isinstance(given, Tensor):
            given = whole_of(given)

        def element(before: Scalar) -> ScalarLike:
            made = before
            for entry in range(count):
                at: list[ScalarLike] = [index(a) for a in range(x.rank)]
                at[axis] = entry
                here = gather(places, *at).cast("i64") == index(axis).cast("i64")
                value = gather(given, *at) if isinstance(given, Tensor) else given
                made = write(made, here, converted(value, x.dtype))
            return made

        return elementwise(element, x, dtype=out.dtype)

    return op


def replaced(
    out: Result, x: Tensor, dim: int, indices: Tensor, values: Tensor | Number
) -> Tensor:
    """Entries stored at the places along a dimension that indices name."""
    if x.rank and indices.rank:
        axis = axis_of(x, dim)
        count = indices.shape[axis]
        is_short = isinstance(count, int) and count <= MOST_WRITERS
        if is_short and _covers(x, indices, axis):
            return scattered(_replaced)(out, x, dim, indices, values)
    return entries(out, x, dim, indices, values)


def _replaced(before: Scalar, here: Scalar, value: ScalarLike) -> Scalar:
    return where(here, value, before)


def _added(before: Scalar, here: Scalar, value: ScalarLike) -> Scalar:
    return before + where(here, value, 0)


def added(out: Result, x: Tensor, dim: int, indices: Tensor, values: Tensor) -> Tensor:
    """Entries added to the places along a dimension that indices name."""
    if x.dtype == "i1":
        refuse("a scatter that adds elements of type i1")
    axis = axis_of(x, dim)
    count = indices.shape[axis] if indices.rank else 0
    is_short = isinstance(count, int) and count <= MOST_WRITERS
    is_narrow = computed_in(x.dtype) != x.dtype
    if is_short and not is_narrow and _covers(x, indices, axis):
        made = scattered(_added)(out, x, dim, indices, values)
        assert isinstance(made, Tensor)
        return made
    _check_added(x, indices)
    if values.shape != indices.shape:
        values = values[tuple(slice(0, size) for size in indices.shape)]
    return _summed(x, indices, values, axis)


def _summed(x: Tensor, indices: Tensor, values: Tensor, axis: int) -> Tensor:
    """Narrow floats are added in f32 and rounded once; torch rounds each sum."""
    wide = computed_in(x.dtype)
    total = scatter_add(x.cast(wide), indices, values.cast(wide), axis)
    return total.cast(x.dtype)


def reduced(
    out: Result,
    x: Tensor,
    dim: int,
    indices: Tensor,
    values: Tensor,
    reduce: str,
    *,
    include_self: bool = True,
) -> Tensor:
    """`scatter_reduce` by a sum or a mean: the entries are added, and counted."""
    if reduce not in ("sum", "mean"):
        refuse(f"a scatter that reduces by '{reduce}'")
    if reduce == "sum" and include_self:
        return added(out, x, dim, indices, values)
    if not is_float(x.dtype) or x.dtype not in ADDED:
        refuse(f"a scatter that averages or forgets elements of type {x.dtype}")
    start = x if include_self else out.full(0, x.shape, x.dtype)
    counted = out.full(int(include_self), x.shape, x.dtype)
    ones = out.full(1, indices.shape, x.dtype)
    totals = added(out, start, dim, indices, values)
    counts = added(out, counted, dim, indices, ones)

    def combined(before: Scalar, total: Scalar, count: Scalar) -> ScalarLike:
        found = total / maximum(count, 1) if reduce == "mean" else total
        return where(count == 0, before, found)

    return elementwise(combined, x, totals, counts, dtype=out.dtype)


def rows_added(
    out: Result,
    x: Tensor,
    dim: int,
    indices: Tensor,
    rows: Tensor,
    *,
    alpha: Number = 1,
) -> Tensor:
    """Slices added to the places along a dimension that indices name."""
    _check_added(x, indices)
    if rows.rank != x.rank or indices.rank != 1:
        refuse("slices of another rank")
    axis = axis_of(x, dim)
    if alpha != 1:
        wide = computed_in(x.dtype)
        rows = elementwise(lambda row: row * alpha, rows, dtype=wide)
    places = indices[(*[None] * axis, slice(None), *[None] * (x.rank - axis - 1))]
    return _summed(x, places, rows, axis)


def _check_added(x: Tensor, indices: Tensor) -> None:
    if computed_in(x.dtype) not in ADDED:
        refuse(f"a scatter that adds elements of type {x.dtype}")
    if x.rank == 0 or indices.rank == 0:
        refuse("a scatter to a single number")
    sizes = (*x.shape, *indices.shape)
    if not all(isinstance(size, int) for size in sizes):
        refuse("a scatter of sizes that are known only at run time")


def _covers(x: Tensor, indices: Tensor, axis: int) -> bool:
    """Whether indices have the sizes of a tensor along all other dimensions."""
    sizes = zip(x.shape, indices.shape, strict=False)
    return all(a == b for dim, (a, b) in enumerate(sizes) if dim != axis)


def put(
    out: Result,
    x: Tensor,
    indices: Sequence[Tensor | None],
    values: Tensor,
    accumulate: bool = False,
) -> Tensor:
    """`x[mask] = value`: a choice by a mask along the first dimensions.

    Values are stored at indices that are numbers.
    """
    given = [one for one in indices if one is not None]
    if accumulate:
        refuse("an addition at indices")
    if all(one.dtype != "i1" for one in given):
        return put_at_numbers(x, indices, values)
    if len(given) != 1 or not given[0].rank:
        refuse("writes at indices that are masks and numbers")
    if any(size != 1 for size in values.shape):
        refuse("a mask with a value for each place")
    first = next(place for place, one in enumerate(indices) if one is not None)
    mask, value = whole_of(given[0]), whole_of(values)

    def element(before: Scalar) -> ScalarLike:
        at = [index(first + a) for a in range(mask.rank)]
        new = gather(value, *[0] * value.rank)
        return where(gather(mask, *at), converted(new, x.dtype), before)

    return elementwise(element, x, dtype=out.dtype)


def diagonal(
    out: Result,
    x: Tensor,
    values: Tensor,
    offset: int = 0,
    dim1: int = 0,
    dim2: int = 1,
) -> Tensor:
    """A diagonal replaced."""
    rows, columns = axis_of(x, dim1), axis_of(x, dim2)
    others = [a for a in range(x.rank) if a not in (rows, columns)]
    length = values.shape[-1]
    if not isinstance(length, int):
        refuse("a diagonal of a size that is known only at run time")
    source = whole_of(values)

    def element(before: Scalar) -> ScalarLike:
        row, column = index(rows).cast("i64"), index(columns).cast("i64")
        along = column if offset < 0 else row
        inside = minimum(maximum(along, 0), length - 1)
        new = gather(source, *[index(a) for a in others], inside)
        return where(column - row == offset, new, before)

    return elementwise(element, x, dtype=out.dtype)


TABLE: dict[str, Callable[..., object]] = {
    **STORES,
    "aten.scatter.src": replaced,
    "aten.scatter.value": replaced,
    "aten.scatter_add.default": added,
    "aten.scatter_reduce.two": reduced,
    "aten.index_add.default": rows_added,
    "aten.index_put.default": put,
    "aten.index_put_.default": put,
    "aten.diagonal_scatter.default": diagonal,
}
"""Scatters by name."""
