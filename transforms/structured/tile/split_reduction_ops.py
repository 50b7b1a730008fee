"""The plan of `split_reduction`, and the ops that carry it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    IntegerAttr,
    TensorType,
    i1,
    i64,
)
from xdsl.ir import Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from tilewright.ir.dialects import affine, tensor
from tilewright.ir.dialects.bufferization import AllocTensorOp
from tilewright.ir.dialects.linalg import (
    GenericOp,
    IndexOp,
    IteratorTypeAttr,
    StructuredOp,
    iterators,
    maps_attribute,
)
from tilewright.ir.indexing.semi_affine import substitute
from tilewright.ir.types import element_type, tensor_type
from tilewright.transforms.core.extents import Extent, OpList, dim_size
from tilewright.transforms.structured.new_ops import empty, map_without, split_sizes
from tilewright.transforms.structured.tile.partial_results import Combiner


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
    """The extent of the remaining reduction."""
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
        """The indices of the old loops in terms of the new ones."""
        loops = range(len(self.op.get_iterator_types().data))
        dims = [AffineExpr.dimension(self.number(loop)) for loop in loops]
        new, rest = AffineExpr.dimension(self.new_loop), dims[self.loop]
        dims[self.loop] = (
            rest * self.parallel + new
            if self.inner_parallel
            else new * self.remaining + rest
        )
        return dims


def expanded_input(
    plan: Plan, operand: SSAValue, map_: AffineMap, new: OpList
) -> SSAValue:
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


def partial_destination(plan: Plan, new: OpList) -> SSAValue:
    """The tensor for the partial results."""
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


def split_op(
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
    """The map from the new loops to an input, which is reshaped or indexed by sums."""
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
    """Compute each `linalg.index` from the new loops."""
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


def combining_op(plan: Plan, partial: SSAValue) -> GenericOp:
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
