"""`structured.pack`: store the operands of a structured op as tiles.

Before:
    %r = linalg.matmul ins(%a, %b : tensor<8x6xf32>, tensor<6x4xf32>)
        outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>

After `pack %r packed_sizes = [4, 0, 3]`:
    %p = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %d
        : tensor<8x6xf32> -> tensor<2x2x4x3xf32>
    %q = linalg.pack %b inner_dims_pos = [0] inner_tiles = [3] into %e
        : tensor<6x4xf32> -> tensor<2x4x3xf32>
    %s = linalg.pack %c inner_dims_pos = [0] inner_tiles = [4] into %f
        : tensor<8x4xf32> -> tensor<2x4x4xf32>
    %t = linalg.generic ... ins(%p, %q) outs(%s) -> tensor<2x4x4xf32>
    %r = linalg.unpack %t inner_dims_pos = [0] inner_tiles = [4] into %c
        : tensor<2x4x4xf32> -> tensor<8x4xf32>

A size of 0 leaves a loop whole. Partial tiles are filled with zeros.

Requires: one structured op on tensors; a size for each loop; operands that the cut
loops index alone; reductions that zeros do not change, where a tile may be partial.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
)

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.sizes import sizes_for
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.syntax import Sizes
from tilewright.transforms.core.target_op import PlannedOp
from tilewright.transforms.structured.pack.packing import (
    Packing,
    changed_by_padding,
    rewrite,
    why_not,
)
from tilewright.transforms.structured.targets import structured_op


@irdl_op_definition
class PackOp(PlannedOp):
    """Pack operands; consumes the target, returns the op on tiles."""

    name = "transform.structured.pack"
    FORM: ClassVar[str] = "pack <target:handle> by <packed_sizes:sizes>"
    SUMMARY: ClassVar[str] = "store the operands of an op as tiles"

    target = operand_def(TransformOpHandleType)
    packed_sizes = var_operand_def()
    static_packed_sizes = prop_def(
        DenseArrayBase.constr(i64), default_value=DenseArrayBase.from_list(i64, [])
    )
    packed_op = result_def(TransformOpHandleType)

    irdl_options = (ParsePropInAttrDict(),)
    custom_directives = (Sizes,)
    assembly_format = (
        "$target `packed_sizes` `=` custom<Sizes>($packed_sizes, $static_packed_sizes) "
        "attr-dict `:` functional-type(operands, results)"
    )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The packed op stands for the target."""
        return (self.target,)

    def plans(self, state: TransformState) -> Sequence[Packing]:
        """The plan for the op that the target points at, if it points at one."""
        targets = state.payload_ops(self.target)
        if not targets:
            return []
        if len(targets) != 1:
            raise self.refuse(
                f"needs one structured op, the handle points at {len(targets)}",
                remedy="split the handle, or use foreach",
            )
        op = structured_op(self, targets[0])
        (tiles,) = sizes_for(
            self, state, self.static_packed_sizes, self.packed_sizes, targets
        )
        if len(tiles) != op.get_num_loops():
            raise self.refuse(
                f"there are {len(tiles)} sizes for {op.get_num_loops()} loops",
                op,
                "give a size for each loop, 0 where it is not cut",
            )
        packing = Packing(op, tuple(range(len(tiles))), tiles)
        return [self._checked(packing, state)]

    def _checked(self, packing: Packing, state: TransformState) -> Packing:
        op: StructuredOp = packing.op
        if (reason := why_not(op, packing.order, packing.cut)) is not None:
            raise self.broken(reason, op)
        if (result := changed_by_padding(packing)) is not None:
            wrong = self.broken(
                f"partial tiles are filled with zeros, which would change result "
                f"{result}",
                op,
                "choose sizes that divide the reduced loops",
            )
            state.doubt(self, wrong)
        return packing

    def rewrite(self, plan: Packing, rewriter: Rewriter) -> Operation:
        """Pack, and return the op on tiles."""
        return rewrite(plan, OpList(), rewriter).op
