"""Scans: totals that run along an axis, as one `linalg.generic`.

The op has two results. The first has the total up to each element, so its map has the
reduction loop as well; the second has the last total, as a reduction has, and carries
it from element to element. MLIR's lowering to loops and ours agree: the loop runs in
order.

    %totals, %last = linalg.generic {
        indexing_maps = [(m, n) -> (m, n), (m, n) -> (m, n), (m, n) -> (m)],
        iterator_types = ["parallel", "reduction"]}
      ins(%x) outs(%empty, %zeros) {
    ^bb0(%x: f32, %out: f32, %acc: f32):
      %sum = arith.addf %x, %acc : f32
      linalg.yield %sum, %sum : f32, f32
    }
"""

from __future__ import annotations

from tilewright.frontend.builder.function_builder import Number
from tilewright.frontend.builder.generic import emit, filled
from tilewright.frontend.builder.numerics import DtypeLike, dtype_name
from tilewright.frontend.builder.ops.elements import Function
from tilewright.frontend.builder.ops.reductions import Kind, combination, neutral
from tilewright.frontend.builder.scalar import binary
from tilewright.frontend.builder.tensor_view import T


def scan(
    kind: Kind,
    *operands: T | Number,
    axis: int = -1,
    of: Function | None = None,
    dtype: DtypeLike | None = None,
) -> T:
    """Running totals of a tensor, or of a function of tensors, along an axis.

    scan("sum", x, axis=-1)                                    # torch.cumsum
    scan("sum", x, mask, axis=-1, of=lambda x, m: x * m)

    Sums of narrow types are accumulated in f32 or i32, which is also the result's type;
    `dtype` rounds it.
    """
    found = combination("scan", kind, operands, axis, of)
    traced, chosen, held = found.traced, found.chosen, found.held
    wanted = held if dtype is None else dtype_name("scan", dtype)
    kept = tuple(s for loop, s in enumerate(traced.loops) if loop not in found.axes)
    totals = traced.builder.empty(traced.loops, wanted)
    start = filled(traced.builder, neutral(chosen, held), kept, held)
    value = traced.scalar(held)
    traced.body.argument("out", wanted)
    total = binary(chosen.op, value, traced.body.argument("acc", held))
    op = emit(
        traced, [total.cast(wanted), total], [totals, start], found.axes, running=1
    )
    op.results[0].name_hint = f"scan_{kind}"
    return found.first.like(op.results[0], traced.loops, wanted)
