"""tilewright.short_reductions: a thread reduces what few elements its result has."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.transforms.schedules import (
    assert_same_numbers,
    patterns,
    schedule_of,
    transform,
)
from tilewright.payloads import (
    Payload,
    broadcast_to,
    elementwise,
    index,
    minimum,
    reduce,
    sqrt,
    where,
)

SCHEDULE = schedule_of(patterns("tilewright.short_reductions"))


def distances() -> Payload:
    """The squared distances of points in space: each is read many times."""
    p = Payload("f")
    a, b = p.input("a", (2, 16, 1, 3), "f32"), p.input("b", (2, 1, 16, 3), "f32")
    p.output(reduce("sum", (a - b) * (a - b), axis=-1))
    return p


def overlaps(boxes: int = 128) -> Payload:
    """The overlaps of all pairs of boxes, whose corners are computed once."""
    p = Payload("f")
    corner = sqrt(p.input("x", (boxes, 2), "f32"))
    sides = minimum(corner[:, None], corner[None]) * 2.0
    p.output(reduce("prod", sides, axis=-1))
    return p


def narrow(steps: int = 5, columns: int = 3, kind: str = "bf16") -> Payload:
    """The largest of a few rows that lie side by side, then something of it."""
    p = Payload("f")
    x = p.input("x", (8, steps, columns), kind).cast("f32")
    p.output(reduce("max", x, axis=1) * 2.0)
    return p


def over_two_loops() -> Payload:
    p = Payload("f")
    p.output(reduce("sum", p.input("x", (4, 2, 6, 2, 3), "f32"), axis=(1, 3)))
    return p


def weighted() -> Payload:
    """A sum of rows, each times its weight."""
    p = Payload("f")
    w, x = p.input("w", (4, 6, 5, 1), "f32"), p.input("x", (4, 6, 5, 2), "f32")
    p.output(reduce("sum", w * x, axis=2))
    return p


def stack() -> Payload:
    """Three tensors, of which each row of the stack is one."""
    p = Payload("f")
    a, b, c = (p.input(name, (4, 6), "f32") for name in "abc")
    row = (4, 6, 3)
    stacked = elementwise(
        lambda x, y, z: where(index(2) == 0, x, where(index(2) == 1, y, z)),
        *[broadcast_to(each[..., None], row) for each in (a, b, c)],
    )
    p.output(reduce("max", stacked, axis=-1) + a)
    return p


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "payload", [distances, overlaps, narrow, over_two_loops, weighted, stack]
)
def test_one_elementwise_op_is_left(payload: Callable[[], Payload]) -> None:
    ran = transform(payload().text(), SCHEDULE)
    assert_same_numbers(ran)
    assert '"reduction"' not in ran.text


FILLED = """
func.func @f(%x: tensor<8x4x3xf32>) -> tensor<8x3xf32> {
  %half = arith.constant 5.0e-01 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4x3xf32>
  %halves = linalg.fill ins(%half : f32) outs(%e : tensor<8x4x3xf32>)
    -> tensor<8x4x3xf32>
  %e_1 = tensor.empty() : tensor<8x3xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e_1 : tensor<8x3xf32>)
    -> tensor<8x3xf32>
  %sum = linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>,
                     affine_map<(i, j, k) -> (i, j, k)>,
                     affine_map<(i, j, k) -> (i, k)>],
    iterator_types = ["parallel", "reduction", "parallel"]}
    ins(%x, %halves : tensor<8x4x3xf32>, tensor<8x4x3xf32>)
    outs(%start : tensor<8x3xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %c = arith.mulf %a, %b : f32
    %d = arith.addf %c, %acc : f32
    linalg.yield %d : f32
  } -> tensor<8x3xf32>
  return %sum : tensor<8x3xf32>
}
"""


def test_a_tensor_of_one_number_is_no_source() -> None:
    ran = transform(FILLED, SCHEDULE)
    assert_same_numbers(ran)
    assert '"reduction"' not in ran.text


def norm() -> Payload:
    """What is divided is read again, by whoever holds the row."""
    p = Payload("f")
    x = p.input("x", (8, 4, 3), "f32")
    p.output(x / sqrt(reduce("sum", x * x, axis=1, keepdims=True)))
    return p


def read_twice() -> Payload:
    """Squares that are stored anyway."""
    p = Payload("f")
    x = p.input("x", (8, 4, 3), "f32")
    squares = x * x
    p.output(squares, reduce("sum", squares, axis=1))
    return p


def rows() -> Payload:
    p = Payload("f")
    p.output(reduce("sum", p.input("x", (64, 8), "f32"), axis=-1))
    return p


@pytest.mark.parametrize(
    "payload",
    [
        norm,
        read_twice,
        rows,
        lambda: overlaps(16),
        lambda: narrow(steps=17),
        lambda: narrow(columns=32),
    ],
)
def test_others_stay(payload: Callable[[], Payload]) -> None:
    assert '"reduction"' in transform(payload().text(), SCHEDULE).text
