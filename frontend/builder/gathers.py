"""Elements at computed places: gather in a traced function, tensors of indices.

`gather` reads one element of another tensor inside a function of elements; it becomes
`tensor.extract`. `generated` makes a tensor from the indices of its elements alone.
Together they are flips, rolls, lookups in tables and reflections at an edge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tilewright.frontend.builder.function_builder import FunctionBuilder
from tilewright.frontend.builder.generic import Trace, check_tensors, emit
from tilewright.frontend.builder.numerics import dtype_name, is_float
from tilewright.frontend.builder.ops.elements import (
    elementwise,
    name_of,
    named_elementwise,
)
from tilewright.frontend.builder.ops.loop_order import Order, reordered, viewed
from tilewright.frontend.builder.scalar import (
    Body,
    Scalar,
    ScalarLike,
    as_scalar,
    tracing,
)
from tilewright.frontend.builder.sizes import Size
from tilewright.frontend.builder.sliced_reads import in_whole
from tilewright.frontend.builder.tensor import Tensor
from tilewright.frontend.builder.tensor_view import T, TensorView
from tilewright.frontend.builder.user_lines import fail
from tilewright.ir.dialects import tensor
from tilewright.ir.dtypes import element
from tilewright.ir.name_hints import name_hint


def gather(table: TensorView, *indices: ScalarLike) -> Scalar:
    """The element of a tensor at the given indices, in a function of elements.

    Every index must be at least 0 and less than the size: an index outside reads
    memory that does not belong to the tensor.
    """
    body = tracing.get()
    check_tensors("gather", table=table)
    if body is None:
        fail("gather: there is no element here", "call it in a function of elements")
    if table.builder is not body.builder:
        fail(f"gather: '{table.name}' belongs to another payload")
    if len(indices) != table.rank:
        fail(
            f"gather: {len(indices)} indices for '{table.name}' {table.described}",
            "give one for each dimension",
        )
    places: dict[int, Scalar] = {}
    for axis, place in zip(table.axes, indices, strict=True):
        if isinstance(place, Scalar) and is_float(place.dtype):
            fail(f"gather: an index is a {place.dtype}", "cast it to an integer")
        if axis is not None:
            places[axis] = as_scalar(body, place, "index")
    value, own = in_whole(
        table.value, [places[axis] for axis in range(len(table.sizes))]
    )
    op = tensor.ExtractOp(
        value,
        [as_scalar(body, place, "index").value for place in own],
        element(table.dtype).attribute,
    )
    op.result.name_hint = table.value.name_hint
    return body.emit(op, table.dtype)


def embedding(ids: T, table: TensorView) -> T:
    """A row of the table for each number: shape of `ids`, then the table's columns."""
    check_tensors("embedding", ids=ids, table=table)
    if table.rank != 2 or is_float(ids.dtype):
        fail(
            f"embedding: '{ids.name}' {ids.described} picks rows of '{table.name}' "
            f"{table.described}",
            "give integers, and a table of two dimensions",
        )
    shape = (*ids.shape, table.shape[1])

    def row(given: Mapping[str, Scalar]) -> Scalar:
        (number,) = given.values()
        return gather(table, number, number.body.index(len(shape) - 1))

    named = {"ids": replace(ids, axes=(*ids.axes, None))}
    return named_elementwise("embedding", row, named, table.dtype, shape)


def take_along(x: TensorView, indices: T, axis: int) -> T:
    """`x` at other places along one axis, as torch's `gather`."""
    check_tensors("take_along", x=x, indices=indices)
    if x.rank != indices.rank or not -x.rank <= axis < x.rank:
        fail(
            f"take_along: axis {axis} of '{x.name}' {x.described} at "
            f"'{indices.name}' {indices.described}",
            "both have the same number of dimensions, and the axis is one of them",
        )
    along = axis % x.rank

    def take_along(place: Scalar) -> Scalar:
        body = place.body
        own: list[ScalarLike] = [body.index(loop) for loop in range(x.rank)]
        own[along] = place
        return gather(x, *own)

    return elementwise(take_along, indices, dtype=x.dtype)


def generated(
    builder: FunctionBuilder,
    function: Callable[..., ScalarLike],
    shape: Sequence[Size],
    dtype: str,
    order: Order | None = None,
) -> Tensor:
    """A tensor of which each element is a function of its indices, as one op.

    Its dimensions lie in memory in the given order.
    """
    who = name_of(function)

    def elements(*places: Scalar) -> tuple[ScalarLike, ...]:
        return (function(*places),)

    (made,) = _generated(builder, who, elements, shape, [dtype], order)
    return made


def generated_all(
    builder: FunctionBuilder,
    function: Callable[..., tuple[ScalarLike, ...]],
    shape: Sequence[Size],
    dtypes: Sequence[str],
    order: Order | None = None,
) -> list[Tensor]:
    """As `generated`, for a function that gives elements of several tensors."""
    return _generated(builder, name_of(function), function, shape, dtypes, order)


def _generated(
    builder: FunctionBuilder,
    who: str,
    function: Callable[..., tuple[ScalarLike, ...]],
    shape: Sequence[Size],
    dtypes: Sequence[str],
    order: Order | None,
) -> list[Tensor]:
    dtypes = [dtype_name(who, dtype) for dtype in dtypes]
    ones = [dim for dim, size in enumerate(shape) if size == 1]
    units = ones if len(ones) < len(shape) else []
    loops = tuple(size for dim, size in enumerate(shape) if dim not in units)
    body = Body(builder, len(shape), units)
    token = tracing.set(body)
    try:
        results = function(*[body.index(dim) for dim in range(len(shape))])
    finally:
        tracing.reset(token)
    values = [
        as_scalar(body, result, dtype)
        for result, dtype in zip(results, dtypes, strict=True)
    ]
    made = {value.value.owner for value in values}
    for op in reversed(list(body.block.ops)):
        if op not in made and not op.results[0].uses.get_length():
            op.detach()
            op.erase()
    traced = Trace(builder, who, {}, loops, body, tuple(values))
    if order is not None:
        rest = [dim for dim in order if dim not in units]
        order = tuple(sorted(rest).index(dim) for dim in rest)
        traced = reordered(traced, order)
    loops = traced.loops
    outputs = [builder.empty(loops, dtype) for dtype in dtypes]
    for dtype in dtypes:
        body.argument("out", dtype)
    op = emit(traced, values, outputs)
    found: list[Tensor] = []
    for result, dtype in zip(op.results, dtypes, strict=True):
        result.name_hint = name_hint(who)
        one = Tensor(builder, result, loops, dtype, tuple(range(len(loops))))
        seen = iter((one if order is None else viewed(one, order)).axes)
        axes = [None if dim in units else next(seen) for dim in range(len(shape))]
        found.append(replace(one, axes=tuple(axes)))
    return found
