"""`structured.generalize`: turn a named op into `linalg.generic`.

Before:
    %r = linalg.exp ins(%x : tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>

After:
    %r = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]
    } ins(%x : tensor<8xf32>) outs(%o : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = math.exp %in : f32
      linalg.yield %0 : f32
    } -> tensor<8xf32>

Requires: a structured op. One that is generic already stays as it is.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects.linalg import GenericOp, StructuredOp
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.targets import structured_op


@irdl_op_definition
class GeneralizeOp(TargetOp):
    """Turn named ops into generic ones; consumes the target."""

    name = "transform.structured.generalize"
    FORM: ClassVar[str] = "generalize <target:handle>"
    SUMMARY: ClassVar[str] = "make a named op a generic one"

    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> StructuredOp:
        """Check that `op` is structured."""
        op = structured_op(self, op)
        return op

    def rewrite(self, op: StructuredOp, rewriter: Rewriter) -> GenericOp:
        """Replace a named op by an equal generic op."""
        if isinstance(op, GenericOp):
            return op
        generic = GenericOp(
            list(op.inputs),
            list(op.outputs),
            op.body.clone(),
            op.get_indexing_maps(),
            op.get_iterator_types(),
            [result.type for result in op.results],
        )
        generic.location = op.location
        rewriter.insert_before(op, generic)
        rewriter.replace(op, generic.results, stands_for=generic)
        return generic
