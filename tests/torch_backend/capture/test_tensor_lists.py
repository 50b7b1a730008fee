"""Optimizers as torch has them on a GPU: ops on lists of all weights."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from support.torch_compiling import compiled
from tilewright.torch_backend.report import RECENT

SHAPES = ((6, 4), (6,), (4, 6), ())


def weights() -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    return [
        torch.randn(shape, generator=generator).requires_grad_() for shape in SHAPES
    ]


def steps(optimizer: Any, given: list[torch.Tensor], step: Any) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(1)
    for _ in range(2):
        for weight in given:
            weight.grad = torch.randn(weight.shape, generator=generator)
        step()
    states = [
        one
        for weight in given
        for one in optimizer.state[weight].values()
        if isinstance(one, torch.Tensor)
    ]
    return [*given, *states]


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (torch.optim.SGD, {"momentum": 0.5, "nesterov": True}),
        pytest.param(torch.optim.AdamW, {"capturable": True}, marks=pytest.mark.slow),
        pytest.param(torch.optim.Rprop, {}, marks=pytest.mark.slow),
        pytest.param(torch.optim.NAdam, {}, marks=pytest.mark.slow),
    ],
)
def test_a_compiled_optimizer_updates_the_weights_and_its_state(
    kind: Any, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.compiler, "is_compiling", lambda: True)
    mine, others = weights(), weights()
    own = kind(mine, lr=0.1, foreach=True, **options)
    eager = kind(others, lr=0.1, foreach=True, **options)
    wanted = steps(eager, others, eager.step)
    RECENT.clear()
    found = steps(own, mine, compiled(own.step))
    for one, other in zip(found, wanted, strict=True):
        torch.testing.assert_close(one, other)
    assert not [one for report in RECENT for one in report.stayed]


def test_what_it_writes_is_copied_in_one_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[int] = []
    together: Any = getattr(torch, "_foreach_copy_")  # noqa: B009

    def counted(given: Any, new: Any) -> None:
        calls.append(len(given))
        together(given, new)

    monkeypatch.setattr(torch, "_foreach_copy_", counted)

    def update(x: torch.Tensor, y: torch.Tensor) -> None:
        x.add_(y)
        y.mul_(x)

    x, y = torch.ones(3), torch.full((2, 3), 2.0)[0]
    compiled(update)(x, y)
    assert calls == [2]
    assert x.tolist() == [3.0] * 3 and y.tolist() == [6.0] * 3
