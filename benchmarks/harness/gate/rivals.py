"""A function of torch by us, by eager torch and by torch.compile, timed together."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from harness.timing import Contender, relative_error, time_interleaved

ROUNDS = 5
BACKENDS = {"eager": None, "compile": "inductor", "ours": "tilewright"}


def beside_rivals(
    model: Callable[..., Any], inputs: Sequence[torch.Tensor]
) -> dict[str, Any]:
    """Microseconds of each with a cold L2, and the errors of eager torch and of us.

    The errors are relative to the results in float64. One process at a time measures.
    """
    from filelock import FileLock

    calls = {name: _call(model, inputs, of) for name, of in BACKENDS.items()}
    with torch.no_grad():
        results = {name: _tensors(call()) for name, call in calls.items()}
        with FileLock(Path(tempfile.gettempdir()) / "gate-measures.lock"):
            contenders = [Contender(name, call) for name, call in calls.items()]
            timed = time_interleaved(contenders, ROUNDS, sample_ms=5.0, warm_ms=1.0)
    times = {
        name: round(sorted(one.rounds)[ROUNDS // 2] * 1e3, 3)
        for name, one in timed.items()
    }
    return {"rivals_us": times, "rivals_error": _errors(model, inputs, results)}


def _call(
    model: Callable[..., Any], inputs: Sequence[torch.Tensor], backend: str | None
) -> Callable[[], Any]:
    """A call that a backend compiles, sharing no compiled code with another."""
    if backend is None:
        return lambda: model(*inputs)

    def function(*given: Any) -> Any:
        return model(*given)

    function.__code__ = function.__code__.replace(co_name=f"by_{backend}")
    compiled = torch.compile(function, backend=backend, dynamic=False)
    return lambda: compiled(*inputs)


def _errors(
    model: Callable[..., Any],
    inputs: Sequence[torch.Tensor],
    results: dict[str, tuple[torch.Tensor, ...]],
) -> dict[str, float]:
    """How far eager torch and we are from float64; nothing if the function has none."""
    wide = [one.double() if one.is_floating_point() else one for one in inputs]
    try:
        with torch.no_grad():
            exact = tuple(one.float() for one in _tensors(model(*wide)))
    except RuntimeError:
        return {}
    return {
        name: relative_error(tuple(one.float() for one in results[name]), exact)
        for name in ("eager", "ours")
    }


def _tensors(found: Any) -> tuple[torch.Tensor, ...]:
    from torch.utils import _pytree as pytree

    leaves = pytree.tree_leaves(found)
    return tuple(leaf for leaf in leaves if isinstance(leaf, torch.Tensor))
