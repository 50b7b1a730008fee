"""Models of open sizes: one program takes every size, and none runs in torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
from torch import nn
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn import functional as F

from tilewright.torch_backend.backend import tilewright
from tilewright.torch_backend.partition.told_sizes import tensors_with_sizes
from tilewright.torch_backend.report import RECENT
from tilewright.torch_backend.runtime import segment_call

pytestmark = pytest.mark.filterwarnings("ignore")


class SelfAttention(nn.Module):
    """`nn.MultiheadAttention` of one tensor."""

    def __init__(self, *, needs_weights: bool = False) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(16, 2, batch_first=True)
        self.needs_weights = needs_weights

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.attention(x, x, x, need_weights=self.needs_weights)[0]


class Residual(nn.Module):
    """A block of a ResNet, between a pooling and a mean."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(4, 6, 3, 2, 1)
        self.second = nn.Conv2d(6, 6, 3, 1, 1)
        self.short = nn.Conv2d(4, 6, 1, 2)
        self.norm = nn.BatchNorm2d(6)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.max_pool2d(x, 3, 2, 1)
        y = self.second(F.relu(self.norm(self.first(x))))
        return F.relu(y + self.short(x)).mean((2, 3))


class Decoder(nn.Module):
    """Attention to a cache that grows by a token in each step."""

    def __init__(self) -> None:
        super().__init__()
        self.parts = nn.Linear(16, 48)

    def forward(
        self, x: torch.Tensor, keys: torch.Tensor, values: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        batch, length, width = x.shape
        heads = self.parts(x).view(batch, length, 3, 2, 8).permute(2, 0, 3, 1, 4)
        query, key, value = heads.unbind(0)
        keys, values = torch.cat([keys, key], 2), torch.cat([values, value], 2)
        mixed = F.scaled_dot_product_attention(query, keys, values)
        return mixed.transpose(1, 2).reshape(batch, length, width), keys, values


def sequences(*sizes: tuple[int, int]) -> list[tuple[torch.Tensor, ...]]:
    return [(torch.randn(batch, length, 16),) for batch, length in sizes]


def caches(*lengths: int) -> list[tuple[torch.Tensor, ...]]:
    """Of two sequences: torch takes as many as there are heads for a known number."""
    return [
        (torch.randn(2, 1, 16), torch.randn(2, 2, n, 8), torch.randn(2, 2, n, 8))
        for n in lengths
    ]


Calls = Sequence[tuple[torch.Tensor, ...]]

MODELS: dict[str, tuple[Callable[[], nn.Module], Calls]] = {
    "two open dimensions": (
        lambda: nn.Sequential(nn.Linear(16, 24), nn.GELU(), nn.LayerNorm(24)),
        sequences((3, 5), (2, 7), (5, 33)),
    ),
    "attention": (SelfAttention, sequences((3, 5), (4, 7), (5, 18))),
    "attention that stores its weights": (
        lambda: SelfAttention(needs_weights=True),
        sequences((3, 5), (4, 7)),
    ),
    "encoder layer": (
        lambda: nn.TransformerEncoderLayer(16, 2, 24, batch_first=True),
        sequences((3, 5), (4, 7), (5, 18)),
    ),
    "convolution": (
        lambda: nn.Sequential(nn.Conv2d(4, 6, 3, padding=1), nn.ReLU()),
        [(torch.randn(b, 4, h, w),) for b, h, w in ((3, 9, 11), (5, 12, 8))],
    ),
    "convolutions in steps": (
        Residual,
        [(torch.randn(b, 4, h, w),) for b, h, w in ((3, 9, 11), (5, 12, 8))],
    ),
    "growing cache": (Decoder, caches(5, 6, 7, 40)),
}

OPTIONS = {"strict": True, "interpreter": "payload", "target": "h200"}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The payloads that functions are made for."""
    found: list[Any] = []
    real = segment_call.runner_for

    def remember(lowered: Any, *rest: Any) -> Any:
        run = real(lowered, *rest)
        found.append(lowered)
        return run

    monkeypatch.setattr(segment_call, "runner_for", remember)
    return found


def check(name: str, interpreter: str, made: list[Any]) -> None:
    torch.manual_seed(0)
    make, calls = MODELS[name]
    model = make().eval()
    torch._dynamo.reset()
    RECENT.clear()
    options = {**OPTIONS, "interpreter": interpreter}
    run = torch.compile(model, backend=tilewright, dynamic=True, options=options)
    with torch.no_grad():
        for given in calls:
            torch.testing.assert_close(run(*given), model(*given), atol=2e-5, rtol=2e-4)
    assert [report.stayed + report.refused for report in RECENT] == [[]]
    assert len(made) == 1
    assert "?" in made[0].payload.text()


@pytest.mark.sampled(20)
@pytest.mark.parametrize("name", MODELS)
def test_one_payload_takes_all_sizes(name: str, made: list[Any]) -> None:
    check(name, "payload", made)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in MODELS if "in steps" not in name])
def test_the_same_kernels_take_all_sizes(name: str, made: list[Any]) -> None:
    check(name, "kernels", made)


def test_sizes_that_no_input_of_a_payload_has(made: list[Any]) -> None:
    """Behind `topk`, a mixture of experts has rows and gives sequences of them."""

    def mixed(x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        shares, _ = x.reshape(-1, width).softmax(-1).topk(2)
        return (shares * 2).view(batch, length, 2)

    torch._dynamo.reset()
    run = torch.compile(mixed, backend=tilewright, dynamic=True, options=OPTIONS)
    for (given,) in sequences((3, 5), (4, 7), (5, 18)):
        torch.testing.assert_close(run(given), mixed(given))
    assert len(made) == 2
    assert all("?" in lowered.payload.text() for lowered in made)


def test_a_quotient_of_a_size_is_payload() -> None:
    """As the scale of attention is, whose heads have an open width."""

    def scaled(x: torch.Tensor) -> torch.Tensor:
        return x * (1.0 / x.shape[1] ** 0.5)

    torch._dynamo.reset()
    RECENT.clear()
    run = torch.compile(scaled, backend=tilewright, dynamic=True, options=OPTIONS)
    for (given,) in sequences((3, 5), (4, 7)):
        torch.testing.assert_close(run(given), scaled(given))
    assert [report.stayed for report in RECENT] == [[]]


def test_a_payload_takes_no_size_off_a_tensor_it_cannot_have() -> None:
    """One on another device, or of elements that payloads do not know."""

    def ones(*given: torch.Tensor) -> torch.Tensor:
        return torch.ones(given[-1].shape)

    x = torch.randn(7)
    traced = make_fx(ones, tracing_mode="symbolic")(x.to("meta"), x.to(torch.cfloat), x)
    (made,) = traced.graph.find_nodes(
        op="call_function", target=torch.ops.aten.ones.default
    )
    (told,) = tensors_with_sizes([made], [])
    assert (told.meta["val"].device, told.meta["val"].dtype) == (x.device, x.dtype)
