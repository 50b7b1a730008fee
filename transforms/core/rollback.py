"""Undo a failed attempt: restore payload and handles as they were before it.

A snapshot copies one payload op and everything in it. Restoring puts the copy in the
op's place; handles point at the copies of the ops they pointed at.
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.rewriter import Rewriter as XdslRewriter

from tilewright.transforms.core.state import Mapping, TransformState


def snapshot_of_step(state: TransformState, scope: Operation) -> Snapshot | None:
    """A snapshot for a step that may fail after its first change, if one is needed."""
    return None if state.drops_failures else Snapshot(state, scope)


class Snapshot:
    """Payload inside one op, and every handle, at one moment."""

    def __init__(self, state: TransformState, scope: Operation):
        self._state = state
        self._scope = scope
        self._copy = scope.clone()
        self._mapping = state.mapping()
        self._ops: dict[Operation, Operation] = {}
        self._values: dict[SSAValue, SSAValue] = {}
        for old, new in zip(scope.walk(), self._copy.walk(), strict=True):
            new.location = old.location
            self._ops[old] = new
            self._values |= zip(old.results, new.results, strict=True)
            for before, after in zip(old.regions, new.regions, strict=True):
                for block, twin in zip(before.blocks, after.blocks, strict=True):
                    self._values |= zip(block.args, twin.args, strict=True)

    def restore(self) -> Operation:
        """Restore everything; returns the op that replaces the scope."""
        scope = self._scope
        if scope.parent is None:
            self._restore_root()
        else:
            XdslRewriter.insert_op(self._copy, InsertPoint.before(scope))
            for old, new in zip(scope.results, self._copy.results, strict=True):
                old.replace_all_uses_with(new)
            XdslRewriter.erase_op(scope)
            scope = self._copy
        self._state.rewriter.changed(scope)
        self._state.restore(
            Mapping(
                {h: [self._twin(op) for op in o] for h, o in self._mapping.ops.items()},
                {
                    handle: [self._values.get(value, value) for value in values]
                    for handle, values in self._mapping.values.items()
                },
                self._mapping.params,
                self._mapping.invalid,
            )
        )
        return scope

    def _restore_root(self) -> None:
        """Keep the root op, which others hold, and replace its regions."""
        self._ops[self._scope] = self._scope
        for old, new in zip(self._scope.regions, self._copy.regions, strict=True):
            for block in list(old.blocks):
                old.erase_block(block)
            new.move_blocks(old)

    def _twin(self, op: Operation) -> Operation:
        return self._ops.get(op, op)
