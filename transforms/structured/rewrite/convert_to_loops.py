"""`structured.convert_to_loops`: turn an op on buffers into loops, loads and stores.

Before:
    linalg.exp ins(%x : memref<8x?xf32>) outs(%o : memref<8x?xf32>)

After:
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %v = memref.load %x[%i, %j] : memref<8x?xf32>
        %e = math.exp %v : f32
        memref.store %e, %o[%i, %j] : memref<8x?xf32>
      }
    }

Requires: a structured op on buffers.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects import scf
from tilewright.ir.dialects.linalg import IndexOp, StructuredOp, YieldOp
from tilewright.ir.dialects.memref import LoadOp, StoreOp
from tilewright.ir.types import is_buffer, is_tensor
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import OpList, evaluate
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.targets import structured_op
from tilewright.transforms.structured.tile.loop_nest import build_loop_nest
from tilewright.transforms.structured.tile.one_tile import loop_ranges


@irdl_op_definition
class ConvertToLoopsOp(TargetOp):
    """Turn ops into loops; consumes the target, returns loops, outermost first."""

    name = "transform.structured.convert_to_loops"

    result = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> StructuredOp:
        """Check that `op` is a structured op on buffers."""
        op = structured_op(self, op)
        if any(is_tensor(operand.type) for operand in op.operands):
            raise self.refuse("the op works on tensors", op, "bufferize first")
        return op

    def rewrite(self, op: StructuredOp, rewriter: Rewriter) -> tuple[scf.ForOp, ...]:
        """Replace the op by a nest of loops around its body; the loops."""
        new = OpList()
        ranges = loop_ranges(op, new)
        rewriter.insert_before(op, *new.ops)
        loops = tuple(range(len(ranges)))
        ones = [1] * len(ranges)
        made_by = self.location_for(op)
        code = OpList()
        if not loops:
            write_body(op, [], code)
            rewriter.insert_before(op, *code.ops)
            rewriter.erase(op)
            return ()
        nest = build_loop_nest(op, loops, ranges, ones, (), made_by, rewriter)
        write_body(op, [nest.indices[loop] for loop in loops], code)
        for new_op in code.ops:
            new_op.location = op.location
        rewriter.insert_at_end(nest.body, *code.ops, scf.YieldOp())
        rewriter.erase(op)
        return nest.loops


def write_body(op: StructuredOp, indices: Sequence[SSAValue], code: OpList) -> None:
    """Write loads, the body for one element, and stores."""
    values: dict[SSAValue, SSAValue] = {}
    for operand, arg, map_ in zip(
        op.operands, op.body.block.args, op.maps, strict=True
    ):
        if not arg.uses.get_length():
            continue
        values[arg] = operand
        if is_buffer(operand.type):
            values[arg] = code.add(LoadOp(operand, _place(map_, indices, code)))
    for scalar in op.body.block.ops:
        if isinstance(scalar, IndexOp):
            values[scalar.result] = indices[scalar.dim.value.data]
        elif isinstance(scalar, YieldOp):
            for value, output, map_ in zip(
                scalar.operands, op.outputs, op.maps[len(op.inputs) :], strict=True
            ):
                place = _place(map_, indices, code)
                code.ops.append(StoreOp(values.get(value, value), output, place))
        else:
            code.ops.append(scalar.clone(values))


def _place(
    map_: AffineMap, indices: Sequence[SSAValue], code: OpList
) -> list[SSAValue]:
    """The indices at which an operand is accessed."""
    return [code.index(evaluate(e, indices, code)) for e in map_.results]
