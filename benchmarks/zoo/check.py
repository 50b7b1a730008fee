"""Whether a model's numbers by tilewright are eager torch's, on a CPU."""

from __future__ import annotations

import copy
import time
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import torch

from tilewright.torch_backend.report import RECENT
from zoo.entry import Entry, Made, as_type
from zoo.uses import decoded, forward, train, training

LEAST = 1e-4
"""The relative error that f32 may have in any model."""
OF_EAGER = 8.0
"""A model may be this many times as wrong as eager torch, against float64."""
USES: dict[str, Callable[[Made, Callable[..., Any]], list[torch.Tensor]]] = {
    "forward": forward,
    "decode": decoded,
    "train": train,
}


@dataclass(frozen=True)
class Checked:
    """What became of a model."""

    use: str
    right: bool = False
    error: float = 0.0
    """The largest difference from float64, relative to the largest number."""
    eager_error: float = 0.0
    is_exact: bool = True
    """Whether the model runs in float64; if not, eager torch's f32 is right."""
    seconds: float = 0.0
    in_torch: dict[str, int] = field(default_factory=dict[str, int])
    """The calls that stayed in torch: `op: reason`, and how many of them."""
    failure: str = ""

    def record(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)

    def __str__(self) -> str:
        """One line for a terminal."""
        if self.failure:
            return f"FAILED: {self.failure}"
        verdict = "right" if self.right else "WRONG"
        than = f"eager torch {self.eager_error:.1e}" if self.is_exact else "no float64"
        told = f"{verdict}: error {self.error:.1e}, {than}, {self.seconds:.0f} s"
        calls = [f"{count} {op}" for op, count in self.in_torch.items()]
        return "; in torch: ".join([told, ", ".join(calls)] if calls else [told])


def check(entry: Entry, use: str) -> Checked:
    """Compile a small model, run it in the payload interpreter, compare."""
    warnings.simplefilter("ignore")
    started = time.perf_counter()
    try:
        made = entry.placed("small", "cpu", torch.float32)
        if use == "train":
            training(made)
        work = USES[use]
        eager = work(made, made.module)
        exact = _exact(made, work)
        torch._dynamo.reset()
        RECENT.clear()
        fast = torch.compile(
            made.module, backend="tilewright", options={"strict": True}
        )
        found = work(made, fast)
    except Exception as error:
        failure = f"{type(error).__name__}: {str(error)[:500]}"
        return Checked(use, failure=failure)
    if all(_is_zero(one) for one in exact or eager):
        return Checked(use, failure="its results are zeros, which compares nothing")
    error = _error(found, exact or eager)
    eager_error = _error(eager, exact or eager)
    return Checked(
        use,
        error <= max(LEAST, OF_EAGER * eager_error),
        error,
        eager_error,
        exact is not None,
        round(time.perf_counter() - started, 1),
        _in_torch(),
    )


def _in_torch() -> dict[str, int]:
    """What stayed in torch of the graphs that were compiled last, and why."""
    stayed = [one for report in RECENT for one in report.stayed]
    refused = [line for report in RECENT for line in report.refused]
    calls = [f"{one.op}: {one.reason}" for one in stayed]
    return dict(Counter([*calls, *refused]))


def _exact(
    made: Made, work: Callable[[Made, Callable[..., Any]], list[torch.Tensor]]
) -> list[torch.Tensor] | None:
    """The results in float64; None if the model does not run in it."""
    inputs = {name: as_type(one, torch.float64) for name, one in made.inputs.items()}
    wide = Made(copy.deepcopy(made.module).double(), inputs)
    try:
        return work(wide, wide.module)
    except RuntimeError:  # torch multiplies groups of experts in f32 at most
        return None


def _is_zero(tensor: torch.Tensor) -> bool:
    return tensor.is_floating_point() and bool((tensor.abs() < 1e-6).all())


def _error(found: list[torch.Tensor], exact: list[torch.Tensor]) -> float:
    """The largest difference of a pair, relative to its largest number."""
    return max(map(_difference, found, exact), default=0.0)


def _difference(found: torch.Tensor, exact: torch.Tensor) -> float:
    if found.shape != exact.shape:
        return float("inf")
    if not found.is_floating_point():
        return 0.0 if torch.equal(found, exact) else float("inf")
    finite = torch.isfinite(exact)
    if not torch.equal(found[~finite].double(), exact[~finite].double()):
        return float("inf")
    if not finite.any():
        return 0.0
    difference = (found.double() - exact)[finite].abs().max().item()
    return difference / max(exact[finite].abs().max().item(), 1e-6)
