"""Parts of a concatenation are computed in their places, by kernels: no copies."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

import tilewright
from tilewright.program import Program

pytestmark = pytest.mark.filterwarnings("ignore")
Function = Callable[..., torch.Tensor]


def checked(function: Function, *given: torch.Tensor) -> Program:
    """The program of a function, whose kernels give what eager torch gives."""
    payload = tilewright.from_torch(function, given)
    program = tilewright.compile(payload, target="h200", inherit=False)
    torch.testing.assert_close(program(*given), function(*given))
    return program


def rotated(x: torch.Tensor) -> torch.Tensor:
    one, two = x[..., :8], x[..., 8:]
    return torch.cat([one * 2 - two, two * 2 + one], -1)


def cached(past: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    heads = x.view(2, 3, 4, 16).transpose(1, 2)
    return torch.cat([past, torch.stack([rotated(heads), heads * 2])], -2)


def looked_up(
    places: torch.Tensor, dense: torch.Tensor, *tables: torch.Tensor
) -> torch.Tensor:
    """Rows of tables, all pairs of them, and one of them again, as recommenders do."""
    dense = torch.relu(dense)
    found = [table[places[:, at]] for at, table in enumerate(tables)]
    rows = torch.stack([dense, *found], 1)
    pairs = torch.bmm(rows, rows.transpose(1, 2))
    return torch.cat([dense, torch.tanh(pairs).flatten(1)], 1)


CASES: dict[str, tuple[Function, tuple[torch.Tensor, ...], int]] = {
    "inputs": (lambda x, y: torch.cat([x, y], 1), (torch.randn(4, 8, 6),) * 2, 2),
    "parts of inputs": (
        lambda x: torch.cat([x[:, 3:7], x[:, :3] + 1], 1),
        (torch.randn(6, 9, 4),),
        2,
    ),
    "twice": (lambda x: torch.cat([x.exp(), x.exp(), x], 0), (torch.randn(8, 16),), 3),
    "halves": (rotated, (torch.randn(2, 8, 16),), 1),
    "a cache": (cached, (torch.randn(2, 2, 4, 5, 16), torch.randn(2, 3, 64)), 4),
    "tables": (
        looked_up,
        (torch.randint(0, 9, (4, 3)), *(torch.randn(4, 8),), *(torch.randn(9, 8),) * 3),
        4,
    ),
}


CASES["read by a chain"] = (
    lambda x, y, scale: (torch.cat([x, y], 1) * scale + 1).relu(),
    (torch.randn(4, 3, 6), torch.randn(4, 5, 6), torch.randn(8, 1)),
    2,
)
CASES["neighbours"] = (
    lambda x: torch.stack([x.sin(), x.cos(), x], -1).flatten(-2),
    (torch.randn(3, 6),),
    1,
)
CASES["beside another result"] = (
    lambda x, y: (torch.cat([(x - 1).relu(), (y * 2).relu()], 2), y * 3),
    (torch.randn(2, 6, 8),) * 2,
    2,
)
CASES["halves of a transposed tensor"] = (
    lambda x, cos, sin: (q := x.transpose(1, 2)) * cos + rotated(q) * sin,
    (torch.randn(2, 5, 3, 16), torch.randn(5, 16), torch.randn(5, 16)),
    1,
)
CASES["transposed afterwards"] = (
    lambda x, y: torch.cat([x.relu(), y], 1).transpose(1, 2).contiguous(),
    (torch.randn(4, 3, 6), torch.randn(4, 5, 6)),
    2,
)
CASES["reduced along a stack"] = (
    lambda x, y: (s := torch.stack([x, y, x * y], 1)).mean(1) + s.amax(1),
    (torch.randn(4, 6), torch.randn(4, 6)),
    2,
)
CASES["summed along a stack"] = (
    lambda x, y: torch.stack([x.relu(), y, x * y]).sum(0) * 2,
    (torch.randn(4, 6), torch.randn(4, 6)),
    1,
)
QUICK = (
    "summed along a stack",
    "twice",
    "beside another result",
    "read by a chain",
    "neighbours",
)


@pytest.mark.sampled(20)
@pytest.mark.parametrize(
    "name",
    [
        name if name in QUICK else pytest.param(name, marks=pytest.mark.slow)
        for name in CASES
    ],
)
def test_parts_are_in_their_places(name: str) -> None:
    function, given, most = CASES[name]
    program = checked(function, *given)
    text = program.source
    assert "copy_" not in text
    assert text.count("@triton.jit") <= most


@pytest.mark.slow
def test_a_part_that_others_gather_from_is_copied() -> None:
    def correlated(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        exact = (x.mT @ y / 2).view(32, 1, 4, 4)
        coarse = torch.nn.functional.avg_pool2d(exact, 2)
        return torch.cat([exact.view(2, 16, -1), coarse.view(2, 16, -1)], -1)

    checked(correlated, torch.randn(2, 8, 16), torch.randn(2, 8, 16))
