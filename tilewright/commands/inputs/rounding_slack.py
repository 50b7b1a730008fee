"""The tolerance of several kernels: how much a rounding of inputs moves the results.

`run`, `sweep` and `tune` check whole programs by it.

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
from typing import TYPE_CHECKING

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from tilewright.commands.inputs.device_reference import small_enough
from tilewright.ir.dtypes import Array
from tilewright.ir.errors import UserError
from tilewright.ir.tolerance import unit_of
from tilewright.numeric_check import CheckCase, make_case, with_rounding
from tilewright.pipeline import Built, argument_specs, build, reference
from tilewright.schedules.schedule import Schedule

if TYPE_CHECKING:
    from tilewright.commands.inputs.tune_sizes import SizedCase

_WORST = 4.0
"""The worst element may be off by more than the mean."""

_MOST = 0.5
"""With more, results that are all zero would pass."""

_COARSE = 0.1
"""A larger slack is worth a line."""

_TRIES = 3
"""Runs at small sizes: the mean of a few elements depends on the inputs."""


def has_several_kernels(built: Built) -> bool:
    """Whether one kernel or call passes its results on to another."""
    return len(built.program.kernels) + len(built.program.calls) > 1


def builds_several_kernels(payload: ModuleOp, schedule: Schedule) -> bool:
    """Whether the program of a schedule at its defaults has several kernels."""
    try:
        return has_several_kernels(build(payload, schedule, verify_steps=False))
    except UserError:
        return False


def program_case(payload: ModuleOp, built: Built, case: CheckCase) -> CheckCase:
    """A case with the tolerance of a program: of its own rounding, and its kernels'."""
    case = with_rounding(built, case)
    if built.roundings or not has_several_kernels(built):
        return case
    slack = rounding_slack(payload, case)
    return replace(
        case,
        slack=max(case.slack, slack),
        device_slack=max(case.device_slack, slack),
    )


def device_slack(payload: ModuleOp, built: Built, seed: int) -> float:
    """The slack of a program whose expected results a device computes."""
    if not has_several_kernels(built):
        return 0.0
    return _at_small_sizes(payload, seed)


def with_rounding_slacks(cases: Sequence[SizedCase]) -> list[SizedCase]:
    """Check cases with the tolerance of their payload.

    If a device computes the expected results at sizes that the payload leaves open,
    the tolerance is that of the other sizes.
    """
    here = {id(one) for one in cases if one.on_device is None or one.shapes is None}
    found = [with_rounding_slack(one) if id(one) in here else one for one in cases]
    most = max((one.slack for one in found), default=0.0)
    return [
        new if id(old) in here else replace(new, slack=most)
        for old, new in zip(cases, found, strict=True)
    ]


def with_rounding_slack(one: SizedCase) -> SizedCase:
    """A check case with the tolerance of its payload.

    If a device computes the expected results, the payload runs at smaller sizes. One
    that has none gets the largest tolerance.
    """
    if one.on_device is None:
        return one.with_slack(rounding_slack(one.small or one.payload, one.case))
    return replace(one, slack=_at_small_sizes(one.payload, one.seed))


def _at_small_sizes(payload: ModuleOp, seed: int) -> float:
    small = small_enough(payload)
    if small is None:
        return _MOST
    cases = [make_case(small, seed + number) for number in range(_TRIES)]
    return max(rounding_slack(small, case) for case in cases)


def say_slack(cases: Sequence[SizedCase], say: Callable[[str], object]) -> None:
    """Say that the check of the whole is a coarse one, if it is."""
    if remark := coarse_check(max((one.slack for one in cases), default=0.0)):
        say(f"{remark}, each kernel alone strictly")


def coarse_check(slack: float) -> str:
    """That a check of a whole program is a coarse one; empty if it is not."""
    if slack <= _COARSE:
        return ""
    return (
        "the payload enlarges roundings: the whole is checked within "
        f"{100 * slack:.0f}% of the root mean square"
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
