"""Who takes part in `models.py`: eager torch, and two compilers in each mode."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from rivals.torch_modes import copy_function

EAGER = "torch eager"


@dataclass(frozen=True)
class Way:
    """A way to run a model: who compiles it, in which mode of torch.compile."""

    name: str
    backend: str
    mode: str | None = None

    @property
    def is_ours(self) -> bool:
        """Whether tilewright compiles it."""
        return self.backend == "tilewright"

    @property
    def measures(self) -> bool:
        """Whether it measures kernels to choose them, for which it needs the card."""
        return (self.mode or "").startswith("max-autotune")

    def build(
        self, function: types.FunctionType, dry: bool, tune_budget: str | None = None
    ) -> Callable[..., Any]:
        """The function by this compiler; a dry run asks less of torch's.

        `tune_budget` is the time in which ours tunes a graph.
        """
        from tilewright.torch_backend.backend import tilewright

        backend: Any = tilewright if self.is_ours else self.backend
        mode = self.mode
        if not self.is_ours and dry:
            backend, mode = "aot_eager", None
        copied = copy_function(function, self.name.replace(" ", "_").replace("-", "_"))
        options: dict[str, Any] | None = None
        if self.is_ours and self.measures and tune_budget is not None:
            options, mode = {"mode": mode, "tune_budget": tune_budget}, None
        return torch.compile(
            copied, backend=backend, mode=mode, options=options, dynamic=False
        )


PAIRS: dict[str, tuple[Way, Way]] = {
    "default": (Way("ours", "tilewright"), Way("torch compile", "inductor")),
    "max-autotune": (
        Way("ours max-autotune", "tilewright", "max-autotune"),
        Way(
            "torch max-autotune-no-cudagraphs", "inductor", "max-autotune-no-cudagraphs"
        ),
    ),
    "reduce-overhead": (
        Way("ours reduce-overhead", "tilewright", "reduce-overhead"),
        Way("torch reduce-overhead", "inductor", "reduce-overhead"),
    ),
}
"""Ours and its rival, by the name of our mode."""
