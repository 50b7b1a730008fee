"""Structured transformations over random shapes and sizes: the numbers stay.

Extents of 1 to 9 and sizes of 0 to 11 give whole tiles, partial ones, tiles larger than
the loop and loops that are not tiled at all. What a transformation refuses is refused
with a place; what it does is run after every step.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from support.transforms.schedules import (
    BUFFERIZE,
    OP,
    Ran,
    evaluate,
    for_loops,
    forall,
    fuse,
    match,
    patterns,
    schedule_of,
    transform,
    vectorize,
)
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.interpreter.core.registry import find_function
from tilewright.ir.interpreter.core.signature import signature_of
from tilewright.ir.tolerance import compare

EXTENT = st.integers(1, 9)
SIZE = st.integers(0, 11)
WHOLE = st.integers(1, 11)
Draw = Callable[[st.SearchStrategy[int]], int]


def layer(draw: Draw, *, open_rows: bool = False) -> str:
    """fill, matmul in f16 to f32, an element-wise tail; rows known or not."""
    n, k = draw(EXTENT), draw(EXTENT)
    m = "?" if open_rows else draw(EXTENT)
    a, b, c = f"tensor<{m}x{k}xf16>", f"tensor<{k}x{n}xf16>", f"tensor<{m}x{n}xf32>"
    empty = f"tensor.empty({'%m' if open_rows else ''}) : {c}"
    return f"""\
func.func @layer(%a: {a}, %b: {b}) -> {c} {{
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : {a}
  %e = {empty}
  %init = linalg.fill ins(%zero : f32) outs(%e : {c}) -> {c}
  %mm = linalg.matmul ins(%a, %b : {a}, {b}) outs(%init : {c}) -> {c}
  %r = linalg.generic {{
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  }} ins(%mm : {c}) outs(%e : {c}) {{
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %zero : f32
    linalg.yield %s : f32
  }} -> {c}
  return %r : {c}
}}
"""


def softmax(draw: Draw) -> str:
    """A softmax along one of two dimensions."""
    t = f"tensor<{draw(EXTENT)}x{draw(EXTENT)}xf32>"
    return f"""\
func.func @softmax(%x: {t}) -> {t} {{
  %e = tensor.empty() : {t}
  %r = linalg.softmax dimension({draw(st.integers(0, 1))})
      ins(%x : {t}) outs(%e : {t}) -> {t}
  return %r : {t}
}}
"""


def padding(draw: Draw) -> str:
    """A tensor with a constant around it."""
    m, n = draw(EXTENT), draw(EXTENT)
    low, high = ([draw(st.integers(0, 3)) for _ in range(2)] for _ in range(2))
    given, made = (
        f"tensor<{m}x{n}xf32>",
        f"tensor<{m + low[0] + high[0]}x{n + low[1] + high[1]}xf32>",
    )
    return f"""\
