"""`fuse_all`: compute a whole chain of producers in the loop that reads its end.

Not upstream's. It is `fuse_into_containing_op` for each of the producers, a consumer
before its own producers: a producer that several of the others read is fused for all
of them. Upstream's op takes the producers of a handle in their order, and leaves a
producer behind if a later one of the handle reads it too.

    rest, grid = fuse_all rest into grid

Ops that are inside the loop already are passed over, so the handle may be everything
that `match` finds.

Requires: producers in one block with the loop, each read by the loop or by another.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition

from tilewright.transforms.core.state import TransformState
from tilewright.transforms.structured.fuse.fuse_into_containing_op import FusionOp


@irdl_op_definition
class FuseAllOp(FusionOp):
    """Fuse producers into a loop, consumers first."""

    name = "transform.tilewright.fuse_all"

    def producers(self, state: TransformState) -> Sequence[Operation]:
        """The producers, the last one of the program first."""
        loops = state.payload_ops(self.containing_op)
        chosen = {
            op
            for op in state.payload_ops(self.producer_op)
            if not any(loop.is_ancestor(op) for loop in loops)
        }
        found: list[Operation] = []
        for block in dict.fromkeys(op.parent for op in chosen):
            if block is not None:
                found += [op for op in block.ops if op in chosen]
        return found[::-1]
