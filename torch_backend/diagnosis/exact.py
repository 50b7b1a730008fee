"""The outputs of a segment in float64, which judge eager torch's own rounding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch.fx import Interpreter, Node
from torch.fx.node import Target

from tilewright.torch_backend.exact_ops import exact_op, wide
from tilewright.torch_backend.partition.segments import Segment
from tilewright.torch_backend.runtime.segment_call import torch_graph


def exact_values(
    segment: Segment, values: Mapping[Node, Any]
) -> list[torch.Tensor] | None:
    """The outputs of a segment in float64; None if torch cannot compute them."""
    inputs = [wide(values[node]) for node in segment.inputs]
    try:
        with torch.no_grad():
            return list(_Exact(torch_graph(segment)).run(*inputs))
    except Exception:
        return None


class _Exact(Interpreter):
    """Runs a graph by functions that can compute in float64."""

    def call_function(
        self, target: Target, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        assert callable(target)
        return super().call_function(exact_op(target), args, kwargs)
