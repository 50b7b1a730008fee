"""Concats with constants and slices of pads need no copies."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch.nn import functional as F

import tilewright
from tilewright.codegen.targets import target_named
from tilewright.ir.interpreter import run
from tilewright.pipeline import parse_payload
from tilewright.planning.plan import plan

Function = Callable[[torch.Tensor], torch.Tensor]


def kernels(function: Function, *shape: int) -> int:
    """How many kernels a function is, its numbers checked by the interpreter."""
    torch.manual_seed(0)
    x = torch.randn(shape)
    payload = tilewright.from_torch(function, (x,))
    (made,) = run(payload.module, [x.numpy()])
    torch.testing.assert_close(torch.from_numpy(made), function(x))
    return len(plan(parse_payload(payload.text()), target_named("h200")).kernels)


def test_an_exclusive_sum_is_one_kernel() -> None:
    def shifted(x: torch.Tensor) -> torch.Tensor:
        return torch.cat([torch.zeros_like(x[:, :1]), x], 1)[:, :-1].cumsum(1)

    assert kernels(shifted, 5, 40) == 1


@pytest.mark.sampled(8)
@pytest.mark.parametrize("size", [3, 4, 5])
def test_a_local_response_norm(size: int) -> None:
    def norm(x: torch.Tensor) -> torch.Tensor:
        return F.local_response_norm(x, size, alpha=0.5)

    assert kernels(norm, 2, 6, 4, 5) <= 2


def test_both_sides_and_the_middle_of_a_frame() -> None:
    def framed(x: torch.Tensor) -> torch.Tensor:
        sides = [torch.full_like(x[:2], 0.5), x, torch.full_like(x[:1], 0.5)]
        return torch.cat(sides)[1:-2].exp()

    assert kernels(framed, 6, 7) == 1


def test_a_frame_of_two_numbers_stays_a_join() -> None:
    def framed(x: torch.Tensor) -> torch.Tensor:
        return torch.cat([torch.zeros_like(x[:1]), x, torch.ones_like(x[:1])])[1:]

    kernels(framed, 6, 7)


@pytest.mark.slow
def test_a_cut_that_leaves_only_the_frame() -> None:
    def framed(x: torch.Tensor) -> torch.Tensor:
        return torch.cat([torch.zeros_like(x), x])[:2] + 1

    kernels(framed, 3, 4)


def test_a_concat_with_an_empty_part() -> None:
    """A cache that holds nothing yet is one."""

    def function(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.cat([x.new_empty(3, 0), x], 1) * y

    torch._dynamo.reset()
    given = torch.randn(3, 5), torch.randn(3, 5)
    fast = torch.compile(function, backend="tilewright", options={"strict": True})
    torch.testing.assert_close(fast(*given), function(*given))
