"""`fuse_all`: compute a whole chain of producers in the loop that reads its end.

Not upstream's. It is `fuse_into_containing_op` for each of the producers, a consumer
before its own producers: a producer that several of the others read is fused for all
of them. Upstream's op takes the producers of a handle in their order, and leaves a
producer behind if a later one of the handle reads it too.

    rest, grid = fuse_all rest into grid

Of the ops in the handle, those that the loop reads are fused, and what these read.
Others are passed over: ops of other kernels, and what is inside the loop already. So
the handle may be everything that `match` finds.

Requires: at least one producer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition

from tilewright.transforms.core.state import TransformState
from tilewright.transforms.structured.fuse.fuse_into_containing_op import FusionOp


@irdl_op_definition
class FuseAllOp(FusionOp):
    """Fuse producers into a loop, consumers first."""

    name = "transform.tilewright.fuse_all"
    FORM: ClassVar[str] = "fuse_all <producer_op:handle> into <containing_op:handle>"
    SUMMARY: ClassVar[str] = (
        "compute a chain of producers in the loop that reads its end"
    )

    def producers(self, state: TransformState) -> Sequence[Operation]:
        """The producers, the last one of the program first."""
        given = state.payload_ops(self.producer_op)
        loops = state.payload_ops(self.containing_op)
        read = _read_by(loops, set(given))
        if given and not read:
            raise self.refuse(
                f"'{loops[0].name}' {_does_not_read(len(given))}"
                if loops
                else "there is no loop to fuse into",
                given[0],
                "tile what reads them first",
            )
        found: list[Operation] = []
        for block in dict.fromkeys(op.parent for op in read):
            if block is not None:
                found += [op for op in block.ops if op in read]
        return found[::-1]


def _read_by(loops: Sequence[Operation], chosen: set[Operation]) -> set[Operation]:
    """The chosen ops outside the loops that they read, directly or through others."""
    found: set[Operation] = set()
    readers = [inner for loop in loops for inner in loop.walk()]
    while readers:
        for operand in readers.pop().operands:
            op = operand.owner
            if not isinstance(op, Operation) or op in found or op not in chosen:
                continue
            if not any(loop.is_ancestor(op) for loop in loops):
                found.add(op)
                readers += op.walk()
    return found


def _does_not_read(number: int) -> str:
    return (
        "does not read this op" if number == 1 else f"reads none of these {number} ops"
    )
