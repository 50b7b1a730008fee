"""Change payload, and keep handles pointing at the right ops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.rewriter import Rewriter as XdslRewriter

from tilewright.ir.disjoint_sets import DisjointSets
from tilewright.transforms.core.walking import walked

if TYPE_CHECKING:
    from tilewright.ir.structured.equal_extents import Term


class Listener(Protocol):
    """Told of changes; a driver learns from it which ops to look at again."""

    def inserted(self, op: Operation) -> None:
        """`op` was inserted, with everything in it."""
        ...

    def changed(self, op: Operation) -> None:
        """An operand, an attribute or the body of `op` has changed."""
        ...

    def erasing(self, op: Operation) -> None:
        """`op` is about to be erased, with everything in it."""
        ...


class Rewriter:
    """All payload changes go through here, so that handles can follow them.

    `on_replace(old, new, values)` is called before `old` is erased, with the op that
    replaces it, or None, and the values that replace its results. `on_erase(op)` is
    called for each erased op, nested ones included.
    """

    def __init__(
        self,
        on_replace: Callable[[Operation, Operation | None, Sequence[SSAValue]], None]
        | None = None,
        on_erase: Callable[[Operation], None] | None = None,
    ):
        self._on_replace = on_replace
        self._on_erase = on_erase
        self.changes = 0
        """The number of changes so far: shows a driver whether a pattern acted."""
        self.listener: Listener | None = None
        self.equal_extents: DisjointSets[Term] = DisjointSets()
        """Sizes that ops needed to be equal which were tiled since, and so are gone."""
        self.touched: set[Operation] = set()
        """Ops that changed, or whose bodies did: these need to be verified."""

    def keep_extents(self, op: Operation) -> None:
        """Remember which sizes an op needs to be equal; it is about to go."""
        from tilewright.ir.structured.equal_extents import equal_terms

        for first, second in equal_terms(op):
            self.equal_extents.union_left(first, second)

    def insert_before(self, anchor: Operation, *ops: Operation) -> None:
        """Insert ops before `anchor`; ops without a location get its."""
        _place(ops, anchor)
        self._insert(InsertPoint.before(anchor), ops)

    def insert_after(self, anchor: Operation, *ops: Operation) -> None:
        """Insert ops after `anchor`; ops without a location get its."""
        _place(ops, anchor)
        self._insert(InsertPoint.after(anchor), ops)

    def insert_at_start(self, block: Block, *ops: Operation) -> None:
        """Insert ops at the start of a block."""
        self._insert(InsertPoint.at_start(block), ops)

    def insert_at_end(self, block: Block, *ops: Operation) -> None:
        """Insert ops at the end of a block."""
        self._insert(InsertPoint.at_end(block), ops)

    def replace(
        self,
        op: Operation,
        values: Sequence[SSAValue],
        stands_for: Operation | None = None,
    ) -> None:
        """Replace `op` by `values`, already in place; handles follow to `stands_for`.

        Without `stands_for`, handles follow to the op that defines the values, as
        upstream's tracking does (`successor`).
        """
        if stands_for is None:
            stands_for = successor(op, values)
        self._touch_parent(op)
        if self._on_replace is not None:
            self._on_replace(op, stands_for, values)
        for old, new in zip(op.results, values, strict=True):
            if old.name_hint is not None and new.name_hint is None:
                new.name_hint = old.name_hint
            self._replace_uses(old, new)
        self._forget(op)
        XdslRewriter.erase_op(op)
        self.changes += 1

    def replace_with(self, op: Operation, *new_ops: Operation) -> None:
        """Insert ops before `op` and replace it by the results of the last one."""
        for new_op in new_ops:
            new_op.location = op.location
        self.insert_before(op, *new_ops)
        self.replace(op, new_ops[-1].results)

    def erase(self, op: Operation) -> None:
        """Erase an op without uses, and everything in it."""
        self._touch_parent(op)
        self._forget(op)
        XdslRewriter.erase_op(op)
        self.changes += 1

    def replace_uses(self, old: SSAValue, new: SSAValue) -> None:
        """Let every use of `old` read `new`."""
        if old.first_use is None or old is new:
            return
        owner = old.owner
        if op := owner if isinstance(owner, Operation) else owner.parent_op():
            self.touched.add(op)
        self._replace_uses(old, new)
        self.changes += 1

    def replace_uses_except(
        self, old: SSAValue, new: SSAValue, users: Sequence[Operation]
    ) -> None:
        """Let every use of `old` read `new`, but for those in some ops."""
        for use in list(old.uses):
            if use.operation not in users:
                self.set_operand(use.operation, use.index, new)

    def set_operand(self, op: Operation, position: int, value: SSAValue) -> None:
        """Let an op read another value."""
        op.operands[position] = value
        self.changed(op)

    def move_before(self, op: Operation, anchor: Operation) -> None:
        """Move an op to just before `anchor`; handles keep pointing at it."""
        self._touch_parent(op)
        op.detach()
        XdslRewriter.insert_op(op, InsertPoint.before(anchor))
        self.changed(op)

    def changed(self, op: Operation) -> None:
        """Note a change made in place (an attribute, an operand, the body) of `op`."""
        self.changes += 1
        self.touched.add(op)
        if self.listener is not None:
            self.listener.changed(op)

    def _insert(self, point: InsertPoint, ops: Sequence[Operation]) -> None:
        if not ops:
            return
        XdslRewriter.insert_op(ops, point)
        self.touched.update(ops)
        self._touch_parent(ops[0])
        self.changes += 1
        if self.listener is not None:
            for op in ops:
                self.listener.inserted(op)

    def _replace_uses(self, old: SSAValue, new: SSAValue) -> None:
        if self.listener is not None:
            for use in old.uses:
                self.listener.changed(use.operation)
        old.replace_all_uses_with(new)

    def take_touched(self) -> set[Operation]:
        """The ops touched since the last call, erased ones included."""
        touched, self.touched = self.touched, set()
        return touched

    def _touch_parent(self, op: Operation) -> None:
        if (parent := op.parent_op()) is not None:
            self.touched.add(parent)

    def _forget(self, op: Operation) -> None:
        if self.listener is not None:
            self.listener.erasing(op)
        if self._on_erase is not None:
            for nested in walked(op):
                self._on_erase(nested)


def _place(ops: Sequence[Operation], anchor: Operation) -> None:
    for op in ops:
        if isinstance(op.location, UnknownLoc):
            op.location = anchor.location


CONSTANTS = frozenset({"arith.constant", "ub.poison"})
CASTS = frozenset(
    f"arith.{cast}"
    for cast in (
        "bitcast extf extsi extui fptosi fptoui index_cast index_castui sitofp truncf "
        "trunci uitofp"
    ).split()
)
SEEN_THROUGH = CASTS | {
    "memref.cast",
    "memref.memory_space_cast",
    "tensor.cast",
    "tensor.collapse_shape",
    "tensor.expand_shape",
    "tensor.extract_slice",
    "tensor.insert_slice",
    "tensor.reshape",
}
"""Ops that `successor` looks through."""


def successor(op: Operation, values: Sequence[SSAValue]) -> Operation | None:
    """The op that stands for `op` once its results are `values`, or None.

    It is the one op that defines them all, if it is of the same kind or a constant;
    casts and slices in between are looked through.
    """
    while values:
        definers = {value.owner for value in values}
        definer = definers.pop()
        if definers or not isinstance(definer, Operation):
            return None
        if definer.name == op.name or definer.name in CONSTANTS:
            return definer
        if definer.name not in SEEN_THROUGH:
            return None
        values = definer.operands[:1]
    return None
