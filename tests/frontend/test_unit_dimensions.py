"""Dimensions of size 1 make no loops: a plan is that of the same without them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.planned_kernels import assert_right, planned
from tilewright.payloads import Payload, Tensor, matmul, reduce, rmsnorm, silu, softmax

Work = Callable[[Payload, tuple[int, ...]], Tensor]


def modulated(p: Payload, units: tuple[int, ...]) -> Tensor:
    """A norm, scaled by what is computed for each row of a batch."""
    x, g = p.input("x", (*units, 4, 8, 32), "f32"), p.input("g", (32,), "f32")
    scale = p.input("scale", (*units, 4, 1, 32), "f32")
    return rmsnorm(x, g) * (scale + 1.0)


def attended(p: Payload, units: tuple[int, ...]) -> Tensor:
    """Attention, all heads of one batch."""
    q, k, v = (p.input(name, (*units, 4, 16, 16), "f32") for name in "qkv")
    turned = (*range(len(units) + 1), len(units) + 2, len(units) + 1)
    return matmul(softmax(matmul(q, k.transpose(*turned)) * 0.25), v)


def squeezed(p: Payload, units: tuple[int, ...]) -> Tensor:
    """Places are averaged, and their mean scales them."""
    x = p.input("x", (*units, 6, 40), "f32")
    mean = reduce("sum", x, axis=-1, keepdims=True) * 0.025
    return silu(x) * mean


@pytest.mark.parametrize("units", [(1,), (1, 1)])
@pytest.mark.parametrize("work", [modulated, attended, squeezed])
def test_units_change_no_plan(work: Work, units: tuple[int, ...]) -> None:
    plain, unit = Payload("f"), Payload("f")
    plain.output(work(plain, ()))
    unit.output(work(unit, units))
    one, other = planned(plain), planned(unit)
    assert [k.group.sink.extents for k in other.kernels] == [
        k.group.sink.extents for k in one.kernels
    ]
    assert other.seconds == pytest.approx(one.seconds)
    assert_right(unit)


def test_a_computed_row_is_scaled_in_the_same_kernel() -> None:
    p = Payload("f")
    p.output(modulated(p, ()))
    assert len(planned(p).kernels) == 1


def test_one_row_keeps_its_loop() -> None:
    p = Payload("f")
    p.output(rmsnorm(p.input("x", (1, 32), "f32"), p.input("g", (32,), "f32")))
    assert "tensor<1x32xf32>" in p.text()
    assert len(assert_right(p).program.kernels) == 1
