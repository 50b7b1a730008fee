"""Small modules of many kinds through torch.compile: numbers, what stays in torch."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from tilewright.torch_backend.backend import tilewright
from tilewright.torch_backend.report import RECENT

pytestmark = pytest.mark.filterwarnings("ignore")

Case = tuple[Callable[..., Any], tuple[torch.Tensor, ...]]


def randn(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(0))


class ScaledResidual(nn.Module):
    """A matmul, then a chain of element-wise ops and reductions."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(20, 8)
        self.norm = nn.GroupNorm(4, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.linear(x) * 2.0
        x = F.hardtanh(self.norm(torch.clamp(x + x, -1.0, 1.0)), -2, 2)
        return F.mish(torch.logsumexp(x, 1, keepdim=True))


class WindowsAndNorms(nn.Module):
    """A transposed convolution, then pools, norms and a softmax over channels."""

    def __init__(self) -> None:
        super().__init__()
        self.grow = nn.ConvTranspose2d(4, 8, 3, 2, 1, 1)
        self.norm = nn.BatchNorm2d(8)
        self.bias = nn.Parameter(randn(8, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.max_pool2d(torch.tanh(self.norm(self.grow(x))), 2)
        x = torch.softmax(x + self.bias, 1) - x.mean((2, 3), keepdim=True)
        return torch.amax(F.instance_norm(x), 1, keepdim=True)


class Squeeze(nn.Module):
    """Channels weighted by a matmul of their means; shuffled afterwards."""

    def __init__(self) -> None:
        super().__init__()
        self.weigh = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Conv2d(8, 8, 1), nn.Hardsigmoid()
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        one, two = (x * self.weigh(x)).chunk(2, 1)
        return F.channel_shuffle(torch.cat((two, F.relu6(one)), 1), 2)


class Recurrent(nn.Module):
    """A loop over time in Python."""

    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.GRUCell(6, 8)

    def forward(self, x: torch.Tensor) -> dict[str, torch.Tensor]:
        state = x.new_zeros(x.shape[0], 8)
        states: list[torch.Tensor] = []
        for step in x.unbind(1):
            state = self.cell(step, state)
            states.append(state)
        return {"last": state, "all": torch.stack(states, 1)}


def in_place(x: torch.Tensor) -> torch.Tensor:
    made = x.clone()
    made[:, 0] = 1.0
    made[1:, 2:] += x[1:, 2:]
    return made.mul_(2).relu_()


def contrastive(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    scores = F.normalize(x, dim=1) @ F.normalize(y, dim=1).T / 0.07
    return F.cross_entropy(scores, torch.arange(len(x)))


QUICK: dict[str, Callable[[], Case]] = {
    "norm of order 3": lambda: (
        lambda x: torch.linalg.vector_norm(x, 3, 1),
        (randn(4, 9),),
    ),
    "shifted bits": lambda: (lambda x: (x >> 1) ^ (x << 2), (torch.arange(9),)),
    "circular padding": lambda: (
        lambda x: F.pad(x, (1, 2, 2, 1), "circular"),
        (randn(1, 2, 4, 5),),
    ),
    "matmul and chain": lambda: (ScaledResidual(), (randn(6, 20),)),
    "in place": lambda: (in_place, (randn(4, 6),)),
    "batches of vectors": lambda: (
        lambda x, y: (torch.einsum("ebtd,bte->btd", x, y), y @ y[..., :1, :].mT),
        (randn(3, 2, 4, 5), randn(2, 4, 3)),
    ),
    "identity matrices": lambda: (
        lambda x: (x + torch.eye(3), torch.eye(2, 3, dtype=torch.bool)),
        (randn(2, 3, 3),),
    ),
    "masked encoder": lambda: (
        nn.TransformerEncoderLayer(8, 2, 8, 0.0, batch_first=True).eval(),
        (randn(2, 5, 8), nn.Transformer.generate_square_subsequent_mask(5)),
    ),
}
SLOW: dict[str, Callable[[], Case]] = {
    "windows and norms": lambda: (WindowsAndNorms().eval(), (randn(2, 4, 5, 5),)),
    "squeeze": lambda: (Squeeze(), (randn(2, 8, 5, 5),)),
    "recurrent": lambda: (Recurrent(), (randn(2, 4, 6),)),
    "contrastive": lambda: (contrastive, (randn(8, 20), randn(8, 20))),
    "encoder": lambda: (
        nn.TransformerEncoderLayer(16, 2, 32, 0.0, batch_first=True).eval(),
        (randn(2, 5, 16),),
    ),
    "triplet": lambda: (
        nn.TripletMarginLoss(),
        (randn(8, 20), randn(8, 20) + 1, randn(8, 20) - 1),
    ),
}


def check(case: Case, **options: Any) -> None:
    model, inputs = case
    torch._dynamo.reset()
    other = copy.deepcopy(model)
    called: Any = torch.compile(
        other, backend=tilewright, options={"strict": True, **options}
    )
    with torch.no_grad():
        made, expected = called(*inputs), model(*inputs)
    torch.testing.assert_close(made, expected, rtol=2e-4, atol=2e-5)
    assert not RECENT[-1].stayed
    assert not RECENT[-1].refused


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", QUICK)
def test_numbers(name: str) -> None:
    check(QUICK[name]())


@pytest.mark.slow
@pytest.mark.parametrize("name", [*QUICK, *SLOW])
def test_numbers_of_kernels(name: str) -> None:
    check((QUICK | SLOW)[name](), interpreter="kernels")
