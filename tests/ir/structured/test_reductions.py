"""reduce, softmax, broadcast and transpose: every dtype, odd shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.ir.interpreter import interpret
from support.ir.linalg_ops import FLOATS, INTEGERS, Shape, one_op, random, tensor
from tilewright.ir.dtypes import numpy_dtype
from tilewright.ir.tolerance import compare

SIZES = st.sampled_from([0, 1, 2, 3, 7, 33])
ON_FLOATS: dict[str, Callable[..., Any]] = {
    "arith.addf": np.add,
    "arith.mulf": np.multiply,
    "arith.maximumf": np.maximum,
    "arith.minimumf": np.minimum,
    "arith.maxnumf": np.fmax,
    "arith.minnumf": np.fmin,
}
ON_INTEGERS: dict[str, Callable[..., Any]] = {
    "arith.addi": np.add,
    "arith.muli": np.multiply,
    "arith.maxsi": np.maximum,
    "arith.minsi": np.minimum,
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor,
}
ODD: list[tuple[Shape, tuple[int, ...]]] = [
    ((1, 1), (0,)),
    ((7, 127), (1,)),
    ((1000, 3), (0,)),
    ((2, 3, 4), (0, 2)),
    ((5, 6), (0, 1)),
    ((4, 5), ()),
    ((4, 0), (1,)),
    ((0, 4), (1,)),
]


def dims(numbers: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, numbers))}]"


def without(shape: Shape, reduced: tuple[int, ...]) -> Shape:
    return tuple(size for dim, size in enumerate(shape) if dim not in reduced)


def reduced(
    combiner: str, function: Any, shape: Shape, over: tuple[int, ...], dtype: str
) -> tuple[np.ndarray, np.ndarray]:
    """What the interpreter gives, and what numpy gives in a wide type."""
    x, start = random(shape, dtype, 1), random(without(shape, over), dtype, 2)
    text = one_op(
        f"linalg.reduce {{ {combiner} }}",
        [tensor(shape, dtype)],
        tensor(start.shape, dtype),
        after=f"dimensions = {dims(over)}",
    )
    wide = x.dtype if dtype.startswith("i") else np.float64
    want = start.astype(wide)
    if all(shape[dim] for dim in over):
        total = function.reduce(x.astype(wide), axis=over, dtype=wide) if over else x
        want = function(want, np.asarray(total, wide))
    return interpret(text, x, start), want.astype(x.dtype)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("combiner", ON_FLOATS)
def test_reduce_floats(combiner: str, dtype: str) -> None:
    for shape, over in ODD:
        if combiner == "arith.mulf" and 1000 in shape:
            continue  # overflows every narrow type
        with np.errstate(all="ignore"):
            got, want = reduced(combiner, ON_FLOATS[combiner], shape, over, dtype)
        length = int(np.prod([shape[dim] for dim in over], initial=1))
        outcome = compare(got, want, dtype, length)
        assert outcome.ok, f"{shape}: {outcome.message}"


@pytest.mark.sampled(6)
@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("combiner", ON_INTEGERS)
def test_reduce_integers(combiner: str, dtype: str) -> None:
    for shape, over in ODD:
        got, want = reduced(combiner, ON_INTEGERS[combiner], shape, over, dtype)
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize(
    ("combiner", "function"), [("arith.maxui", np.max), ("arith.minui", np.min)]
)
def test_reduce_reads_integers_as_the_body_says(
    combiner: str, function: Callable[..., Any]
) -> None:
    x = random((5, 9), "i8")
    start = x[:, 0].copy()
    text = one_op(
        f"linalg.reduce {{ {combiner} }}",
        ["tensor<5x9xi8>"],
        "tensor<5xi8>",
        after="dimensions = [1]",
    )
    want = function(x.view(np.uint8), axis=1).view(np.int8)
    np.testing.assert_array_equal(interpret(text, x, start), want)


def test_reduce_several_at_once() -> None:
    text = """
    func.func @f(%x: tensor<4x6xf32>, %i: tensor<4x6xi32>, %o: tensor<4xf32>,
                 %p: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
      %r:2 = linalg.reduce ins(%x, %i : tensor<4x6xf32>, tensor<4x6xi32>)
        outs(%o, %p : tensor<4xf32>, tensor<4xi32>) dimensions = [1]
        (%a: f32, %n: i32, %b: f32, %m: i32) {
          %c = arith.cmpf ogt, %a, %b : f32
          %0 = arith.select %c, %a, %b : f32
          %1 = arith.select %c, %n, %m : i32
          linalg.yield %0, %1 : f32, i32
        }
      return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>
    }"""
    x = random((4, 6), "f32")
    places = np.broadcast_to(np.arange(6, dtype=np.int32), (4, 6))
    start = np.full(4, -np.inf, np.float32), np.full(4, -1, np.int32)
    best, at = interpret(text, x, places, *start)
    np.testing.assert_array_equal(best, x.max(1))
    np.testing.assert_array_equal(at, x.argmax(1))


def test_reduce_in_an_order_that_matters() -> None:
    # 3 - (2 - (1 - start)): the body is not a combiner, so it runs in order.
    text = one_op(
        "linalg.reduce",
        ["tensor<3xf32>"],
        "tensor<f32>",
        after="""dimensions = [0] (%a: f32, %b: f32) {
          %0 = arith.subf %a, %b : f32
          linalg.yield %0 : f32
        }""",
    )
    got = interpret(text, np.float32([1, 2, 3]), np.float32(10))
    np.testing.assert_array_equal(got, 3 - (2 - (1 - 10)))


@settings(deadline=None, max_examples=examples(60))
@given(shape=st.lists(SIZES, max_size=4), data=st.data())
def test_broadcast(shape: list[int], data: st.DataObject) -> None:
    added = data.draw(st.lists(SIZES, max_size=2))
    rank = len(shape) + len(added)
    places = data.draw(st.permutations(range(rank)))[: len(added)]
    new = sorted(places)
    kept = [dim for dim in range(rank) if dim not in new]
    sizes = dict(zip(kept, shape, strict=True)) | dict(zip(new, added, strict=True))
    full = tuple(sizes[dim] for dim in range(rank))
    text = one_op(
        "linalg.broadcast",
        [tensor(tuple(shape), "f16")],
        tensor(full, "f16"),
        after=f"dimensions = {dims(tuple(new))}",
    )
    x = random(tuple(shape), "f16")
    got = interpret(text, x, np.zeros(full, np.float16))
    want = np.broadcast_to(np.expand_dims(x, tuple(new)), full)
    np.testing.assert_array_equal(got, want)
    assert got.shape == full


@settings(deadline=None, max_examples=examples(60))
@given(shape=st.lists(SIZES, min_size=1, max_size=4), data=st.data())
def test_transpose(shape: list[int], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(shape))))
    dtype = data.draw(st.sampled_from(["f32", "bf16", "i8", "i1"]))
    after = tuple(shape[dim] for dim in order)
    text = one_op(
        "linalg.transpose",
        [tensor(tuple(shape), dtype)],
        tensor(after, dtype),
        after=f"permutation = {dims(tuple(order))}",
    )
    x = random(tuple(shape), dtype)
    got = interpret(text, x, np.zeros(after, numpy_dtype(dtype)))
    np.testing.assert_array_equal(got, x.transpose(order))


@pytest.mark.parametrize("kind", ["tensor", "memref"])
@pytest.mark.parametrize("dtype", ["f64", "f32", "f16", "bf16"])
def test_softmax(dtype: str, kind: str) -> None:
    for shape, dim in [((1,), 0), ((7, 127), 1), ((1000, 3), 0), ((2, 3, 4), 1)]:
        # Large numbers: without subtracting the maximum, exp would overflow.
        x = (random(shape, dtype) * np.asarray(100).astype(numpy_dtype(dtype))).astype(
            numpy_dtype(dtype)
        )
        type_ = tensor(shape, dtype).replace("tensor", kind)
        text = one_op("linalg.softmax", [type_], type_, f"dimension({dim})")
        out = np.zeros_like(x)
        got = interpret(text, x, out) if kind == "tensor" else out
        if kind == "memref":
            interpret(text, x, out)
        want = torch.softmax(torch.from_numpy(x.astype(np.float64)), dim).numpy()
        outcome = compare(got, want.astype(x.dtype), dtype, shape[dim])
        assert outcome.ok, outcome.message


@pytest.mark.parametrize("shape", [(4, 0), (0, 4)])
def test_softmax_of_nothing(shape: Shape) -> None:
    type_ = tensor(shape, "f32")
    text = one_op("linalg.softmax", [type_], type_, "dimension(1)")
    x = np.zeros(shape, np.float32)
    assert interpret(text, x, x).shape == shape
