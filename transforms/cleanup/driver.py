"""The greedy driver: apply patterns until none of them acts.

A worklist holds the ops that a pattern may match. At first it holds all ops; an op
is added again when it, an owner of its operands or one of its users has changed. So the
cost of a run is that of its rewrites, plus one last visit of each op.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from xdsl.ir import Block, Operation

from tilewright.ir.errors import CompilerBug
from tilewright.transforms.cleanup.constant_pool import ConstantPool, is_constant
from tilewright.transforms.cleanup.effects import is_dead
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.walking import walked

Op = TypeVar("Op", bound=Operation)

MAX_ROUNDS = 64
"""Rounds after which patterns count as looping: a bug, not a user's error."""


@dataclass(frozen=True)
class Pattern:
    """A rewrite and the ops that it matches.

    `rewrite(op, rewriter)` changes IR through the rewriter, or leaves it alone; the
    driver sees which by the rewriter's count of changes.
    """

    op_types: tuple[type[Operation] | str, ...]
    rewrite: Callable[[Operation, Rewriter], None]
    is_fold: bool = False
    """Whether it is a fold, which acts in every group of patterns."""

    def looks_at(self, kind: type[Operation]) -> bool:
        """Whether it matches this kind of op, or a class it derives from."""
        return any(
            kind.name == wanted if isinstance(wanted, str) else issubclass(kind, wanted)
            for wanted in self.op_types
        )


Rewrite = Callable[[Op, Rewriter], None]


def pattern(*op_types: type[Op]) -> Callable[[Rewrite[Op]], Pattern]:
    """Declare a function to be a pattern on these ops, or on all derived from them."""

    def declare(rewrite: Rewrite[Op]) -> Pattern:
        return Pattern(op_types, rewrite)  # pyright: ignore[reportArgumentType]

    return declare


def fold(*op_types: type[Op]) -> Callable[[Rewrite[Op]], Pattern]:
    """Declare a function to be a fold: a pattern that acts in every group."""

    def declare(rewrite: Rewrite[Op]) -> Pattern:
        return Pattern(op_types, rewrite, is_fold=True)  # pyright: ignore[reportArgumentType]

    return declare


def pattern_on(*names: str) -> Callable[[Rewrite[Operation]], Pattern]:
    """Declare a function to be a pattern on the ops of these names."""
    return lambda rewrite: Pattern(names, rewrite)


def fold_on(*names: str) -> Callable[[Rewrite[Operation]], Pattern]:
    """Declare a function to be a fold of the ops of these names."""
    return lambda rewrite: Pattern(names, rewrite, is_fold=True)


class PatternSet:
    """Patterns by the ops that they match; folds come first, as in upstream."""

    def __init__(self, patterns: Iterable[Pattern]):
        unique = dict.fromkeys(patterns)
        self._patterns = sorted(unique, key=lambda entry: not entry.is_fold)
        self._by_type: dict[type[Operation], tuple[Pattern, ...]] = {}

    def of(self, op: Operation) -> tuple[Pattern, ...]:
        """The patterns that match ops like `op`."""
        kind = type(op)
        if (found := self._by_type.get(kind)) is None:
            found = tuple(p for p in self._patterns if p.looks_at(kind))
            self._by_type[kind] = found
        return found


@dataclass(frozen=True)
class Limits:
    """Limits of a run; None means no limit."""

    iterations: int | None = None
    """The number of rounds over all ops before the run gives up."""
    rewrites: int | None = None
    """The number of rewrites before the next round begins."""


NO_LIMITS = Limits()


class TooManyOps(Exception):
    """A pattern would put more than `allowed` ops in the place of `op`."""

    op: Operation
    """Known to the driver, which sets it."""

    def __init__(self, allowed: int):
        super().__init__(allowed)
        self.allowed = allowed


def apply_greedily(
    root: Operation,
    patterns: PatternSet,
    rewriter: Rewriter,
    limits: Limits = NO_LIMITS,
) -> bool:
    """Apply patterns to all ops inside `root`, and erase dead ops.

    Returns whether the patterns reached a fixpoint within the limits.
    """
    return _Run(root, patterns, rewriter, limits).run()


