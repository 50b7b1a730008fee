"""The estimate of a plan: that of the program that was generated at its defaults.

done = with_estimate(build_planned(payload, target, build))

The planner estimates sketches, to compare them before a kernel exists. What a reader is
told is the cost model's estimate of the generated kernels: `plan`, `run` and `explain`
have the same number, whatever the schedule was read from.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from tilewright.codegen.describe.launches import Launched, launches
from tilewright.codegen.program import GeneratedProgram
from tilewright.codegen.targets.limits import Limit, limit_of
from tilewright.ir.text import place_of
from tilewright.pipeline import Built
from tilewright.planned_build import PlannedBuild
from tilewright.planning.kernels import KernelEstimate, PlannedKernel, ProgramEstimate
from tilewright.tuning.model.cost import CostBreakdown, estimate
from tilewright.tuning.model.library_cost import CallCost

if TYPE_CHECKING:
    from tilewright.planning.plan import Plan


def with_estimate(done: PlannedBuild[Built]) -> PlannedBuild[Built]:
    """A planned build whose plan has the estimate of its program."""
    found = program_estimate(done.plan, done.built.program)
    return replace(done, plan=replace(done.plan, estimate=found))


def program_estimate(plan: Plan, program: GeneratedProgram) -> ProgramEstimate:
    """The estimate of a program under a plan, for each of the plan's kernels too.

    The place of a grid tells which kernel's statements made it, and the places of the
    ops that a call computes tell whose ops they are.
    """
    cost = estimate(program, None, plan.target)
    parts: dict[int, list[CostBreakdown | CallCost]] = defaultdict(list)
    kernels, calls = iter(cost.kernels), iter(cost.calls)
    for launched in launches(program):
        part = next(calls) if launched.is_call else next(kernels)
        planned = _planned_kernel(plan, launched)
        if planned is not None:
            parts[planned.number].append(part)
    times = {kernel.number: len(kernel.groups) for kernel in plan.every_kernel}
    return ProgramEstimate(
        cost.milliseconds / 1e3,
        {number: _together(of, times[number]) for number, of in parts.items()},
        len(cost.kernels) + len(cost.calls),
    )


def _planned_kernel(plan: Plan, launched: Launched) -> PlannedKernel | None:
    """The planned kernel that a launch or a call is part of."""
    if launched.place is not None:
        kernel = plan.kernel_at(launched.place)
        if kernel is not None:
            return kernel
    places = {launched.place, *launched.computes}
    for kernel in plan.kernels:
        ops = (facts.op for group in kernel.groups for facts in group.ops)
        if any(place is not None and place in places for place in map(place_of, ops)):
            return kernel
    return None


def _together(parts: list[CostBreakdown | CallCost], times: int) -> KernelEstimate:
    """The estimate of one of several equal groups, from the launches of all."""
    terms: dict[Limit, float] = defaultdict(float)
    for part in parts:
        for limit, seconds in part.terms.items():
            terms[limit] += seconds
    return KernelEstimate(sum(part.seconds for part in parts) / times, limit_of(terms))
