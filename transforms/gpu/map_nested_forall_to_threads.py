"""`gpu.map_nested_forall_to_threads`: read, and refused with the reason.

    %f = transform.gpu.map_nested_forall_to_threads %func block_dims = [32, 4, 1]
        : (!transform.any_op) -> !transform.any_op

Triton distributes the ops on a tile over the threads of a block by itself; a schedule
says how many warps there are, with `triton.num_warps` on the grid.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import BoolAttr, DenseArrayBase, IntegerAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def

from tilewright.transforms.core.base import (
    TransformOp,
    TransformOpHandleType,
)
from tilewright.transforms.core.state import TransformState


@irdl_op_definition
class MapNestedForallToThreadsOp(TransformOp):
    """Refused: Triton owns what is inside a block."""

    name = "transform.gpu.map_nested_forall_to_threads"

    target = operand_def(TransformOpHandleType)
    block_dims = prop_def(
        DenseArrayBase.constr(i64), default_value=DenseArrayBase.from_list(i64, [])
    )
    sync_after_distribute = prop_def(BoolAttr, default_value=BoolAttr.from_bool(True))
    warp_size = prop_def(IntegerAttr.constr(i64), default_value=IntegerAttr(32, i64))
    result = result_def(TransformOpHandleType)

    assembly_format = (
        "$target `block_dims` `=` $block_dims "
        "(`sync_after_distribute` `=` $sync_after_distribute^)? "
        "(`warp_size` `=` $warp_size^)? attr-dict `:` "
        "functional-type(operands, results)"
    )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The target, as upstream declares it."""
        return (self.target,)

    def apply(self, state: TransformState) -> None:
        """Refuse, with the reason."""
        raise self.broken(
            "threads are not scheduled here: Triton owns what is inside a block",
            remedy="leave it out; "
            + self.worded(
                mlir="the number of warps is 'triton.num_warps' on the grid, set with "
                "transform.annotate",
                tw="'launch' sets the number of warps",
            ),
        )
