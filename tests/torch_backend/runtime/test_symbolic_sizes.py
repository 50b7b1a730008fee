"""Dynamic sizes: one program serves sizes that were never seen."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from tilewright.ir.errors import UserError
from tilewright.torch_backend.backend import tilewright
from tilewright.torch_backend.runtime import segment_call

pytestmark = pytest.mark.filterwarnings("ignore")


def compiled(function: Any, **options: Any) -> Any:
    torch._dynamo.reset()
    return torch.compile(
        function, backend=tilewright, options={"strict": True, **options}
    )


class Block(nn.Module):
    """Matmuls of collapsed dimensions, a norm, heads and a residual."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(8)
        self.qkv = nn.Linear(8, 24)
        self.out = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        heads = self.qkv(self.norm(x)).view(batch, length, 3, 2, 4)
        q, k, v = heads.permute(2, 0, 3, 1, 4).unbind(0)
        scores = torch.softmax(q @ k.mT * 0.5, -1)
        mixed = (scores @ v).transpose(1, 2).reshape(batch, length, width)
        return x + F.gelu(self.out(mixed))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The payloads that functions are made for."""
    found: list[Any] = []
    for name in ("runner_for", "call_for"):
        real = getattr(segment_call, name)

        def remember(lowered: Any, *rest: Any, real: Any = real) -> Any:
            run = real(lowered, *rest)
            found.append(lowered)
            return run

        monkeypatch.setattr(segment_call, name, remember)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("interpreter", ["payload", "kernels"])
def test_one_program_for_every_batch(interpreter: str, made: list[Any]) -> None:
    model = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.LayerNorm(16))
    run = compiled(model, interpreter=interpreter)
    x = torch.randn(4, 3, 8)
    torch._dynamo.mark_dynamic(x, 0)
    with torch.no_grad():
        torch.testing.assert_close(run(x), model(x))
        assert len(made) == 1
        for batch in (2, 5, 7, 16, 33):
            x = torch.randn(batch, 3, 8)
            torch.testing.assert_close(run(x), model(x), atol=1e-5, rtol=1e-4)
        assert len(made) == 1
        assert "?" in made[0].payload.text()
        one = torch.randn(1, 3, 8)  # torch compiles a size of 1 by itself
        torch.testing.assert_close(run(one), model(one), atol=1e-5, rtol=1e-4)


def test_sizes_of_unrelated_arguments_are_apart(made: list[Any]) -> None:
    def squares(a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return a * a, b * b, a.sum(1)

    torch._dynamo.reset()
    options = {"strict": True, "interpreter": "kernels"}
    run = torch.compile(squares, backend=tilewright, dynamic=True, options=options)
    for one, other in [((4, 6), (5, 9)), ((7, 3), (2, 11))]:
        given = torch.randn(one), torch.randn(other)
        torch.testing.assert_close(run(*given), squares(*given))
    assert len(made) == 1


@pytest.mark.slow
def test_a_block_with_heads(made: list[Any]) -> None:
    model = Block()
    run = compiled(model)
    with torch.no_grad():
        for batch in (3, 4, 5, 1, 9):  # The second size makes torch compile for all.
            x = torch.randn(batch, 6, 8)
            torch.testing.assert_close(run(x), model(x), atol=1e-5, rtol=1e-4)
    # For the first size, for all sizes, and for the size of 1.
    assert len(made) == 3


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("function", "programs"),
    [
        (lambda x: torch.softmax(x, 0) - x.mean(0), 1),
        (lambda x: torch.tril(x @ x.mT), 1),
        (lambda x: x[:, None] * x[None], 1),
        (lambda x: torch.relu(x).flatten(), 1),
        (lambda x: torch.cat([x, x * 2, x[:1]], 0), 1),
        (lambda x: x[1:] + x[:-1], 2),  # torch has a graph for parts of size 1
        (lambda x: x[-2:].exp() * x[1], 1),
        (lambda x: x[::2] * 2, 2),
        (lambda x: x * x.shape[0] + torch.arange(1, x.shape[0] + 1)[:, None], 1),
        (lambda x: x[torch.arange(x.shape[0] - 1, -1, -1)] + x.flip(0), 1),
        (lambda x: F.pad(x, (1, 0, 2, 3)) - x.new_zeros(x.shape[0] + 5, 4), 1),
        (lambda x: torch.cat([a.cos() for a in x.split([1, x.shape[0] - 1])]), 2),
        (lambda x: x * x.shape[0] ** 0.5, 5),
    ],
    ids=[
        *("reductions", "causal", "outer", "flat", "joined", "slices", "from the end"),
        *("steps", "numbers", "indices", "pads", "split", "roots"),
    ],
)
def test_small_functions(function: Any, programs: int, made: list[Any]) -> None:
    run = compiled(function)
    for rows in (4, 2, 7, 16, 33):
        x = torch.randn(rows, 3)
        if rows == 4:
            torch._dynamo.mark_dynamic(x, 0)
        ours, eager = run(x), function(x)
        torch.testing.assert_close(ours, eager)
        assert ours.stride() == eager.stride()
    assert len(made) == programs


def test_transposed_results_keep_their_strides() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x.mT) * 2

    run = compiled(function)
    for rows in (3, 4, 6, 11):
        x = torch.randn(rows, 5)
        ours, eager = run(x), function(x)
        torch.testing.assert_close(ours, eager)
        assert ours.stride() == eager.stride()


def test_sizes_in_the_numbers_are_compiled_for_each_and_then_run_in_torch(
    made: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return x * x.shape[0] ** 0.5

    run = compiled(function)
    for rows in range(2, 15):
        x = torch.randn(rows, 3)
        torch.testing.assert_close(run(x), function(x))
    assert len(made) <= 1 + segment_call._MOST_SIZES
    assert "others run in torch" in caplog.text


@pytest.mark.slow
def test_training_with_a_dynamic_batch() -> None:
    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 2))
    run = compiled(model)
    for batch in (3, 5, 8):
        x = torch.randn(batch, 4, 6)
        grads: list[list[torch.Tensor]] = []
        for call in (run, model):
            model.zero_grad()
            call(x).square().mean().backward()
            grads.append([p.grad.clone() for p in model.parameters()])  # pyright: ignore
        for ours, eager in zip(*grads, strict=True):
            torch.testing.assert_close(ours, eager)


def test_a_segment_that_triton_refuses_for_all_sizes_is_compiled_for_each(
    made: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, refused = segment_call.SegmentCall.prepare, []

    def prepare(self: segment_call.SegmentCall) -> None:
        real(self)
        if self._any_sizes is not None and self.name != "alone":
            refused.append(self.name)
            raise UserError("Triton refuses it")

    monkeypatch.setattr(segment_call.SegmentCall, "prepare", prepare)
    run = compiled(lambda x: torch.softmax(x, -1) * 2)
    x = torch.randn(4, 6)
    torch._dynamo.mark_dynamic(x, 0)
    for rows in (4, 5, 9):
        x = x if rows == 4 else torch.randn(rows, 6)
        torch.testing.assert_close(run(x), torch.softmax(x, -1) * 2)
    assert refused
    # The segment is cut once, and each half is compiled for three sizes.
    assert sum("?" not in one.payload.text() for one in made) == 6
