"""Options of the backend.

torch.compile(model, backend="tilewright", options={"fallback": "error"})
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args

from tilewright.ir.errors import UserError
from tilewright.ir.phrases import did_you_mean

Fallback = Literal["torch", "error"]
Interpreter = Literal["payload", "kernels"]
Placement = Literal["device", "gpu"]
Products = Literal["tf32x3", "ieee"]
KeepEager = Literal["slower", "never"]
_MODES = ("default", "max-autotune", "reduce-overhead")
_SYNONYMS = {"max-autotune-no-cudagraphs": "max-autotune"}
"""Names of Inductor: our `max-autotune` captures no CUDA graphs."""


@dataclass(frozen=True)
class Options:
    """What a user may choose."""

    fallback: Fallback = "torch"
    """What happens to ops that are not in the table: torch calls, or an error."""
    interpreter: Interpreter = "payload"
    """What runs tensors on a CPU: the payload itself, or the kernels planned for it."""
    placement: Placement = "device"
    """What decides which ops torch computes faster: the tensors' device, or "gpu", for
    tensors on a CPU too. Tools show what a GPU would do by it."""
    target: str = "auto"
    """The GPU that kernels are planned for; this machine's GPU by default."""
    mode: str = "default"
    strict: bool = False
    """Raise errors of the compiler's own instead of leaving the op to torch."""
    f32_products: Products = "tf32x3"
    """How kernels multiply f32: by three matmuls of TF32, which are as exact and use
    the tensor cores, or by multiply-adds of f32."""
    tune_budget: str | float | None = None
    """The time that tuning a graph may take, such as "60s"; kernels are then tuned in
    any mode. `max-autotune` has a default, which grows with the number of kernels."""
    tune_structure: bool = True
    """Whether tuning also tries other kernels for the same ops (docs/structure.md)."""
    check_indices: bool = False
    """Check indices before kernels read or write there; the host waits for it."""
    keep_eager: KeepEager = "slower"
    """Which graphs of inference eager torch keeps: "slower", those whose kernels take
    longer at the first call on a GPU; or "never" one."""
    results: str = ""
    """A results file or a file of winners, instead of the one in the cache folder."""

    @property
    def tunes(self) -> bool:
        """Whether kernels are tuned."""
        return self.mode == "max-autotune" or self.tune_budget is not None

    @property
    def tune_seconds(self) -> float | None:
        """The seconds of `tune_budget`; None for the default."""
        return None if self.tune_budget is None else _seconds(self.tune_budget)


def read_options(mode: str | None, given: Mapping[str, Any] | None) -> Options:
    """The options of a call of torch.compile; refuses unknown ones."""
    names = [field.name for field in fields(Options)]
    for name in given or {}:
        if name not in names:
            near = did_you_mean(str(name), names)
            listed = f"the options are {', '.join(names)}"
            raise UserError(
                f"the backend has no option '{name}'",
                remedy=" ".join(filter(None, (near, listed))),
            )
    made = Options(**{"mode": mode or "default", **(given or {})})
    _check("fallback", made.fallback, get_args(Fallback))
    _check("interpreter", made.interpreter, get_args(Interpreter))
    _check("placement", made.placement, get_args(Placement))
    _check("f32_products", made.f32_products, get_args(Products))
    _check("strict", made.strict, (False, True))
    _check("tune_structure", made.tune_structure, (False, True))
    _check("keep_eager", made.keep_eager, get_args(KeepEager))
    _check("check_indices", made.check_indices, (False, True))
    if made.check_indices and made.mode == "reduce-overhead":
        raise UserError(
            "check_indices waits for the GPU, which a CUDA graph cannot",
            remedy="choose another mode while you check indices",
        )
    _check_text("target", made.target)
    _check_text("results", made.results)
    made = replace(
        made,
        mode=_SYNONYMS.get(made.mode, made.mode),
        results=os.fspath(made.results),
    )
    _check("mode", made.mode, (*_MODES, *_SYNONYMS))
    _ = made.tune_seconds  # refuses what is no time
    if made.results and not made.tunes and not Path(made.results).is_file():
        remedy = "check its name; only tuning makes a new one"
        raise UserError(f"results: {made.results}: no such file", remedy=remedy)
    return made


def _check_text(name: str, value: Any) -> None:
    if not isinstance(value, str | os.PathLike):
        raise UserError(f"{name} is {value!r}", remedy="write a text")


def _seconds(given: str | float) -> float:
    """The seconds of a time such as `60s`, `2m` or 60."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(s|m|h)?", str(given), re.ASCII)
    seconds = 0.0
    if match is not None:
        seconds = float(match[1]) * {"s": 1, "m": 60, "h": 3600}[match[2] or "s"]
    if seconds <= 0:
        raise UserError(f"tune_budget is {given!r}", remedy="a time such as 60s or 5m")
    return seconds


def _check(name: str, value: Any, allowed: tuple[Any, ...]) -> None:
    if value not in allowed:
        near = did_you_mean(
            str(value), [one for one in allowed if isinstance(one, str)]
        )
        listed = f"it is one of {', '.join(repr(one) for one in allowed)}"
        remedy = listed if near is None else f"{near} {listed}"
        raise UserError(f"{name} is {value!r}", remedy=remedy)
