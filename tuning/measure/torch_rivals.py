"""The payload as plain torch, to time programs against: eager, and by torch.compile.

The function is that of the reference (`codegen/standalone/reference`), which computes
in float64. Here it keeps each tensor in its own type, as one would write it in torch:
the widening is taken out of its graph.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tilewright.tuning.measure.device_reference import FUNCTION

if TYPE_CHECKING:
    import torch

EAGER, COMPILED = "torch", "torch.compile"


def torch_rivals(source: str, dtype: torch.dtype) -> dict[str, Callable[..., Any]]:
    """The rivals of a program by name; `dtype` is that of integers that are widened."""
    import torch

    function = in_own_types(source, dtype)
    # Each size has kernels of its own, as `torch.compile` is timed at its best.
    torch._dynamo.config.cache_size_limit = 256
    compiled = torch.compile(function, dynamic=False)
    return {EAGER: function, COMPILED: compiled}


def in_own_types(source: str, dtype: torch.dtype) -> Callable[..., Any]:
    """The function of a reference's text, without its float64."""
    import torch
    from torch import fx

    namespace: dict[str, Any] = {"torch": torch}
    exec(compile(source, "<torch>", "exec", dont_inherit=True), namespace)
    traced = fx.symbolic_trace(namespace[FUNCTION])
    for node in traced.graph.nodes:
        if node.op == "call_method" and node.target == "double":
            node.op, node.target = "call_function", _narrow
            node.args = (node.args[0], dtype)
        for name, value in node.kwargs.items():
            if value == torch.float64:
                node.kwargs = {**node.kwargs, name: dtype}
        if node.op == "call_method" and node.target == "to":
            kept = [dtype if one == torch.float64 else one for one in node.args]
            node.args = tuple(kept)
    traced.recompile()
    return traced


def _narrow(tensor: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Floats stay as they are; other types that would be widened become `dtype`."""
    return tensor if tensor.is_floating_point() else tensor.to(dtype)
