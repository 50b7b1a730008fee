"""Inputs that a graph writes: in place where it can be, and never a wrong number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import tilewright

Function = Callable[..., Any]


def _both(function: Function, *inputs: torch.Tensor) -> None:
    """Results and inputs afterwards are those of eager torch."""
    torch._dynamo.reset()
    theirs = [one.clone() for one in inputs]
    ours = [one.clone() for one in inputs]
    expected = function(*theirs)
    found = torch.compile(function, backend="tilewright", options={"strict": True})(
        *ours
    )
    torch.testing.assert_close(found, expected)
    torch.testing.assert_close(ours, theirs)


def _calls(function: Function, *inputs: torch.Tensor) -> list[str]:
    """The ops that stay in torch."""
    torch._dynamo.reset()
    found = tilewright.explain(function, inputs, measure=False)
    return [row.op for row in found.in_torch for _ in range(row.times)]


def _cached(
    cache: torch.Tensor, place: torch.Tensor, new: torch.Tensor
) -> torch.Tensor:
    cache.index_copy_(1, place, new * 2)
    return torch.softmax(cache.sum(-1), -1)


CACHE = (torch.randn(3, 8, 4), torch.tensor([5]), torch.randn(3, 1, 4))


def test_a_cache_is_written_in_place() -> None:
    _both(_cached, *CACHE)
    assert _calls(_cached, *CACHE) == ["aten.index_copy_.default"]


def test_two_writes_of_one_cache() -> None:
    def function(
        cache: torch.Tensor, place: torch.Tensor, new: torch.Tensor
    ) -> torch.Tensor:
        cache.index_copy_(1, place, new)
        cache.index_add_(1, place, new)
        return cache * 3

    _both(function, *CACHE)
    assert _calls(function, *CACHE) == [
        *("aten.index_copy_.default", "aten.index_add_.default")
    ]


def test_old_numbers_that_are_still_read() -> None:
    def function(
        cache: torch.Tensor, place: torch.Tensor, new: torch.Tensor
    ) -> torch.Tensor:
        before = cache.sum()
        cache.index_copy_(1, place, new)
        return cache.sum() - before

    _both(function, *CACHE)


def test_a_result_has_memory_of_its_own() -> None:
    def function(
        cache: torch.Tensor, place: torch.Tensor, new: torch.Tensor
    ) -> torch.Tensor:
        made = cache.index_copy(1, place, new)
        cache.copy_(made)
        return made

    _both(function, *CACHE)
    given = [one.clone() for one in CACHE]
    made = torch.compile(function, backend="tilewright")(*given)
    assert made.data_ptr() != given[0].data_ptr()


def test_a_value_that_reads_the_cache() -> None:
    def function(cache: torch.Tensor, place: torch.Tensor) -> torch.Tensor:
        cache.index_copy_(0, place, cache[2:4] * 2)
        return cache + 1

    _both(function, torch.randn(6, 3), torch.tensor([0, 5]))


def test_inputs_that_change_places() -> None:
    def function(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        kept = a.clone()
        a.copy_(b)
        b.copy_(kept)
        return torch.cat([a, b]).chunk(2)[0] - b

    _both(function, torch.randn(4, 5), torch.randn(4, 5))


@pytest.mark.parametrize("kind", ["mask", "index"])
def test_masks_stay_payload(kind: str) -> None:
    """torch would wait for the GPU to count the elements of a mask."""

    def function(x: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
        x[chosen] = 7.0
        return x * 2

    chosen = torch.tensor([True, False, True, False])
    if kind == "index":
        chosen = torch.tensor([3, 1])
    given = (torch.randn(4, 5), chosen)
    _both(function, *given)
    assert ("aten.index_put_.default" in _calls(function, *given)) == (kind == "index")


@pytest.mark.slow
def test_the_rest_of_a_graph_that_writes_is_rewritten() -> None:
    """A row is kept in a buffer; the concat beside it is still read by index."""

    def function(x: torch.Tensor, kept: torch.Tensor) -> torch.Tensor:
        kept.copy_(x.amax(0))
        first, second = torch.cat([x, x * 2], 1).chunk(2, 1)
        return first * 3 + second

    given = (torch.randn(400, 600), torch.zeros(600))
    _both(function, *given)
    found = tilewright.explain(function, given, measure=False)
    assert sum(row.moved_bytes for row in found.kernels) < 4 * given[0].nbytes


def test_running_means_of_a_batch_norm() -> None:
    norm, other = (torch.nn.BatchNorm1d(6) for _ in range(2))
    x = torch.randn(8, 6)
    norm(x).square().sum().backward()
    fast = torch.compile(other, backend="tilewright", options={"strict": True})
    fast(x).square().sum().backward()
    torch.testing.assert_close(other.running_mean, norm.running_mean)
    torch.testing.assert_close(other.running_var, norm.running_var)
    torch.testing.assert_close(other.weight.grad, norm.weight.grad)
