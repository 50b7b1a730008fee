"""Keeps what the page shows of each step while a schedule runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from tilewright.explorer.program.about import about_op, about_pass
from tilewright.explorer.program.line_table import Hunk, LineTable, hunks
from tilewright.explorer.program.listing import Lister, Span
from tilewright.inspect.passes import PassStep
from tilewright.ir.errors import Place
from tilewright.ir.nest.build import build_nest
from tilewright.ir.nest.levels import Level, level_of
from tilewright.ir.nest.tree import Nest
from tilewright.ir.text import place_of
from tilewright.schedules.language.verbs.vocabulary import verb_of
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.interpreter import ScheduleRun, Step

Origin: TypeAlias = Literal[
    "payload", "schedule", "default", "pass", "source", "compiler"
]
"""Who made a step: the schedule, the default that finishes it, a pass of code
generation; or a text that follows: the Triton source, what Triton's compiler made."""

NEW_MODULE = "codegen.lower"
"""The pass after which nothing is as it was before; a diff would show all lines."""


@dataclass(frozen=True)
class Handle:
    """A handle of the schedule, and the payload ops that it points at."""

    name: str
    place: Place | None
    ops: list[int]


@dataclass
class ShownStep:
    """One step of the page."""

    title: str
    """`tile`; for a pass, its name."""
    origin: Origin
    place: Place | None = None
    op: str = ""
    """`structured.tile_using_forall`."""
    seconds: float = 0.0
    took_back: str | None = None
    lines: list[int] = field(default_factory=list[int])
    spans: list[Span] = field(default_factory=list[Span])
    diff: list[Hunk] | None = None
    """None where the step begins a new text."""
    handles: list[Handle] = field(default_factory=list[Handle])
    level: Level | str = ""
    """How far down the text is: `structured`, `tiled`, ..., `triton`, `ptx`."""
    nest: Nest | None = None
    facts: dict[str, Any] = field(default_factory=dict[str, Any])
    """What further observers say about the step, by the name of the field."""


class Recording:
    """An observer of a run and of code generation."""

    def __init__(self, run: ScheduleRun):
        self.table = LineTable()
        self.lister = Lister()
        self.steps: list[ShownStep] = []
        self._run = run
        run.after_each = self.after_op
        run.observers = [*run.observers, self]
        self._add(ShownStep("payload", "payload"), run.payload)

    def __call__(self, step: Step, payload: ModuleOp) -> None:
        """Keep the payload after a step of the schedule or of the default."""
        shown = ShownStep(
            verb_of(step.op),
            "default" if step.is_default else "schedule",
            step.place,
            step.name,
            step.seconds,
            step.took_back,
            facts={"about": about_op(step.op)},
        )
        self._add(shown, payload)

    def after_op(self, op: TransformOp, step: Step | None) -> None:
        """Add the handles that an op made which changed no payload, such as `match`."""
        if step is None:
            state = self._run.state
            made: dict[SSAValue, Sequence[Operation]] = {
                value: state.payload_ops(value) for value in op.results
            }
            self.steps[-1].handles += self._handles_of(made)

    def after_pass(self, step: PassStep) -> None:
        """Keep the module after a pass of code generation."""
        about = {"about": about_pass(step.name)}
        shown = ShownStep(
            step.name, "pass", op=step.name, seconds=step.seconds, facts=about
        )
        self._add(shown, step.module)

    def add_text(self, title: str, origin: Origin, text: str) -> ShownStep:
        """Add a text that is no IR: the source, or what a compiler made of it."""
        lines = self.table.add(text.splitlines())
        shown = ShownStep(title, origin, lines=lines, level=title.lower())
        self.steps.append(shown)
        return shown

    def _add(self, shown: ShownStep, module: ModuleOp) -> None:
        listing = self.lister.list(module)
        shown.lines = self.table.add(listing.lines)
        shown.spans = listing.spans
        shown.nest = build_nest(module, self.lister.number)
        shown.level = level_of(module)
        if self.steps and shown.title != NEW_MODULE:
            shown.diff = hunks(self.steps[-1].lines, shown.lines)
        if shown.origin != "pass":
            shown.handles = self._handles()
        self.steps.append(shown)

    def _handles(self) -> list[Handle]:
        """The valid handles that have a name in the schedule."""
        mapping = self._run.state.mapping()
        valid = {v: ops for v, ops in mapping.ops.items() if v not in mapping.invalid}
        return self._handles_of(valid)

    def _handles_of(
        self, mapping: Mapping[SSAValue, Sequence[Operation]]
    ) -> list[Handle]:
        return [
            Handle(value.name_hint, _defined_at(value), self._numbers(ops))
            for value, ops in mapping.items()
            if value.name_hint is not None
        ]

    def _numbers(self, ops: Sequence[Operation]) -> list[int]:
        return [self.lister.number(op) for op in ops if not isinstance(op, ModuleOp)]


def _defined_at(value: SSAValue) -> Place | None:
    """The place of the op that made a handle, or that the handle is an argument of."""
    owner = value.owner
    return place_of(owner) if isinstance(owner, Operation) else None
