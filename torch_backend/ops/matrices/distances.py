"""Comparisons of each row with each of a second set: distances and buckets."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.frontend.builder.function_builder import Number
from tilewright.frontend.builder.gathers import gather
from tilewright.frontend.builder.numerics import computed_in
from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.functions import maximum, minimum, sqrt, where
from tilewright.frontend.builder.ops.products import matmul
from tilewright.frontend.builder.ops.reductions import Kind, reduce, with_units
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, index
from tilewright.frontend.builder.tensor import Tensor
from tilewright.torch_backend.ops.elements.element_functions import absolute
from tilewright.torch_backend.ops.elements.promotion import compute, converted, promoted
from tilewright.torch_backend.ops.indexing.reading import whole_of
from tilewright.torch_backend.ops.result import Result, refuse

MANY_ROWS = 25
"""torch computes distances of more rows than this by a matmul."""
MOST_BOUNDARIES = 4096
"""Each element is compared with one boundary for each of the 12 bits of its place."""


def cdist(
    out: Result, x: Tensor, y: Tensor, p: float, compute_mode: int | None = None
) -> Tensor:
    """The distance of each row of a matrix to each row of another."""
    if p not in (1.0, 2.0, float("inf")):
        refuse(f"distances of order {p}")
    rows = x.shape[-2], y.shape[-2]
    if not all(isinstance(size, int) for size in (*rows, x.shape[-1])):
        refuse("distances of a size that is known only at run time")
    is_large = any(isinstance(size, int) and size > MANY_ROWS for size in rows)
    mode = compute_mode or 0
    if p == 2.0 and (mode == 1 or (mode == 0 and is_large)):
        return _by_matmul(out, x, y)
    kind = computed_in(out.dtype)

    def away(x: Scalar, y: Scalar) -> ScalarLike:
        apart = converted(x, kind) - converted(y, kind)
        return apart * apart if p == 2.0 else absolute(apart)  # pyright: ignore[reportArgumentType]

    how: Kind = "max" if p == float("inf") else "sum"
    left, right = x[..., :, None, :], y[..., None, :, :]
    total = reduce(how, left, right, axis=-1, of=away)
    return compute(out, lambda t: sqrt(t) if p == 2.0 else t, total)


def _by_matmul(out: Result, x: Tensor, y: Tensor) -> Tensor:
    """`|x|^2 + |y|^2 - 2 x.y`, as torch does for many rows."""

    def squared(x: Scalar) -> ScalarLike:
        wide = converted(x, computed_in(x.dtype))
        return wide * wide

    rows = reduce("sum", x, axis=-1, of=squared)
    columns = reduce("sum", y, axis=-1, of=squared)
    order = [*range(y.rank - 2), y.rank - 1, y.rank - 2]
    product = matmul(x, y.transpose(*order), dtype=computed_in(out.dtype))

    def distance(product: Scalar, row: Scalar, column: Scalar) -> Scalar:
        return sqrt(maximum(row + column - product * 2.0, 0.0))

    units = with_units(rows, [rows.rank]), with_units(columns, [columns.rank - 1])
    return elementwise(distance, product, *units, dtype=out.dtype)


def bucketize(
    out: Result,
    x: Tensor | Number,
    boundaries: Tensor,
    *,
    out_int32: bool = False,
    right: bool = False,
) -> Tensor:
    """The number of boundaries below each element; a NaN is above all."""
    count = boundaries.shape[-1]
    if not isinstance(x, Tensor) or x.rank == 0:
        refuse("a single number that is searched for")
    if not isinstance(count, int) or count > MOST_BOUNDARIES:
        refuse(f"a search among more than {MOST_BOUNDARIES} boundaries")
    kind = promoted(x, boundaries)
    table = whole_of(boundaries)

    def place(x: Scalar) -> ScalarLike:
        value, found = converted(x, kind), index(0).cast("i32") * 0
        for bit in reversed(range(count.bit_length())):
            last = found + (2**bit - 1)
            limit = converted(gather(table, minimum(last, count - 1)), kind)
            is_below = value < limit if right else value <= limit
            further = where(is_below, found, found + 2**bit)
            found = where(last < count, further, found)
        return converted(found, out.dtype)

    return elementwise(place, x, dtype=out.dtype)


TABLE: dict[str, Callable[..., object]] = {
    "aten._cdist_forward.default": cdist,
    "aten.bucketize.Tensor": bucketize,
}
"""Distances and searches by name."""
