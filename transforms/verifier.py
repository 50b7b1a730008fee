"""Verifying payload after each step without verifying all of it each time.

Verification was two thirds of a schedule's time. A step mostly changes one function, so
functions in which the rewriter touched nothing are passed over. In the others most ops
are as they were: what an op's verifier can look at is remembered, and an op is verified
again only when some of it has changed. Whether values are used where they are known is
cheap, and nothing of one op: it is looked at each time.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable

from xdsl.ir import Operation

from tilewright.ir.text import verify_op
from tilewright.ir.verifying.dominance import check_dominance


class Verifier:
    """Verifies ops that are new or have changed since it last saw them."""

    def __init__(self) -> None:
        self._seen: dict[Operation, dict[Operation, Hashable]] = {}
        """What there was in each op of the root, mostly functions."""

    def verify(self, root: Operation, touched: Collection[Operation]) -> None:
        """Verify what `touched` lies in; the first violation is raised.

        The first time, and where `root` itself is touched, all is verified.
        """
        parts = [
            op for region in root.regions for block in region.blocks for op in block.ops
        ]
        changed = {_part(op, root) for op in touched}
        if not self._seen or root in changed:
            changed = set(parts)
            check_dominance(root)
            verify_op(root)
            self._seen = {part: self._seen.get(part, {}) for part in parts}
        else:
            for part in parts:
                if part in changed:
                    check_dominance(part)
        for part in parts:
            if part in changed:
                self._verify_ops(part)

    def _verify_ops(self, part: Operation) -> None:
        before, seen = self._seen.get(part, {}), dict[Operation, Hashable]()
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


def _state(op: Operation) -> Hashable:
    """What an op's verifier may look at: itself, its place, its regions' frames."""
    return (
        op.parent_block(),
        tuple((operand, operand.type) for operand in op.operands),
        tuple(result.type for result in op.results),
        tuple(op.properties.items()),
        tuple(op.attributes.items()),
        tuple(
            (
                tuple(arg.type for arg in block.args),
                block.first_op,
                block.last_op,
                () if block.last_op is None else tuple(block.last_op.operands),
            )
            for region in op.regions
            for block in region.blocks
        ),
    )
