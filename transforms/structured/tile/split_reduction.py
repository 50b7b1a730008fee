"""`split_reduction`: make part of a reduction a parallel loop.

Before:
    %r = linalg.generic {... ["parallel", "reduction"]}
        ins(%x : tensor<6x32xf32>) outs(%o : tensor<6xf32>) { sum } -> tensor<6xf32>

After `split_reduction %r {split_factor = 4, insert_split_dimension = 1}`:
    %y = tensor.expand_shape %x [[0], [1, 2]] output_shape [6, 4, 8] : ...
    %e = tensor.empty() : tensor<6x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x4xf32>) -> tensor<6x4xf32>
    %p = linalg.generic {... ["parallel", "parallel", "reduction"]}
        ins(%y : tensor<6x4x8xf32>) outs(%f : tensor<6x4xf32>) { sum } -> ...
    %r = linalg.generic {... ["parallel", "reduction"]}
        ins(%p : tensor<6x4xf32>) outs(%o : tensor<6xf32>) { sum } -> tensor<6xf32>

`split_factor` is the extent of the new parallel loop, and `insert_split_dimension` its
place in the partial results. Of several reductions, the first is split. With
`inner_parallel` the reduction runs over the outer part of the old loop. With
`use_scaling_algorithm` the factor is the extent that remains a reduction, and inputs
are indexed by `d1 * 4 + d2` instead of being reshaped. With `use_alloc` the partial
results live in a `bufferization.alloc_tensor`.

Requires: one output on tensors, combined by one op with a neutral element; a factor
that divides the extent, which is known.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    UnitAttr,
    i64,
)
from xdsl.ir import Operation
from xdsl.ir.affine import AffineDimExpr
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, result_def
from xdsl.utils.hints import isa

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import FillOp, StructuredOp
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.types import is_tensor, tensor_type
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.targets import structured_op
from tilewright.transforms.structured.tile.partial_results import combiners
from tilewright.transforms.structured.tile.split_reduction_ops import (
    Plan,
    combining_op,
    expanded_input,
    partial_destination,
    split_op,
)


@irdl_op_definition
class SplitReductionOp(TargetOp):
    """Split a reduction; consumes the target.

    Returns the partial results' tensor, its fill, the split op and the combining op.
    """

    name = "transform.structured.split_reduction"
    FORM: ClassVar[str] = (
        "split_reduction <target:handle> by <split_factor:any> [at "
        "<insert_split_dimension:any>]"
    )
    SUMMARY: ClassVar[str] = "make part of a reduction a parallel loop"

    split_factor = prop_def(IntegerAttr[i64], default_value=IntegerAttr(0, i64))
    insert_split_dimension = prop_def(
        IntegerAttr[i64], default_value=IntegerAttr(0, i64)
    )
    inner_parallel = opt_prop_def(UnitAttr)
    use_scaling_algorithm = opt_prop_def(UnitAttr)
    use_alloc = opt_prop_def(UnitAttr)
    init_or_alloc_op = result_def(TransformOpHandleType)
    fill_op = result_def(TransformOpHandleType)
    split_linalg_op = result_def(TransformOpHandleType)
    combining_linalg_op = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> Plan:
        """Check that the reduction of `op` can be split, and plan it."""
        factor = self.split_factor.value.data
        new_dim = self.insert_split_dimension.value.data
        inner, scaling = self.inner_parallel, self.use_scaling_algorithm
        if factor <= 1:
            raise self.refuse(
                f"split_factor {factor} splits nothing", op, "give 2 or more"
            )
        if inner and scaling:
            raise self.refuse(
                "inner_parallel and use_scaling_algorithm exclude each other",
                remedy="leave one of them away",
            )
        op = structured_op(self, op)
        loops = range(len(op.get_iterator_types().data))
        reductions = [loop for loop in loops if is_reduction(op, loop)]
        if not reductions:
            raise self.refuse(
                "the op has no reduction",
                op,
                remedy="split a loop that is not a reduction by tile or split",
            )
        loop = reductions[0]
        extent = op.get_static_loop_ranges()[loop]
        if extent == DYNAMIC_INDEX:
            raise self.refuse(
                f"the extent of loop {loop} is known only at run time",
                op,
                self.worded(
                    mlir="use tile_reduction_using_for", tw="use 'tile_reduction'"
                ),
            )
        if extent == 0:
            raise self.refuse(
                f"loop {loop} has no iterations: there is nothing to split",
                op,
                "leave this op out",
            )
        if extent % factor:
            raise self.refuse(
                f"split_factor {factor} does not divide the extent {extent} of loop "
                f"{loop}",
                op,
                "pad first, or use "
                + self.worded(mlir="tile_reduction_using_for", tw="'tile_reduction'"),
            )
        _check_operands(self, op, loop, new_dim)
        (combiner,) = combiners(self, op)
        remaining = factor if scaling else extent // factor
        new_loop = loop if scaling else loop + 1 if inner else new_dim
        plan = Plan(
            op,
            combiner,
            loop,
            new_loop,
            extent // remaining,
            remaining,
            new_dim,
            bool(inner),
            not scaling,
            bool(self.use_alloc),
        )
        if plan.reshape:
            _check_reshapes(self, plan)
        return plan

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> list[Operation]:
        """Replace the op: new tensor, its fill, the split op and the combining op."""
        op, new = plan.op, OpList()
        inputs = [
            expanded_input(plan, operand, map_, new) if plan.reshape else operand
            for operand, map_ in zip(op.inputs, op.maps, strict=False)
        ]
        destination = partial_destination(plan, new)
        neutral = plan.combiner.neutral
        assert isa(neutral, FloatAttr | IntegerAttr[IntegerType])
        fill = FillOp([new.add(arith.ConstantOp(neutral))], [destination])
        new.add(fill)
        split = split_op(plan, inputs, fill.results[0], new)
        combining = combining_op(plan, split.results[0])
        new.add(combining)
        for new_op in new.ops:
            new_op.location = op.location
        rewriter.insert_before(op, *new.ops)
        rewriter.replace(op, combining.results, stands_for=split)
        owner = destination.owner
        assert isinstance(owner, Operation)
        return [owner, fill, split, combining]


def _check_operands(
    user: TransformOp, op: StructuredOp, loop: int, new_dim: int
) -> None:
    if not all(is_tensor(output.type) for output in op.outputs):
        raise user.refuse("the op works on buffers", op, "split, then bufferize")
    if len(op.outputs) != 1:
        raise user.refuse(
            f"the op has {len(op.outputs)} outputs, not one",
            op,
            remedy="split ops with one output",
        )
    output = op.maps[-1]
    if not all(isinstance(expr, AffineDimExpr) for expr in output.results):
        raise user.refuse(
            "the output is not indexed by plain loops",
            op,
            remedy="generalize, and give the output a plain map",
        )
    if loop in output.used_dims():
        raise user.refuse(
            f"the output keeps loop {loop}, which is a reduction",
            op,
            remedy="the op is not a plain reduction; tile it instead",
        )
    if not 0 <= new_dim <= len(output.results):
        raise user.refuse(
            f"insert_split_dimension {new_dim} is no place among the "
            f"{len(output.results)} dimensions of the output",
            op,
            remedy="count from 0 to the rank of the output",
        )


def _check_reshapes(user: TransformOp, plan: Plan) -> None:
    op = plan.op
    for index, (operand, map_) in enumerate(zip(op.inputs, op.maps, strict=False)):
        for dim, expr in enumerate(map_.results):
            if plan.loop not in expr.used_dims():
                continue
            if not isinstance(expr, AffineDimExpr):
                raise user.refuse(
                    f"input {index} is not indexed by loop {plan.loop} alone",
                    op,
                    "use_scaling_algorithm",
                )
            if tensor_type(operand).get_shape()[dim] == DYNAMIC_INDEX:
                raise user.refuse(
                    f"dimension {dim} of input {index} is known only at run time",
                    op,
                    remedy="tile the reduction instead: "
                    + user.worded(
                        mlir="tile_reduction_using_for", tw="'tile_reduction'"
                    ),
                )
