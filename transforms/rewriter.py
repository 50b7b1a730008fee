"""Changing payload while handles keep pointing at the right ops."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.rewriter import Rewriter as XdslRewriter


class Rewriter:
    """All payload changes go through here, so that handles can follow them.

    `on_replace(old, new, values)` is called before `old` goes away, with the op that
    stands for it now, or None, and the values that its results become; `on_erase(op)`
    for each op that vanishes, nested ones included.
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
        """How many changes were made: lets drivers see whether a pattern acted."""

    def insert_before(self, anchor: Operation, *ops: Operation) -> None:
        """Insert ops before `anchor`."""
        self._insert(InsertPoint.before(anchor), ops)

    def insert_after(self, anchor: Operation, *ops: Operation) -> None:
        """Insert ops after `anchor`."""
        self._insert(InsertPoint.after(anchor), ops)

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

        Without `stands_for`, handles follow to the op that defines the values if it is
        the only one and of the same kind, as upstream's tracking does.
        """
        if stands_for is None:
            stands_for = _same_kind(op, values)
        if self._on_replace is not None:
            self._on_replace(op, stands_for, values)
        for old, new in zip(op.results, values, strict=True):
            if old.name_hint is not None and new.name_hint is None:
                new.name_hint = old.name_hint
            old.replace_all_uses_with(new)
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
        self._forget(op)
        XdslRewriter.erase_op(op)
        self.changes += 1

    def replace_uses(self, old: SSAValue, new: SSAValue) -> None:
        """Let every use of `old` read `new`."""
        if old.uses.get_length() == 0:
            return
        old.replace_all_uses_with(new)
        self.changes += 1

    def move_before(self, op: Operation, anchor: Operation) -> None:
        """Move an op to just before `anchor`; handles keep pointing at it."""
        op.detach()
        XdslRewriter.insert_op(op, InsertPoint.before(anchor))
        self.changes += 1

    def changed(self) -> None:
        """Note a change made in place (an attribute, an operand)."""
        self.changes += 1

    def _insert(self, point: InsertPoint, ops: Sequence[Operation]) -> None:
        if ops:
            XdslRewriter.insert_op(ops, point)
            self.changes += 1

    def _forget(self, op: Operation) -> None:
        if self._on_erase is not None:
            for nested in op.walk():
                self._on_erase(nested)


def _same_kind(op: Operation, values: Sequence[SSAValue]) -> Operation | None:
    definers = {value.owner for value in values if isinstance(value.owner, Operation)}
    if len(definers) != 1:
        return None
    definer = definers.pop()
    return definer if definer.name == op.name else None
