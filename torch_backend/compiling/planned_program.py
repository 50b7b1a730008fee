"""The program of a payload's module: planned kernels at the plan's defaults.

Imports neither torch nor Triton, so that a process which only plans starts quickly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr

from tilewright.codegen.program import Shapes
from tilewright.codegen.targets import Target
from tilewright.compiled_program import Program
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.errors import Place, UserError
from tilewright.ir.text import place_of
from tilewright.pipeline import Built, build
from tilewright.planned_build import Limits, build_planned
from tilewright.planning.recorded import History
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.structured.fuse.merge_chains import merge_chains

MANY_OPS = 192
"""Payloads with more ops than this are planned with their chains merged."""
PAYLOAD = "<payload>"
"""The file name of a payload in the places of its ops."""


def planned_program(
    module: ModuleOp,
    gpu: Target,
    title: str,
    shapes: Shapes | None = None,
    history: History | None = None,
    refused: Mapping[str, UserError] | None = None,
    limits: Limits | None = None,
) -> Program:
    """The planned kernels of a module, which is changed; raises `UserError` if none.

    `title` is how the program calls the GPU. Programs whose texts are `refused` have a
    kernel that cannot be launched: its next candidate takes its place. A refused plan
    that is beyond the `limits` is an error.
    """
    number_ops(module)
    op_names = dict(_named_places(module))
    if sum(isinstance(op, StructuredOp) for op in module.walk()) > MANY_OPS:
        merge_chains(module)

    def build_under(schedule: Schedule) -> Built:
        built = build(module, schedule, verify_steps=False, op_names=op_names)
        if refused is not None and built.program.text in refused:
            raise refused[built.program.text]
        return built

    done = build_planned(
        module,
        gpu,
        build_under,
        shapes=shapes,
        history=history,
        limits=limits,
        is_open=False,
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


def _named_places(module: ModuleOp) -> Iterator[tuple[Place, str]]:
    """What the ops of a payload are called, with the places of their bodies."""
    for op in module.walk():
        hint = op.results[0].name_hint if op.results else None
        if isinstance(op, StructuredOp) and hint is not None:
            for place in map(place_of, op.walk()):
                if place is not None:
                    yield place, hint


def number_ops(module: ModuleOp) -> None:
    """Give every op a line of its own: the planner tells by it which op is refused.

    Several ops come from one line of the model, and all layers from the same lines.
    `diagnosis/kernels.py` finds the model's lines by these numbers.
    """
    file, column = StringAttr(PAYLOAD), IntAttr(1)
    for number, op in enumerate(module.walk(), 1):
        op.location = FileLineColLoc(file, IntAttr(number), column)
