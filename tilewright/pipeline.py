"""From payload, schedule and point to a generated program, with every step to look at.

built = build(read_payload(path), Schedule.from_path(schedule), {"BM": 128, ...})
built.program.text        # the Triton source
built.steps               # what was done, in order

Code generation, the interpreter and the default are imported by the functions that need
them: a command that only runs a schedule does not wait for them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.errors import CompilerBug, Note, Place, UserError
from tilewright.ir.text import (
    parse_module,
    read_text,
    source_name,
    verify,
)
from tilewright.schedules.includes import noting_includes
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import (
    ENTRY,
    Observer,
    ScheduleRun,
    Step,
    prepare,
)
from tilewright.transforms.structured.quantize.rounding_log import Rounding, RoundingLog

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram, Shapes, TensorSpec
    from tilewright.ir.dtypes import Array
    from tilewright.transforms.shared_prefixes import SharedPrefixes

Point = Mapping[str, int | float | bool | str]
"""Knob names to values, alternative names to branch labels."""


@dataclass(frozen=True)
class Built:
    """A program, the steps that made it, and their times."""

    program: GeneratedProgram
    kernel: ModuleOp
    """The kernel level, which the numpy interpreter runs."""
    steps: tuple[Step, ...]
    added: tuple[str, ...]
    """What the default added to finish the schedule, a line each."""
    warnings: tuple[UserError, ...] = ()
    """Warnings: legal, but probably not meant."""
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    roundings: tuple[Rounding, ...] = ()
    """The payload after each step that rounds on purpose."""
    defaults: Point = field(default_factory=dict[str, int | float | bool | str])
    """The choices that the point left open and their defaults closed."""


@dataclass(frozen=True)
class Applied:
    """A payload after a schedule ran over it."""

    payload: ModuleOp
    steps: tuple[Step, ...]
    added: tuple[str, ...]
    warnings: tuple[UserError, ...] = ()
    remarks: tuple[Note, ...] = ()
    """Remarks on steps that did not apply and were passed over."""
    roundings: tuple[Rounding, ...] = ()
    """The payload after each step that rounds on purpose."""


def read_payload(path: Path) -> ModuleOp:
    """A payload from a file; a schedule in the same file is left out."""
    text, name = read_text(path), source_name(path)
    return split_payload(parse_module(text, name, schedule_context()))


def parse_payload(text: str, name: str = "<payload>") -> ModuleOp:
    """A payload from a text."""
    return split_payload(parse_module(text, name, schedule_context()))


def split_payload(module: ModuleOp) -> ModuleOp:
    """The payload of a module that may hold a schedule too."""
    payload, _ = Schedule.split(module)
    return payload


def open_run(
    payload: ModuleOp,
    schedule: Schedule | None,
    point: Point | None = None,
    *,
    observers: Sequence[Observer] = (),
    verify_steps: bool = True,
) -> ScheduleRun:
    """A run over a copy of the payload that has not begun; `run.start()` begins it."""
    module = (schedule or Schedule.empty()).bound(point or {})
    return prepare(
        module, payload.clone(), observers=observers, verify_steps=verify_steps
    )


def apply_schedule(
    payload: ModuleOp,
    schedule: Schedule | None,
    point: Point | None = None,
    *,
    complete: bool = True,
    observers: Sequence[Observer] = (),
    verify_steps: bool = True,
    prefixes: SharedPrefixes | None = None,
) -> Applied:
    """Run a schedule over a copy of the payload; finish it by default if `complete`.

    `prefixes` lets runs of the same schedule over the same payload share what they have
    in common.
    """
    log = RoundingLog()
    run = open_run(
        payload,
        schedule,
        point,
        observers=[*observers, log],
        verify_steps=verify_steps,
    )
    run.state.drops_failures = True
    run.start(schedule.entry if schedule is not None else ENTRY, prefixes)
    added: Sequence[str] = ()
    if complete:
        from tilewright.planning.plain import finish

        with _noting_includes(schedule):
            added = finish(run)
    if not verify_steps:
        try:
            verify(run.payload)
        except UserError as error:
            # The payload was valid: no schedule is at fault, and none may hide it.
            raise CompilerBug(f"the schedule left invalid IR: {error}") from error
    return Applied(
        run.payload,
        tuple(run.steps),
        tuple(added),
        tuple(run.warnings),
        tuple(run.remarks),
        tuple(log.roundings),
    )


def build(
    payload: ModuleOp,
    schedule: Schedule | None,
    point: Point | None = None,
    *,
    observers: Sequence[Observer] = (),
    verify_steps: bool = True,
    shapes: Sequence[Shapes] = (),
    prefixes: SharedPrefixes | None = None,
    op_names: Mapping[Place, str] | None = None,
) -> Built:
    """Bind a point, run the schedule, finish it, lower and emit.

    `shapes` of the arguments serve estimates, where sizes are known only at run time:
    one for each list of them. `op_names` of places of the payload name the kernels.
    """
    from tilewright.codegen.generate import generate
    from tilewright.ir.launch_attributes.values import check_launch_attributes
    from tilewright.ir.structured.equal_extents import same_extents

    # First: an attribute of an op that the schedule rewrites would be lost.
    check_launch_attributes(payload)
    seconds: dict[str, float] = {}
    with _timed(seconds, "transform"):
        applied = apply_schedule(
            payload,
            schedule,
            point,
            observers=observers,
            verify_steps=verify_steps,
            prefixes=prefixes,
        )
    with _timed(seconds, "emit"), _noting_includes(schedule):
        same = same_extents(payload)
        generated = generate(applied.payload, same, shapes, op_names=op_names)
        program = _with_index_limits(generated.program, payload)
    defaults = schedule.defaults(point or {}) if schedule is not None else {}
    return Built(
        program,
        generated.kernel_module,
        applied.steps,
        applied.added,
        (*applied.warnings, *generated.warnings),
        seconds,
        applied.roundings,
        defaults,
    )


def _noting_includes(schedule: Schedule | None) -> AbstractContextManager[None]:
    """Errors about lines of included sequences name the lines that include them."""
    if schedule is None:
        return nullcontext()
    return noting_includes(schedule.module, schedule.entry)


def _with_index_limits(
    program: GeneratedProgram, payload: ModuleOp
) -> GeneratedProgram:
    """The program, with what the payload knows of arguments that hold indices."""
    from tilewright.ir.interpreter.core.registry import find_function
    from tilewright.ir.structured.index_arguments import index_limits

    limits = index_limits(find_function(payload, None))
    if not limits:
        return program
    arguments = tuple(
        replace(spec, below=limits.get(position))
        for position, spec in enumerate(program.arguments)
    )
    return replace(program, arguments=arguments)


def reference(payload: ModuleOp, inputs: Sequence[Array]) -> list[Array]:
    """The results of the payload itself, by the numpy interpreter."""
    from tilewright.ir.interpreter import run

    return run(payload, inputs)


def argument_specs(payload: ModuleOp) -> tuple[list[TensorSpec], list[TensorSpec]]:
    """The tensors that a payload takes and returns."""
    from tilewright.codegen.program import TensorSpec
    from tilewright.ir.interpreter.core.registry import find_function
    from tilewright.ir.interpreter.core.signature import signature_of

    found = signature_of(find_function(payload, None))
    arguments = [
        TensorSpec(a.name, a.shape, a.element_type, a.kind == "scalar", below=a.below)
        for a in found.arguments
    ]
    results = [TensorSpec(r.name, r.shape, r.element_type) for r in found.results]
    return arguments, results


def sizes_of(payload: ModuleOp) -> str:
    """The arguments of a payload with their sizes: `a 512x1024, b 1024x512`."""
    arguments, _ = argument_specs(payload)
    shown = [
        f"{spec.name} {'x'.join(map(str, spec.shape))}"
        for spec in arguments
        if math.prod(spec.shape) > 1
    ]
    return ", ".join(shown[:3]) + (", ..." if len(shown) > 3 else "")


def defaults_line(defaults: Point) -> str:
    """`choices left to their defaults: BM = 128, loads = pointers`."""
    pairs = ", ".join(f"{name} = {value}" for name, value in defaults.items())
    return f"choices left to their defaults: {pairs}"


@contextmanager
def _timed(seconds: dict[str, float], stage: str) -> Iterator[None]:
    start = time.perf_counter()
    try:
        yield
    finally:
        seconds[stage] = time.perf_counter() - start
