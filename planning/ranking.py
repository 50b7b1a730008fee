"""The points of a planned schedule that the model ranks first: seeds of a search."""

from __future__ import annotations

import itertools

from tilewright.planning.kernels import PlannedKernel, kernel_suffix, knob_suffix
from tilewright.planning.plan import Plan

WholePoint = dict[str, int | str]
"""Values of choices of the schedule; defaults complete it."""


def ranked_points(plan: Plan, most: int) -> list[WholePoint]:
    """Up to `most` points, the defaults first; then one kernel at a time differs.

    The sketches of a kernel take turns, each with its best points first.
    """
    kernels = [kernel for kernel in plan.kernels if kernel.candidates]
    ranked = [_settings(plan, kernel) for kernel in kernels]
    if not ranked:
        return []
    default: WholePoint = {}
    for settings in ranked:
        default |= settings[0]
    found = [default]
    for turn in itertools.zip_longest(*(settings[1:] for settings in ranked)):
        for kernel, setting in zip(ranked, turn, strict=True):
            if setting is not None and len(found) < most:
                kept = {n: v for n, v in default.items() if n not in kernel[0]}
                found.append(kept | setting)
    return found


def _settings(plan: Plan, kernel: PlannedKernel) -> list[WholePoint]:
    """The settings of one kernel: the default, then the sketches in turn."""
    queues: list[list[WholePoint]] = []
    for candidate in kernel.candidates:
        sketch = candidate.sketch
        suffix = knob_suffix(plan.kernels, kernel, candidate)
        head: WholePoint = {}
        if len(kernel.candidates) > 1:
            head[f"kernel{kernel_suffix(plan.kernels, kernel)}"] = sketch.label
        others = [p for p in candidate.points() if p != candidate.point]
        first = [candidate.point, *others]
        queues.append([head | {n + suffix: v for n, v in p.items()} for p in first])
    turns = itertools.zip_longest(*queues)
    return [setting for turn in turns for setting in turn if setting is not None]
