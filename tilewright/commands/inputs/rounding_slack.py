"""The tolerance of several kernels: how much a rounding of inputs moves the results.

A program may round a sum to the neighbour of the number that the reference has. One
kernel passes such a difference on as it is. Kernels behind it may enlarge it until it
exceeds the tolerance of one result, though every kernel is right: attention with random
weights picks another key. So the reference runs once more, with half of the inputs off
by a unit in their last place, and four times the mean change is added to the tolerance.
Each kernel alone is checked without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from tilewright.commands.inputs.device_reference import small_enough
from tilewright.commands.inputs.tune_sizes import SizedCase
from tilewright.ir.dtypes import Array
from tilewright.ir.tolerance import unit_of
from tilewright.numeric_check import CheckCase, make_case
from tilewright.pipeline import argument_specs, reference

_WORST = 4.0
"""The worst element may be off by more than the mean."""

_MOST = 0.5
"""With more, results that are all zero would pass."""

_COARSE = 0.1
"""A larger slack is worth a line."""

_TRIES = 3
"""Runs at small sizes: the mean of a few elements depends on the inputs."""


def with_rounding_slack(one: SizedCase) -> SizedCase:
    """A check case with the tolerance of its payload.

    If a device computes the expected results, the payload runs at smaller sizes. One
    that has none gets the largest tolerance.
    """
    if one.on_device is None:
        return one.with_slack(rounding_slack(one.small or one.payload, one.case))
    small = small_enough(one.payload)
    if small is None:
        return replace(one, slack=_MOST)
    cases = [make_case(small, one.seed + number) for number in range(_TRIES)]
    return replace(one, slack=max(rounding_slack(small, case) for case in cases))


def say_slack(cases: Sequence[SizedCase], say: Callable[[str], object]) -> None:
    """Say that the check of the whole is a coarse one, if it is."""
    largest = max((one.slack for one in cases), default=0.0)
    if largest > _COARSE:
        say(
            "the payload enlarges roundings: the whole is checked within "
            f"{100 * largest:.0f}% of the root mean square, each kernel alone strictly"
        )


def rounding_slack(payload: ModuleOp, case: CheckCase) -> float:
    """The error of the results, relative to them, if every input is rounded anew."""
    arguments, _ = argument_specs(payload)
    dtypes = [spec.dtype for spec in arguments]
    moved = _moved(case.inputs, dtypes, case.seed)
    pairs = zip(case.expected, reference(payload, moved), strict=True)
    mean = max((_distance(old, new) for old, new in pairs), default=0.0)
    return min(_WORST * mean, _MOST)


def _moved(inputs: Sequence[Array], dtypes: Sequence[str], seed: int) -> list[Array]:
    """The inputs; one number in four is a unit larger, and one a unit smaller."""
    rng = np.random.default_rng(seed)
    found: list[Array] = []
    for array, dtype in zip(inputs, dtypes, strict=True):
        steps = rng.choice([-1, 0, 0, 1], array.shape) * unit_of(dtype)
        moved = np.asarray(array, np.float64) * (1.0 + steps)
        found.append(moved.astype(array.dtype) if unit_of(dtype) else array)
    return found


def _distance(old: Array, new: Array) -> float:
    """The root mean square of a difference, relative to that of the result."""
    before, after = (np.asarray(each, np.float64) for each in (old, new))
    finite = np.isfinite(before) & np.isfinite(after)
    size = float(np.square(before[finite]).sum())
    moved = float(np.square((after - before)[finite]).sum())
    return float(np.sqrt(moved / size)) if size else 0.0
