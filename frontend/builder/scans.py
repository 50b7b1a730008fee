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

from collections.abc import Mapping

from tilewright.frontend.builder.elements import Function, parameter_names
from tilewright.frontend.builder.function_builder import Number
from tilewright.frontend.builder.generic import (
    builder_of,
    common_shape,
    emit,
    filled,
    tensors_among,
    trace,
)
from tilewright.frontend.builder.numerics import TINY_FLOATS, accumulator
from tilewright.frontend.builder.reductions import (
    KINDS,
    Kind,
    bound,
    itself,
    neutral,
    normalized,
)
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, binary
from tilewright.frontend.builder.tensor_view import T
from tilewright.frontend.builder.user_lines import fail


def scan(
    kind: Kind,
    *operands: T | Number,
    axis: int = -1,
    of: Function | None = None,
    dtype: str | None = None,
) -> T:
    """Running totals of a tensor, or of a function of tensors, along an axis.

    scan("sum", x, axis=-1)                                    # torch.cumsum
    scan("sum", x, mask, axis=-1, of=lambda x, m: x * m)

    Sums of narrow types are accumulated in f32 or i32, which is also the result's type;
    `dtype` rounds it.
    """
    if kind not in KINDS:
        fail(f"scan: there is no '{kind}'", f"there are {', '.join(KINDS)}")
    chosen = KINDS[kind]
    function = of or itself
    names = parameter_names(function, len(operands))

    def elements(given: Mapping[str, ScalarLike]) -> object:
        return function(*given.values())

    named = dict(zip(names, operands, strict=True))
    tensors = tensors_among("scan", named)
    builder = builder_of("scan", list(tensors.values()))
    loops = common_shape("scan", list(tensors.values()))
    axes = normalized("scan", axis, loops, list(tensors.values()))
    real = bound(tensors, axes, len(loops))
    traced = trace("scan", elements, {**named, **real})
    result = traced.results[0]
    given = result.dtype if isinstance(result, Scalar) else traced.default_dtype()
    held = given if chosen.exact and given not in TINY_FLOATS else accumulator(given)
    if held == "i1":
        fail("scan: not defined for i1", "cast to an integer first")
    wanted = dtype or held
    kept = tuple(s for loop, s in enumerate(traced.loops) if loop not in axes)
    totals = builder.empty(traced.loops, wanted)
    start = filled(builder, neutral(chosen, held), kept, held)
    value = traced.scalar(held)
    traced.body.argument("out", wanted)
    total = binary(chosen.op, value, traced.body.argument("acc", held))
    op = emit(traced, [total.cast(wanted), total], [totals, start], axes, running=1)
    op.results[0].name_hint = f"scan_{kind}"
    return next(iter(tensors.values())).like(op.results[0], traced.loops, wanted)
