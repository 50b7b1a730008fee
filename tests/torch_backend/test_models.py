"""Whole models through torch.compile, against eager: results, gradients, training."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch.utils import _pytree as pytree

from tilewright.torch_backend.backend import tilewright
from torch_models.table import MODELS
from torch_models.transformers import SmallGPT

pytestmark = pytest.mark.filterwarnings("ignore")


def compiled(model: Any, **options: Any) -> Any:
    torch._dynamo.reset()
    return torch.compile(model, backend=tilewright, options={"strict": True, **options})


@pytest.mark.parametrize(
    "name",
    [
        "decoder block",
        *(
            pytest.param(n, marks=pytest.mark.slow)
            for n in MODELS
            if n != "decoder block"
        ),
    ],
)
def test_a_model_gives_the_results_of_eager(name: str) -> None:
    torch.manual_seed(0)
    sized = MODELS[name].small
    model, given = sized.module().eval(), sized.inputs()
    with torch.no_grad():
        ours, eager = compiled(model)(*given), model(*given)
    for made, expected in zip(
        pytree.tree_leaves(ours), pytree.tree_leaves(eager), strict=True
    ):
        torch.testing.assert_close(made, expected, atol=1e-5, rtol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n, model in MODELS.items() if model.trains])
def test_a_model_gives_the_gradients_of_eager(name: str) -> None:
    torch.manual_seed(0)
    sized = MODELS[name].small
    model, given = sized.module().train(), sized.inputs()
    found: list[list[torch.Tensor]] = []
    for run in (compiled(model), model):
        model.zero_grad()
        leaves = pytree.tree_leaves(run(*given))
        sum(leaf.float().square().sum() for leaf in leaves).backward()
        found.append([p.grad.clone() for p in model.parameters() if p.grad is not None])
    for ours, eager in zip(*found, strict=True):
        torch.testing.assert_close(ours, eager, atol=1e-4, rtol=1e-3)


@pytest.mark.slow
def test_training_follows_eager() -> None:
    torch.manual_seed(0)
    tokens = torch.randint(0, 23, (4, 9))
    losses: list[list[float]] = []
    for uses_backend in (True, False):
        torch.manual_seed(1)
        model = SmallGPT(tokens=23, size=16, heads=2, layers=2, length=8)
        step = torch.optim.AdamW(model.parameters(), 1e-2)
        run = compiled(model) if uses_backend else model
        losses.append([])
        for _ in range(50):
            step.zero_grad()
            loss = run(tokens)
            loss.backward()
            step.step()
            losses[-1].append(loss.item())
    torch.testing.assert_close(
        torch.tensor(losses[0]), torch.tensor(losses[1]), atol=1e-3, rtol=1e-2
    )
    assert losses[0][-1] < 0.5 * losses[0][0]
