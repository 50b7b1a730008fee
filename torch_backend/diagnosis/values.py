"""The values of a graph in eager torch, and whether other values deviate from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.fx import GraphModule, Interpreter, Node

_EAGER_ERRORS = 4.0
"""How many times eager torch's own largest error a value may be off."""
_UNITS, _UNITS_OF_NARROW = 32, 4
"""Units in the last place that a value may be off in any case, relative to its size and
to the root mean square of all; those of types of 16 bits or less."""
_WITHOUT_JUDGE = 64.0
"""The factor on these units where float64 cannot tell how far off eager torch is."""
_MOST_ROOM = 0.5
"""The largest room relative to a value and to the root mean square, without float64."""
_CREDIBLE = 2.0
"""The root mean square of eager torch's error over that of its values: beyond it, the
values in float64 are something else than the model's. It is 1 where these are 0."""


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
    not_numbers: int = 0
    """Elements that are NaN and should be numbers; their differences are infinite."""

    def __str__(self) -> str:
        """`3 of 64 elements are off, by up to 0.5 (0.4 of the root mean square)`."""
        told = f"{self.wrong} of {self.elements} elements are off"
        if self.not_numbers:
            return f"{told}, {self.not_numbers} of them NaN"
        return (
            f"{told}, by up to {self.largest:.3g} "
            f"({self.relative:.2g} of the root mean square)"
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


def deviation(
    ours: torch.Tensor,
    eager: torch.Tensor,
    exact: torch.Tensor | None,
    tolerance: float = 1.0,
) -> Deviation | None:
    """How far values deviate from eager torch's; None within the tolerance.

    `exact` are the values in float64: a value may be off by a few times the error that
    eager torch has itself. Values that are far from eager torch's are no judge.
    `tolerance` is a factor on what is allowed.
    """
    if ours.shape != eager.shape or ours.dtype != eager.dtype:
        return Deviation(eager.numel(), eager.numel(), float("inf"), float("inf"))
    if not eager.is_floating_point():
        wrong = ours != eager
        if not bool(wrong.any()):
            return None
        most = float((ours.double() - eager.double()).abs().max())
        return _deviation(wrong, most, eager.double())
    judge = exact if exact is not None and _is_credible(exact, eager) else None
    wanted = eager.double() if judge is None else judge.double()
    is_narrow = eager.dtype.itemsize <= 2
    unit = torch.finfo(eager.dtype).eps * (_UNITS_OF_NARROW if is_narrow else _UNITS)
    if judge is None:
        unit = min(unit * _WITHOUT_JUDGE, max(unit, _MOST_ROOM))
    room = unit * (wanted.abs() + _size(wanted))
    if judge is not None:
        own = (eager.double() - wanted).abs()
        own = own[own.isfinite()]
        room = room + _EAGER_ERRORS * (float(own.max()) if own.numel() else 0.0)
    error = (ours.double() - wanted).abs()
    same = (ours == eager) | (ours.isnan() & eager.isnan())
    wrong = ~(same | (error <= tolerance * room))
    if not bool(wrong.any()):
        return None
    largest = float(error[wrong].nan_to_num(nan=float("inf")).max())
    return _deviation(wrong, largest, wanted, int((wrong & ours.isnan()).sum()))


def _is_credible(exact: torch.Tensor, eager: torch.Tensor) -> bool:
    """Whether values in float64 can be those that eager torch rounds."""
    if not exact.is_floating_point() or exact.shape != eager.shape:
        return False
    both = eager.isfinite()
    if not bool(exact[both].isfinite().all()):
        return False
    return _size(exact[both] - eager[both].double()) <= _CREDIBLE * _size(
        eager.double()
    )


def _deviation(
    wrong: torch.Tensor, largest: float, wanted: torch.Tensor, not_numbers: int = 0
) -> Deviation:
    size = _size(wanted)
    relative = largest / size if size else float("inf")
    return Deviation(int(wrong.sum()), wrong.numel(), largest, relative, not_numbers)


def _size(values: torch.Tensor) -> float:
    """The root mean square of the finite values."""
    finite = values[values.isfinite()]
    return float(finite.square().mean().sqrt()) if finite.numel() else 0.0
