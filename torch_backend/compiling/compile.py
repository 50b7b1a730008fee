"""The program of a lowered payload: planned kernels at the plan's defaults."""

from __future__ import annotations

from tilewright.compiled_program import Program
from tilewright.pipeline import Built, build, parse_payload
from tilewright.planned_build import build_planned
from tilewright.program import find_target
from tilewright.schedules.schedule import Schedule
from tilewright.torch_backend.lowering.lower import Lowered
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.tuned.results_file import known_kernels


def compile_lowered(lowered: Lowered, options: Options) -> Program:
    """The planned kernels of a payload; raises `UserError` if there are none."""
    # Read from its text, every op has a line of its own; the planner tells the op that
    # is refused by it.
    module = parse_payload(lowered.payload.text())
    card, title = find_target(options.target)

    def build_under(schedule: Schedule) -> Built:
        return build(module, schedule, verify_steps=False)

    with known_kernels(options) as history:
        done = build_planned(module, card, build_under, history=history)
    return Program(
        done.built,
        (),
        {},
        title,
        done.plan.schedule,
        done.plan,
        done.refusals,
        origin="; ".join(done.plan.recorded),
    )
