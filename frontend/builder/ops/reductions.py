"""Reductions: one `linalg.generic` that starts from the neutral element."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeAlias

from xdsl.dialects.vector import CombiningKindFlag

from tilewright.frontend.builder.function_builder import Number
from tilewright.frontend.builder.generic import (
    Trace,
    builder_of,
    check_tensors,
    common_shape,
    emit,
    filled,
    listed,
    tensors_among,
    trace,
)
from tilewright.frontend.builder.numerics import (
    TINY_FLOATS,
    DtypeLike,
    accumulator,
    is_float,
)
from tilewright.frontend.builder.ops.elements import (
    Function,
    cast,
    elementwise,
    parameter_names,
)
from tilewright.frontend.builder.ops.functions import where
from tilewright.frontend.builder.ops.loop_order import (
    Order,
    common_order,
    remaining,
    reordered,
    viewed,
)
from tilewright.frontend.builder.ops.views import materialized
from tilewright.frontend.builder.scalar import (
    Scalar,
    ScalarLike,
    binary,
    extent,
    index,
)
from tilewright.frontend.builder.sizes import Shape, Size
from tilewright.frontend.builder.tensor_view import T, TensorView
from tilewright.frontend.builder.user_lines import fail
from tilewright.ir.dtypes import element
from tilewright.ir.structured.combiners import neutral_float, neutral_integer

Kind: TypeAlias = Literal["sum", "prod", "max", "min"]


@dataclass(frozen=True)
class Combining:
    """How a reduction or a scan combines two numbers."""

    op: str
    on_floats: CombiningKindFlag
    on_integers: CombiningKindFlag
    exact: bool
    """Whether a narrow type holds the result without rounding."""


KINDS: dict[str, Combining] = {
    "sum": Combining("add", CombiningKindFlag.ADD, CombiningKindFlag.ADD, False),
    "prod": Combining("mul", CombiningKindFlag.MUL, CombiningKindFlag.MUL, False),
    "max": Combining(
        "maximum", CombiningKindFlag.MAXIMUMF, CombiningKindFlag.MAXSI, True
    ),
    "min": Combining(
        "minimum", CombiningKindFlag.MINIMUMF, CombiningKindFlag.MINSI, True
    ),
}


def reduce(
    kind: Kind,
    *operands: T | Number,
    axis: int | Sequence[int],
    of: Function | None = None,
    keepdims: bool = False,
    dtype: DtypeLike | None = None,
) -> T:
    """Reduce a tensor, or a function of tensors, along axes: sum, prod, max or min.

    reduce("sum", x, axis=-1)
    reduce("sum", x, mean[:, None], axis=-1, of=lambda x, m: (x - m) * (x - m))

    Sums of narrow types are accumulated in f32 or i32, which is also the result's type;
    `dtype` rounds the result.
    """
    found = combination("reduce", kind, operands, axis, of)
    traced, axes, held = found.traced, found.axes, found.held
    order = common_order(traced.tensors.values(), traced.loops)
    left: Order | None = None
    reduced = axes
    if order is not None:
        traced, left = reordered(traced, order), remaining(order, axes)
        reduced = tuple(sorted(order.index(axis) for axis in axes))
    shape = tuple(s for loop, s in enumerate(traced.loops) if loop not in reduced)
    start = filled(traced.builder, neutral(found.chosen, held), shape, held)
    value = traced.scalar(held)
    combined = binary(found.chosen.op, value, traced.body.argument("acc", held))
    op = emit(traced, [combined], [start], reduced)
    op.results[0].name_hint = kind
    made = found.first.like(op.results[0], shape, held)
    made = made if left is None else viewed(made, left)
    made = cast(made, dtype) if dtype is not None else made
    return with_units(made, axes) if keepdims else made


@dataclass(frozen=True)
class Combination(Generic[T]):
    """The traced elements that a reduction or a scan combines along axes."""

    chosen: Combining
    axes: tuple[int, ...]
    traced: Trace
    first: T
    """One of the tensors."""
    held: str
    """The type of the totals."""


def combination(
    who: str,
    kind: Kind,
    operands: Sequence[T | Number],
    axis: int | Sequence[int],
    of: Function | None,
) -> Combination[T]:
    """Trace what `who`, "reduce" or "scan", combines."""
    if kind not in KINDS:
        fail(f"{who}: there is no '{kind}'", f"there are {', '.join(KINDS)}")
    chosen = KINDS[kind]
    name = kind if who == "reduce" else who
    function = of or itself
    names = parameter_names(function, len(operands))

    def elements(given: Mapping[str, ScalarLike]) -> object:
        return function(*given.values())

    named = dict(zip(names, operands, strict=True))
    tensors = tensors_among(name, named)
    views = list(tensors.values())
    builder_of(name, views)
    loops = common_shape(name, views)
    axes = normalized(name, axis, loops, views)
    real = bound(tensors, axes, len(loops))
    traced = trace(name, elements, {**named, **real})
    result = traced.results[0]
    given = result.dtype if isinstance(result, Scalar) else traced.default_dtype()
    stays = chosen.exact and given not in TINY_FLOATS
    held = given if stays else accumulator(given)
    if held == "i1":
        fail(f"{name}: not defined for i1", "cast to an integer first")
    return Combination(chosen, axes, traced, views[0], held)


def argmax(
    x: T, *, axis: int = -1, keepdims: bool = False, dtype: DtypeLike = "i32"
) -> tuple[T, T]:
    """The maximum along an axis and its index: two reductions.

    Of equal elements the first counts; a NaN is larger than any number, as in torch.
    """
    check_tensors("argmax", x=x)
    axes = normalized("argmax", axis, x.shape, [x])
    largest = reduce("max", x, axis=axes)
    none = 2**31 - 1

    def place(x: Scalar, largest: Scalar) -> Scalar:
        here = x == largest
        here = here | (x != x) if is_float(x.dtype) else here
        return where(here, index(axes[0]).cast("i32"), none)

    first = reduce("min", x, with_units(largest, axes), axis=axes, of=place)
    made = largest, cast(first, dtype)
    made[1].value.name_hint = "argmax"
    return (with_units(made[0], axes), with_units(made[1], axes)) if keepdims else made


def mean(
    x: T,
    *,
    axis: int | Sequence[int],
    keepdims: bool = False,
    dtype: DtypeLike | None = None,
) -> T:
    """The mean along axes: the sum divided by the number of elements."""
    if not is_float(x.dtype):
        fail(f"mean: not defined for {x.dtype}", "cast to a float first")
    axes = normalized("mean", axis, x.shape, [x])
    total = reduce("sum", x, axis=axes)
    made = divided(total, [x.shape[a] for a in axes], dtype)
    return with_units(made, axes) if keepdims else made


def divided(total: T, sizes: Sequence[Size], dtype: DtypeLike | None = None) -> T:
    """A sum divided by the number of its terms."""

    def mean(total: Scalar) -> Scalar:
        return total / count(sizes)

    return elementwise(mean, total, dtype=dtype)


def count(sizes: Sequence[Size]) -> ScalarLike:
    """The number of elements, in a traced function; a plain number if it is known."""
    known: ScalarLike = math.prod(size for size in sizes if isinstance(size, int))
    for size in sizes:
        length = extent(size)
        if isinstance(length, Scalar):
            known = length.cast("f32") * known
    return known


def normalized(
    who: str, axis: int | Sequence[int], shape: Shape, tensors: Sequence[TensorView]
) -> tuple[int, ...]:
    """Axes counted from the front, sorted; refuses missing and repeated axes."""
    given = [axis] if isinstance(axis, int) else list(axis)
    rank = len(shape)
    for one in given:
        if not -rank <= one < rank:
            fail(
                f"{who}: there is no axis {one} in {listed(tensors)}",
                f"axes go from {-rank} to {rank - 1}",
            )
    found = sorted(one % rank for one in given)
    if len(set(found)) != len(found) or not found:
        fail(f"{who}: axes {given} must name at least one axis, and none twice")
    return tuple(found)


def with_units(tensor: T, axes: Sequence[int]) -> T:
    """A view with dimensions of size 1 at these axes of the result."""
    rest = iter(tensor.axes)
    rank = tensor.rank + len(axes)
    view = tuple(None if axis in axes else next(rest) for axis in range(rank))
    return replace(tensor, axes=view)


def itself(x: ScalarLike) -> ScalarLike:
    """The elements as they are."""
    return x


def neutral(reduction: Combining, dtype: str) -> Number:
    """The neutral element of a reduction in a type."""
    number = (
        neutral_float(reduction.on_floats)
        if is_float(dtype)
        else neutral_integer(reduction.on_integers, 8 * element(dtype).byte_width)
    )
    assert number is not None
    return number


def bound(tensors: Mapping[str, T], axes: Sequence[int], rank: int) -> dict[str, T]:
    """The tensors, changed so that each reduced loop runs along a real dimension.

    A new axis of a view is not a dimension of the value. If a reduced axis has only
    such axes, one tensor gets a dimension of size 1 in memory.
    """
    real = dict(tensors)
    for axis in axes:
        at = axis - rank
        along = {name: one for name, one in real.items() if one.rank >= -at}
        if all(one.axes[at] is None for one in along.values()):
            name, tensor = next(iter(along.items()))
            real[name] = materialized(tensor)
    return real
