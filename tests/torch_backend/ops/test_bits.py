"""Ops that move elements or change their sign keep the bits of NaN and of zero."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from support.torch_compiling import compiled

pytestmark = pytest.mark.filterwarnings("ignore")

BITS = [0x7FC00000, -0x400000, 0x7FC00001, -1, 0, -(2**31), 0x3F800000, -0x40800000]
"""NaN of both signs and with other bits, zeros and ones of both signs."""


def exact(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    moved = (
        *(x.flip(0), torch.cat([x, -x]), x[torch.tensor([1, 3, 5])], -x, x.abs()),
        *(torch.where(x > 0, x, x), torch.copysign(torch.ones_like(x), x)),
    )
    return (*(one.view(torch.int32) for one in moved), torch.signbit(x))


@pytest.mark.parametrize("interpreter", ["payload", "kernels"])
def test_bits_are_kept(interpreter: str) -> None:
    x = torch.tensor(BITS, dtype=torch.int32).view(torch.float32)
    made: Any = compiled(exact, interpreter=interpreter)(x)
    for place, (ours, eager) in enumerate(zip(made, exact(x), strict=True)):
        assert torch.equal(ours, eager), place


def test_a_nan_that_is_computed_is_a_nan() -> None:
    x = torch.tensor(BITS, dtype=torch.int32).view(torch.float32)

    def computed(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return x.log(), torch.maximum(x, x.flip(0)), x.bfloat16(), x * torch.inf - x

    torch.testing.assert_close(compiled(computed)(x), computed(x), equal_nan=True)
