"""The Python interface: `tilewright.compile` returns a callable on torch tensors.

program = tilewright.compile("payload.mlir", "schedule.tw", BM=128, BN=128)
program = tilewright.compile("payload.mlir")     # under a planned schedule
out = program(a, b)
print(program.source)            # the Triton source
print(program.steps[3].text())   # the IR after the third step
print(program.report)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp

from tilewright.compile_inputs import fitting_shapes, read_given
from tilewright.frontend.builder import Payload
from tilewright.ir.errors import UserError
from tilewright.pipeline import (
    Built,
    Point,
    Recorder,
    Snapshot,
    build,
    defaults_line,
)
from tilewright.schedules.schedule import Schedule

if TYPE_CHECKING:
    import torch

    from tilewright.codegen.runtime.graphs import CapturedProgram
    from tilewright.codegen.runtime.launch import LoadedProgram
    from tilewright.codegen.targets import Target
    from tilewright.interpreted_program import InterpretedProgram
    from tilewright.planning.plan import Plan


@dataclass(frozen=True)
class Program:
    """A compiled payload: a callable on tensors, with its source and its steps."""

    built: Built
    steps: tuple[Snapshot, ...]
    """The payload before the schedule, then after each step."""
    point: Point
    target: str
    schedule: Schedule | None = None
    """The schedule with its choices open, given or planned."""
    plan: Plan | None = None
    """Where no schedule was given: how the schedule was planned."""
    refusals: tuple[str, ...] = ()
    """What was planned first and refused, a line each."""

    def __repr__(self) -> str:
        """A short text; `source` and `steps` have the rest."""
        return f"<tilewright.Program {self.built.program.entry} for {self.target}>"

    def __call__(self, *tensors: torch.Tensor | float) -> Any:
        """Check the arguments, torch tensors and numbers, and launch.

        Without a GPU, tensors are on the CPU and the kernels run in an interpreter.
        """
        return self._runner(*tensors)

    def graph(self, *tensors: torch.Tensor | float) -> CapturedProgram:
        """Capture a call on these tensors as a CUDA graph; call that to replay.

        The whole program is then one launch, which may pay where kernels are short.
        """
        import torch

        if not torch.cuda.is_available():
            raise UserError(
                f"{self.built.program.entry}: a CUDA graph needs a GPU",
                remedy="call the program itself: it runs in an interpreter here",
            )
        return self.loaded.graph(*tensors)

    @cached_property
    def loaded(self) -> LoadedProgram:
        """The imported source, with its launcher."""
        from tilewright.codegen.runtime.launch import load
        from tilewright.codegen.runtime.source_cache import source_directory

        return load(self.built.program, source_directory())

    @cached_property
    def _runner(self) -> LoadedProgram | InterpretedProgram:
        """The callable for this machine: with or without a GPU."""
        import torch

        if torch.cuda.is_available():
            return self.loaded
        from tilewright.interpreted_program import InterpretedProgram

        return InterpretedProgram(self.built)

    @property
    def source(self) -> str:
        """The Triton source, a stand-alone file that needs only torch and triton."""
        return self.built.program.text

    @property
    def report(self) -> str:
        """Kernels, point, steps, what the default added, and times, as text."""
        lines = [f"{self.built.program.entry} for {self.target}"]
        for kernel in self.built.program.kernels:
            grid = "x".join(str(extent) for extent in kernel.grid)
            lines.append(
                f"  kernel {kernel.name}: grid {grid}, {kernel.num_warps} warps, "
                f"{kernel.num_stages} stages, group {kernel.group}"
            )
        for call in self.built.program.calls:
            lines.append(f"  library call {call.function}")
        if self.plan is not None:
            lines.append("  schedule: planned; print(program.plan.text) shows it")
        lines += [f"  plan: {line}" for line in self.refusals]
        if self.point:
            pairs = ", ".join(f"{name}={value}" for name, value in self.point.items())
            lines.append(f"  point: {pairs}")
        if self.built.defaults:
            lines.append(f"  {defaults_line(self.built.defaults)}")
        lines.append(f"  steps: {len(self.steps) - 1}")
        lines += [f"  default: {line}" for line in self.built.added]
        total = ", ".join(f"{k} {v:.3f} s" for k, v in self.built.seconds.items())
        lines.append(f"  time: {total}")
        return "\n".join(lines)


def compile_program(
    payload: str | Path | ModuleOp | Payload,
    schedule: str | Path | Schedule | Plan | None = None,
    target: str = "auto",
    **point: Any,
) -> Program:
    """Compile a payload under a schedule; `point` makes the schedule's open choices.

    `payload` is a path, an MLIR text, a module or a `Payload`. `schedule` is a path, a
    `.tw` text, a `Schedule` or a `Plan`; None uses the schedule in the payload's text,
    or else plans one, for `target` or this machine's GPU. `Schedule.empty()` leaves
    everything to the compiler's default. Mistakes raise `tilewright.UserError` with
    place, fact and remedy.
    """
    card, title = _target(target)
    module, loaded = read_given(payload, schedule)

    def build_under(schedule: Schedule) -> tuple[Built, Recorder]:
        recorder = Recorder(module)
        return build(module, schedule, point, observers=[recorder]), recorder

    plan: Plan | None = None
    refusals: tuple[str, ...] = ()
    try:
        if loaded is not None:
            built, recorder = build_under(loaded)
        else:
            from tilewright.planned_build import build_planned

            done = build_planned(module, card, build_under, fall_back=not point)
            built, recorder = done.built
            plan, refusals, loaded = done.plan, done.refusals, done.plan.schedule
    except UserError as error:
        raise _in_python(error) from error
    steps = tuple(recorder.snapshots)
    return Program(built, steps, dict(point), title, loaded, plan, refusals)


def plan_payload(
    payload: str | Path | ModuleOp | Payload,
    target: str = "auto",
    *,
    shapes: Sequence[Sequence[int]] | None = None,
    results: str | Path | None = None,
) -> Plan:
    """Plan a schedule for a payload; `plan.text` is a `.tw` file with its choices open.

    `payload` is a path, an MLIR text, a module or a `Payload`; a schedule in it is left
    out. The target is a name, or `auto` for this machine's GPU (without one, h200).
    `shapes` of all arguments give the sizes that the types leave open. Where `compile`
    finds that code generation refuses a planned kernel, it plans again without it.
    `results` is a results file of `tilewright tune`: points that it has for shapes
    nearby become the defaults.
    """
    from tilewright.planning.plan import plan

    card, _ = _target(target)
    module, _ = read_given(payload, None)
    given = None if shapes is None else fitting_shapes(module, shapes)
    if results is None:
        return plan(module, card, shapes=given)
    from tilewright.tuning.results.database import Database
    from tilewright.tuning.results.planned_kernels import PlannedKernels

    with Database(Path(results), read_only=True) as database:
        history = PlannedKernels(database)
        return plan(module, card, shapes=given, history=history)


def _in_python(error: UserError) -> UserError:
    """The error with a remedy for Python: choices are keywords, not `--set`."""
    remedy = re.sub(r"--set (\w+=[^\s,]+)", r"compile(..., \1)", error.remedy or "")
    return type(error)(error.fact, error.place, remedy or None, error.notes)


def _target(name: str) -> tuple[Target, str]:
    """The target of a name, and how to call it; `auto` is the present GPU, or h200."""
    from tilewright.codegen.targets import detect, target_named

    if not isinstance(name, str):
        raise UserError(
            f"a target is a name such as 'h200'; this is {type(name).__name__}",
            remedy="choices go by keyword: compile(payload, schedule, BM=128)",
        )
    if name != "auto":
        found = target_named(name)
        return found, found.name
    if (here := detect()) is not None:
        return here, here.name
    return target_named("h200"), "h200 (no GPU here)"


__all__ = ["Program", "UserError", "compile_program", "plan_payload"]
