"""Totals that run along a dimension: cumsum, cumprod, cummax and cummin."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.frontend.builder.numerics import computed_in, is_float
from tilewright.frontend.builder.ops.functions import where
from tilewright.frontend.builder.ops.reductions import Kind
from tilewright.frontend.builder.ops.scans import scan
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, index
from tilewright.frontend.builder.tensor import Tensor
from tilewright.torch_backend.ops.axes import axis_of
from tilewright.torch_backend.ops.elements.promotion import (
    compute,
    converted,
    rounded,
)
from tilewright.torch_backend.ops.result import Result, refuse


def running(kind: Kind) -> Callable[..., Tensor]:
    """The sum or the product of all elements up to each one."""

    def op(out: Result, x: Tensor, dim: int, *, dtype: str | None = None) -> Tensor:
        if out.dtype == "i1":
            refuse("running totals of type bool")
        if x.rank == 0:
            return compute(out, lambda x: x, x)
        in_type = computed_in(out.dtype)

        def element(x: Scalar) -> ScalarLike:
            # torch rounds to the result's type before it adds.
            return converted(converted(x, out.dtype), in_type)

        return scan(kind, x, axis=axis_of(x, dim), of=element, dtype=out.dtype)

    return op


def running_extremum(kind: Kind) -> Callable[..., tuple[Tensor, Tensor]]:
    """The largest or smallest element up to each one, and the last index of it.

    An element that equals the extremum up to it has set it: the index is the largest
    one among these so far. A NaN is the extremum from there on.
    """

    def op(out: Result, x: Tensor, dim: int) -> tuple[Tensor, Tensor]:
        if x.rank == 0:
            return compute(out, lambda x: x, x), out.full(0, (), "i64")
        axis, in_type = axis_of(x, dim), "i8" if x.dtype == "i1" else x.dtype

        def element(x: Scalar) -> ScalarLike:
            return converted(x, in_type)

        best = scan(kind, x, axis=axis, of=element)

        def setter(x: Scalar, best: Scalar) -> Scalar:
            x = converted(x, in_type)  # pyright: ignore[reportAssignmentType]
            here = x == best
            here = here | (x != x) if is_float(x.dtype) else here
            return where(here, index(axis).cast("i32"), 0)

        place = scan("max", x, best, axis=axis, of=setter, dtype="i64")
        value = rounded(out, best)
        return value, place

    return op


TABLE: dict[str, Callable[..., object]] = {
    "aten.cumsum.default": running("sum"),
    "aten.cumprod.default": running("prod"),
    "aten.cummax.default": running_extremum("max"),
    "aten.cummin.default": running_extremum("min"),
}
"""Scans by name."""
