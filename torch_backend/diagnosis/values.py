"""The values of a graph in eager torch, and whether other values deviate from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.fx import GraphModule, Interpreter, Node

from tilewright.torch_backend.partition.segments import Segment
from tilewright.torch_backend.runtime.segment_call import torch_graph

_EAGER_ERRORS = 4.0
"""How many times eager torch's own largest error a value may be off."""
_UNITS = 32
"""Units in the last place that a value may be off in any case, relative to its size and
to the root mean square of all."""
_WITHOUT_JUDGE = 64.0
"""The factor on these units where float64 cannot tell how far off eager torch is."""


@dataclass(frozen=True)
class Deviation:
    """How far values are off."""

    wrong: int
    """Elements outside of the tolerance."""
    elements: int
    largest: float
    """The largest absolute difference."""
    relative: float
    """The largest difference over the root mean square of the expected values."""

    def __str__(self) -> str:
        """`3 of 64 elements are off, by up to 0.5 (0.4 of the root mean square)`."""
        return (
            f"{self.wrong} of {self.elements} elements are off, by up to "
            f"{self.largest:.3g} ({self.relative:.2g} of the root mean square)"
        )


class _Recorder(Interpreter):
    """Runs a graph and keeps the value of every node."""

    def __init__(self, graph: GraphModule):
        super().__init__(graph, garbage_collect_values=False)
        self.values: dict[Node, Any] = {}

    def run_node(self, n: Node) -> Any:
        made = super().run_node(n)
        self.values[n] = made
        return made


def eager_values(graph: GraphModule, inputs: Sequence[Any]) -> dict[Node, Any]:
    """The value of every node, computed by torch."""
    recorder = _Recorder(graph)
    with torch.no_grad():
        recorder.run(*inputs)
    return recorder.values


def exact_values(
    segment: Segment, values: Mapping[Node, Any]
) -> list[torch.Tensor] | None:
    """The outputs of a segment in float64; None if torch cannot compute them."""

    def wide(value: Any) -> Any:
        is_float = isinstance(value, torch.Tensor) and value.is_floating_point()
        return value.double() if is_float else value

    try:
        with torch.no_grad():
            made = torch_graph(segment)(*[wide(values[n]) for n in segment.inputs])
    except Exception:
        return None
    return list(made)


def deviation(
    ours: torch.Tensor,
    eager: torch.Tensor,
    exact: torch.Tensor | None,
    tolerance: float = 1.0,
) -> Deviation | None:
    """How far values deviate from eager torch's; None within the tolerance.

    `exact` are the values in float64: a value may be off by a few times the error that
    eager torch has itself. `tolerance` is a factor on what is allowed.
    """
    if ours.shape != eager.shape or ours.dtype != eager.dtype:
        return Deviation(eager.numel(), eager.numel(), float("inf"), float("inf"))
    if not eager.is_floating_point():
        wrong = ours != eager
        if not bool(wrong.any()):
            return None
        most = float((ours.double() - eager.double()).abs().max())
        return _deviation(wrong, most, eager.double())
    judged = exact is not None and exact.is_floating_point()
    wanted = exact.double() if judged and exact is not None else eager.double()
    unit = torch.finfo(eager.dtype).eps * _UNITS * (1 if judged else _WITHOUT_JUDGE)
    room = unit * (wanted.abs() + _size(wanted))
    if judged:
        own = (eager.double() - wanted).abs()
        own = own[own.isfinite()]
        room = room + _EAGER_ERRORS * (float(own.max()) if own.numel() else 0.0)
    error = (ours.double() - wanted).abs()
    same = (ours == eager) | (ours.isnan() & eager.isnan())
    wrong = ~(same | (error <= tolerance * room))
    if not bool(wrong.any()):
        return None
    return _deviation(wrong, float(error[wrong].max()), wanted)


def _deviation(wrong: torch.Tensor, largest: float, wanted: torch.Tensor) -> Deviation:
    size = _size(wanted)
    relative = largest / size if size else float("inf")
    return Deviation(int(wrong.sum()), wrong.numel(), largest, relative)


def _size(values: torch.Tensor) -> float:
    """The root mean square of the finite values."""
    finite = values[values.isfinite()]
    return float(finite.square().mean().sqrt()) if finite.numel() else 0.0
