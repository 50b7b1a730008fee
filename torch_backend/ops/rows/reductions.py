"""Reductions over any dimensions, in the type that torch accumulates in."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tilewright.frontend.builder.numerics import accumulator, computed_in
from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.functions import sqrt
from tilewright.frontend.builder.ops.loop_order import order_of
from tilewright.frontend.builder.ops.reductions import (
    Kind,
    count,
    divided,
    reduce,
    with_units,
)
from tilewright.frontend.builder.ops.reshapes import drop_axis
from tilewright.frontend.builder.scalar import Scalar, ScalarLike
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dialects.linalg import GenericOp
from tilewright.ir.structured.bodies import is_elementwise
from tilewright.ir.structured.maps import named_loops
from tilewright.torch_backend.ops.axes import axes_of
from tilewright.torch_backend.ops.elements.element_functions import absolute, raised
from tilewright.torch_backend.ops.elements.promotion import compute, converted, rounded
from tilewright.torch_backend.ops.result import Result, refuse
from tilewright.torch_backend.ops.rows.shifted_statistics import (
    by_columns,
    by_images,
)
from tilewright.torch_backend.ops.rows.statistics import WHOLE_ROW, by_parts

Dims = int | Sequence[int] | None


def reduced(
    out: Result,
    kind: Kind,
    *operands: Tensor,
    axes: Sequence[int],
    keepdim: bool,
    in_type: str,
    of: Callable[..., ScalarLike] = lambda x: x,
    dtype: str | None = None,
) -> Tensor:
    """A reduction of a function of elements, each converted to `in_type` first."""

    def element(*given: ScalarLike) -> ScalarLike:
        return of(*[converted(one, in_type) for one in given])

    wanted = dtype or out.dtype
    if not axes:
        made = elementwise(element, *operands, dtype=in_type)
        return compute(out, lambda x: x, made, kind=in_type, dtype=wanted)
    if kind in ("sum", "prod") and in_type != accumulator(in_type):
        in_type = accumulator(in_type)
    inner, rest = _without_units(operands, axes)
    if rest and (places := _places_first(inner, rest)):
        each = reduce(kind, *inner, axis=places, of=element)
        made = reduce(kind, each, axis=[axis for axis in rest if axis < 2])
    elif rest:
        made = reduce(kind, *inner, axis=rest, of=element)
    else:
        made = elementwise(element, *inner, dtype=in_type)
    if made.dtype != wanted:
        made = compute(out, lambda x: x, made, kind=made.dtype, dtype=wanted)
    return with_units(made, axes) if keepdim else made


def _places_first(operands: Sequence[Tensor], axes: Sequence[int]) -> Sequence[int]:
    """The places of channels-last images that are reduced before their channels.

    A row of a whole image is one loop, which cannot read a number for each channel. So
    images with such factors would be stored first. Empty if rows are as good.
    """
    x, *others = operands
    places = range(2, x.rank)
    is_image = sorted(axes)[-len(places) - 1 :] == [1, *places]
    if others or order_of(x) is None or not is_image:
        return ()
    sizes = [size for axis in axes if isinstance(size := x.shape[axis], int)]
    if len(sizes) < len(axes) or math.prod(sizes) <= WHOLE_ROW:
        return ()
    return places if _is_scaled(x) else ()


def _is_scaled(x: Tensor) -> bool:
    """Whether element-wise ops read a number for each channel of an image."""
    channel, places, pending = x.axes[1], {*x.axes[2:]}, [x.value]
    while pending:
        op = pending.pop().owner
        if not isinstance(op, GenericOp) or not is_elementwise(op):
            continue
        for value, map_ in zip(op.inputs, op.maps, strict=False):
            loops = {*named_loops(map_)}
            if channel in loops and not loops & places:
                return True
            if len(loops) == op.get_num_loops():
                pending.append(value)
    return False


def _without_units(
    operands: Sequence[Tensor], axes: Sequence[int]
) -> tuple[Sequence[Tensor], Sequence[int]]:
    """The operands without reduced dimensions of size 1, if they have others."""
    rank = max(one.rank for one in operands)
    units = [
        axis
        for axis in axes
        if all(
            one.rank < rank - axis or one.shape[axis - rank] == 1 for one in operands
        )
    ]
    if not units or len(units) == rank:
        return operands, axes
    kept = list(operands)
    for axis in sorted(units):  # counted from the last, the others stay where they are
        kept = [
            drop_axis(one, axis - rank) if one.rank >= rank - axis else one
            for one in kept
        ]
    rest = [axis - sum(unit < axis for unit in units) for axis in axes]
    return kept, [at for at, axis in zip(rest, axes, strict=True) if axis not in units]


def total(
    out: Result,
    x: Tensor,
    dim: Dims = None,
    keepdim: bool = False,
    *,
    dtype: str | None = None,
) -> Tensor:
    """The sum."""
    axes, kind = axes_of(x, dim), computed_in(out.dtype)
    return reduced(out, "sum", x, axes=axes, keepdim=keepdim, in_type=kind)


def product(
    out: Result,
    x: Tensor,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    dtype: str | None = None,
) -> Tensor:
    """The product."""
    axes, kind = axes_of(x, dim), computed_in(out.dtype)
    return reduced(out, "prod", x, axes=axes, keepdim=keepdim, in_type=kind)


def mean(
    out: Result,
    x: Tensor,
    dim: Dims = None,
    keepdim: bool = False,
    *,
    dtype: str | None = None,
) -> Tensor:
    """The sum divided by the number of elements."""
    axes, kind = axes_of(x, dim), computed_in(out.dtype)
    if not axes:
        return rounded(out, x)
    summed = reduced(out, "sum", x, axes=axes, keepdim=False, in_type=kind, dtype=kind)
    made = divided(summed, [x.shape[axis] for axis in axes], out.dtype)
    return with_units(made, axes) if keepdim else made


def extremum(kind: Kind) -> Callable[..., Tensor]:
    """The largest or smallest element; NaN if there is one."""

    def op(out: Result, x: Tensor, dim: Dims = None, keepdim: bool = False) -> Tensor:
        in_type = "i8" if x.dtype == "i1" else x.dtype
        axes = axes_of(x, dim)
        return reduced(out, kind, x, axes=axes, keepdim=keepdim, in_type=in_type)

    return op


def truth(kind: Kind) -> Callable[..., Tensor]:
    """Whether any or all elements are not 0."""

    def op(out: Result, x: Tensor, dim: Dims = None, keepdim: bool = False) -> Tensor:
        def is_true(x: Scalar) -> ScalarLike:
            return converted(converted(x, "i1"), "i8")

        axes = axes_of(x, dim)
        return reduced(
            out, kind, x, axes=axes, keepdim=keepdim, in_type=x.dtype, of=is_true
        )

    return op


def variance(
    out: Result,
    x: Tensor,
    dim: Dims = None,
    *,
    correction: float | None = None,
    keepdim: bool = False,
) -> Tensor:
    """The mean squared distance from the mean, over n - correction."""
    made, _ = _moments(out, x, dim, correction)
    axes = axes_of(x, dim)
    made = rounded(out, made)
    return with_units(made, axes) if keepdim else made


def variance_and_mean(
    out: Result,
    x: Tensor,
    dim: Dims = None,
    *,
    correction: float | None = None,
    keepdim: bool = False,
) -> tuple[Tensor, Tensor]:
    """The variance, and the mean."""
    axes = axes_of(x, dim)
    both = [rounded(out, one) for one in _moments(out, x, dim, correction)]
    first, second = (with_units(m, axes) if keepdim else m for m in both)
    return first, second


def deviation(
    out: Result,
    x: Tensor,
    dim: Dims = None,
    *,
    correction: float | None = None,
    keepdim: bool = False,
) -> Tensor:
    """The square root of the variance."""
    made, _ = _moments(out, x, dim, correction)
    made = compute(out, lambda v: sqrt(v), made)
    return with_units(made, axes_of(x, dim)) if keepdim else made


def _two_sums(
    out: Result, x: Tensor, axes: Sequence[int], kind: str
) -> tuple[Tensor, Tensor]:
    """The mean, and the sum of squared deviations from it."""
    summed = reduced(out, "sum", x, axes=axes, keepdim=False, in_type=kind, dtype=kind)
    middle = divided(summed, [x.shape[axis] for axis in axes])

    def squared(x: Scalar, middle: Scalar) -> Scalar:
        away = x - middle
        return away * away

    squares = reduced(
        out,
        "sum",
        x,
        with_units(middle, axes),
        axes=axes,
        keepdim=False,
        in_type=kind,
        of=squared,
        dtype=kind,
    )
    return middle, squares


def _moments(
    out: Result, x: Tensor, dim: Dims, correction: float | None
) -> tuple[Tensor, Tensor]:
    """Variance and mean in the type that they are computed in, without the axes."""
    axes, kind = axes_of(x, dim), computed_in(out.dtype)
    if not axes:
        refuse("the variance of a single number")
    less = 1.0 if correction is None else float(correction)
    sizes = [x.shape[axis] for axis in axes]
    (inner,), rest = _without_units([x], axes)
    found = (
        by_parts(inner, rest, kind)
        or by_images(inner, rest, kind)
        or by_columns(inner, rest, kind)
    )
    middle, squares = found or _two_sums(out, x, axes, kind)

    def over(squares: Scalar) -> Scalar:
        known = count(sizes)
        if isinstance(known, Scalar):
            return squares / (known - less)
        return squares / max(float(known) - less, 0.0)

    return elementwise(over, squares), middle


def vector_norm(
    out: Result,
    x: Tensor,
    ord: float = 2,
    dim: Dims = None,
    keepdim: bool = False,
    *,
    dtype: str | None = None,
) -> Tensor:
    """The norm of vectors: the sum of powers, or an extreme magnitude."""
    axes, kind = axes_of(x, dim), computed_in(out.dtype)
    if not axes:
        return compute(out, _is_not_zero if ord == 0 else absolute, x)
    if ord in (math.inf, -math.inf):
        extreme: Kind = "max" if ord > 0 else "min"
        return reduced(
            out, extreme, x, axes=axes, keepdim=keepdim, in_type=kind, of=absolute
        )
    terms: dict[float, Callable[[Scalar], Scalar]] = {
        0: _is_not_zero,
        1: absolute,
        2: lambda x: x * x,
    }
    made = reduced(
        out,
        "sum",
        x,
        axes=axes,
        keepdim=keepdim,
        in_type=kind,
        of=terms.get(ord, lambda x: raised(absolute(x), ord)),
        dtype=kind,
    )
    if ord in (0, 1):
        return rounded(out, made)
    return compute(out, lambda x: raised(x, 1 / ord), made)


def _is_not_zero(x: Scalar) -> Scalar:
    return (x != 0).cast(x.dtype)


TABLE: dict[str, Callable[..., object]] = {
    "aten.sum.default": total,
    "aten.sum.dim_IntList": total,
    "aten.prod.default": lambda out, x, **_: product(out, x),
    "aten.prod.dim_int": product,
    "aten.mean.default": lambda out, x, **_: mean(out, x),
    "aten.mean.dim": mean,
    "aten.amax.default": extremum("max"),
    "aten.amin.default": extremum("min"),
    "aten.max.default": extremum("max"),
    "aten.min.default": extremum("min"),
    "aten.any.default": truth("max"),
    "aten.any.dim": truth("max"),
    "aten.any.dims": truth("max"),
    "aten.all.default": truth("min"),
    "aten.all.dim": truth("min"),
    "aten.all.dims": truth("min"),
    "aten.var.correction": variance,
    "aten.var_mean.correction": variance_and_mean,
    "aten.std.correction": deviation,
    "aten.linalg_vector_norm.default": vector_norm,
}
"""Reductions by name."""
