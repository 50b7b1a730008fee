"""`structured.linalg_copy_to_memref`: a structured copy becomes a plain one.

Before:
    linalg.copy ins(%a : memref<8x4xf32>) outs(%b : memref<8x4xf32>)

After:
    memref.copy %a, %b : memref<8x4xf32> to memref<8x4xf32>

Requires: `linalg.copy` between buffers of one element type.
"""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects import memref
from tilewright.ir.dialects.linalg import CopyOp
from tilewright.ir.types import is_buffer, is_tensor
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp


@irdl_op_definition
class LinalgCopyToMemrefOp(TargetOp):
    """Replace the copies; consumes the target, returns the new copies."""

    name = "transform.structured.linalg_copy_to_memref"

    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> CopyOp:
        """Check that `op` copies one buffer into another."""
        if not isinstance(op, CopyOp):
            raise self.refuse(f"'{op.name}' is not linalg.copy", op)
        source, target = op.inputs[0].type, op.outputs[0].type
        if is_tensor(source) or is_tensor(target):
            raise self.refuse("the copy is on tensors", op, "bufferize first")
        if not is_buffer(source) or not is_buffer(target):
            raise self.refuse("the source is no buffer", op, "write linalg.fill")
        if source.element_type != target.element_type:
            raise self.refuse(
                "source and destination have different element types",
                op,
                "generalize the copy instead",
            )
        return op

    def rewrite(self, copy: CopyOp, rewriter: Rewriter) -> Operation:
        """Replace one copy."""
        new = memref.CopyOp(copy.inputs[0], copy.outputs[0])
        rewriter.replace_with(copy, new)
        return new
