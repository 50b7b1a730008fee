"""tilewright.gathered_elements: elements that take little are computed by readers."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import pytest

from support.transforms.schedules import (
    assert_same_numbers,
    patterns,
    schedule_of,
    transform,
)
from tilewright.payloads import (
    Payload,
    Scalar,
    Tensor,
    exp,
    gather,
    linear,
    log_softmax,
    maximum,
    take_along,
)

SCHEDULE = schedule_of(patterns("tilewright.gathered_elements"))


def loss(rows: int, columns: int, read: int, *, kept: bool = False) -> str:
    """Elements of a log-softmax of bf16 numbers, which are f32 after a conversion."""
    p = Payload("f")
    x = p.input("x", (rows, columns), "bf16").cast("f32")
    made = log_softmax(x, -1)
    chosen = take_along(made, labels(p, rows, read), 1)
    p.output(*([chosen, made] if kept else [chosen]))
    return p.text()


def labels(p: Payload, rows: int, read: int) -> Tensor:
    return p.input("label", (rows, read), "i64")


def test_the_reader_computes_the_elements() -> None:
    ran = transform(loss(4, 64, 1), SCHEDULE)
    assert_same_numbers(ran)
    assert "%log_softmax = linalg" not in ran.text
    assert "tensor.extract %x" in ran.text  # the conversion is computed there too


def test_a_tensor_that_is_returned_is_stored() -> None:
    ran = transform(loss(4, 64, 1, kept=True), SCHEDULE)
    assert "tensor.extract %log_softmax" in ran.text


def rotated(function: Callable[[Tensor], Tensor], readers: int = 1) -> str:
    """Elements of a function of x, each in the next place."""
    p = Payload("f")
    y = function(p.input("x", (16,), "f32"))

    def previous(i: Scalar) -> Scalar:
        return gather(y, (i + 15) % 16)

    p.output(*(p.generate(previous, (16,), "f32") for _ in range(readers)))
    return p.text()


def test_one_reader_computes_elements_that_take_little() -> None:
    ran = transform(rotated(lambda x: exp(x * 2) + 1), SCHEDULE)
    assert_same_numbers(ran)
    assert "tensor.extract %x" in ran.text
    assert ran.text.count("linalg.generic") == 1


def test_readers_that_share_a_tensor_compute_it() -> None:
    ran = transform(rotated(lambda x: x * 2, readers=2), SCHEDULE)
    assert_same_numbers(ran)
    assert ran.text.count("tensor.extract %x") == 2


def test_a_tensor_that_another_op_reads_plainly_is_stored() -> None:
    p = Payload("f")
    y = exp(p.input("x", (16,), "f32"))

    def previous(i: Scalar) -> Scalar:
        return gather(y, (i + 15) % 16)

    p.output(p.generate(previous, (16,), "f32"), y * 2)
    ran = transform(p.text(), SCHEDULE)
    assert "tensor.extract %exp" in ran.text


def window(places: int, count: int, function: Callable[[Tensor], Tensor]) -> str:
    """The maxima of windows of a function's elements, which move by `1024 / count`."""
    p = Payload("f")
    y = function(p.input("x", (1024 + places,), "f32"))

    def largest(i: Scalar) -> Scalar:
        reads = (gather(y, i * (1024 // count) + place) for place in range(places))
        return reduce(maximum, reads)

    p.output(p.generate(largest, (count,), "f32"))
    return p.text()


def test_a_window_computes_elements_that_it_reads_once() -> None:
    ran = transform(window(8, 128, exp), SCHEDULE)
    assert_same_numbers(ran)
    assert ran.text.count("tensor.extract %x") == 8


@pytest.mark.sampled(20)
@pytest.mark.parametrize(
    ("places", "count", "function"),
    [(8, 1024, lambda x: exp(exp(exp(x)))), (256, 4, lambda x: x * 2 + 1)],
    ids=["long functions", "long bodies"],
)
def test_other_tensors_are_stored(
    places: int, count: int, function: Callable[[Tensor], Tensor]
) -> None:
    ran = transform(window(places, count, function), SCHEDULE)
    assert "tensor.extract %x" not in ran.text


def test_a_view_is_read_through() -> None:
    p = Payload("f")
    y = exp(p.input("x", (4, 6), "f32")).reshape(24)

    def reversed_place(i: Scalar) -> Scalar:
        return gather(y, i * -1 + 23)

    p.output(p.generate(reversed_place, (24,), "f32"))
    ran = transform(p.text(), SCHEDULE)
    assert_same_numbers(ran)
    assert ran.text.count("linalg.generic") == 1 and "tensor.extract %x" in ran.text


def test_the_tail_of_a_product_is_stored() -> None:
    p = Payload("f")
    x, w = p.input("x", (4, 16), "bf16"), p.input("w", (16, 64), "bf16")
    p.output(take_along(linear(x, w), labels(p, 4, 1), 1))
    ran = transform(p.text(), SCHEDULE)
    assert "tensor.extract %linear" in ran.text


def test_a_product_that_several_ops_read_is_stored_anyway() -> None:
    p = Payload("f")
    x, w = p.input("x", (4, 16), "f32"), p.input("w", (16, 64), "f32")
    p.output(take_along(log_softmax(x @ w, -1), labels(p, 4, 1), 1))
    ran = transform(p.text(), SCHEDULE)
    assert_same_numbers(ran)
    assert "tensor.extract %product" in ran.text


def doubled_and(rest: str, results: int) -> str:
    """Twice the elements of x, and an op that reads a view of them."""
    return f"""
    #row = affine_map<(d0) -> (d0)>
    #matrix = affine_map<(d0, d1) -> (d0, d1)>
    func.func @f(%x: tensor<8xf32>) -> tensor<{results}xf32> {{
      %e = tensor.empty() : tensor<8x2xf32>
      %y = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0)>, #matrix],
          iterator_types = ["parallel", "parallel"]}}
          ins(%x : tensor<8xf32>) outs(%e : tensor<8x2xf32>) {{
      ^bb0(%a: f32, %out: f32):
        %t = arith.addf %a, %a : f32
        linalg.yield %t : f32
      }} -> tensor<8x2xf32>
      {rest}
      return %r : tensor<{results}xf32>
    }}"""


def test_a_slice_from_the_start_stays_a_slice() -> None:
    rest = """
      %s = tensor.extract_slice %y[0, 0] [4, 1] [1, 1]
          : tensor<8x2xf32> to tensor<4xf32>
      %o = tensor.empty() : tensor<4xf32>
      %r = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
          ins(%s : tensor<4xf32>) outs(%o : tensor<4xf32>) {
      ^bb0(%a: f32, %out: f32):
        %t = arith.mulf %a, %a : f32
        linalg.yield %t : f32
      } -> tensor<4xf32>"""
    ran = transform(doubled_and(rest, 4), SCHEDULE)
    assert_same_numbers(ran)
    assert ran.text.count("linalg.generic") == 1
    assert "tensor.extract_slice %x[0] [4] [1]" in ran.text


def test_a_reduction_keeps_an_operand_along_its_loop() -> None:
    rest = """
      %c = tensor.collapse_shape %y [[0, 1]] : tensor<8x2xf32> into tensor<16xf32>
      %zero = arith.constant 0.0 : f32
      %o = tensor.empty() : tensor<1xf32>
      %i = linalg.fill ins(%zero : f32) outs(%o : tensor<1xf32>) -> tensor<1xf32>
      %r = linalg.generic {indexing_maps = [#row, affine_map<(d0) -> (0)>],
          iterator_types = ["reduction"]}
          ins(%c : tensor<16xf32>) outs(%i : tensor<1xf32>) {
      ^bb0(%a: f32, %acc: f32):
        %t = arith.maximumf %a, %acc : f32
        linalg.yield %t : f32
      } -> tensor<1xf32>"""
    ran = transform(doubled_and(rest, 1), SCHEDULE)
    assert_same_numbers(ran)
    assert "ins(%c : tensor<16xf32>)" in ran.text
