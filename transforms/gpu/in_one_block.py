"""`in_one_block`: put an op into a grid of one block. Not upstream's.

Before:
    %r = linalg.reduce { arith.addf } ins(%a : tensor<64xf32>)
      outs(%init : tensor<f32>) dimensions = [0]

After:
    %r = scf.forall (%i) in (1) shared_outs(%o = %init) -> (tensor<f32>) {
      %s = tensor.extract_slice %o[] [] [] : tensor<f32> to tensor<f32>
      %x = linalg.reduce { arith.addf } ins(%a : tensor<64xf32>)
        outs(%s : tensor<f32>) dimensions = [0]
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %x into %o[] [] [] : tensor<f32> into tensor<f32>
      }
    } {mapping = [#gpu.block<x>]}

Requires: a structured op outside of any grid, with results of known shapes. It is for
ops without a parallel loop, which no tile sizes cut into a grid.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr
from xdsl.ir import Block, Operation, Region
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.scf import ForallOp, InParallelOp
from tilewright.ir.dialects.tensor import ExtractSliceOp, ParallelInsertSliceOp
from tilewright.ir.types import is_tensor
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import INDEX
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.gpu.loops_to_grid import block_mapping


@irdl_op_definition
class InOneBlockOp(TargetOp):
    """Put each target into a grid of one block; consumes the target."""

    name = "transform.tilewright.in_one_block"

    inside = result_def(TransformOpHandleType)
    grid = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> StructuredOp:
        """Check that the op's results are whole tensors of known shapes."""
        if not isinstance(op, StructuredOp) or not op.results:
            raise self.refuse(
                f"'{op.name}' is no structured op on tensors",
                op,
                "match a linalg op, before bufferization",
            )
        if any(isinstance(parent, ForallOp) for parent in _parents(op)):
            raise self.refuse("it is in a grid already", op, "leave it there")
        for result in op.results:
            assert is_tensor(result.type)
            if DYNAMIC_INDEX in result.type.get_shape():
                raise self.refuse(
                    "the sizes of a result are known only when it runs",
                    op,
                    "tile its parallel loops with 'onto'",
                )
        return op

    def rewrite(
        self, op: StructuredOp, rewriter: Rewriter
    ) -> tuple[Operation, ForallOp]:
        """Put a copy of the op into a grid that stands for it."""
        outputs = list(op.outputs)
        block = Block(arg_types=[INDEX, *(output.type for output in outputs)])
        shared = block.args[1:]
        copy = op.clone()
        first = len(op.operands) - len(outputs)
        whole: list[Operation] = []
        for position, output in enumerate(shared):
            assert is_tensor(output.type)
            shape = list(output.type.get_shape())
            part = [0] * len(shape), shape, [1] * len(shape)
            # The form that tiling gives, so that a fill of the output can be fused.
            slice_ = ExtractSliceOp(output, *part, output.type)
            block.add_op(slice_)
            copy.operands[first + position] = slice_.result
            whole.append(ParallelInsertSliceOp(copy.results[position], output, *part))
        block.add_op(copy)
        block.add_op(InParallelOp(Region(Block(whole))))
        grid = ForallOp(
            [0], [1], [1], outputs, Region(block), ArrayAttr(block_mapping(1)), {}
        )
        grid.location = op.location
        rewriter.insert_before(op, grid)
        rewriter.replace(op, grid.results, stands_for=copy)
        return copy, grid


def _parents(op: Operation) -> Iterator[Operation]:
    while (parent := op.parent_op()) is not None:
        yield parent
        op = parent
