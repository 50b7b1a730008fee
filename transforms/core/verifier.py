"""Verify payload after each step, but only the parts that changed.

Verification was two tf32x3 of a schedule's time. A step mostly changes one function, so
functions that the rewriter did not touch are skipped. In the others most ops did not
change either: an op is verified again only when something that its verifier reads has
changed. Dominance is cheap and a property of the whole function: it is checked each
time.

All of that still walks the function. In a large one, such as a loop unrolled 512
times, the default makes hundreds of small steps, and a walk after each takes quadratic
time: there, the verifier waits until enough has changed. Whoever runs the steps calls
`settle` at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from xdsl.ir import Operation

from tilewright.ir.text import verify_op
from tilewright.ir.verifying.dominance import check_dominance

_SMALL = 500
"""A function of at most this many ops is walked after every step."""

_SHARE = 8
"""A larger one is walked once one op in this many was touched."""


class Verifier:
    """Verifies ops that are new or have changed since it last saw them."""

    def __init__(self) -> None:
        self._seen: dict[Operation, dict[Operation, object]] = {}
        """The verified state of the ops in each top-level op, usually a function."""
        self._waiting: dict[Operation, int] = {}
        """Large functions that changed, and how many ops were touched there."""

    @property
    def is_waiting(self) -> bool:
        """Whether a changed function was not verified yet."""
        return bool(self._waiting)

    def verify(self, root: Operation, touched: Collection[Operation]) -> None:
        """Verify the functions that `touched` lies in; raise the first violation.

        The first time, and if `root` itself was touched, everything is verified.
        """
        parts = [
            op for region in root.regions for block in region.blocks for op in block.ops
        ]
        changed = Counter(_part(op, root) for op in touched)
        if not self._seen or root in changed:
            check_dominance(root)
            verify_op(root)
            self._seen = {part: self._seen.get(part, {}) for part in parts}
            self._waiting.clear()
            for part in parts:
                self._verify_ops(part)
            return
        for part in parts:
            if part in changed and not self._waits(part, changed[part]):
                check_dominance(part)
                self._verify_ops(part)

    def settle(self) -> None:
        """Verify the functions that were put off."""
        while self._waiting:
            part, _ = self._waiting.popitem()
            if part.parent_block() is not None:
                check_dominance(part)
                self._verify_ops(part)

    def _waits(self, part: Operation, touched: int) -> bool:
        """Whether too little has changed in a large function to walk all of it."""
        size = len(self._seen.get(part, ()))
        total = self._waiting.pop(part, 0) + touched
        if size <= _SMALL or total * _SHARE >= size:
            return False
        self._waiting[part] = total
        return True

    def _verify_ops(self, part: Operation) -> None:
        before, seen = self._seen.get(part, {}), dict[Operation, object]()
        for op in part.walk():
            state = _state(op)
            if before.get(op) != state:
                verify_op(op)
            seen[op] = state
        self._seen[part] = seen


def _part(op: Operation, root: Operation) -> Operation | None:
    """The op of `root` that `op` lies in, `root` itself, or None if it is gone."""
    while op is not root:
        parent = op.parent_op()
        if parent is None:
            return None
        if parent is root:
            return op
        op = parent
    return root


def _state(op: Operation) -> object:
    """Everything that an op's verifier may read, in a form that can be compared."""
    operands = op._operands  # pyright: ignore[reportPrivateUsage]
    return (
        op.parent,
        operands,
        [operand.type for operand in operands],
        [result.type for result in op.results],
        op.properties.copy(),
        op.attributes.copy(),
        [
            (
                [arg.type for arg in block.args],
                block.first_op,
                last,
                None if last is None else last._operands,  # pyright: ignore[reportPrivateUsage]
            )
            for region in op.regions
            for block in region.blocks
            for last in (block.last_op,)
        ]
        if op.regions
        else None,
    )
