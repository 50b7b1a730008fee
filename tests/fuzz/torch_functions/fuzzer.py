"""Random functions of torch through the backend, in strict mode.

The kernels planned for a function run in the numpy interpreter; eager torch says what
is right. An error of the compiler's own is a finding, and so is a wrong number. Every
op and every segment that stays in torch is counted by its reason: a reason that is not
a documented limit is a finding, too.
"""

from __future__ import annotations

import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from fuzz.timed_seeds import timed_seeds
from fuzz.torch_functions.drawing import Drawn, draw_function
from tilewright.torch_backend.backend import tilewright
from tilewright.torch_backend.partition.support import UNKNOWN, VIEW
from tilewright.torch_backend.report import RECENT

LIMITS = (
    UNKNOWN,
    VIEW,
    "an empty tensor",
    "a number",
    "a gather of or by a single number",
    "a scatter to a single number",
    "a scatter that adds elements of type",
    "integers to a power that is not a small number",
    "writes at indices that are no mask",
    "it writes an input in its place",
)
"""Reasons to stay in torch that docs/torch.md gives ("What kernels cannot do yet")."""
ROUNDING = {torch.float16: 2e-2, torch.bfloat16: 6e-2}
PERTURBED = 3
"""How often eager torch is run on perturbed arguments, to see how far results move."""


@dataclass(frozen=True)
class Found:
    """A finding: what happened, with the function that shows it."""

    kind: str
    drawn: Drawn
    detail: str

    def report(self) -> str:
        """A text with everything that is needed to reproduce the finding."""
        return (
            f"=== finding: {self.kind}, seed {self.drawn.seed}\n{self.drawn.source}"
            f"--- detail\n{self.detail[-3000:]}\n==="
        )


@dataclass
class Statistics:
    """Counters of a fuzzing run."""

    functions: int = 0
    whole: int = 0
    """Functions of which no op stayed in torch."""
    findings: int = 0
    stayed: Counter[str] = field(default_factory=Counter[str])
    """Ops that stayed in torch, with the reason."""
    refused: Counter[str] = field(default_factory=Counter[str])
    """Segments that the compiler refused, by the reason."""

    def __str__(self) -> str:
        return (
            f"{self.functions} functions, {self.whole} without a fallback, "
            f"{sum(self.stayed.values())} ops and {sum(self.refused.values())} "
            f"segments left to torch, {self.findings} findings"
        )

    def table(self) -> str:
        """The fallbacks by reason."""
        lines = [f"{n:6} refused: {why}" for why, n in self.refused.most_common()]
        lines += [f"{n:6} stayed: {why}" for why, n in self.stayed.most_common()]
        return "\n".join(lines)


@dataclass
class TorchFuzzer:
    """Tries the functions from `seed` on, for some seconds or up to a number."""

    seed: int
    seconds: float
    functions: int | None = None
    tell: Callable[[str], None] = lambda text: None
    found: Callable[[Found], None] = lambda found: None
    statistics: Statistics = field(default_factory=Statistics)

    def run(self) -> None:
        """Until the time is up, or the functions are done."""
        given = self.seed, self.functions, self.seconds, self.tell, self.statistics
        for seed in timed_seeds(*given):
            self.function(seed)
        self.tell(f"done: {self.statistics}")
        self.tell(self.statistics.table())

    def function(self, seed: int) -> None:
        """Compile one function, read its fallbacks, compare its results."""
        self.statistics.functions += 1
        drawn = draw_function(seed)
        RECENT.clear()
        found = look(drawn)
        for report in RECENT:
            self.statistics.stayed.update(
                f"{one.op}: {one.reason}" for one in report.stayed
            )
            self.statistics.refused.update(
                line.partition(": ")[2] for line in report.refused
            )
        self.statistics.whole += not any(r.stayed or r.refused for r in RECENT)
        if found is None:
            return
        found = shrunk(found)
        self.statistics.findings += 1
        self.found(found)


