"""Partitions as processes: Python generators that stop after each op of the dialect.

The order of their steps is a choice (`Interleaving`). A process that waits is asked
again later. If no process can go on and no copy runs, the program hangs.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np
from xdsl.ir import Block, Operation

from tilewright.ir.dialects import scf
from tilewright.ir.dialects.warps import DotOp, DotWaitOp, SpecializeOp
from tilewright.ir.errors import Note, UserError
from tilewright.ir.interpreter.core.registry import (
    Interpreter,
    Results,
    Value,
    fail,
)
from tilewright.ir.interpreter.dialects.warps.machine import Copy, Known, Tile
from tilewright.ir.text import place_of


@dataclass(eq=False)
class Waiting:
    """What an op waits for; `then` runs when the wait is over."""

    op: Operation
    is_over: Callable[[], bool]
    then: Callable[[], None]
    describe: Callable[[], str]


Steps = Generator[Waiting | None, None, Results]
"""Yields None after a step, or what the process waits for."""


@dataclass(eq=False)
class Product:
    """A product that has started: what it will have computed, and what it reads."""

    value: Value
    reads: Known


@dataclass(eq=False)
class Process:
    """The state of one partition."""

    label: str
    steps: Steps | None = None
    known: Known = field(default_factory=set[int])
    products: list[Product] = field(default_factory=list[Product])
    """Products under way, in the order of their starts."""
    stores: list[tuple[Copy, Tile, int]] = field(
        default_factory=list[tuple[Copy, Tile, int]]
    )
    """Copies out that still read their tiles, and the events of their reads."""
    waited: Known = field(default_factory=set[int])
    """Reads that are over for the thread that waited, not yet for all warps."""
    written: list[Tile] = field(default_factory=list[Tile])
    """Tiles that were written and not yet fenced or synced."""
    waiting: Waiting | None = None

    @property
    def can_go_on(self) -> bool:
        """Whether it is not finished and waits for nothing."""
        if self.steps is None:
            return False
        return self.waiting is None or self.waiting.is_over()


@dataclass
class Program:
    """The processes and copies of one program, while it runs."""

    processes: list[Process]
    copies: list[Copy] = field(default_factory=list[Copy])
    current: Process | None = None

    @property
    def process(self) -> Process:
        """The process whose step runs."""
        assert self.current is not None, "inside a partition"
        return self.current


def run_partitions(interpreter: Interpreter, op: SpecializeOp) -> Results:
    """Run all partitions of a program to their ends."""
    program = Program([Process(p.label.data) for p in op.partitions])
    outer = interpreter.memo.get(op)
    interpreter.memo[op] = program
    for process, partition in zip(program.processes, op.partitions, strict=True):
        process.steps = _steps(interpreter, partition.body.block, ())
    choose = interpreter.options.interleaving.chooser()
    try:
        while any(process.steps is not None for process in program.processes):
            _advance(op, program, choose)
    finally:
        interpreter.memo[op] = outer
    _check_end(op, program)
    return ()


def program_of(interpreter: Interpreter, op: Operation) -> Program:
    """The program that runs the partition around an op."""
    around: Operation | None = op
    while around is not None and not isinstance(around, SpecializeOp):
        around = around.parent_op()
    if around is None:
        fail(op, "this runs in a partition of warps.specialize only")
    return interpreter.memo[around]


def _advance(
    op: SpecializeOp, program: Program, choose: Callable[[Sequence[str]], int]
) -> None:
    """One step of a process, or the end of a copy."""
    ready = [process for process in program.processes if process.can_go_on]
    names = [process.label for process in ready] + [""] * len(program.copies)
    if not names:
        _report_hang(op, program)
    chosen = choose(names)
    if chosen >= len(ready):
        copy = program.copies.pop(chosen - len(ready))
        with _told_where(copy.op):
            copy.finish()
        return
    process = ready[chosen]
    program.current = process
    assert process.steps is not None
    if process.waiting is not None:
        process.waiting.then()
    try:
        process.waiting = next(process.steps)
    except StopIteration:
        process.steps = None


def _report_hang(op: SpecializeOp, program: Program) -> NoReturn:
    """The program hangs: say who waits for what."""
    waiting = [(p.label, p.waiting) for p in program.processes if p.steps is not None]
    facts = [f"{who} waits for {what.describe()}" for who, what in waiting if what]
    first = next(what for _, what in waiting if what)
    with _told_where(first.op):
        raise UserError(
            f"'{op.name}': the program hangs: {'; '.join(facts)}",
            place_of(first.op) or place_of(op),
            "each wait needs the arrivals and the copies of its phase",
        )


@contextmanager
def _told_where(op: Operation) -> Generator[None]:
    """Add the statements of the schedule that made the loops around an op, and its
    roles."""
    try:
        yield
    except UserError as error:
        known = {error.place and error.place.file}
        around = op.parent_op()
        while around is not None:
            place = place_of(around)
            if place is not None and place.file not in known:
                kind = "loop" if isinstance(around, scf.ForOp) else "kernel"
                error.notes.append(Note(f"in the {kind} of this statement", place))
                break
            around = around.parent_op()
        raise


def _check_end(op: SpecializeOp, program: Program) -> None:
    """Nothing may run on after the last partition."""
    for process in program.processes:
        if process.products:
            fail(
                op,
                f"{process.label} ends while {len(process.products)} of its products "
                "run",
                "end it with 'warps.dot_wait 0'",
            )
        if process.stores:
            copy, *_ = process.stores[0]
            with _told_where(copy.op):
                fail(
                    copy.op,
                    f"{process.label} ends while this copy reads shared memory",
                    "end the partition with 'warps.store_wait 0'",
                )
    if program.copies:
        copy = program.copies[0]
        with _told_where(copy.op):
            fail(
                copy.op,
                "the program ends while this copy writes shared memory: nobody has "
                "waited for it",
                "let a partition wait for its barrier",
            )


def _steps(interpreter: Interpreter, block: Block, arguments: Sequence[Value]) -> Steps:
    """Run a block; loops and branches are generators too."""
    for argument, value in zip(block.args, arguments, strict=True):
        interpreter.bind(argument, value)
    outcome: Results = ()
    for op in block.ops:
        given = [interpreter.value(operand) for operand in op.operands]
        match op:
            case scf.ForOp():
                outcome = yield from _loop(interpreter, op, given)
            case scf.IfOp():
                region = op.true_region if given[0] else op.false_region
                outcome = ()
                if region.blocks:
                    outcome = yield from _steps(interpreter, region.block, ())
            case scf.YieldOp():
                return given
            case _:
                with _told_where(op):
                    _refuse_pending(op, given)
                    outcome = interpreter.execute(op, *given)
                if len(outcome) == 1 and isinstance(outcome[0], Waiting):
                    yield outcome[0]
                    outcome = ()
                elif op.name.startswith("warps."):
                    yield None
        for result, value in zip(op.results, outcome, strict=True):
            interpreter.bind(result, value)
    return ()


def _loop(interpreter: Interpreter, op: scf.ForOp, given: Sequence[Value]) -> Steps:
    lower, upper, step = (int(bound) for bound in given[:3])
    carried: Results = list(given[3:])
    kind = np.asarray(given[0]).dtype.type
    for index in range(lower, upper, step):
        carried = yield from _steps(interpreter, op.body.block, (kind(index), *carried))
    return carried


def _refuse_pending(op: Operation, given: Sequence[Value]) -> None:
    """Only a further product and a wait may take what a product still computes."""
    if isinstance(op, DotOp | DotWaitOp):
        return
    if any(isinstance(value, Product) for value in given):
        fail(
            op,
            "this reads the result of a product that may still run",
            "pass the result through 'warps.dot_wait' first",
        )
