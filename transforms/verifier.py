"""Verifying payload after each step without verifying all of it each time.

Verification was two thirds of a schedule's time. Most ops are the same from one step to
the next: what an op's verifier can look at is remembered, and an op is verified again
only when some of it has changed. Whether values are used where they are known is cheap,
and nothing of one op: it is looked at each time.
"""

from __future__ import annotations

from collections.abc import Hashable

from xdsl.ir import Operation

from tilewright.ir.text import verify_op
from tilewright.ir.verifying.dominance import check_dominance


class Verifier:
    """Verifies ops that are new or have changed since it last saw them."""

    def __init__(self) -> None:
        self._seen: dict[Operation, Hashable] = {}

    def verify(self, root: Operation) -> None:
        """Verify `root` and what is in it; the first violation is raised."""
        check_dominance(root)
        seen: dict[Operation, Hashable] = {}
        for op in root.walk():
            state = _state(op)
            if self._seen.get(op) != state:
                verify_op(op)
            seen[op] = state
        self._seen = seen


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
