"""Deep programs: equal layers are planned once, and in linear time."""

from __future__ import annotations

import pytest

from support.planned_kernels import assert_right, planned
from tilewright.payloads import Payload, gated_mlp, linear, rmsnorm, softmax


def deep(layers: int, rows: int, width: int, hidden: int) -> Payload:
    """Layers like a transformer's, with a softmax in place of attention."""
    p = Payload("deep")
    x = p.input("x", (rows, width), "bf16")
    for layer in range(layers):

        def weight(name: str, *shape: int, layer: int = layer):
            return p.input(f"{name}{layer}", shape, "bf16")

        h = rmsnorm(x, weight("g", width))
        q, k, v = (linear(h, weight(name, width, width)) for name in "qkv")
        x = linear(softmax(q * k) * v, weight("o", width, width), residual=x)
        h = rmsnorm(x, weight("n", width))
        x = x + gated_mlp(
            h,
            weight("gate", width, hidden),
            weight("up", width, hidden),
            weight("down", hidden, width),
        )
    p.output(x)
    return p


@pytest.mark.slow
def test_layers_are_planned_once() -> None:
    few, many = planned(deep(2, 512, 256, 512)), planned(deep(4, 512, 256, 512))
    assert len(many.kernels) == len(few.kernels)
    # The last layer has a kernel of its own at its end.
    assert len(many.grouping.groups) == 2 * len(few.grouping.groups) - 1
    assert many.text.count("\n") < 1.05 * few.text.count("\n")
    assert "for each " in many.text


@pytest.mark.slow
def test_a_program_of_equal_layers_is_right() -> None:
    made = assert_right(deep(2, 8, 32, 48))
    assert made.program.kernels
