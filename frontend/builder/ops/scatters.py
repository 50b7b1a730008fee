"""Writes at computed places: updates are added to the elements that indices name, or
stored there.

An element-wise op computes the place and the value of each update. The op after it has
a loop for the elements of the result, and adds the updates whose place is its own:

    %places, %values = linalg.generic ... ins(%indices, %updates) {...}
    %sums = linalg.generic {
        indexing_maps = [(n, e, d) -> (e, d), (n, e, d) -> (e, d), (n, e, d) -> (n)],
        iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%places, %values) outs(%x) {
    ^bb0(%place: i64, %value: f32, %acc: f32):
      %n = linalg.index 0 : index
      %own = arith.index_cast %n : index to i64
      %here = arith.cmpi eq, %place, %own : i64
      %added = arith.select %here, %value, %zero : f32
      %sum = arith.addf %acc, %added : f32
      linalg.yield %sum : f32
    }

One that stores selects `%value` or else `%acc`: the last update of a place wins.
That is what a scatter means, not how it is computed: kernels of the element-wise op add
its values to the result with atomics, or store them there, and neither places nor
values are stored by themselves. They run in any order, so with several updates of one
place any one of them may be the last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod

from xdsl.ir import Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.frontend.builder.function_builder import FunctionBuilder
from tilewright.frontend.builder.generic import check_tensors, emit, trace
from tilewright.frontend.builder.numerics import is_float
from tilewright.frontend.builder.ops.functions import where
from tilewright.frontend.builder.ops.reshapes import reshape
from tilewright.frontend.builder.scalar import Body, Scalar, ScalarLike, tracing
from tilewright.frontend.builder.tensor_view import T
from tilewright.frontend.builder.user_lines import fail
from tilewright.ir.dialects.linalg import (
    GenericOp,
    YieldOp,
    iterators,
    maps_attribute,
)
from tilewright.ir.structured.scatters import ADDED

PLACE = "i64"
"""The type of a place."""


def scatter_add(x: T, indices: T, updates: T, axis: int) -> T:
    """`x` with updates added where the indices name elements along an axis.

    scatter_add(x, indices, updates, 1)            # torch's x.scatter_add(1, ...)
    scatter_add(x, ids[:, None], rows, 0)          # torch's x.index_add(0, ids, rows)

    Indices and updates broadcast, and have the rank of `x`; along the other axes,
    update i goes to element i. Updates with an index outside of `x` are left out. The
    order of the sums is not determined.
    """
    check_tensors("scatter_add", x=x, indices=indices, updates=updates)
    if x.dtype not in ADDED:
        fail(
            f"scatter_add: adds {updates.dtype} to {x.dtype}",
            f"add numbers of one of the types {', '.join(ADDED)}",
        )
    return _written("scatter_add", x, indices, updates, axis, _sum)


def scatter(x: T, indices: T, updates: T, axis: int) -> T:
    """`x` with updates stored where the indices name elements along an axis.

    scatter(x, indices, updates, 1)                # torch's x.scatter(1, ...)
    scatter(x, ids[:, None], rows, 0)              # torch's x.index_copy(0, ids, rows)

    The shapes are those of `scatter_add`, and updates with an index outside of `x` are
    left out, too. Where several have one place, any one of them is stored. A kernel
    writes into the memory of `x` if nothing else reads `x`, and it is computed or an
    input that is `writable`; else into a copy.
    """
    check_tensors("scatter", x=x, indices=indices, updates=updates)
    return _written("scatter", x, indices, updates, axis, _last)


def _written(
    name: str,
    x: T,
    indices: T,
    updates: T,
    axis: int,
    combine: Callable[[Scalar, Scalar, Scalar], Scalar],
) -> T:
    """`x` with updates; `combine` has an element, an update, and whether it is his."""
    sizes = [size for size in x.shape if isinstance(size, int)]
    is_known = len(sizes) == x.rank > 0
    if not is_known or not indices.rank == updates.rank == x.rank:
        fail(
            f"{name}: '{x.name}' {x.described}, '{indices.name}' "
            f"{indices.described}, '{updates.name}' {updates.described}",
            "all have the same number of dimensions, and the sizes of x are numbers",
        )
    if is_float(indices.dtype) or x.dtype != updates.dtype:
        fail(
            f"{name}: writes {updates.dtype} to {x.dtype} at indices of type "
            f"{indices.dtype}",
            "let x and updates have one type, and the indices be integers",
        )
    along, count = axis % x.rank, prod(sizes)

    def update(given: Mapping[str, ScalarLike]) -> tuple[ScalarLike, ...]:
        index, value = (one for one in given.values() if isinstance(one, Scalar))
        # Chosen, not passed on: both results are computed, and none is a mere copy.
        # A row further outside than all rows together has no place inside.
        named = index.cast(PLACE)
        inside = (named >= 0) & (named < sizes[along])
        own: list[ScalarLike] = [
            index.body.index(dim).cast(PLACE) for dim in range(len(sizes))
        ]
        own[along] = where(inside, named, -count)
        place, *others = own
        for size, one in zip(sizes[1:], others, strict=True):
            place = place * size + one
        return place, where(inside, value, 0)

    traced = trace(name, update, {"index": indices, "update": updates})
    kinds = (PLACE, x.dtype)
    yielded = [traced.scalar(kind, result) for result, kind in enumerate(kinds)]
    outputs = [traced.builder.empty(traced.loops, kind) for kind in kinds]
    for kind in kinds:
        traced.body.argument("out", kind)
    made = emit(traced, yielded, outputs)
    for result, hint in zip(made.results, ("places", "values"), strict=True):
        result.name_hint = hint
    flat = reshape(x, (count,))
    rank = len(traced.loops)
    value = _combined(x.builder, made.results, rank, flat.value, x.dtype, combine)
    return reshape(flat.like(value, flat.sizes, x.dtype), x.shape)


def _sum(total: Scalar, value: Scalar, is_own: Scalar) -> Scalar:
    return total + where(is_own, value, 0)


def _last(before: Scalar, value: Scalar, is_own: Scalar) -> Scalar:
    return where(is_own, value, before)


def _combined(
    builder: FunctionBuilder,
    updates: tuple[SSAValue, ...],
    rank: int,
    start: SSAValue,
    dtype: str,
    combine: Callable[[Scalar, Scalar, Scalar], Scalar],
) -> SSAValue:
    """The op that writes values to the elements that their places name."""
    body = Body(builder, rank + 1)
    place, value = body.argument("place", PLACE), body.argument("value", dtype)
    before = body.argument("acc", dtype)
    token = tracing.set(body)
    try:
        made = combine(before, value, place == body.index(0).cast(PLACE))
    finally:
        tracing.reset(token)
    close = YieldOp(made.value)
    close.location = builder.location
    body.block.add_op(close)
    element, *others = (AffineDimExpr(loop) for loop in range(rank + 1))
    read = AffineMap(rank + 1, 0, tuple(others))
    op = GenericOp(
        list(updates),
        [start],
        Region(body.block),
        maps_attribute([read, read, AffineMap(rank + 1, 0, (element,))]),
        iterators(rank + 1, tuple(range(1, rank + 1))),
        [start.type],
    )
    builder.add(op, "sums" if combine is _sum else "stored")
    return op.results[0]
