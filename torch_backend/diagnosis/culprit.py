"""Who is to blame for a deviation, and what a script needs to show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.runtime.launch_ranges import statement_text
from tilewright.ir.errors import Place
from tilewright.numeric_check import CheckCase
from tilewright.pipeline import Built
from tilewright.torch_backend.lowering.layouts import Order

if TYPE_CHECKING:
    import torch

Kind = Literal["kernel", "lowering", "segment"]

_TOLD = {
    "kernel": "the kernel computes something else than its payload",
    "lowering": "the payload of this op computes something else than torch",
    "segment": "no kernel deviates by itself: the fault is between them, or rounding",
}


@dataclass(frozen=True)
class Reproduction:
    """A program, its payload, inputs and expected results."""

    built: Built
    payload: ModuleOp
    case: CheckCase
    eager_code: str | None = None
    """The source of the same in torch: `forward(self, ...)`, as torch.fx writes it."""
    eager: Sequence[torch.Tensor] = ()
    """The results of eager torch."""
    orders: tuple[tuple[Order, ...], tuple[Order, ...]] = ((), ())
    """The memory orders of torch's inputs and outputs; empty if they are plain."""


@dataclass(frozen=True)
class Culprit:
    """The first part of a model that deviates."""

    kind: Kind
    graph: str
    payload: str
    name: str
    """The kernel, the ATen op, or the payload."""
    ops: tuple[str, ...]
    lines: tuple[str, ...]
    """The model's lines."""
    deviation: str
    reproduction: Reproduction | None
    schedule: Place | None = None
    """The statement of the schedule that made a kernel."""

    def __str__(self) -> str:
        """A few lines for a person."""
        lines = [
            f"first to deviate: {self.name} ({self.graph}, {self.payload})",
            f"  {_TOLD[self.kind]}",
            f"  {self.deviation}",
            f"  ops: {', '.join(self.ops)}",
            f"  model lines: {', '.join(self.lines) or 'unknown'}",
        ]
        if self.schedule is not None:
            lines.append(f"  schedule: {statement_text(self.schedule)}")
        return "\n".join(lines)
