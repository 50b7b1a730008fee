"""tilewright.sums_order: what a matmul sums up is computed in the order of the sum."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.gradients import gradients
from support.transforms.schedules import (
    Ran,
    assert_same_numbers,
    patterns,
    schedule_of,
    transform,
)
from tilewright.payloads import Payload, Tensor, elementwise, exp, index, matmul, where


def chained(
    of: Callable[[Tensor], Tensor], rows: int | str = 6, dtype: str = "f32"
) -> str:
    """Elements of two matrices, summed along their rows by a third."""
    p = Payload("chained")
    q, k = p.input("q", (rows, 4), dtype), p.input("k", (5, 4), dtype)
    found = of(matmul(q, k.T))
    p.output(matmul(found.cast(dtype).T, q))
    return p.text()


def masked(scores: Tensor) -> Tensor:
    return elementwise(lambda s: where(index(-1) <= index(-2), s, 0.0), scores)


def scaled(scores: Tensor) -> Tensor:
    """Elements that a factor of each column, and one of each row, multiply."""
    return exp(scores * scores.sum(0)) * scores.sum(1).reshape(6, 1)


def ordered(text: str) -> Ran:
    return transform(text, schedule_of(patterns("tilewright.sums_order")))


@pytest.mark.parametrize(
    "text",
    [
        chained(exp),
        chained(masked),
        chained(scaled),
        chained(lambda scores: scores),
        chained(exp, dtype="bf16"),
        gradients((1, 2, 12, 4), "f32", causal=True).text(),
    ],
    ids=["exp", "mask", "sums", "plain", "bf16", "gradients"],
)
def test_the_numbers(text: str) -> None:
    ran = ordered(text)
    assert "affine_map<(d0, d1, d2) -> (d2, d0)>" not in ran.text
    assert_same_numbers(ran)


def test_a_matmul_is_turned_where_nobody_else_reads_it() -> None:
    text = ordered(chained(exp)).text
    assert "tensor<5x6xf32>" in text and "tensor<6x5xf32>" not in text
    assert "ins(%k, %q" in text


def test_matmuls_with_one_order_share_a_copy() -> None:
    """Two matmuls make the weights and their gradients, of both orders: two more."""
    text = gradients((1, 1, 8, 4), "f32").text()
    copies = ordered(text).text.count("linalg.generic") - text.count("linalg.generic")
    turned, element_wise = 2 + 2, 6
    assert copies == turned + element_wise


@pytest.mark.parametrize(("features", "columns"), [(257, 4), (4, 257)])
def test_what_no_tile_holds_stays(features: int, columns: int) -> None:
    """Layers of a perceptron are such: one loop does not compute both products."""
    p = Payload("wide")
    q, k = p.input("q", (6, features), "f32"), p.input("k", (5, features), "f32")
    p.output(matmul(exp(matmul(q, k.T)).T, p.input("v", (6, columns), "f32")))
    assert "affine_map<(d0, d1, d2) -> (d2, d0)>" in ordered(p.text()).text


def test_open_sizes_stay() -> None:
    assert "tensor<5x?xf32>" not in ordered(chained(exp, "N")).text


def test_matmuls_of_buffers_stay() -> None:
    text = """
func.func @f(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>)
    outs(%c : memref<4x4xf32>)
  func.return
}
"""
    assert "linalg.matmul ins(%a, %b" in ordered(text).text