class _Run:
    """One run: the worklist and the pool of constants."""

    def __init__(
        self,
        root: Operation,
        patterns: PatternSet,
        rewriter: Rewriter,
        limits: Limits,
    ):
        self._root = root
        self._patterns = patterns
        self._rewriter = rewriter
        self._limits = limits
        self._pool = ConstantPool(rewriter)
        self._around = _ancestors(root)
        self._todo: dict[Operation, None] = {}
        self._rests_at: dict[Operation, int] = {}
        """Ops that no pattern matched, and the rewriter's count of changes then."""

    # -- listening to the rewriter ---------------------------------------------------

    def inserted(self, op: Operation) -> None:
        """Look at a new op next; the ops inside it were seen, or will be."""
        self._todo[op] = None

    def changed(self, op: Operation) -> None:
        """Look again at a changed op and at the users of its results."""
        self._todo[op] = None

    def erasing(self, op: Operation) -> None:
        """Look at the operands of an erased op: they may be dead now."""
        for nested in walked(op):
            self._todo.pop(nested, None)
            self._pool.forget(nested)
            for operand in nested.operands:
                owner = operand.owner
                if isinstance(owner, Block):
                    owner = owner.parent_op()
                if owner is None or owner is op:
                    continue
                if not op.regions or not op.is_ancestor(owner):
                    self._todo[owner] = None

    # -- the run -------------------------------------------------------------------

    def run(self) -> bool:
        before, self._rewriter.listener = self._rewriter.listener, self
        try:
            return self._until_rest()
        finally:
            self._rewriter.listener = before

    def _until_rest(self) -> bool:
        allowed = self._limits.iterations
        for iteration in range(MAX_ROUNDS):
            if allowed is not None and iteration >= allowed:
                return False
            changes = self._rewriter.changes
            ops = walked(self._root)[1:]
            for op in ops:
                if is_constant(op):
                    self._pool.take(op)
            # The worklist is a stack: the op that was added last comes first.
            self._todo = {op: None for op in reversed(ops) if op.parent is not None}
            self._work_off()
            if self._rewriter.changes == changes:
                return True
        raise CompilerBug(f"patterns do not come to rest after {MAX_ROUNDS} rounds")

    def _work_off(self) -> None:
        rewriter, todo, patterns = self._rewriter, self._todo, self._patterns
        rests_at = self._rests_at
        rewrites, allowed = 0, self._limits.rewrites
        while todo and (allowed is None or rewrites < allowed):
            op, _ = todo.popitem()
            if rests_at.get(op) == rewriter.changes or op in self._around:
                continue
            if is_dead(op):
                rewriter.erase(op)
                continue
            if is_constant(op):
                self._pool.take(op)
                continue
            for entry in patterns.of(op):
                changes = rewriter.changes
                try:
                    entry.rewrite(op, rewriter)
                except TooManyOps as error:
                    error.op = op
                    raise
                if rewriter.changes == changes:
                    continue
                rewrites += not entry.is_fold
                if op.parent is not None:
                    todo[op] = None
                break
            else:
                rests_at[op] = rewriter.changes


def _ancestors(root: Operation) -> set[Operation]:
    """The root of a run and the ops around it, which patterns must not change."""
    found: set[Operation] = set()
    op: Operation | None = root
    while op is not None:
        found.add(op)
        op = op.parent_op()
    return found


def erase_dead(root: Operation, rewriter: Rewriter) -> None:
    """Erase ops that have no effect and no used result."""
    todo = walked(root)[1:]
    gone: set[Operation] = set()
    while todo:
        op = todo.pop()
        if op in gone or not is_dead(op):
            continue
        nested = walked(op)
        owners = [value.owner for inner in nested for value in inner.operands]
        gone.update(nested)
        rewriter.erase(op)
        todo += [
            owner
            for owner in owners
            if isinstance(owner, Operation)
            and owner not in gone
            and owner is not root
            and not owner.is_ancestor(root)
        ]
