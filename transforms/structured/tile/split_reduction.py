"""`split_reduction`: part of a reduction becomes a parallel loop, summed up after.

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
place in the partial results. With `inner_parallel` the reduction runs over the outer
part of the old loop. With `use_scaling_algorithm` the factor is the extent that remains
a reduction, and inputs are indexed by `d1 * 4 + d2` instead of being reshaped. With
`use_alloc` the partial results live in a `bufferization.alloc_tensor`.

Requires: one output on tensors, combined by one op with a neutral element; a factor
that divides the extent, which is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, result_def
from xdsl.utils.hints import isa

from tilewright.ir.dialects import affine, arith, tensor
from tilewright.ir.dialects.bufferization import AllocTensorOp
from tilewright.ir.dialects.linalg import (
    FillOp,
    GenericOp,
    IndexOp,
    IteratorTypeAttr,
    StructuredOp,
    iterators,
    maps_attribute,
)
from tilewright.ir.indexing.semi_affine import substitute
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.types import element_type, is_tensor, tensor_type
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.extents import Extent, OpList, dim_size
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.new_ops import empty, map_without, split_sizes
from tilewright.transforms.structured.tile.partial_results import Combiner, combiners


@irdl_op_definition
class SplitReductionOp(TargetOp):
    """Split a reduction; consumes the target.

    Returns the partial results' tensor, its fill, the split op and the combining op.
    """

    name = "transform.structured.split_reduction"

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
        """Check that the reduction of `op` can be split so, and plan it."""
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
        if not isinstance(op, StructuredOp):
            raise self.refuse(
                f"'{op.name}' is not a structured op", op, "match a linalg op"
            )
        loops = range(len(op.get_iterator_types().data))
        reductions = [loop for loop in loops if is_reduction(op, loop)]
        if not reductions:
            raise self.refuse(
                "the op has no reduction",
                op,
                remedy="split a loop that is not a reduction by tile or split",
            )
        if len(reductions) > 1 and not scaling:
            raise self.refuse(
                f"the op has {len(reductions)} reductions, which of them is not said",
                op,
                "use_scaling_algorithm splits the first one",
            )
        loop = reductions[0]
        extent = op.get_static_loop_ranges()[loop]
        if extent == DYNAMIC_INDEX:
            raise self.refuse(
                f"the extent of loop {loop} is known only at run time",
                op,
                "use tile_reduction_using_for",
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
                "pad first, or use tile_reduction_using_for",
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
            _expanded(plan, operand, map_, new) if plan.reshape else operand
            for operand, map_ in zip(op.inputs, op.maps, strict=False)
        ]
        destination = _destination(plan, new)
        neutral = plan.combiner.neutral
        assert isa(neutral, FloatAttr | IntegerAttr[IntegerType])
        fill = FillOp([new.add(arith.ConstantOp(neutral))], [destination])
        new.add(fill)
        split = _split(plan, inputs, fill.results[0], new)
        combining = _combining(plan, split.results[0])
        new.add(combining)
        for new_op in new.ops:
            new_op.location = op.location
        rewriter.insert_before(op, *new.ops)
        rewriter.replace(op, combining.results, stands_for=split)
        owner = destination.owner
        assert isinstance(owner, Operation)
        return [owner, fill, split, combining]


@dataclass(frozen=True)
class Plan:
    """A reduction, which loop of it is split, and where the new loop goes."""

    op: StructuredOp
    combiner: Combiner
    loop: int
    """The reduction that is split."""
    new_loop: int
    """The number of the new, parallel loop."""
    parallel: int
    """The extent of the new loop."""
    remaining: int
    """What is left of the reduction."""
    new_dim: int
    """The new loop's dimension in the partial results."""
    inner_parallel: bool
    reshape: bool
    """Whether inputs are reshaped, or indexed by sums."""
    alloc: bool

    def number(self, loop: int) -> int:
        """An old loop's new number."""
        return loop if loop < self.new_loop else loop + 1

    def moved(self) -> list[AffineExpr]:
        """What the indices of the old loops are, of those of the new ones."""
        loops = range(len(self.op.get_iterator_types().data))
        dims = [AffineExpr.dimension(self.number(loop)) for loop in loops]
        new, rest = AffineExpr.dimension(self.new_loop), dims[self.loop]
        dims[self.loop] = (
            rest * self.parallel + new
            if self.inner_parallel
            else new * self.remaining + rest
        )
        return dims


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
                    remedy="tile the reduction instead: tile_reduction_using_for",
                )


