"""`check_indices=True`: an index outside of its tensor is an error, with its line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F

import tilewright
from tilewright.torch_backend.report import RECENT

pytestmark = pytest.mark.filterwarnings("ignore")

Function = Callable[..., Any]
TABLE = torch.arange(12.0).reshape(4, 3)


def embedded(table: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
    return F.embedding(at, table) + 1


def selected(table: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
    return table.index_select(1, at) + 1


def gathered(table: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
    return table.gather(0, at[:, None].expand(-1, 3)) + 1


def subscripted(table: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
    return table[:, at] + 1


def added(table: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
    return table.index_add(0, at, torch.ones(len(at), 3)) + 1


def scattered(table: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
    return table.scatter_add(1, at[None].expand(4, -1), torch.ones(4, len(at))) + 1


def copied(table: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
    return table.index_copy(0, at, torch.ones(len(at), 3)) + 1


def filled_in_place(table: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
    table.index_fill_(0, at, 7.0)
    return table + 1


def bagged(table: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
    return F.embedding_bag(at[None], table, mode="sum") + 1


def lost(table: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
    return F.cross_entropy(table, at)


def compiled(function: Function, **options: Any) -> Function:
    torch._dynamo.reset()
    chosen = {"check_indices": True, "strict": True, **options}
    return torch.compile(function, backend="tilewright", options=chosen)


CASES: list[tuple[Function, list[int], list[int], str]] = [
    (embedded, [3, 0], [4, 0], "index 4 is outside of 0 .. 3"),
    (embedded, [3, 0], [2, -1], "index -1 is outside of 0 .. 3"),
    (selected, [2, 0], [3, 0], "index 3 is outside of 0 .. 2"),
    (gathered, [3, 0], [0, 9], "index 9 is outside of 0 .. 3"),
    (subscripted, [-3, 2], [-4, 2], "index -4 is outside of -3 .. 2"),
    (subscripted, [-3, 2], [0, 3], "index 3 is outside of -3 .. 2"),
    (added, [3, 0], [4, 0], "index 4 is outside of 0 .. 3"),
    (scattered, [2, 0], [3, 0], "index 3 is outside of 0 .. 2"),
    (copied, [3, 0], [4, 0], "index 4 is outside of 0 .. 3"),
    (filled_in_place, [-4, 3], [-5, 3], "index -5 is outside of -4 .. 3"),
    (bagged, [3, 0], [4, 0], "index 4 is outside of 0 .. 3"),
    (lost, [0, 1, -100, 2], [0, 1, 3, 2], "index 3 is outside of 0 .. 2"),
]


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("function", "good", "bad", "words"), CASES)
def test_bad_indices_are_told(
    function: Function, good: list[int], bad: list[int], words: str
) -> None:
    fast = compiled(function)
    right = torch.tensor(good)
    made, expected = (run(TABLE.clone(), right) for run in (fast, function))
    torch.testing.assert_close(made, expected)
    with pytest.raises(IndexError, match=words) as raised:
        fast(TABLE.clone(), torch.tensor(bad))
    line = function.__code__.co_firstlineno + 1
    assert f"test_checked_indices.py:{line}:" in str(raised.value)


def test_masks_and_constants_need_no_check() -> None:
    def masked(x: torch.Tensor) -> torch.Tensor:
        x = torch.where(x > 0, x, 0.0)
        return x[1:] + x[torch.arange(3)]

    x = torch.randn(4, 3)
    torch.testing.assert_close(compiled(masked)(x), masked(x))


def test_the_gradient_of_an_embedding_is_checked_too() -> None:
    fast = compiled(embedded)
    table = TABLE.clone().requires_grad_()
    fast(table, torch.tensor([1, 1])).sum().backward()
    assert table.grad is not None and table.grad[1].tolist() == [2.0, 2.0, 2.0]


def test_checks_do_not_count_as_ops_that_stayed_in_torch() -> None:
    fast = compiled(embedded, fallback="error")
    fast(TABLE, torch.tensor([1]))
    assert not RECENT[-1].stayed


def test_a_cuda_graph_cannot_check() -> None:
    with pytest.raises(Exception, match="check_indices waits for the GPU") as raised:
        compiled(embedded, mode="reduce-overhead")(TABLE, torch.tensor([1]))
    inner = getattr(raised.value, "inner_exception", raised.value)
    assert isinstance(inner, tilewright.UserError)
