"""`structured.promote_tensor`: let a tensor live in a memory space of its own.

Before:
    %r = linalg.matmul ins(%a, %b : ...) outs(%c : ...) -> tensor<4x4xf32>

After, of %a into memory space 1:
    %m = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4x8xf32>
    %p = bufferization.materialize_in_destination %a in %m : ...
    %r = linalg.matmul ins(%p, %b : ...) outs(%c : ...) -> tensor<4x4xf32>

A tensor that is only written to gets no copy.

Requires: values that are tensors with a rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
)

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.bufferization import (
    AllocTensorOp,
    MaterializeInDestinationOp,
)
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.types import is_tensor, tensor_type
from tilewright.transforms.core.base import TransformOp, TransformValueHandleType
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState


@irdl_op_definition
class PromoteTensorOp(TransformOp):
    """Put tensors into new allocations; returns the values that replace them."""

    name = "transform.structured.promote_tensor"

    T: ClassVar = VarConstraint("T", base(TransformValueHandleType))

    tensor = operand_def(T)
    memory_space = opt_prop_def(AnyAttr())
    promoted = result_def(T)

    assembly_format = "(`to` $memory_space^)? $tensor attr-dict `:` type($tensor)"

    def apply(self, state: TransformState) -> None:
        """Promote each tensor."""
        values = state.payload_values(self.tensor)
        for value in values:
            if not is_tensor(value.type):
                raise self.refuse(
                    f"a value of type '{value.type}' is no tensor with a rank"
                )
        made = [self._promote(value, state.rewriter) for value in values]
        state.set_values(self.promoted, made)

    def _promote(self, value: SSAValue, rewriter: Rewriter) -> SSAValue:
        is_read = _may_be_read(value)
        new = OpList()
        sizes = [
            new.add(tensor.DimOp(value, new.index(dim)))
            for dim, size in enumerate(tensor_type(value).get_shape())
            if size == DYNAMIC_INDEX
        ]
        alloc = AllocTensorOp.build(
            operands=[sizes, [], []],
            result_types=[value.type],
            properties={"memory_space": self.memory_space},
        )
        promoted = new.add(alloc)
        if is_read:
            promoted = new.add(MaterializeInDestinationOp(value, promoted))
        for op in new.ops:
            op.location = self.location
        _insert_after(value, new.ops, rewriter)
        rewriter.replace_uses_except(value, promoted, new.ops)
        return promoted


def _may_be_read(value: SSAValue) -> bool:
    """Whether a use may read the old contents."""
    for use in value.uses:
        user = use.operation
        if not isinstance(user, StructuredOp):
            return True
        if user.body.block.args[use.index].first_use is not None:
            return True
    return False


def _insert_after(
    value: SSAValue, ops: Sequence[Operation], rewriter: Rewriter
) -> None:
    owner = value.owner
    if isinstance(owner, Block):
        rewriter.insert_at_start(owner, *ops)
    else:
        rewriter.insert_after(owner, *ops)