def look(drawn: Drawn) -> Found | None:
    """The finding of a function, if any."""
    expected_inputs = drawn.inputs()
    expected = drawn.function(*expected_inputs)
    given = drawn.inputs()
    torch._dynamo.reset()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = torch.compile(
                drawn.function,
                backend=tilewright,
                dynamic=False,
                options={"strict": True, "interpreter": "kernels", "target": "h200"},
            )(*given)
    except Exception as error:
        return Found(f"raised {_name_of(error)}", drawn, traceback.format_exc())
    for report in RECENT:
        for line in report.refused:
            return Found("a segment was refused", drawn, line)
        for one in report.stayed:
            if not any(words in one.reason for words in LIMITS):
                kind = "an op stayed in torch"
                return Found(kind, drawn, f"{one.op}: {one.reason}")
    slack = _slack(drawn, expected)
    for position, (one, other) in enumerate(zip(made, expected, strict=True)):
        why = _difference(one, other, slack[position])
        if why is not None:
            return Found("wrong numbers", drawn, f"result {position}: {why}")
    for one, other, argument in zip(
        given, expected_inputs, drawn.arguments, strict=True
    ):
        why = _difference(one, other, torch.zeros(()))
        if why is not None:
            return Found("a wrong argument", drawn, f"{argument.name}: {why}")
    return None


def _name_of(error: BaseException) -> str:
    """The class of the error that Dynamo has wrapped."""
    inner = getattr(error, "inner_exception", None) or error.__cause__
    return type(error).__name__ if inner is None else type(inner).__name__


def _slack(drawn: Drawn, expected: Any) -> list[torch.Tensor]:
    """How far results move when the arguments change in their last bits.

    Comparisons, roundings and quotients of near numbers move far: kernels that round
    elsewhere than torch does may then differ as far.
    """
    slack = [torch.zeros(one.shape, dtype=torch.float64) for one in expected]
    for number in range(PERTURBED):
        generator = torch.Generator().manual_seed(number)
        inputs = [
            one * (1 + (torch.rand(one.shape, generator=generator) - 0.5) * _eps(one))
            if one.is_floating_point()
            else one
            for one in drawn.inputs()
        ]
        inputs = [
            one.to(like.dtype) for one, like in zip(inputs, drawn.inputs(), strict=True)
        ]
        moved = drawn.function(*inputs)
        for at, (one, other) in enumerate(zip(moved, expected, strict=True)):
            step = (one.double() - other.double()).abs().nan_to_num(1e9)
            slack[at] = torch.maximum(slack[at], step)
    return slack


def _eps(value: torch.Tensor) -> float:
    return 8 * torch.finfo(value.dtype).eps


def _difference(
    one: torch.Tensor, other: torch.Tensor, slack: torch.Tensor
) -> str | None:
    """What differs between a result and the expected one, beyond rounding."""
    if (one.shape, one.dtype) != (other.shape, other.dtype):
        return f"{one.dtype}{list(one.shape)} for {other.dtype}{list(other.shape)}"
    rounding = ROUNDING.get(other.dtype, 1e-4)
    ours, right = one.double(), other.double()
    room = rounding * (1 + right.abs()) + 8 * slack
    off = (ours - right).abs() > room
    off |= ours.isnan() != right.isnan()
    if not off.any():
        return None
    count = f"{int(off.sum())} of {off.numel()} elements"
    return f"{count}: {ours[off][:4].tolist()} for {right[off][:4].tolist()}"


def shrunk(found: Found) -> Found:
    """The finding with the fewest lines that still shows the same kind of it."""
    best = found
    position = len(best.drawn.lines) - 1
    while position >= 0:
        lines = best.drawn.lines
        fewer = (*lines[:position], *lines[position + 1 :])
        shorter = replace(best.drawn, lines=fewer)
        try:
            again = look(shorter) if fewer else None
        except Exception:
            again = None  # a line needs what was left out
        if again is not None and again.kind == best.kind:
            best = again
        position -= 1
    return best
