"""Planned products with a vector: sums along rows and columns of the matrix."""

from __future__ import annotations

import pytest

from support.planned_kernels import planned
from tilewright.codegen.targets import TARGETS
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.payloads import Payload, matmul, tanh
from tilewright.pipeline import build, parse_payload
from tilewright.planning.kernels import Candidate
from tilewright.planning.plan import plan
from tilewright.planning.sketches.sums import Sum


def product(
    left: tuple[int, ...], right: tuple[int, ...], dtype: str = "f32"
) -> Payload:
    payload = Payload("f")
    x, y = payload.input("x", left, dtype), payload.input("y", right, dtype)
    payload.output(matmul(x, y, dtype=dtype))
    return payload


def with_tail(rows: int, terms: int) -> Payload:
    payload = Payload("f")
    x, y = payload.input("x", (rows, terms), "f32"), payload.input("y", (terms,), "f32")
    bias = payload.input("bias", (rows,), "f32")
    payload.output(tanh(matmul(x, y) + bias))
    return payload


def of_scaled(rows: int, terms: int) -> Payload:
    payload = Payload("f")
    x, y = payload.input("x", (rows, terms), "f32"), payload.input("y", (terms,), "f32")
    payload.output(matmul(x * 2.0 + 1.0, y))
    return payload


def labels(payload: Payload) -> list[str]:
    """The sums among the sketches of the only kernel, the best one first."""
    return [c.sketch.label for c in candidates(payload) if isinstance(c.sketch, Sum)]


def candidates(payload: Payload) -> list[Candidate]:
    (kernel,) = planned(payload).kernels
    return list(kernel.considered)


def test_a_row_times_a_vector_is_a_sum_of_the_row() -> None:
    best = candidates(product((4096, 4096), (4096,)))[0]
    assert best.sketch.label == "whole_rows"
    best = candidates(product((4096, 65536), (65536,)))[0]
    assert best.sketch.label.startswith("looped_rows")
    assert "row_parts_64" in labels(product((16, 524288), (524288, 1)))


def test_programs_share_the_columns_that_a_vector_multiplies() -> None:
    assert "parts_16" in labels(product((1, 8192), (8192, 4096)))


@pytest.mark.parametrize(("rows", "columns"), [(2, 4096), (4096, 2)])
def test_two_rows_use_the_matrix_twice(rows: int, columns: int) -> None:
    assert labels(product((rows, 4096), (4096, columns))) == []


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    "payload",
    [
        product((37, 129), (129,)),
        product((33, 65), (65, 1), "bf16"),
        product((1, 300), (300, 40)),
        product((3, 1, 70), (3, 70, 33)),
        product((3, 9, 70), (3, 70, 1), "bf16"),
        with_tail(19, 130),
        of_scaled(19, 130),
    ],
)
def test_numbers(payload: Payload) -> None:
    module = parse_payload(payload.text())
    others = [(1, c.sketch.label) for c in candidates(payload)]
    for label in labels(payload):
        without = [other for other in others if other != (1, label)]
        found = plan(module, TARGETS["h200"], without=without)
        assert found.kernels[0].candidates[0].sketch.label == label
        made = build(module, found.schedule, {})
        comparison = check_kernel_ir(made, make_case(module, 0))
        assert comparison.ok, (comparison.message, found.text)
