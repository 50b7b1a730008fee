"""Planned kernels without reductions: chains, broadcasts, any rank, open sizes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from support.planned_kernels import assert_right, planned
from tilewright.payloads import (
    Payload,
    elementwise,
    gather,
    index,
    maximum,
    minimum,
    silu,
)

Shape = tuple[int | str, ...]


def matmul(shape: Shape, *others: Shape, dtype: str = "f32") -> Payload:
    """One op on tensors that are broadcast against the first."""
    payload = Payload("f")
    tensors = [
        payload.input(f"x{number}", size, dtype)
        for number, size in enumerate((shape, *others))
    ]

    def multiplied(*elements):
        first, *rest = elements
        for element in rest:
            first = first * element + 1.0
        return first

    payload.output(elementwise(multiplied, *tensors, dtype=dtype))
    return payload


def chain(shape: Shape) -> Payload:
    payload = Payload("f")
    x, y = payload.input("x", shape, "f32"), payload.input("y", shape, "f32")
    bias = payload.input("b", shape[-1:], "f32")
    payload.output(silu(x + bias) * y)
    return payload


@pytest.mark.parametrize(
    ("payload", "statement"),
    [
        (matmul((4, 6, 96), (4, 6, 96)), "= collapse multiplied\n"),
        (matmul((4, 60, 768), (768,)), "= collapse multiplied by [2, 1]\n"),
        (matmul((4, 60, 768), (4, 1, 1)), "= collapse multiplied by [1, 2]\n"),
        (chain((4, 6, 32)), "mul = collapse mul by [2, 1]\n"),
    ],
)
def test_loops_are_collapsed(payload: Payload, statement: str) -> None:
    assert statement in planned(payload).text


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "payload",
    [
        matmul((1,), (1,)),
        matmul((1, 7, 1), (7, 1)),
        matmul((100_003,), (100_003,)),
        matmul((4, 61, 33), (4, 61, 1), (33,)),
        matmul((2, 3, 4, 5, 6), (1, 3, 1, 5, 1), (2, 1, 4, 1, 6)),
        matmul((64,), (1,)),
        chain((3, 50, 200)),
    ],
)
def test_numbers(payload: Payload) -> None:
    assert len(assert_right(payload).program.kernels) == 1


@pytest.mark.parametrize("shape", [("B", 60, 33), ("B", "S", 32), ("N",)])
def test_open_sizes(shape: Shape) -> None:
    sizes = tuple(7 if isinstance(size, str) else size for size in shape)
    assert_right(matmul(shape, shape), [sizes, sizes])


def test_a_result_that_is_read_elsewhere_is_stored_by_the_same_kernel() -> None:
    payload = Payload("f")
    x, y = payload.input("x", (40, 96), "f32"), payload.input("y", (40, 96), "f32")
    total = x + y
    payload.output(total, silu(total))
    assert len(assert_right(payload, by_triton=True).program.kernels) == 1


def test_options_suit_the_size() -> None:
    def blocks(size: int) -> Sequence[int]:
        (kernel,) = planned(matmul((size,))).kernels
        return kernel.candidates[0].sketch.knobs()[0].options

    assert max(blocks(600)) == 1024
    assert max(blocks(1 << 20)) == 8192


def test_a_thread_gathers_as_many_elements_as_its_registers_hold() -> None:
    """Each of the tiles would hold 16 elements of a thread, gathered 27 times."""
    payload = Payload("f")
    x = payload.input("x", (1 << 16,), "f32")

    def window(element):
        total = element
        for place in range(27):
            at = (index(0).cast("i32") + place) % (1 << 16)
            total = total + gather(x, at)
        return total

    payload.output(elementwise(window, x))
    (kernel,) = planned(payload).kernels
    points = list(kernel.candidates[0].sketch.points())
    assert points
    assert all(point["block"] <= 2 * 32 * point["warps"] for point in points)


@pytest.mark.parametrize("shape", [(1,), (64,), (5, 7), (16, 64)])
def test_a_copy(shape) -> None:
    assert len(assert_right(matmul(shape)).program.kernels) == 1


@pytest.mark.parametrize(
    ("columns", "places", "results"),
    [
        (4089, 8, (1, 2)),
        (4096, 8, (1, 2)),
        (2048, 8, (1,)),
        (8192, 2, (4, 8)),
        (0, 8, (4, 8)),
    ],
    ids=["odd rows", "side by side", "every second", "each twice", "across"],
)
def test_how_many_windows_a_thread_reads(
    columns: int, places: int, results: tuple[int, ...]
) -> None:
    """Lanes that read single elements ask for fewer lines if they lie side by side.

    Neighbours that read the same elements share instructions, and windows across rows
    of memory (no columns) are read by accesses of 16 bytes.
    """
    payload = Payload("f")
    rows, length = 1 << 14, 4096
    x = payload.input("x", (rows, length + 8), "f32")
    y = payload.input("y", (rows - 8, columns or length), "f32")

    def window(element):
        total = element
        for place in range(places):
            row, column = index(0).cast("i32"), index(1).cast("i32")
            first = (column.cast("f32") * (length / (columns or 1))).cast("i32")
            at = (row, first + place) if columns else (row + place, index(1))
            total = total + gather(x, *at)
        return total

    payload.output(elementwise(window, y))
    (kernel,) = planned(payload).kernels
    point = kernel.candidates[0].point
    assert point["block"] // (32 * point["warps"]) in results


def overlaps(rows: int, columns: int) -> Payload:
    """Lengths that all pairs of intervals share, over those that they cover."""
    payload = Payload("f")
    a, b, c, d = (payload.input(name, (rows,), "f32")[:, None] for name in "abcd")
    u, v, w, z = (payload.input(name, (columns,), "f32")[None] for name in "uvwz")
    first = minimum(b, v) - maximum(a, u)
    payload.output(first * (minimum(d, z) - maximum(c, w)))
    return payload


def test_rows_that_read_the_same_vectors_are_in_one_tile() -> None:
    text = planned(overlaps(4096, 2048)).text
    assert "by [cdiv(block, 128), 128]" in text
    assert_right(overlaps(37, 301))


def test_single_numbers_share_a_program_that_stores_each() -> None:
    """As the steps of an optimizer do, which are read by what is computed of them."""
    payload = Payload("f")
    for number in range(3):
        step = payload.input(f"step{number}", (), "f32")
        more = elementwise(lambda one: one + 1.0, step)
        power = elementwise(lambda one: one * one, more)
        payload.output(more, elementwise(lambda one: 1.0 - one, power))
    assert len(assert_right(payload, by_triton=True).program.kernels) == 1
