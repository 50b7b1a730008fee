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
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, overload

from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.errors import CompilerBug, Note, Place, UserError
from tilewright.ir.text import (
    parse_module,
    read_text,
    source_name,
    to_text,
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


class DiffLines(tuple[str, ...]):
    """The lines of a unified diff; `print` shows it."""

    __slots__ = ()

    def __str__(self) -> str:
        """The lines, one below the other."""
        return "\n".join(self)


@dataclass(frozen=True)
class Snapshot:
    """The payload after a step, printed on demand."""

    step: Step | None
    """None for the payload as it was given."""
    module: ModuleOp
    diff: DiffLines = DiffLines()
    """The hunks of a unified diff from the payload before the step."""

    @property
    def title(self) -> str:
        """`03 structured.vectorize`."""
        if self.step is None:
            return "00 payload"
        return f"{self.step.index:02} {self.step.name}"

    def __repr__(self) -> str:
        """The title and the place of the statement: the IR would be long."""
        return f"<step {self.title}{self._where}>"

    def _repr_html_(self) -> str:
        """What the step changed, for notebooks; the payload itself for the first."""
        from tilewright.ir.notebook_html import diff_html, text_html

        if self.step is None:
            return text_html(self.title, self.text())
        return diff_html(self.title + self._where, self.diff)

    @property
    def _where(self) -> str:
        place = None if self.step is None else self.step.place
        return "" if place is None else f"  {place}"

    def text(self) -> str:
        """The IR."""
        return to_text(self.module)

    def outline(self) -> str:
        """The loops and the structured ops in them, a line each."""
        from tilewright.ir.outline import outline_text

        return outline_text(self.module)


class Recorder:
    """An observer that keeps the payload after each step, and what changed."""

    def __init__(self, payload: ModuleOp):
        from tilewright.ir.diffs import Diffs

        self.snapshots = [Snapshot(None, payload.clone())]
        self._diffs = Diffs(payload)

    def __call__(self, step: Step, payload: ModuleOp) -> None:
        """Keep a copy; `Snapshot.text` prints it."""
        diff = DiffLines(self._diffs.after(payload))
        self.snapshots.append(Snapshot(step, payload.clone(), diff))


def steps_html(title: str, steps: Sequence[Snapshot]) -> str:
    """Every step, folded; what it changed shows on a click."""
    from tilewright.ir.notebook_html import folded_html

    heading = f"<b>{escape(title)}</b>"
    shown = [folded_html(repr(step)[1:-1], step._repr_html_()) for step in steps]
    return f"<div>{heading}{''.join(shown)}</div>"


class RecordedSteps(Sequence[Snapshot]):
    """The payload as it was given and after each step.

    The schedule runs a second time when somebody looks: most programs are only called,
    and copies of a large payload take longer than all the steps.
    """

    def __init__(
        self,
        payload: ModuleOp,
        schedule: Schedule | None,
        point: Point | None,
        built: Built,
    ):
        self._payload = payload.clone()
        self._schedule, self._point = schedule, dict(point or {})
        self._count = 1 + len(built.steps)

    @cached_property
    def _snapshots(self) -> tuple[Snapshot, ...]:
        recorder = Recorder(self._payload)
        apply_schedule(
            self._payload,
            self._schedule,
            self._point,
            observers=[recorder],
            verify_steps=False,
        )
        return tuple(recorder.snapshots)

    @overload
    def __getitem__(self, index: int) -> Snapshot: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Snapshot]: ...

    def __getitem__(self, index: int | slice) -> Snapshot | Sequence[Snapshot]:
        """The payload after some steps; 0 gives it as it was."""
        return self._snapshots[index]

    def __len__(self) -> int:
        """One more than the steps."""
        return self._count

    def __repr__(self) -> str:
        """The number of steps: the IR of all would be long."""
        return f"<{self._count - 1} steps>"

    def _repr_html_(self) -> str:
        """Every step with what it changed, for notebooks."""
        return steps_html(f"{self._count - 1} steps", self)


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
