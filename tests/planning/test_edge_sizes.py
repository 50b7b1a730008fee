"""Planned kernels at sizes 0 and 1, at odd sizes, and at sizes that are open."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.planned_kernels import assert_right
from tilewright.codegen.targets import TARGETS
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.payloads import (
    Payload,
    gated_mlp,
    layernorm,
    linear,
    reduce,
    softmax,
)
from tilewright.pipeline import build, parse_payload
from tilewright.planning.plan import plan

Size = int | str
Maker = Callable[[Size, Size], Payload]


def a_linear(rows: Size, columns: Size) -> Payload:
    payload = Payload("f")
    x = payload.input("x", (rows, 24), "f16")
    weight = payload.input("w", (24, columns), "f16")
    bias = payload.input("b", (columns,), "f16")
    payload.output(linear(x, weight, bias=bias, activation="gelu"))
    return payload


def a_softmax(rows: Size, columns: Size) -> Payload:
    payload = Payload("f")
    payload.output(softmax(payload.input("x", (rows, columns), "f32")))
    return payload


def a_layernorm(rows: Size, columns: Size) -> Payload:
    payload = Payload("f")
    x = payload.input("x", (rows, columns), "f16")
    scale = payload.input("scale", (columns,), "f16")
    payload.output(layernorm(x, scale, payload.input("bias", (columns,), "f16")))
    return payload


def a_sum_of_rows(rows: Size, columns: Size) -> Payload:
    payload = Payload("f")
    payload.output(reduce("sum", payload.input("x", (rows, columns), "f32"), axis=0))
    return payload


def a_sum_of_all(rows: Size, columns: Size) -> Payload:
    payload = Payload("f")
    x = payload.input("x", (rows, columns), "f32")
    payload.output(reduce("sum", x, axis=(0, 1)))
    return payload


def two_statistics(rows: Size, columns: Size) -> Payload:
    payload = Payload("f")
    x = payload.input("x", (rows, columns), "f32")
    payload.output(reduce("max", x, axis=-1))
    payload.output(reduce("sum", x, axis=-1))
    return payload


def a_gated_mlp(rows: Size, columns: Size) -> Payload:
    payload = Payload("f")
    x = payload.input("x", (rows, 24), "f16")
    gate = payload.input("gate", (24, columns), "f16")
    up = payload.input("up", (24, columns), "f16")
    payload.output(gated_mlp(x, gate, up, payload.input("down", (columns, 24), "f16")))
    return payload


MAKERS = (
    a_linear,
    a_softmax,
    a_layernorm,
    a_sum_of_rows,
    a_sum_of_all,
    two_statistics,
    a_gated_mlp,
)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "sizes", [(1, 40), pytest.param((37, 1), marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("maker", MAKERS)
def test_sizes_of_one(maker: Maker, sizes: tuple[int, int]) -> None:
    assert_right(maker(*sizes))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("maker", MAKERS)
def test_no_rows(maker: Maker) -> None:
    payload = parse_payload(maker(37, 8).text().replace("37x", "0x"))
    made = build(payload, plan(payload, TARGETS["h200"]).schedule)
    comparison = check_kernel_ir(made, make_case(payload, 0))
    assert comparison.ok, comparison.message


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(17, 127), (131, 97), (3, 1000)])
@pytest.mark.parametrize("maker", MAKERS)
def test_odd_sizes(maker: Maker, sizes: tuple[int, int]) -> None:
    assert_right(maker(*sizes), by_triton=True)


@pytest.mark.slow
@pytest.mark.parametrize("maker", MAKERS)
def test_any_number_of_rows(maker: Maker) -> None:
    given = maker("rows", 40)
    payload = parse_payload(given.text())
    made = build(payload, plan(payload, TARGETS["h200"]).schedule)
    for rows in (0, 1, 37):
        shapes = tuple(
            tuple(size if isinstance(size, int) else rows for size in tensor.shape)
            for tensor in given.inputs
        )
        comparison = check_kernel_ir(made, make_case(payload, 0, shapes))
        assert comparison.ok, (rows, comparison.message)
