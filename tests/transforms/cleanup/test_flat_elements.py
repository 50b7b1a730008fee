"""tilewright.flat_elements: element-wise ops run on a product's matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import tilewright
from support.transforms.schedules import (
    assert_same_numbers,
    patterns,
    schedule_of,
    transform,
)
from tilewright.payloads import Payload, Tensor, linear, reduce, relu, rmsnorm, silu

SCHEDULE = schedule_of(patterns("tilewright.flat_elements"))


def layer(p: Payload, name: str = "w") -> Tensor:
    """A linear layer of 2 x 3 rows, whose matrix is reshaped."""
    x = p.input("x", (6, 4), "f32") if name == "w" else p.input("y", (6, 4), "f32")
    return linear(x, p.input(name, (4, 8), "f32")).reshape(2, 3, 8)


def activated() -> Payload:
    p = Payload("f")
    p.output(relu(layer(p)).reshape(6, 8))
    return p


def gated() -> Payload:
    p = Payload("f")
    p.output((silu(layer(p)) * layer(p, "v")).reshape(6, 8))
    return p


def with_a_row() -> Payload:
    p = Payload("f")
    p.output(layer(p) * p.input("scale", (8,), "f32"))
    return p


def before_a_norm() -> Payload:
    p = Payload("f")
    p.output(rmsnorm(relu(layer(p)), p.input("g", (8,), "f32")))
    return p


def with_a_batch() -> Payload:
    p = Payload("f")
    p.output(layer(p) + p.input("r", (2, 3, 8), "f32"))
    return p


def less_than_its_sum() -> Payload:
    """Rows less their sums, as the gradients of a loss for all words of a batch."""
    p = Payload("f")
    x = p.input("x", (6, 8), "f32")
    p.output(relu((x - reduce("sum", x, axis=1)[:, None]).reshape(2, 3, 8)))
    return p


@pytest.mark.parametrize(
    "payload", [activated, gated, with_a_row, with_a_batch, less_than_its_sum]
)
def test_the_reshape_comes_last(payload: Callable[[], Payload]) -> None:
    ran = transform(payload().text(), SCHEDULE)
    assert_same_numbers(ran)
    head, *rest = ran.text.split("tensor.expand_shape")
    assert "linalg.generic" in head
    assert not any("linalg.generic" in part for part in rest)


def test_what_others_read_is_computed_once() -> None:
    """A cast of a product is kept for the gradients: the product itself is not."""
    p = Payload("f")
    product = relu(linear(p.input("x", (6, 4), "f32"), p.input("w", (4, 8), "f32")))
    p.output(product, silu(product.reshape(2, 3, 8)).reshape(6, 8))
    ran = transform(p.text(), SCHEDULE)
    assert_same_numbers(ran)
    assert ran.text.count("arith.maximumf") == 1
    assert "tensor<2x3x8xf32>" not in ran.text


NUMBER_BEHIND_A_PRODUCT = """\
#same = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#none = affine_map<(d0, d1, d2) -> ()>
func.func @f(%x: tensor<6x4xf32>, %w: tensor<4x8xf32>, %s: f32) -> tensor<6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
  %p = linalg.matmul ins(%x, %w : tensor<6x4xf32>, tensor<4x8xf32>)
      outs(%i : tensor<6x8xf32>) -> tensor<6x8xf32>
  %v = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 3, 8]
      : tensor<6x8xf32> into tensor<2x3x8xf32>
  %o = tensor.empty() : tensor<2x3x8xf32>
  %r = linalg.generic {indexing_maps = [#same, #none, #same],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v, %s : tensor<2x3x8xf32>, f32) outs(%o : tensor<2x3x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<2x3x8xf32>
  %q = tensor.collapse_shape %r [[0, 1], [2]] : tensor<2x3x8xf32> into tensor<6x8xf32>
  func.return %q : tensor<6x8xf32>
}
"""


def test_a_number_has_no_reshape() -> None:
    ran = transform(NUMBER_BEHIND_A_PRODUCT, SCHEDULE)
    assert_same_numbers(ran)
    assert "tensor<2x3x8xf32>" not in ran.text


def grouped() -> Payload:
    """Rows less their means, collapsed to channels, then scaled by channel."""
    p = Payload("f")
    x = p.input("x", (2, 3, 4), "f32")
    rows = x - reduce("sum", x, axis=2)[:, :, None]
    p.output(relu(rows.reshape(2, 12) * p.input("scale", (12,), "f32")))
    return p


def test_rows_of_a_reduction_keep_their_loops() -> None:
    ran = transform(grouped().text(), SCHEDULE)
    assert_same_numbers(ran)
    head, rest = ran.text.split("tensor.collapse_shape")
    assert head.count("linalg.generic") == 2 and "linalg.generic" not in rest


def test_the_reshape_stays_where_a_reader_needs_it() -> None:
    ran = transform(before_a_norm().text(), SCHEDULE)
    head, rest = ran.text.split("tensor.expand_shape")
    assert "linalg.generic" not in head
    assert "linalg.generic" in rest


def heads(p: Payload) -> Tensor:
    """The sum of two tensors, whose rows are those of four heads."""
    x, y = p.input("x", (2, 3, 8), "f32"), p.input("y", (8,), "f32")
    return relu(x + y)


def before_a_norm_of_heads() -> Payload:
    p = Payload("f")
    p.output(rmsnorm(heads(p).reshape(2, 3, 4, 2), p.input("g", (2,), "f32")))
    return p


def read_as_it_is_too() -> Payload:
    p = Payload("f")
    x = heads(p)
    p.output(reduce("sum", x.reshape(2, 3, 4, 2), axis=3), x * x, x)
    return p


@pytest.mark.parametrize("payload", [before_a_norm_of_heads, read_as_it_is_too])
def test_elements_have_the_rows_of_a_reduction(payload: Callable[[], Payload]) -> None:
    ran = transform(payload().text(), SCHEDULE)
    assert_same_numbers(ran)
    head, rest = ran.text.split("linalg.generic", 1)
    assert head.count("tensor.expand_shape") == 2 and "arith.maximumf" in rest
    assert "reduction" in rest and "tensor.expand_shape %relu" not in ran.text


def test_rows_under_two_shapes_are_read_through_reshapes() -> None:
    p = Payload("f")
    x = heads(p)
    sums = [reduce("sum", x.reshape(*s), axis=1) for s in ((24, 2), (12, 4))]
    p.output(*sums)
    ran = transform(p.text(), SCHEDULE)
    assert ran.text.count("tensor<2x3x8xf32>") > ran.text.count("tensor<24x2xf32>")


def test_a_second_time_changes_nothing() -> None:
    once = transform(read_as_it_is_too().text(), SCHEDULE).text
    assert transform(once, SCHEDULE).text == once


def turned_twice() -> Payload:
    """Heads before places, then places before all heads of the batch."""
    p = Payload("f")
    x = p.input("x", (2, 5, 3, 4), "f32").transpose(0, 2, 1, 3).materialized()
    rows = x.reshape(6, 5, 4).transpose(1, 0, 2).materialized()
    p.output(rows.reshape(5, 24))
    return p


def between_other_rows() -> Payload:
    """Of an empty dimension, which no loop of the first transposition has."""
    p = Payload("f")
    x = p.input("x", (2, 5, 3, 4), "f32").transpose(0, 2, 1, 3).materialized()
    rows = x.reshape(6, 1, 20).transpose(2, 1, 0).materialized()
    p.output(rows * p.input("scale", (6,), "f32"))
    return p


@pytest.mark.parametrize("payload", [turned_twice, between_other_rows])
def test_two_transpositions_are_one(payload: Callable[[], Payload]) -> None:
    ran = transform(payload().text(), SCHEDULE)
    assert_same_numbers(ran)
    assert "linalg.transpose" not in ran.text
    assert ran.text.count("linalg.generic") == 1


def stored_as_well() -> Payload:
    p = Payload("f")
    x = p.input("x", (2, 5, 3, 4), "f32").transpose(0, 2, 1, 3).materialized()
    rows = x.reshape(6, 5, 4)
    p.output(rows.transpose(1, 0, 2).materialized(), rows)
    return p


def split_elsewhere() -> Payload:
    """Rows whose elements are of several dimensions of the first transposition."""
    p = Payload("f")
    x = p.input("x", (2, 5, 3, 4), "f32").transpose(0, 2, 1, 3).materialized()
    p.output(x.reshape(3, 2, 20).transpose(1, 0, 2).materialized())
    return p


@pytest.mark.parametrize("payload", [stored_as_well, split_elsewhere])
def test_other_transpositions_stay(payload: Callable[[], Payload]) -> None:
    ran = transform(payload().text(), SCHEDULE)
    assert_same_numbers(ran)
    assert ran.text.count("linalg.transpose") == 2


STARTED = """
#whole = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%x: tensor<2x4xf32>, %y: tensor<3x8xf32>)
    -> (tensor<2x4xf32>, tensor<8xf32>) {
  %empty = tensor.empty() : tensor<2x4xf32>
  %e = linalg.generic {indexing_maps = [#whole, #whole],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x4xf32>) outs(%empty : tensor<2x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = math.tanh %a : f32
    linalg.yield %t : f32
  } -> tensor<2x4xf32>
  %start = tensor.collapse_shape %e [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  %s = linalg.generic {indexing_maps = [#whole, affine_map<(d0, d1) -> (d1)>],
      iterator_types = ["reduction", "parallel"]}
      ins(%y : tensor<3x8xf32>) outs(%start : tensor<8xf32>) {
  ^bb0(%b: f32, %acc: f32):
    %n = arith.addf %b, %acc : f32
    linalg.yield %n : f32
  } -> tensor<8xf32>
  func.return %e, %s : tensor<2x4xf32>, tensor<8xf32>
}
"""


def test_elements_that_a_sum_starts_from_keep_their_loops() -> None:
    assert "tanh" in transform(STARTED, SCHEDULE).text
    assert "tensor.expand_shape" not in transform(STARTED, SCHEDULE).text


def stacked(x: torch.Tensor) -> torch.Tensor:
    return torch.tanh(torch.stack([x, x], 2))


def scattered(x: torch.Tensor) -> torch.Tensor:
    """Elements that a sum starts from."""
    elements = stacked(x)
    places = torch.zeros_like(elements, dtype=torch.long)
    return torch.scatter_add(elements, 2, places, elements).max(0).indices


def summed(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Elements that a sum reads reshaped, and that are returned as they are."""
    elements = stacked(x)
    return elements.float().reshape(-1, 4).sum(-1), elements


@pytest.mark.parametrize("function", [scattered, summed])
def test_two_patterns_do_not_take_turns_for_ever(
    function: Callable[..., Any],
) -> None:
    """What is computed from a stack would take the loops of the stack back."""
    text = tilewright.from_torch(function, [torch.randn(2, 1, 1).half()]).text()
    before = ("tilewright.concats", "tilewright.unit_loops")
    assert_same_numbers(
        transform(
            text,
            schedule_of(*map(patterns, before), patterns("tilewright.flat_elements")),
        )
    )


REPEATED = """
func.func @f(%a: tensor<4x3xf32>, %b: tensor<3x8xf32>, %heads: tensor<2x4x8xf32>)
    -> tensor<1x2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<4x3xf32>, tensor<3x8xf32>)
                      outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  %angles = tensor.expand_shape %mm [[0, 1], [2]] output_shape [1, 4, 8]
      : tensor<4x8xf32> into tensor<1x4x8xf32>
  %ce = tensor.empty() : tensor<1x4x8xf32>
  %c = linalg.generic {indexing_maps = [
        affine_map<(d0, d1, d2) -> (d0, d1, d2)>,
        affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%angles : tensor<1x4x8xf32>) outs(%ce : tensor<1x4x8xf32>) {
  ^bb0(%x0: f32, %o0: f32):
    %cos = math.cos %x0 : f32
    linalg.yield %cos : f32
  } -> tensor<1x4x8xf32>
  %to = tensor.empty() : tensor<1x2x4x8xf32>
  %r = linalg.generic {indexing_maps = [
        affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>,
        affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>,
        affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%heads, %c : tensor<2x4x8xf32>, tensor<1x4x8xf32>)
      outs(%to : tensor<1x2x4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %m = arith.mulf %x, %y : f32
    linalg.yield %m : f32
  } -> tensor<1x2x4x8xf32>
  func.return %r : tensor<1x2x4x8xf32>
}
"""


def test_a_reader_of_more_elements_is_no_reader_along_these() -> None:
    assert_same_numbers(transform(REPEATED, SCHEDULE))
