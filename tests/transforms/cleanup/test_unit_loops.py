"""tilewright.unit_loops: loops that run once go where no op needs them."""

from __future__ import annotations

import pytest

from support.transforms.schedules import (
    Ran,
    assert_same_numbers,
    patterns,
    schedule_of,
    transform,
)
from tilewright.payloads import (
    Payload,
    Tensor,
    elementwise,
    exp,
    index,
    layernorm,
    matmul,
    relu,
    rmsnorm,
    softmax,
)


def dropped(text: str, times: int = 1) -> Ran:
    return transform(text, schedule_of(*[patterns("tilewright.unit_loops")] * times))


def loops(ran: Ran) -> list[int]:
    """The number of loops of each generic op."""
    heads = [line for line in ran.text.splitlines() if "iterator_types" in line]
    return [line.count('"parallel"') + line.count('"reduction"') for line in heads]


def modulated() -> str:
    """Rows of each image, scaled by a vector of the image."""
    p = Payload("modulated")
    x, scale = p.input("x", (2, 6, 8), "f32"), p.input("scale", (2, 1, 8), "f32")
    p.output(layernorm(x) * (1.0 + scale))
    return p.text()


def of_one_image(shape: tuple[int, ...]) -> str:
    p = Payload("image")
    p.output(softmax(exp(p.input("x", shape, "f32")) * 2.0))
    return p.text()


def decoded(rows: int) -> str:
    """A norm of single tokens before a linear layer, and an activation behind it."""
    p = Payload("decoded")
    x, w = p.input("x", (rows, 1, 8), "f32"), p.input("w", (8, 4), "f32")
    product = matmul(rmsnorm(x).reshape(rows, 8), w)
    p.output(relu(product.reshape(rows, 1, 4)))
    return p.text()


def positions() -> str:
    """Elements that count along a loop that runs once, and along another."""
    p = Payload("positions")
    x = p.input("x", (3, 1, 5), "f32")
    p.output(
        elementwise(lambda a: a + (index(-2) + index(-1)).cast("i32").cast("f32"), x)
    )
    return p.text()


def windows() -> str:
    """The second row of a matrix, at an index that is made of a loop that runs once."""
    return """
#here = affine_map<(d0, d1) -> (d0 + 1, d1)>
#flat = affine_map<(d0, d1) -> (d0, d1)>
func.func @windows(%x: tensor<2x6xf32>) -> tensor<1x6xf32> {
  %out = tensor.empty() : tensor<1x6xf32>
  %y = linalg.generic {indexing_maps = [#here, #flat],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x6xf32>) outs(%out : tensor<1x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.addf %a, %a : f32
    linalg.yield %b : f32
  } -> tensor<1x6xf32>
  func.return %y : tensor<1x6xf32>
}
"""


CASES = {
    "modulated": modulated(),
    "one image": of_one_image((1, 6, 8)),
    "one row": of_one_image((1, 1, 8)),
    "one element": of_one_image((1, 1)),
    "decoded": decoded(2),
    "decoded once": decoded(1),
    "positions": positions(),
    "windows": windows(),
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_the_numbers(text: str) -> None:
    assert_same_numbers(dropped(text))


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_a_second_time_changes_nothing(text: str) -> None:
    assert dropped(text, times=2).text == dropped(text).text


def test_a_vector_of_each_image_is_computed_without_rows() -> None:
    ran = dropped(modulated())
    assert "-> tensor<2x8xf32>" in ran.text
    assert "(d0, 0, d2)" not in ran.text


def test_a_batch_of_one_image_is_an_image() -> None:
    ran = dropped(of_one_image((1, 6, 8)))
    assert max(loops(ran)) == 2
    views = [line for line in ran.text.splitlines() if "tensor<1x6x8xf32>" in line]
    assert ["collapse_shape" in views[1], "expand_shape" in views[2]] == [True, True]
    assert len(views) == 4  # the two views, the signature and what is returned


def test_a_single_row_keeps_one_loop() -> None:
    """A kernel has a program for each row: without a loop there would be none."""
    ran = dropped(of_one_image((1, 1, 8)))
    assert max(loops(ran)) == 2 and min(loops(ran)) >= 1


@pytest.mark.parametrize("rows", [1, 2])
def test_rows_of_a_matmul_stay(rows: int) -> None:
    """The norm has the loops of the matrix that it becomes: one kernel may be both."""
    ran = dropped(decoded(rows))
    assert "tensor.expand_shape" not in ran.text.split("linalg.matmul")[0]
    assert max(loops(ran)) == 2


def test_an_index_of_a_loop_that_went_is_zero() -> None:
    ran = dropped(positions())
    assert "linalg.index 1" in ran.text and "linalg.index 2" not in ran.text


def test_a_loop_that_an_index_is_made_of_stays() -> None:
    assert dropped(windows()).text.count("((d0 + 1), d1)") == 1


def test_open_sizes_stay() -> None:
    p = Payload("open")
    x: Tensor = p.input("x", ("N", 8), "f32")
    p.output(exp(x))
    assert loops(dropped(p.text())) == [2]


def test_buffers_keep_their_loops() -> None:
    text = """
#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: memref<1x8xf32>, %b: memref<1x8xf32>) {
  linalg.generic {indexing_maps = [#map, #map],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<1x8xf32>) outs(%b : memref<1x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  func.return
}
"""
    assert loops(dropped(text)) == [2]
