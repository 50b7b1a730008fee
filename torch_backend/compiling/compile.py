"""The program of a lowered payload: planned kernels at the plan's defaults."""

from __future__ import annotations

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr

from tilewright.compiled_program import Program
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.pipeline import Built, build
from tilewright.planned_build import Limits, build_planned
from tilewright.program import find_target
from tilewright.schedules.schedule import Schedule
from tilewright.torch_backend.compiling.precision import as_torch_multiplies
from tilewright.torch_backend.lowering.lower import Lowered
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.tuned.results_file import known_kernels
from tilewright.transforms.structured.fuse.merge_chains import merge_chains

MANY_OPS = 192
"""Payloads with more ops than this are planned with their chains merged."""
LIMITS = Limits(seconds=60, unplanned_ops=96)
"""When a payload whose plan is refused is left to torch, which needs no compiler."""
PAYLOAD = "<payload>"
"""The file name of a payload in the places of its ops."""


def compile_lowered(
    lowered: Lowered, options: Options, module: ModuleOp | None = None
) -> Program:
    """The planned kernels of a payload; raises `UserError` if there are none.

    `module` is the payload's module, if the caller has it already.
    """
    module = lowered.payload.module if module is None else module
    number_ops(module)
    if sum(isinstance(op, StructuredOp) for op in module.walk()) > MANY_OPS:
        merge_chains(module)
    card, title = find_target(options.target)

    def build_under(schedule: Schedule) -> Built:
        return build(module, schedule, verify_steps=False)

    with known_kernels(options) as history:
        done = build_planned(
            module,
            as_torch_multiplies(card),
            build_under,
            shapes=lowered.shapes,
            history=history,
        )
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


def number_ops(module: ModuleOp) -> None:
    """Give every op a line of its own: the planner tells by it which op is refused.

    Several ops come from one line of the model, and all layers from the same lines.
    `diagnosis/kernels.py` finds the model's lines by these numbers.
    """
    file, column = StringAttr(PAYLOAD), IntAttr(1)
    for number, op in enumerate(module.walk(), 1):
        op.location = FileLineColLoc(file, IntAttr(number), column)