func.func @padded(%x: {given}) -> {made} {{
  %half = arith.constant 0.5 : f32
  %r = tensor.pad %x low{low} high{high} {{
  ^bb0(%i: index, %j: index):
    tensor.yield %half : f32
  }} : {given} to {made}
  return %r : {made}
}}
"""


def assert_same_numbers(ran: Ran, rows: int) -> None:
    """After every step; a size that is left open is `rows`."""
    rng = np.random.default_rng(rows)
    signature = signature_of(find_function(ran.before, None))
    inputs = [
        rng.standard_normal([rows if n < 0 else n for n in spec.shape]).astype(
            spec.dtype
        )
        for spec in signature.arguments
    ]
    (want,) = evaluate(ran.before, inputs, shuffle=None)
    for dump in ran.dumps:
        (got,) = evaluate(dump.module, inputs)
        outcome = compare(got, want, signature.results[0].element_type, 9)
        assert outcome.ok, f"after {dump.step}: {outcome.message}\n{dump.text}"


MM, FILL, TAIL = (
    match("%mm", "linalg.matmul"),
    match("%fill", "linalg.fill"),
    match("%tail", "linalg.generic"),
)


def _handles(name: str, sizes: list[int]) -> str:
    return ", ".join([name, *(f"%l{i}" for i, size in enumerate(sizes) if size)])


def tile_using_for(draw: Draw) -> tuple[str, str]:
    sizes = [draw(SIZE) for _ in range(3)]
    order = draw(st.permutations(range(3)))
    tiled = for_loops(
        _handles("%t", sizes),
        "%mm",
        ", ".join(map(str, sizes)),
        f"interchange = {list(order)} ",
    )
    payload = layer(draw, open_rows=draw(st.booleans()))
    return payload, schedule_of(MM, tiled)


def tile_using_forall(draw: Draw) -> tuple[str, str]:
    sizes = f"{draw(SIZE)}, {draw(WHOLE)}"
    tiled = forall("%t, %g", "%tail", sizes)
    if draw(st.booleans()):
        tiled = tiled.replace("tile_sizes", "num_threads")
    payload = layer(draw, open_rows=draw(st.booleans()))
    return payload, schedule_of(TAIL, tiled)


def fuse_into_containing_op(draw: Draw) -> tuple[str, str]:
    payload = layer(draw, open_rows=draw(st.booleans()))
    return payload, schedule_of(
        *(MM, FILL, TAIL),
        forall("%t, %g", "%tail", f"{draw(WHOLE)}, {draw(SIZE)}"),
        fuse("%m, %g1", "%mm", "%g"),
        fuse("%f, %g2", "%fill", "%g1"),
    )


def fuse_all(draw: Draw) -> tuple[str, str]:
    sizes = [draw(WHOLE), draw(SIZE)]
    types = ", ".join([OP] * (1 + sum(size > 0 for size in sizes)))
    return layer(draw, open_rows=draw(st.booleans())), schedule_of(
        TAIL,
        f"{_handles('%t', sizes)} = transform.structured.fuse %tail tile_sizes {sizes} "
        f": ({OP}) -> ({types})",
    )


def tile_reduction_using_for(draw: Draw) -> tuple[str, str]:
    return layer(draw), schedule_of(
        MM,
        "%f, %t, %merge, %loop = transform.structured.tile_reduction_using_for %mm "
        f"by tile_sizes = [0, 0, {draw(WHOLE)}] : ({OP}) -> ({OP}, {OP}, {OP}, {OP})",
    )


def tile_reduction_using_forall(draw: Draw) -> tuple[str, str]:
    kind = "num_threads" if draw(st.booleans()) else "tile_sizes"
    return layer(draw), schedule_of(
        MM,
        "%f, %t, %merge, %loop = transform.structured.tile_reduction_using_forall %mm "
        f"by {kind} = [0, 0, {draw(WHOLE)}] : ({OP}) -> ({OP}, {OP}, {OP}, {OP})",
    )


def interchange(draw: Draw) -> tuple[str, str]:
    order = list(draw(st.permutations(range(3))))
    return layer(draw, open_rows=draw(st.booleans())), schedule_of(
        MM,
        f"%g = transform.structured.generalize %mm : ({OP}) -> {OP}",
        "%i = transform.structured.interchange %g iterator_interchange = "
        f"{order} : ({OP}) -> {OP}",
    )


def split(draw: Draw) -> tuple[str, str]:
    where, dimension = draw(WHOLE), draw(st.integers(0, 2))
    return layer(draw, open_rows=draw(st.booleans())), schedule_of(
        MM,
        f"%s = transform.structured.split %mm after {where} "
        f"{{dimension = {dimension}}} : {OP}",
    )


def split_reduction(draw: Draw) -> tuple[str, str]:
    factor, place = draw(st.integers(2, 4)), draw(st.integers(0, 2))
    inner = ", inner_parallel" if draw(st.booleans()) else ""
    return layer(draw), schedule_of(
        MM,
        "%e, %f, %s, %c = transform.structured.split_reduction %mm "
        f"{{split_factor = {factor}, insert_split_dimension = {place}{inner}}} "
        f": ({OP}) -> ({OP}, {OP}, {OP}, {OP})",
    )


def decompose(draw: Draw) -> tuple[str, str]:
    return softmax(draw), schedule_of(
        match("%s", "linalg.softmax"),
        f"%d = transform.structured.decompose_interface %s : ({OP}) -> {OP}",
    )


def destination_passing_style(draw: Draw) -> tuple[str, str]:
    return padding(draw), schedule_of(
        match("%p", "tensor.pad"),
        "%d = transform.structured.rewrite_in_destination_passing_style %p "
        f": ({OP}) -> {OP}",
    )


def masked_vectors(draw: Draw) -> tuple[str, str]:
    m, n, k = (draw(WHOLE) for _ in range(3))
    return layer(draw, open_rows=draw(st.booleans())), schedule_of(
        *(MM, FILL, TAIL),
        forall("%t, %g", "%tail", f"{m}, {n}"),
        fuse("%p, %g1", "%mm", "%g"),
        fuse("%f, %g2", "%fill", "%g1"),
        for_loops("%q, %l", "%p", f"0, 0, {k}"),
        vectorize("%q", f"{m}, {n}, {k}"),
        vectorize("%f", f"{m}, {n}"),
        vectorize("%t", f"{m}, {n}"),
        patterns("vector.lower_masked_transfers", "canonicalization"),
        f"transform.structured.eliminate_empty_tensors %root : {OP}",
    )


def own_buffers(draw: Draw) -> tuple[str, str]:
    empty = '!transform.op<"tensor.empty">'
    steps = [
        *(MM, FILL, TAIL),
        forall("%t, %g", "%tail", f"{draw(WHOLE)}, {draw(SIZE)}"),
        fuse("%p, %g1", "%mm", "%g"),
        fuse("%f, %g2", "%fill", "%g1"),
        match("%e", "tensor.empty").replace(f"-> {OP}", f"-> {empty}"),
        "%a = transform.bufferization.empty_tensor_to_alloc_tensor %e "
        f': ({empty}) -> !transform.op<"bufferization.alloc_tensor">',
    ]
    if draw(st.booleans()):
        steps.append(BUFFERIZE)
    return layer(draw, open_rows=draw(st.booleans())), schedule_of(*steps)


RANDOM = (
    tile_using_for,
    tile_using_forall,
    fuse_into_containing_op,
    fuse_all,
    tile_reduction_using_for,
    tile_reduction_using_forall,
    interchange,
    split,
    split_reduction,
    decompose,
    destination_passing_style,
    masked_vectors,
    own_buffers,
)


@pytest.mark.sampled(50)
@pytest.mark.parametrize("case", RANDOM, ids=lambda case: case.__name__)
def test_numbers_stay_on_random_shapes(case) -> None:
    ran: list[Ran] = []

    # Programs this small need no shrinking, which would take minutes. With fewer than
    # twenty examples, all of them may be refused.
    @settings(max_examples=20, deadline=None, phases=[Phase.generate])
    @given(st.data())
    def check(data: st.DataObject) -> None:
        payload, schedule = case(data.draw)
        try:
            done = transform(payload, schedule)
        except SilenceableFailure as refusal:
            assert refusal.place is not None
            return
        ran.append(done)
        assert_same_numbers(done, data.draw(EXTENT))

    check()
    assert ran, "everything was refused"
