"""Inputs that a graph writes: in place where it can be, and never a wrong number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import tilewright
from tilewright.torch_backend.runtime.segment_nodes import write_back

Function = Callable[..., Any]


def _both(function: Function, *inputs: torch.Tensor, **options: Any) -> None:
    """Results and inputs afterwards are those of eager torch."""
    torch._dynamo.reset()
    options["strict"] = True
    theirs = [one.clone() for one in inputs]
    ours = [one.clone() for one in inputs]
    expected = function(*theirs)
    found = torch.compile(function, backend="tilewright", options=options)(*ours)
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


@pytest.mark.parametrize("interpreter", ["payload", "kernels"])
def test_a_cache_is_written_in_place(interpreter: str) -> None:
    _both(_cached, *CACHE, interpreter=interpreter)
    assert _calls(_cached, *CACHE) == []


def test_nothing_of_a_cache_is_copied() -> None:
    def function(
        cache: torch.Tensor, place: torch.Tensor, new: torch.Tensor
    ) -> torch.Tensor:
        cache.index_copy_(1, place, new)
        return new * 2

    torch._dynamo.reset()
    cache = (torch.zeros(3, 800, 40), torch.tensor([5]), torch.randn(3, 1, 40))
    found = tilewright.explain(function, cache, measure=False)
    assert not found.in_torch and len(found.kernels) == 1


@pytest.mark.parametrize("kind", ["gaps", "turned", "view"])
def test_a_cache_that_does_not_lie_plainly(kind: str) -> None:
    """Kernels write to contiguous memory."""

    def function(
        x: torch.Tensor, place: torch.Tensor, new: torch.Tensor
    ) -> torch.Tensor:
        cache = x[0] if kind == "view" else x
        cache.index_copy_(1, place, new)
        return cache.sum(-1)

    large = torch.randn(3, 8, 8)
    given = {
        "gaps": large[:, :, ::2],
        "turned": torch.randn(3, 4, 8).mT,
        "view": torch.randn(2, 3, 8, 4),
    }[kind]
    theirs, ours = (given.clone(memory_format=torch.preserve_format) for _ in range(2))
    if kind == "gaps":
        theirs, ours = (large.clone()[:, :, ::2] for _ in range(2))
    torch._dynamo.reset()
    compiled = torch.compile(function, backend="tilewright", options={"strict": True})
    torch.testing.assert_close(compiled(ours, *CACHE[1:]), function(theirs, *CACHE[1:]))
    torch.testing.assert_close(ours, theirs)


def test_a_cache_that_lies_otherwise_than_in_the_trace() -> None:
    """Parameters of four dimensions may change their strides without a guard."""
    made = torch.zeros(2, 2, 3, 4)
    given = made.contiguous(memory_format=torch.channels_last)
    assert write_back(given, given.contiguous() + 1) is given
    torch.testing.assert_close(given, made + 1)


def test_a_cache_of_open_sizes() -> None:
    torch._dynamo.reset()
    compiled = torch.compile(_cached, backend="tilewright", dynamic=True)
    for rows in (3, 5):
        cache = torch.randn(rows, 8, 4)
        ours, new = cache.clone(), torch.randn(rows, 1, 4)
        expected = _cached(cache, CACHE[1], new)
        torch.testing.assert_close(compiled(ours, CACHE[1], new), expected)
        torch.testing.assert_close(ours, cache)


def test_two_writes_of_one_cache() -> None:
    def function(
        cache: torch.Tensor, place: torch.Tensor, new: torch.Tensor
    ) -> torch.Tensor:
        cache.index_copy_(1, place, new)
        cache.index_add_(1, place, new)
        return cache * 3

    _both(function, *CACHE)
    assert _calls(function, *CACHE) == ["aten.index_add_.default"]


def test_two_stores_in_one_cache() -> None:
    """The second one finds what the first one has stored."""

    def function(
        cache: torch.Tensor, place: torch.Tensor, new: torch.Tensor
    ) -> torch.Tensor:
        cache.index_copy_(1, place, new)
        cache[:, place - 9] = new[:, :, :1]
        cache.index_fill_(0, place - 4, 2.0)
        return cache * 3

    _both(function, *CACHE, interpreter="kernels")
    assert _calls(function, *CACHE) == []


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
def test_masks_and_indices_are_payload(kind: str) -> None:
    """torch would wait for the GPU to count the elements of a mask."""

    def function(x: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
        x[chosen] = 7.0
        return x * 2

    chosen = torch.tensor([True, False, True, False])
    if kind == "index":
        chosen = torch.tensor([3, 1])
    given = (torch.randn(4, 5), chosen)
    _both(function, *given)
    assert not _calls(function, *given)


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
