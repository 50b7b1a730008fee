"""`structured.scalarize`: loops over the dimensions whose extent is not known yet.

Before:
    %r = linalg.exp ins(%x : tensor<?x8xf32>) outs(%o : tensor<?x8xf32>) -> ...

After:
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %o) -> (tensor<?x8xf32>) {
      %x1 = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : ...
      %t1 = tensor.extract_slice %t[%i, 0] [1, 8] [1, 1] : ...
      %r1 = linalg.exp ins(%x1 : tensor<1x8xf32>) outs(%t1 : tensor<1x8xf32>) -> ...
      %n1 = tensor.insert_slice %r1 into %t[%i, 0] [1, 8] [1, 1] : ...
      scf.yield %n1 : tensor<?x8xf32> }

Requires: a structured op. One whose extents are all known stays as it is.
"""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.targets import structured_op
from tilewright.transforms.structured.tile import tile_using_for


@irdl_op_definition
class ScalarizeOp(TargetOp):
    """Tile by one where extents are not known; consumes the target."""

    name = "transform.structured.scalarize"

    result = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> tile_using_for.Plan:
        """Plan tiles of one along the loops of unknown extent, and no other tiles."""
        extents = structured_op(self, op).get_static_loop_ranges()
        sizes = [int(extent == DYNAMIC_INDEX) for extent in extents]
        return tile_using_for.analyze(self, op, sizes, (), sum(sizes))

    def rewrite(self, plan: tile_using_for.Plan, rewriter: Rewriter) -> Operation:
        """Tile one op; the tiled op."""
        return tile_using_for.rewrite(plan, rewriter)[0].op
