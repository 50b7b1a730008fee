"""Run a schedule over a payload, step by step.

Each step is one transform op. An observer sees every step that succeeded, which is how
dumps, `--verify-each` and the report look at the IR between steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Protocol

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from tilewright.ir.errors import (
    CompilerBug,
    DefiniteFailure,
    Note,
    SilenceableFailure,
    UserError,
)
from tilewright.ir.text import place_of
from tilewright.transforms.control.declared_sequence import DeclaredSequenceOp
from tilewright.transforms.control.failures import suppresses
from tilewright.transforms.control.inline_includes import inline_includes
from tilewright.transforms.control.sequence import IncludeOp, SequenceOp, bind_root
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.rollback import Snapshot
from tilewright.transforms.core.run import Observer, Step
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.verifier import Verifier

MOST_OPS = 300_000
"""The most ops that a schedule may run; an included op counts each time."""

ENTRY = "__transform_main"


@dataclass(frozen=True)
class Ran:
    """One op that ran, whether it changed payload or not."""

    op: TransformOp
    seconds: float
    step: Step | None
    """The step it was, if it changed payload."""


@dataclass(frozen=True)
class Failure:
    """The op that failed, and its error."""

    op: TransformOp
    error: UserError


class Resumed(Protocol):
    """A run that may go on from what an earlier run did."""

    @property
    def first(self) -> int:
        """The place of the first op to run in the main sequence."""
        ...

    def passed(self, place: int) -> None:
        """Called after the op at a place."""
        ...


class Prefixes(Protocol):
    """What earlier runs did; `shared_prefixes.SharedPrefixes` is one."""

    def resume(self, run: ScheduleRun, block: Block) -> Resumed:
        """Restore what a run that is about to begin has in common with them."""
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
    """Legal but probably unintended steps, with their places."""
    remarks: list[Note] = field(default_factory=list[Note])
    """Steps that did not apply and were suppressed, with the reason."""
    verify_steps: bool = True
    """Whether the IR is verified after each step; a tuner verifies the end only."""
    bound_arguments: Sequence[str] = ()
    """What the arguments of the entry after the first stand for."""
    as_upstream: bool = False
    """Whether scripts do what upstream does, even where a kernel could be wrong.

    They write into arguments of functions, trust vector sizes of open extents, with a
    warning, and refuse what upstream refuses. Ops of `.tw` texts are not concerned.
    """
    finishing: bool = False
    """Set while the default finishes what the schedule left open."""
    after_each: Callable[[TransformOp, Step | None], None] | None = None
    """Called after every op, including ops that run others or change nothing."""
    ran: list[Ran] = field(default_factory=list[Ran])
    """Every op that ran, in order, except those that only run others."""
    verify_seconds: float = 0.0
    failure: Failure | None = None
    """The last failure, suppressed or not."""
    verifier: Verifier = field(default_factory=Verifier)
    _started: int = 0
    """The number of ops started."""
    _verified: int = 0
    """The last step after which all of the payload was verified."""
    running: list[str] = field(default_factory=list[str])
    """The named sequences that are under way, the innermost last."""

    def start(self, entry: str = ENTRY, prefixes: Prefixes | None = None) -> None:
        """Run the sequence `entry` over the payload, in place.

        `prefixes` has what earlier runs of the schedule over the payload did.
        """
        main = _entry(self.schedule, entry)
        if isinstance(main, SequenceOp):
            bind_root(main, self.state)
            suppress = suppresses(main.failure_propagation_mode)
            self.run_block(main.body.block, suppress=suppress)
            self.settle()
            return
        self.bind_arguments(main)
        self.running.append(main.sym_name.data)
        try:
            if prefixes is None:
                self.run_block(main.body.block)
            else:
                self._run_shared(main.body.block, prefixes)
        finally:
            self.running.pop()
        self.settle()

    def _run_shared(self, block: Block, prefixes: Prefixes) -> None:
        """Run a block from where its longest known prefix ends."""
        named = (op for op in self.schedule.ops if isinstance(op, NamedSequenceOp))
        sequences = {op.sym_name.data: op for op in named}
        inline_includes(block, sequences, tuple(self.running))
        shared = prefixes.resume(self, block)
        for place, op in enumerate(block.ops):
            if op.has_trait(IsTerminator):
                self.state.check_valid(op)
            elif place >= shared.first:
                self._run_any(op)
                shared.passed(place)

    def bind_arguments(self, main: NamedSequenceOp) -> None:
        """The first argument is the payload; others are what the run was given."""
        if not main.body.block.args:
            raise UserError(
                f"@{main.sym_name.data} takes no argument",
                place_of(main),
                "give it one, the root of the payload: %root: !transform.any_op",
            )
        first, *others = main.body.block.args
        self.state.set_ops(first, [self.payload])
        if others or self.bound_arguments:
            from tilewright.transforms.control.bound_arguments import bind_arguments

            bind_arguments(main, others, self.bound_arguments, self.state)

    def run_block(
        self, block: Block, *, suppress: bool = False
    ) -> tuple[SSAValue, ...]:
        """Run the ops of a block; the values its terminator yields.

        With `suppress`, a step that does not apply is passed over: payload and handles
        stay as they were, its results are empty.
        """
        for op in block.ops:
            if op.has_trait(IsTerminator):
                self.state.check_valid(op)
                return tuple(op.operands)
            self._run_any(op, suppress=suppress)
        return ()

    def _run_any(self, op: Operation, *, suppress: bool = False) -> None:
        if not isinstance(op, TransformOp):
            raise DefiniteFailure(
                f"'{op.name}' is not an op of the transform dialect", place_of(op)
            )
        if suppress:
            self._try_op(op)
        else:
            self.run_op(op)

    def _try_op(self, op: TransformOp) -> None:
        # A step raises before it changes anything; an op that runs others may not.
        before = None if op.IS_STEP else Snapshot(self.state, self.payload)
        standing = len(self.steps)
        drops, self.state.drops_failures = self.state.drops_failures, False
        try:
            self.run_op(op)
        except SilenceableFailure as failure:
            if before is not None:
                before.restore()
                self.took_back(op, "suppressed", standing)
            for result in op.results:
                self.state.set_items(result, ())
            self.remarks.append(Note(f"suppressed: {failure.fact}", failure.place))
        finally:
            self.state.drops_failures = drops

    def run_op(self, op: TransformOp) -> None:
        """Apply one op, update handles, verify, and tell the observers."""
        start = perf_counter()
        changes = self.state.rewriter.changes
        self._count(op)
        try:
            self._apply(op)
        except UserError as error:
            self._blame(op, error)
            raise
        seconds = perf_counter() - start
        step = None
        if op.IS_STEP:
            if self.state.rewriter.changes != changes:
                step = self._stepped(op, seconds=seconds)
            self.ran.append(Ran(op, seconds, step))
        if self.after_each is not None:
            self.after_each(op, step)

    def _count(self, op: TransformOp) -> None:
        """Stop a run that would take too long: sequences that include each other."""
        self._started += 1
        if self._started > MOST_OPS and not self.finishing:
            raise DefiniteFailure(
                f"the schedule has run {MOST_OPS:,} ops and has not come to its end",
                place_of(op),
                "include sequences less often, or split the schedule and run its parts "
                "one after another",
            )

    def _apply(self, op: TransformOp) -> None:
        self.state.check_valid(op)
        self.state.check_consumed(op)
        taken = self.state.taken_by(op)
        self.state.applying = op
        self.state.records.clear()
        op.apply(self.state)
        self.state.invalidate(taken, op.results)
        self.state.check_results(op)

    def _blame(self, op: TransformOp, error: UserError) -> None:
        """Record the op that failed first, and note the includes on the way out."""
        if self.failure is None or self.failure.error is not error:
            self.failure = Failure(op, error)
            error.notes += [*self._many(op, error), *op.included]
        elif isinstance(op, IncludeOp):
            name = op.target.string_value()
            here = Note(f"in '{name}', included here", place_of(op))
            error.notes += [here, *op.included]

    def _many(self, op: TransformOp, error: UserError) -> list[Note]:
        """A note that the refused op is one of several of its handle."""
        if not error.notes or not op.IS_STEP or not op.operands:
            return []
        handle = op.operands[0]
        if (number := len(self.state.payload_ops(handle))) < 2:
            return []
        hint = handle.name_hint
        name = f"'{hint}'" if hint else "the handle"
        verb = op.worded(mlir="split_handle", tw="pick")
        return [Note(f"{name} points at {number} ops; '{verb}' tells them apart")]

    def took_back(self, op: TransformOp, what: str, standing: int) -> None:
        """Tell the observers that the steps after number `standing` were taken back."""
        self._stepped(op, what, undone_after=standing)

    def _stepped(
        self,
        op: TransformOp,
        took_back: str | None = None,
        seconds: float = 0.0,
        undone_after: int | None = None,
    ) -> Step:
        number = len(self.steps) + 1
        step = Step(
            number,
            op,
            place_of(op),
            self.finishing,
            took_back,
            seconds,
            tuple(self.state.records) if took_back is None else (),
            undone_after,
        )
        self.steps.append(step)
        touched = self.state.rewriter.take_touched()
        if self.verify_steps:
            self._verify(lambda: self.verifier.verify(self.payload, touched))
        for observer in self.observers:
            observer(step, self.payload)
        return step

    def settle(self) -> None:
        """Verify what the verifier put off; call it after the last step."""
        if self.verifier.is_waiting:
            self._verify(self.verifier.settle)

    def _verify(self, verify: Callable[[], None]) -> None:
        start = perf_counter()
        first = self._verified + 1
        try:
            verify()
        except UserError as error:
            last = self.steps[-1]
            which = f"step {last.index} ({last.name})"
            if first < last.index:
                which = f"one of the steps {first} to {last.index}"
            raise CompilerBug(f"{which} left invalid IR: {error}") from error
        finally:
            self.verify_seconds += perf_counter() - start
        if not self.verifier.is_waiting:
            self._verified = len(self.steps)

    def sequence(self, user: TransformOp, name: str) -> NamedSequenceOp:
        """The named sequence called `name`."""
        sequences = {
            op.sym_name.data: op
            for op in self.schedule.ops
            if isinstance(op, NamedSequenceOp)
        }
        if name not in sequences and any(
            op.sym_name.data == name
            for op in self.schedule.ops
            if isinstance(op, DeclaredSequenceOp)
        ):
            raise user.broken(
                f"the sequence @{name} is declared and has no body",
                remedy="write its body in this file, or name a library with --library",
            )
        if name not in sequences:
            there = ", ".join(f"@{other}" for other in sequences)
            raise user.broken(f"no named sequence @{name}", remedy=f"there are {there}")
        return sequences[name]


def prepare(
    schedule: ModuleOp,
    payload: ModuleOp,
    *,
    observers: Sequence[Observer] = (),
    verify_steps: bool = True,
) -> ScheduleRun:
    """A run that has not started; the caller can inspect it during and after."""
    state = TransformState(payload)
    run = ScheduleRun(state, schedule, payload, observers, verify_steps=verify_steps)
    state.run = run
    return run


def run_schedule(
    schedule: ModuleOp,
    payload: ModuleOp,
    *,
    entry: str = ENTRY,
    observers: Sequence[Observer] = (),
    verify_steps: bool = True,
    as_upstream: bool = False,
) -> ScheduleRun:
    """Run the sequence `entry` of `schedule` over `payload`, in place."""
    run = prepare(schedule, payload, observers=observers, verify_steps=verify_steps)
    run.as_upstream = as_upstream
    run.start(entry)
    return run


def _entry(schedule: ModuleOp, entry: str) -> NamedSequenceOp | SequenceOp:
    """The named sequence `entry`, or a bare sequence, as in upstream's tutorials."""
    named = [op for op in schedule.ops if isinstance(op, NamedSequenceOp)]
    for op in named:
        if op.sym_name.data == entry:
            return op
    bare = [op for op in schedule.ops if isinstance(op, SequenceOp)]
    if entry == ENTRY and len(bare) == 1:
        return bare[0]
    names = ", ".join(f"@{op.sym_name.data}" for op in named)
    raise UserError(
        f"the schedule has no sequence @{entry}",
        remedy=f"it has {names}"
        if names
        else f"add 'transform.named_sequence @{entry}(%root: !transform.any_op)'",
    )
