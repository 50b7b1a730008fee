"""`structured.insert_slice_to_copy`: copy into the slice before inserting it.

Before:
    %r = tensor.insert_slice %x into %o[%i] [4] [1] : tensor<4xf32> into tensor<9xf32>

After:
    %s = tensor.extract_slice %o[%i] [4] [1] : tensor<9xf32> to tensor<4xf32>
    %c = linalg.copy ins(%x : tensor<4xf32>) outs(%s : tensor<4xf32>) -> tensor<4xf32>
    %r = tensor.insert_slice %c into %o[%i] [4] [1] : tensor<4xf32> into tensor<9xf32>

Requires: a `tensor.insert_slice` or `tensor.parallel_insert_slice`. One that inserts a
`linalg.copy` already stays as it is.
"""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects.linalg import CopyOp
from tilewright.ir.dialects.tensor import (
    ExtractSliceOp,
    InsertSliceOp,
    ParallelInsertSliceOp,
    slice_of,
)
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp

Insertion = InsertSliceOp | ParallelInsertSliceOp


@irdl_op_definition
class InsertSliceToCopyOp(TargetOp):
    """Copy into the slice first; consumes the target, returns the copy."""

    name = "transform.structured.insert_slice_to_copy"

    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> Insertion:
        """Check that `op` inserts a slice."""
        if not isinstance(op, Insertion):
            raise self.refuse(
                f"'{op.name}' is neither tensor.insert_slice nor "
                "tensor.parallel_insert_slice",
                op,
            )
        return op

    def rewrite(self, op: Insertion, rewriter: Rewriter) -> Operation:
        """Insert the copy and let the op insert it; the copy."""
        if isinstance(op.source.owner, CopyOp):
            return op.source.owner
        # A parallel insertion stands in a terminator, which cannot hold the copy.
        anchor = op.parent_op() if isinstance(op, ParallelInsertSliceOp) else op
        assert anchor is not None
        part = ExtractSliceOp(op.dest, *slice_of(op), op.source.type)
        copy = CopyOp([op.source], [part.result])
        part.location = copy.location = op.location
        rewriter.insert_before(anchor, part, copy)
        rewriter.set_operand(op, 0, copy.results[0])
        return copy
