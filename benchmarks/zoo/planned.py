"""What the compiler makes of a model: kernels, what stays in torch, refusals."""

from __future__ import annotations

import time
import warnings
from dataclasses import asdict, dataclass, field
from typing import Any

import torch
from torch import nn

from zoo.entry import Entry, Made, Size
from zoo.uses import decoding, training


@dataclass(frozen=True)
class Planned:
    """Kernels and calls of a model, and the cost model's time on an H200."""

    use: str
    size: str
    kernels: int = 0
    in_torch: dict[str, int] = field(default_factory=dict)
    """Calls of torch by name of the op."""
    refused: tuple[str, ...] = ()
    microseconds: float = 0.0
    seconds: float = 0.0
    """Of compiling, in this process."""
    failure: str = ""

    def record(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)

    def __str__(self) -> str:
        """One line for a terminal."""
        if self.failure:
            return self.failure
        calls = ", ".join(f"{count} {op}" for op, count in self.in_torch.items())
        told = f"{self.kernels} kernels, {self.microseconds:.0f} us estimated"
        told += f", {self.seconds:.0f} s; in torch: {calls or 'nothing'}"
        return told + "".join(f"\n    refused: {line}" for line in self.refused)


class Positional(nn.Module):
    """A model whose tensors are positional arguments; what else it takes is fixed."""

    def __init__(self, made: Made) -> None:
        """Take a model and its keyword arguments."""
        super().__init__()
        self.module = made.module
        given = made.inputs.items()
        self.names = [name for name, one in given if isinstance(one, torch.Tensor)]
        self.fixed = {name: one for name, one in given if name not in self.names}

    def forward(self, *args: torch.Tensor) -> Any:
        """Call the model."""
        return self.module(**dict(zip(self.names, args, strict=True)), **self.fixed)


def planned(entry: Entry, use: str, size: Size, dtype: torch.dtype) -> Planned:
    """Plan a model for an H200; no GPU is needed, and nothing runs."""
    warnings.simplefilter("ignore")
    try:
        return _planned(entry, use, size, dtype)
    except Exception as error:
        failure = f"{type(error).__name__}: {str(error)[:500]}"
        return Planned(use, size, failure=failure)


def _planned(entry: Entry, use: str, size: Size, dtype: torch.dtype) -> Planned:
    import tilewright

    made = entry.placed(size, "cpu", dtype)
    if use == "decode":
        made = decoding(made, size)
    if use == "train":
        training(made)
    args = [one for one in made.inputs.values() if isinstance(one, torch.Tensor)]
    torch._dynamo.reset()
    started = time.perf_counter()
    with torch.set_grad_enabled(use == "train"):
        found = tilewright.explain(
            Positional(made), args, backward=use == "train", measure=False
        )
    calls: dict[str, int] = {}
    for row in found.in_torch:
        calls[row.op] = calls.get(row.op, 0) + row.times
    return Planned(
        use,
        size,
        len(found.kernels),
        calls,
        found.refused,
        round(found.microseconds, 1),
        round(time.perf_counter() - started, 1),
    )
