"""Planned chains of reductions across rows, which hold columns in registers."""

from __future__ import annotations

import pytest

from support.planned_kernels import assert_right, planned
from tilewright.payloads import Payload, exp, log, reduce, sqrt

Shape = tuple[int, ...]


def softmax(shape: Shape, axis: int) -> Payload:
    payload = Payload("f")
    x = payload.input("x", shape, "f32")
    powers = exp(x - reduce("max", x, axis=axis, keepdims=True))
    payload.output(powers / reduce("sum", powers, axis=axis, keepdims=True))
    return payload


def log_sum(shape: Shape, axis: int) -> Payload:
    payload = Payload("f")
    x = payload.input("x", shape, "f32")
    largest = reduce("max", x, axis=axis, keepdims=True)
    total = reduce("sum", exp(x - largest), axis=axis, keepdims=True)
    payload.output(log(total) + largest)
    return payload


def weighted(shape: Shape, axis: int) -> Payload:
    payload = Payload("f")
    x, y = payload.input("x", shape, "f32"), payload.input("y", shape, "f32")
    powers = exp(x - reduce("max", x, axis=axis, keepdims=True))
    total = reduce("sum", powers, axis=axis, keepdims=True)
    payload.output(reduce("sum", powers / total * y, axis=axis))
    return payload


def lengths(shape: Shape, axis: int) -> Payload:
    payload = Payload("f")
    x, weight = payload.input("x", shape, "f32"), payload.input("w", shape[1:2], "f32")
    length = sqrt((x * x).mean(axis, keepdims=True) + 1.0)
    payload.output(x / length * weight[:, None, None])
    return payload


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "payload",
    [
        softmax((2, 12, 9, 14), 1),
        softmax((40, 70), 0),
        lengths((3, 24, 7, 9), 1),
        pytest.param(softmax((2, 3, 33, 5, 31), 2), marks=pytest.mark.slow),
    ],
)
def test_one_kernel_with_the_right_numbers(payload: Payload) -> None:
    made = assert_right(payload)
    assert len(made.program.kernels) == 1
    assert "with all their rows in registers" in planned(payload).text


@pytest.mark.slow
def test_what_is_only_reduced_holds_columns_where_there_are_many() -> None:
    """A small one has a program for each row of the result."""
    small, large = log_sum((2, 64, 5, 16), 1), log_sum((16, 64, 64, 256), 1)
    assert len(assert_right(small).program.kernels) == 1
    assert "everything that a row of the result needs" in planned(small).text
    assert "with all their rows in registers" in planned(large).text


def test_a_sum_by_the_weights_of_a_softmax_is_one_kernel() -> None:
    small, large = weighted((2, 12, 9, 14), 1), weighted((64, 100, 512), 1)
    assert len(assert_right(small).program.kernels) == 1
    assert "with all their rows in registers" in planned(large).text


def test_neighbouring_loops_run_as_one() -> None:
    text = planned(softmax((16, 64, 30, 50), 1)).text
    assert "by [1, 0, columns] onto [block.y, block.x]" in text


@pytest.mark.slow
def test_tritons_interpreter() -> None:
    assert_right(lengths((2, 24, 7, 9), 1), by_triton=True)


@pytest.mark.parametrize(
    "payload",
    [
        softmax((8, 64), 1),  # contiguous rows
        softmax((4096, 8192), 0),  # no registers hold a column
        softmax((64, 100, 3), 1),  # columns of 12 bytes
    ],
)
def test_columns_that_are_not_held(payload: Payload) -> None:
    assert "held_columns" not in planned(payload).text
    assert "with all their rows in registers" not in planned(payload).text
