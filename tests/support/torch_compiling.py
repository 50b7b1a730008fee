"""torch.compile with the backend, and results compared with those of eager torch."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils import _pytree as pytree

from tilewright.torch_backend.backend import tilewright


def compiled(
    function: Any,
    *,
    dynamic: bool | None = None,
    fullgraph: bool = False,
    **options: Any,
) -> Any:
    torch._dynamo.reset()
    return torch.compile(
        function,
        backend=tilewright,
        dynamic=dynamic,
        fullgraph=fullgraph,
        options={"strict": True, **options},
    )


def assert_same(ours: Any, eager: Any, atol: float = 1e-5, rtol: float = 1e-4) -> None:
    """The same tree of results: tensors that are close, other values that are equal."""
    made, shape = pytree.tree_flatten(ours)
    expected, expected_shape = pytree.tree_flatten(eager)
    assert shape == expected_shape
    for one, other in zip(made, expected, strict=True):
        if isinstance(other, torch.Tensor):
            torch.testing.assert_close(one, other, atol=atol, rtol=rtol)
        else:
            assert type(one) is type(other) and one == other


def gradients(run: Any, model: torch.nn.Module, *given: Any) -> list[torch.Tensor]:
    """The gradients of the weights, of the sum of the squared results."""
    model.zero_grad()
    leaves = pytree.tree_leaves(run(*given))
    sum(leaf.float().square().sum() for leaf in leaves).backward()
    return [p.grad.clone() for p in model.parameters() if p.grad is not None]