def _expanded(plan: Plan, operand: SSAValue, map_: AffineMap, new: OpList) -> SSAValue:
    """An input with the split loop's dimensions cut in two."""
    if plan.loop not in map_.used_dims():
        return operand
    parts = (
        [plan.remaining, plan.parallel]
        if plan.inner_parallel
        else [plan.parallel, plan.remaining]
    )
    shape: list[Extent] = []
    groups: list[list[int]] = []
    for dim, expr in enumerate(map_.results):
        cut = plan.loop in expr.used_dims()
        pieces = parts if cut else [dim_size(operand, dim, new)]
        groups.append(list(range(len(shape), len(shape) + len(pieces))))
        shape.extend(pieces)
    static, dynamic = split_sizes(shape)
    return new.add(
        tensor.ExpandShapeOp(
            operand,
            dynamic,
            ArrayAttr(
                [ArrayAttr([IntegerAttr(i, i64) for i in group]) for group in groups]
            ),
            static,
            TensorType(element_type(operand.type), static),
        )
    )


def _destination(plan: Plan, new: OpList) -> SSAValue:
    """Where the partial results go."""
    output = plan.op.outputs[0]
    rank = len(tensor_type(output).get_shape())
    shape = [dim_size(output, dim, new) for dim in range(rank)]
    shape.insert(plan.new_dim, plan.parallel)
    of = element_type(output.type)
    if not plan.alloc:
        return empty(shape, of, new)
    static, dynamic = split_sizes(shape)
    return new.add(
        AllocTensorOp.build(
            operands=[dynamic, None, None], result_types=[TensorType(of, static)]
        )
    )


def _split(
    plan: Plan, inputs: Sequence[SSAValue], output: SSAValue, new: OpList
) -> GenericOp:
    """The op with the new parallel loop."""
    op, moved = plan.op, plan.moved()
    loops = len(moved) + 1
    maps = [_map(plan, map_, loops) for map_ in op.maps[: len(op.inputs)]]
    body = op.body.clone()
    inputs = list(inputs)
    if not plan.reshape:
        # No input has a dimension that is indexed by either part alone: one that is
        # never read says how far they run.
        shape = (plan.parallel, plan.remaining)
        inputs.append(empty(shape, i1, new))
        both = (AffineExpr.dimension(plan.loop), AffineExpr.dimension(plan.loop + 1))
        maps.append(AffineMap(loops, 0, both))
        body.block.insert_arg(i1, len(op.inputs))
    dims = [AffineExpr.dimension(plan.number(loop)) for loop in range(len(moved))]
    results = [substitute(expr, dims) for expr in op.maps[-1].results]
    results.insert(plan.new_dim, AffineExpr.dimension(plan.new_loop))
    maps.append(AffineMap(loops, 0, tuple(results)))
    kinds = list(op.get_iterator_types())
    kinds.insert(plan.new_loop, IteratorTypeAttr.parallel())
    split = GenericOp(
        inputs, [output], body, maps_attribute(maps), kinds, [output.type]
    )
    _renumber(body, plan)
    new.add(split)
    return split


def _map(plan: Plan, map_: AffineMap, loops: int) -> AffineMap:
    """How the new loops reach an input, cut in two or indexed by sums."""
    moved = plan.moved()
    results: list[AffineExpr] = []
    for expr in map_.results:
        if plan.reshape and plan.loop in expr.used_dims():
            rest = AffineExpr.dimension(plan.number(plan.loop))
            pair = [AffineExpr.dimension(plan.new_loop), rest]
            results.extend(reversed(pair) if plan.inner_parallel else pair)
        else:
            results.append(substitute(expr, moved))
    return AffineMap(loops, 0, tuple(results))


def _renumber(body: Region, plan: Plan) -> None:
    """Let each `linalg.index` be computed from the new loops."""
    moved = plan.moved()
    for index in [o for o in body.walk() if isinstance(o, IndexOp)]:
        block = index.parent_block()
        assert block is not None
        expr = moved[index.dim.value.data]
        used = sorted(expr.used_dims())
        ops: list[Operation] = [IndexOp(dim) for dim in used]
        if len(used) > 1:
            dims = [
                AffineExpr.dimension(used.index(dim)) if dim in used else expr
                for dim in range(len(moved) + 1)
            ]
            map_ = AffineMap(len(used), 0, (substitute(expr, dims),))
            values = [op.results[0] for op in ops]
            ops.append(affine.ApplyOp(values, AffineMapAttr(map_)))
        for op in ops:
            op.location = index.location
            block.insert_op_before(op, index)
        index.result.replace_all_uses_with(ops[-1].results[0])
        block.erase_op(index)


def _combining(plan: Plan, partial: SSAValue) -> GenericOp:
    """Combine the partial results into the output."""
    rank = len(tensor_type(partial).get_shape())
    output = plan.op.outputs[0]
    maps = [map_without(rank), map_without(rank, plan.new_dim)]
    return GenericOp(
        [partial],
        [output],
        plan.combiner.body(),
        maps_attribute(maps),
        iterators(rank, (plan.new_dim,)),
        [output.type],
    )
