"""Running a schedule over a payload, step by step.

Each step is one transform op. An observer sees every step that succeeded, which is how
dumps, `--verify-each` and the report look at the IR between steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Block, SSAValue

from tilewright.ir.errors import CompilerBug, DefiniteFailure, Place, UserError
from tilewright.ir.text import place_of
from tilewright.transforms.base import TransformOp
from tilewright.transforms.sequence import YieldOp
from tilewright.transforms.state import TransformState
from tilewright.transforms.verifier import Verifier

ENTRY = "__transform_main"


@dataclass(frozen=True)
class Step:
    """One transform op that was applied: its number, name and place."""

    index: int
    op: TransformOp
    place: Place | None
    is_default: bool = False
    """Whether the compiler added it to finish what the schedule left open."""

    @property
    def name(self) -> str:
        """The op's name without the dialect."""
        return self.op.name.removeprefix("transform.")


class Observer(Protocol):
    """Told after each step that may have changed payload."""

    def __call__(self, step: Step, payload: ModuleOp) -> None:
        """Look at the payload; it changes again with the next step."""
        ...


@dataclass
class ScheduleRun:
    """The interpreter's own state: handles, the schedule's symbols, the steps."""

    state: TransformState
    schedule: ModuleOp
    payload: ModuleOp
    observers: Sequence[Observer] = ()
    steps: list[Step] = field(default_factory=list[Step])
    warnings: list[UserError] = field(default_factory=list[UserError])
    """What is legal and probably not meant, with its place."""
    verify_steps: bool = True
    """Whether the IR is verified after each step; a tuner verifies the end only."""
    finishing: bool = False
    """Set while the default finishes what the schedule left open."""
    verifier: Verifier = field(default_factory=Verifier)

    def run_block(self, block: Block) -> tuple[SSAValue, ...]:
        """Run the ops of a block; the values its terminator yields."""
        for op in block.ops:
            if isinstance(op, YieldOp):
                return tuple(op.operands)
            if not isinstance(op, TransformOp):
                raise DefiniteFailure(
                    f"'{op.name}' is not an op of the transform dialect", place_of(op)
                )
            self.run_op(op)
        return ()

    def run_op(self, op: TransformOp) -> None:
        """Apply one op, keep handles true, verify and tell the observers."""
        self.state.check_valid(op)
        taken = self.state.taken_by(op)
        changes = self.state.rewriter.changes
        self.state.applying = op
        op.apply(self.state)
        self.state.invalidate(taken, op.results)
        if not op.IS_STEP or self.state.rewriter.changes == changes:
            return
        step = Step(len(self.steps) + 1, op, place_of(op), self.finishing)
        self.steps.append(step)
        if self.verify_steps:
            self._verify(step)
        for observer in self.observers:
            observer(step, self.payload)

    def _verify(self, step: Step) -> None:
        try:
            self.verifier.verify(self.payload)
        except UserError as error:
            raise CompilerBug(
                f"step {step.index} ({step.name}) left invalid IR: {error}"
            ) from error

    def sequence(self, user: TransformOp, name: str) -> NamedSequenceOp:
        """The named sequence called `name`."""
        for op in self.schedule.ops:
            if isinstance(op, NamedSequenceOp) and op.sym_name.data == name:
                return op
        raise user.broken(f"no named sequence @{name}")


def run_schedule(
    schedule: ModuleOp,
    payload: ModuleOp,
    *,
    entry: str = ENTRY,
    observers: Sequence[Observer] = (),
    verify_steps: bool = True,
) -> ScheduleRun:
    """Run the sequence `entry` of `schedule` over `payload`, in place."""
    main = next(
        (
            op
            for op in schedule.ops
            if isinstance(op, NamedSequenceOp) and op.sym_name.data == entry
        ),
        None,
    )
    if main is None:
        raise UserError(
            f"the schedule has no sequence @{entry}",
            remedy=f"add 'transform.named_sequence @{entry}(%root: !transform.any_op)'",
        )
    state = TransformState(payload)
    run = ScheduleRun(state, schedule, payload, observers, verify_steps=verify_steps)
    state.run = run
    arguments = main.body.block.args
    if len(arguments) != 1:
        raise UserError(f"@{entry} must take one handle, the root", place_of(main))
    state.set_ops(arguments[0], [payload])
    run.run_block(main.body.block)
    return run
