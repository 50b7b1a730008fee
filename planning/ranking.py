"""The points of a planned schedule that the model ranks first: seeds of a search."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from tilewright.planning.kernels import PlannedKernel, kernel_suffix, knob_suffix
from tilewright.planning.plan import Plan
from tilewright.planning.recorded import KernelSignature, signature_of
from tilewright.planning.structure import region_names
from tilewright.planning.writing.names import CHOICES

WholePoint = dict[str, int | str]
"""Values of choices of the schedule; defaults complete it."""
KernelPoint = tuple[KernelSignature, str, dict[str, int | str]]
"""A kernel, the label of its sketch, and the sketch's choices by their plain names."""


def ranked_points(plan: Plan, most: int) -> list[WholePoint]:
    """Up to `most` points, the defaults first; then one kernel at a time differs.

    Other structures come next, each at its defaults. The sketches of a kernel take
    turns, each with its best points first.
    """
    kernels = [kernel for kernel in plan.kernels if kernel.candidates]
    ranked = [_settings(plan, kernel) for kernel in kernels]
    if not ranked:
        return []
    default: WholePoint = {}
    for settings in ranked:
        default |= settings[0]
    found = [default, *_structures(plan, default)][:most]
    for turn in itertools.zip_longest(*(settings[1:] for settings in ranked)):
        for kernel, setting in zip(ranked, turn, strict=True):
            if setting is not None and len(found) < most:
                kept = {n: v for n, v in default.items() if n not in kernel[0]}
                found.append(kept | setting)
    return found


def kernel_points(plan: Plan, point: Mapping[str, object]) -> list[KernelPoint]:
    """What a point of the whole schedule picks for each kernel, defaults included."""
    found: list[KernelPoint] = []
    for kernel in plan.kernels_at(point):
        label = point.get(f"kernel{kernel_suffix(plan.every_kernel, kernel)}")
        for candidate in kernel.candidates:
            if len(kernel.candidates) > 1 and candidate.sketch.label != label:
                continue
            suffix = knob_suffix(plan.every_kernel, kernel, candidate)
            values = {
                name: point.get(name + suffix, default)
                for name, default in candidate.point.items()
            }
            knobs: dict[str, int | str] = {
                name: value for name, value in values.items() if isinstance(value, int)
            }
            for name in sorted(CHOICES - {"kernel", *knobs}):
                if isinstance(word := point.get(name + suffix), str):
                    knobs[name] = word
            signature = signature_of(kernel.group, plan.target.name)
            found.append((signature, candidate.sketch.label, knobs))
    return found


def _structures(plan: Plan, default: WholePoint) -> Iterator[WholePoint]:
    """The defaults under each structure that is not the planner's."""
    for name, region in zip(region_names(plan.regions), plan.regions, strict=True):
        for cover in region.covers[1:]:
            found = {**default, name: cover.label}
            for kernel in cover.kernels:
                found |= _settings(plan, kernel)[0]
            yield found


def _settings(plan: Plan, kernel: PlannedKernel) -> list[WholePoint]:
    """The settings of one kernel: the default, then the sketches in turn."""
    queues: list[list[WholePoint]] = []
    for candidate in kernel.candidates:
        sketch = candidate.sketch
        suffix = knob_suffix(plan.every_kernel, kernel, candidate)
        head: WholePoint = {}
        if len(kernel.candidates) > 1:
            head[f"kernel{kernel_suffix(plan.every_kernel, kernel)}"] = sketch.label
        others = [p for p in candidate.points() if p != candidate.point]
        first = [candidate.point, *others]
        queues.append([head | {n + suffix: v for n, v in p.items()} for p in first])
    turns = itertools.zip_longest(*queues)
    return [setting for turn in turns for setting in turn if setting is not None]
