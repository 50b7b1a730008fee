"""Sums at computed places: updates are added to the elements that indices name.

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

That is what a scatter means, not how it is computed: kernels of the element-wise op add
its values to the result with atomics, and neither places nor values are stored.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    update i goes to element i. Updates at a place outside of `x` are left out. The
    order of the sums is not determined.
    """
    check_tensors("scatter_add", x=x, indices=indices, updates=updates)
    sizes = [size for size in x.shape if isinstance(size, int)]
    is_known = len(sizes) == x.rank > 0
    if not is_known or not indices.rank == updates.rank == x.rank:
        fail(
            f"scatter_add: '{x.name}' {x.described}, '{indices.name}' "
            f"{indices.described}, '{updates.name}' {updates.described}",
            "all have the same number of dimensions, and the sizes of x are numbers",
        )
    if is_float(indices.dtype) or x.dtype != updates.dtype or x.dtype not in ADDED:
        fail(
            f"scatter_add: adds {updates.dtype} to {x.dtype} at indices of type "
            f"{indices.dtype}",
            f"add numbers of one type, {', '.join(ADDED)}, at integers",
        )
    along, count = axis % x.rank, prod(sizes)

    def update(given: Mapping[str, ScalarLike]) -> tuple[ScalarLike, ...]:
        index, value = given.values()
        assert isinstance(index, Scalar)
        own = [index.body.index(dim) for dim in range(len(sizes))]
        own[along] = index
        place, *others = (one.cast(PLACE) for one in own)
        for size, one in zip(sizes[1:], others, strict=True):
            place = place * size + one
        # Chosen, not passed on: both results are computed, and none is a mere copy.
        # A place that runs along rows stays a sum, of which Triton sees as much.
        inside = (place >= 0) & (place < count)
        is_in_row = prod(sizes[along + 1 :]) > 1
        return place if is_in_row else where(inside, place, -1), where(inside, value, 0)

    traced = trace("scatter_add", update, {"index": indices, "update": updates})
    kinds = (PLACE, x.dtype)
    yielded = [traced.scalar(kind, result) for result, kind in enumerate(kinds)]
    outputs = [traced.builder.empty(traced.loops, kind) for kind in kinds]
    for kind in kinds:
        traced.body.argument("out", kind)
    made = emit(traced, yielded, outputs)
    for result, name in zip(made.results, ("places", "values"), strict=True):
        result.name_hint = name
    flat = reshape(x, (count,))
    sums = _sums(x.builder, made.results, len(traced.loops), flat.value, x.dtype)
    return reshape(flat.like(sums, flat.sizes, x.dtype), x.shape)


def _sums(
    builder: FunctionBuilder,
    updates: tuple[SSAValue, ...],
    rank: int,
    start: SSAValue,
    dtype: str,
) -> SSAValue:
    """The op that adds values to the elements that their places name."""
    body = Body(builder, rank + 1)
    place, value = body.argument("place", PLACE), body.argument("value", dtype)
    total = body.argument("acc", dtype)
    token = tracing.set(body)
    try:
        made = total + where(place == body.index(0).cast(PLACE), value, 0)
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
    builder.add(op, "sums")
    return op.results[0]
