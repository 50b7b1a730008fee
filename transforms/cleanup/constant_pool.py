"""One copy of each constant, at the head of its function."""

from __future__ import annotations

from collections.abc import Hashable

from xdsl.ir import Block, Operation

from tilewright.ir.dialects import arith, ub
from tilewright.ir.dialects.unregistered import may_be_isolated
from tilewright.transforms.core.rewriter import Rewriter

CONSTANTS: frozenset[type[Operation]] = frozenset({arith.ConstantOp, ub.PoisonOp})


def is_constant(op: Operation) -> bool:
    """Whether an op is a constant."""
    return type(op) in CONSTANTS


class ConstantPool:
    """The constants seen so far, by function, type and value."""

    def __init__(self, rewriter: Rewriter):
        self._rewriter = rewriter
        self._known: dict[Hashable, Operation] = {}
        self._keys: dict[Operation, Hashable] = {}

    def take(self, op: Operation) -> None:
        """Move a constant to the head of its function, or reuse an equal one there."""
        if op in self._keys or (head := _head(op)) is None:
            return
        value = op.properties.get("value")
        key = (head, type(op), op.results[0].type, value)
        if (known := self._known.get(key)) is not None:
            self._rewriter.replace(op, known.results, stands_for=known)
            return
        self._known[key] = op
        self._keys[op] = key
        first, before = head.first_op, op.prev_op
        assert first is not None
        if op.parent is head and (op is first or before in self._keys):
            return
        self._rewriter.move_before(op, first)

    def forget(self, op: Operation) -> None:
        """Drop a constant that is erased."""
        if (key := self._keys.pop(op, None)) is not None:
            del self._known[key]


def _head(op: Operation) -> Block | None:
    """The block that holds the constants of a function."""
    block = op.parent
    while block is not None:
        parent = block.parent_op()
        if parent is None:
            return None
        if may_be_isolated(parent):
            region = block.parent
            return None if region is None else region.first_block
        block = parent.parent
    return None
