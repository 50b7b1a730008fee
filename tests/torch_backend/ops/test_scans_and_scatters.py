"""Scans, scatters and distances of torch are payload, and equal eager."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from support.torch_compiling import assert_same, compiled
from tilewright.torch_backend.lowering.node_call import op_name
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.partition.preference import faster_in_torch
from tilewright.torch_backend.report import RECENT

X = torch.randn(5, 7, generator=torch.Generator().manual_seed(0))
PLACES = torch.tensor([[1], [0], [6], [2], [2]])

FEW = torch.tensor([1, 4, 1, 0, 1, 3])


MANY = torch.stack([(torch.arange(5) * 2 + column) % 5 for column in range(7)], 1)
"""Each column has every row once."""
TWO = torch.tensor([3, -7])


def put(
    x: torch.Tensor, indices: list[torch.Tensor | None], values: torch.Tensor
) -> torch.Tensor:
    """`x` after `x[indices] = values`."""
    return torch.ops.aten.index_put(x, indices, values)


def x2(x: torch.Tensor) -> torch.Tensor:
    """Six rows."""
    return torch.cat([x, x[:1]])


CALLS: dict[str, Callable[[torch.Tensor], Any]] = {
    "cumsum": lambda x: torch.cumsum(x, 1),
    "cumsum of bool": lambda x: torch.cumsum(x > 0, 0),
    "cumsum in f16": lambda x: torch.cumsum(x.half(), -1),
    "masked": lambda x: torch.cumsum(x * (x > 0), 1),
    "reversed": lambda x: torch.cumsum(x.flip(1), 1).flip(1),
    "exclusive": lambda x: torch.cat([torch.zeros_like(x[:, :1]), x], 1)[:, :-1].cumsum(
        1
    ),
    "cumprod": lambda x: torch.cumprod(x, 0),
    "cummax": lambda x: torch.cummax(x.round(), 1),
    "cummin of NaN": lambda x: torch.cummin(torch.where(x > 1, torch.nan, x), 1),
    "scatter": lambda x: torch.zeros_like(x).scatter(1, PLACES, 1.0),
    "scatter of rows": lambda x: x.scatter(1, PLACES, x[:, :1]),
    "scatter of many": lambda x: x.scatter(0, MANY, x + 1),
    "scatter of a number": lambda x: x.scatter(1, MANY.T[:5], 2.5),
    "scatter to a part": lambda x: x.scatter(0, MANY[:3, :2], x),
    "index_copy": lambda x: x.index_copy(1, FEW[:3] + 1, x[:, 3:6] * 2),
    "index_copy of bool": lambda x: (x > 0).index_copy(0, FEW[:2], x[:2] < 9),
    "index_copy of bf16": lambda x: x.bfloat16().index_copy(
        0, FEW[:2], x[:2].bfloat16()
    ),
    "index_fill": lambda x: x.index_fill(1, FEW - 3, 7),
    "index_fill by a tensor": lambda x: x.index_fill(0, FEW[:2], x[0, 0]),
    "index_put": lambda x: put(x, [FEW[:2], FEW[:2] - 7], x[0, :2]),
    "index_put of rows": lambda x: put(x, [FEW[3:]], x[:3] + 1),
    "index_put of columns": lambda x: put(x, [None, FEW[3:]], x[:, :3] + 1),
    "index_put of one number": lambda x: put(x, [FEW[:, None], FEW], x[0, 0]),
    "index_put of a table": lambda x: put(x[None], [None, MANY[:, :1], TWO], x[:, :2]),
    "index_put at a number": lambda x: put(x, [torch.tensor(-2)], x[0]),
    "scatter_add": lambda x: x.scatter_add(1, PLACES.expand(5, 2), x[:, :2]),
    "scatter_add of many": lambda x: torch.zeros(5, 3).scatter_add(
        1, x.round().long() % 3, x
    ),
    "scatter_add of a part": lambda x: x.scatter_add(
        0, FEW[:, None].expand(6, 4), x2(x)
    ),
    "scatter_reduce": lambda x: x.scatter_reduce(0, FEW[:, None], x2(x), "sum"),
    "scatter_reduce by mean": lambda x: x.scatter_reduce(
        1, x.round().long() % 7, x + 1, "mean", include_self=False
    ),
    "index_put of pairs": lambda x: torch.ops.aten.index_put(
        x[None], [None, FEW - 5, FEW], x2(x)[:, 0], True
    ),
    "index_add": lambda x: x.index_add(1, FEW % 7, x2(x).T[:5], alpha=-2),
    "messages": lambda x: torch.relu(torch.zeros_like(x).index_add(0, FEW, x[FEW] * 2)),
    "bf16": lambda x: x.bfloat16().index_add(0, FEW[:3], x[:3].bfloat16(), alpha=0.5),
    "degrees": lambda x: torch.zeros(5).index_add(0, FEW, torch.ones(6)),
    "mask": lambda x: torch.ops.aten.index_put(x, [x > 0], torch.tensor(2.0)),
    "mask of rows": lambda x: torch.ops.aten.index_put(x, [x[:, 0] > 0], torch.ones(1)),
    "diagonal": lambda x: torch.diagonal_scatter(x, x[:, 0], 1),
    "diagonal below": lambda x: torch.diagonal_scatter(x, x[0, :3], -2),
    "slice": lambda x: torch.slice_scatter(x, x[:2], 0, 1, 5, 2),
    "select": lambda x: torch.select_scatter(x, x[0], 0, 3),
    "cdist": lambda x: torch.cdist(x, x + 1),
    "cdist by matmuls": lambda x: torch.cdist(x.repeat(6, 1), x + 1),
    "cdist of order 1": lambda x: torch.cdist(x, x + 1, p=1),
    "bucketize": lambda x: torch.bucketize(x.round(), torch.tensor([-1.0, 0.0, 2.0])),
    "bucketize right": lambda x: torch.bucketize(x.round(), x[0].sort()[0], right=True),
}
STAYS = {"bucketize right"}
"""The sort does."""


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", CALLS)
def test_equals_eager(name: str) -> None:
    torch._dynamo.reset()
    fallback = "torch" if name in STAYS else "error"
    options = {"fallback": fallback, "strict": True}
    compiled = torch.compile(CALLS[name], backend="tilewright", options=options)
    torch.testing.assert_close(compiled(X), CALLS[name](X), equal_nan=True)


def test_a_gradient_is_a_reversed_scan() -> None:
    torch._dynamo.reset()

    def loss(x: torch.Tensor) -> torch.Tensor:
        return torch.cumsum(x, 1).sin().sum()

    given = [X.clone().requires_grad_() for _ in range(2)]
    loss(given[0]).backward()
    torch.compile(loss, backend="tilewright", options={"strict": True})(
        given[1]
    ).backward()
    torch.testing.assert_close(given[1].grad, given[0].grad)


def test_torch_keeps_a_few_long_scans_on_a_gpu() -> None:
    def nodes(rows: int, columns: int) -> list[torch.fx.Node]:
        given = torch.empty(rows, columns, device="meta")
        graph = torch.fx.experimental.proxy_tensor.make_fx(
            lambda x: torch.cumsum(x, 1)
        )(given).graph
        return [n for n in graph.nodes if op_name(n) == "aten.cumsum.default"]

    gpu = torch.device("cuda")
    assert faster_in_torch(nodes(1, 1 << 20)[0], gpu, Options())
    assert faster_in_torch(nodes(4096, 1 << 20)[0], gpu, Options()) is None
    assert faster_in_torch(nodes(64, 1 << 16)[0], gpu, Options())
    assert faster_in_torch(nodes(100, 1 << 16)[0], gpu, Options()) is None
    assert faster_in_torch(nodes(1, 1 << 14)[0], gpu, Options()) is None
    assert faster_in_torch(nodes(1, 1 << 20)[0], torch.device("cpu"), Options()) is None


@pytest.mark.parametrize("padding", [None, 1])
def test_a_gradient_of_an_embedding_is_an_addition_by_index(
    padding: int | None,
) -> None:
    torch._dynamo.reset()
    places = torch.tensor([[1, 0, 2], [1, 1, 3]])
    given = [X.clone().requires_grad_() for _ in range(2)]

    def loss(table: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.embedding(places, table, padding).sin().sum()

    loss(given[0]).backward()
    compiled = torch.compile(loss, backend="tilewright", options={"strict": True})
    compiled(given[1]).backward()
    torch.testing.assert_close(given[1].grad, given[0].grad)
    assert not RECENT[-1].stayed


def test_rows_are_added_by_index() -> None:
    torch._dynamo.reset()
    places = torch.tensor([[1, 0, -1], [1, 1, 3]])

    def added(x: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        return x.index_put((places,), rows, accumulate=True)

    compiled = torch.compile(added, backend="tilewright", options={"strict": True})
    row = X[0]
    torch.testing.assert_close(compiled(X, row), added(X, row))
    assert not RECENT[-1].stayed
    torch.use_deterministic_algorithms(True)
    try:
        torch.testing.assert_close(compiled(X, row), added(X, row))
    finally:
        torch.use_deterministic_algorithms(False)
    assert [one.op for one in RECENT[-1].stayed] == ["aten.index_put.default"]


def test_numbers_that_replace_booleans_are_true_where_they_are_not_zero() -> None:
    def replaced(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        filled = torch.zeros_like(x)
        filled[1:] = x[1:] * 2  # a copy
        return (
            x.slice_scatter(x[:1] + 1, 0, 0, 1),
            x.select_scatter(x[0] + 1, 0, 2),
            filled,
        )

    x = torch.tensor([[True, False], [False, True], [True, True]])
    assert_same(compiled(replaced)(x), replaced(x))
