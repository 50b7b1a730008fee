"""State that a program changes: weights, buffers, modes, optimizers, random numbers."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
import torch._inductor.inductor_prims  # defines prims.fma
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from support.torch_compiling import assert_same, compiled, gradients
from tilewright.torch_backend.report import RECENT

pytestmark = pytest.mark.filterwarnings("ignore")


def layers() -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(8, 16), nn.GELU(), nn.LayerNorm(16), nn.Linear(16, 4)
    )


def test_weights_may_change_between_calls() -> None:
    model, x = nn.Linear(4, 4), torch.randn(2, 4)
    run = compiled(model)
    with torch.no_grad():
        assert_same(run(x), model(x))
        model.weight.mul_(2)
        assert_same(run(x), model(x))
        model.weight.data = torch.randn(4, 4)
        assert_same(run(x), model(x))
        model.load_state_dict({"weight": torch.randn(4, 4), "bias": torch.zeros(4)})
        assert_same(run(x), model(x))


def test_buffers_keep_state() -> None:
    class Cache(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("count", torch.zeros(()))
            self.register_buffer("mean", torch.zeros(4))
            self.register_buffer("keys", torch.zeros(3, 8, 4))

        def forward(self, x: torch.Tensor, place: torch.Tensor) -> torch.Tensor:
            self.count += 1
            self.mean.mul_(0.9).add_(x.mean(0) * 0.1)
            self.keys[:, place] = x[:, None]
            return self.keys.sum(1) * self.count + self.mean

    ours = Cache()
    eager, run = copy.deepcopy(ours), compiled(ours)
    for step in range(3):
        x, place = torch.randn(3, 4), torch.tensor([step])
        assert_same(run(x, place), eager(x, place))
        assert_same(dict(ours.named_buffers()), dict(eager.named_buffers()))


@pytest.mark.slow
def test_gradients_may_be_off_and_on() -> None:
    model, x = layers(), torch.randn(3, 8)
    run = compiled(model)
    with torch.inference_mode():
        assert_same(run(x), model(x))
    with torch.no_grad():
        assert_same(run(x), model(x))
    made = run(x)
    assert made.requires_grad
    assert_same(made, model(x))


@pytest.mark.slow
def test_training_and_evaluation_modes() -> None:
    ours = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Dropout(0.0), nn.ReLU())
    eager, run = copy.deepcopy(ours), compiled(ours)
    for training in (True, False, True, False):
        ours.train(training)
        eager.train(training)
        x = torch.randn(6, 4)
        assert_same(run(x), eager(x))
        assert_same(dict(ours.named_buffers()), dict(eager.named_buffers()))


def test_random_numbers_are_new_in_each_call_and_follow_the_seed() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return F.dropout(x, 0.5, True) + 1

    run, x = compiled(function), torch.ones(64, 64)
    made = run(x)
    assert set(made.unique().tolist()) == {1.0, 3.0}
    assert 0.4 < (made == 1).float().mean() < 0.6
    assert not torch.equal(run(x), made)
    torch.manual_seed(3)
    made = run(x)
    torch.manual_seed(3)
    assert torch.equal(run(x), made)


@pytest.mark.slow
def test_autocast_in_training() -> None:
    model, x = layers(), torch.randn(3, 8)

    def cast(run: Any) -> Any:
        def call(x: torch.Tensor) -> torch.Tensor:
            with torch.autocast("cpu", torch.bfloat16):
                return run(x)

        return call

    ours = gradients(cast(compiled(model)), model, x)
    assert_same(ours, gradients(cast(model), model, x), 0.05, 0.05)
    # The context inside of the compiled function.
    ours = gradients(compiled(cast(model)), model, x)
    assert_same(ours, gradients(cast(model), model, x), 0.05, 0.05)


@pytest.mark.slow
def test_checkpoints_compute_again() -> None:
    model, x = layers(), torch.randn(2, 8)

    def function(x: torch.Tensor) -> torch.Tensor:
        return checkpoint(model, x, use_reentrant=False)

    ours = gradients(compiled(function), model, x)
    assert_same(ours, gradients(function, model, x))


def test_the_average_of_an_optimizer_is_payload() -> None:
    """Dynamo writes the averages of Adam as this op of the compiler's own."""
    given = [torch.randn(4, 4), torch.randn(4), torch.randn(4, 4)]
    found = compiled(torch.ops.prims.fma.default)(*given)
    assert_same(found, given[0] * given[1] + given[2])
    assert RECENT[-1].stayed == []


@pytest.mark.slow
def test_a_compiled_optimizer() -> None:
    ours = [nn.Parameter(torch.randn(4, 4)), nn.Parameter(torch.randn(4))]
    eager = [nn.Parameter(one.detach().clone()) for one in ours]
    step = compiled(torch.optim.AdamW(ours, 1e-2).step)
    expected = torch.optim.AdamW(eager, 1e-2)
    for _ in range(3):
        for one, other in zip(ours, eager, strict=True):
            one.grad = torch.randn_like(one)
            other.grad = one.grad.clone()
        step()
        expected.step()
        assert_same(ours, eager)
    assert RECENT[-1].stayed == []


@pytest.mark.slow
def test_a_whole_step_of_training() -> None:
    def training(model: nn.Module) -> Any:
        optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)

        def step(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            optimizer.zero_grad()
            loss = F.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            return loss

        return step

    ours = layers()
    eager = copy.deepcopy(ours)
    run, expected = compiled(training(ours)), training(eager)
    for _ in range(3):
        x, y = torch.randn(5, 8), torch.randn(5, 4)
        assert_same(run(x, y), expected(x, y))
        assert_same(list(ours.parameters()), list(eager.parameters()))
