"""A work's programs beside torch: checked against float64, then timed in turn."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.timing import Contender, Outputs, speedup, time_interleaved
from structure.works import Work

ERROR = 2e-2
"""The relative error that a program in a short element type may have."""
SAMPLE_MS = 20.0
"""Milliseconds of calls that are one sample of a round."""


def timed(
    work: Work,
    tensors: tuple[Any, ...],
    file: Path,
    tuned: dict[str, Any],
    options: argparse.Namespace,
) -> dict[str, Any]:
    """Check and time the programs in turn."""
    wide = [t.double() if t.is_floating_point() else t for t in tensors]
    reference = work.function(*wide)
    contenders, errors = [], dict[str, float | str]()
    for contender in _contenders(work, tensors, file, tuned, options):
        try:
            error = _error(contender.call(), reference)
        except Exception as failure:
            errors[contender.name] = f"{type(failure).__name__}: {failure}"[:200]
            continue
        errors[contender.name] = error
        if error <= ERROR:
            contenders.append(contender)
    rounds = time_interleaved(contenders, options.rounds, sample_ms=SAMPLE_MS)
    ms = {
        name: sorted(one.rounds)[len(one.rounds) // 2] for name, one in rounds.items()
    }
    found: dict[str, Any] = {"ms": ms, "errors": errors}
    best = rounds.get("structure")
    found["speedups"] = {
        name: vars(speedup(best, over=one))
        for name, one in rounds.items()
        if best is not None and name != "structure"
    }
    for name, of in (("regret", "numbers"), ("regret_of_groups", "kernels")):
        if of in found["speedups"]:
            found[name] = found["speedups"][of]["median"] - 1.0
    return found


def _contenders(
    work: Work,
    tensors: tuple[Any, ...],
    file: Path,
    tuned: dict[str, Any],
    options: argparse.Namespace,
) -> Iterator[Contender]:
    """Our programs as they are compiled, then torch's."""
    import torch

    import tilewright

    for name, point in tuned["points"].items():
        program = tilewright.compile(file, tuned["plan"], inherit=False, **point)
        yield Contender(name, lambda p=program: p(*tensors), ours=True)
    if options.no_rivals:
        return
    yield Contender("eager", lambda: work.function(*tensors))
    torch._dynamo.reset()
    compiled = torch.compile(work.function, mode="max-autotune-no-cudagraphs")
    yield Contender("max-autotune", lambda: compiled(*tensors))


def _error(out: Outputs, reference: Outputs) -> float:
    """The largest relative error of the results."""
    import torch

    made = out if isinstance(out, tuple | list) else (out,)
    wanted = reference if isinstance(reference, tuple) else (reference,)
    return max(
        (
            torch.linalg.vector_norm(one.double() - other.double())
            / torch.linalg.vector_norm(other.double()).clamp_min(1e-30)
        ).item()
        for one, other in zip(made, wanted, strict=True)
    )
