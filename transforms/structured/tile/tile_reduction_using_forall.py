"""`tile_reduction_using_forall`: reduce tiles in parallel, then the partial results.

Before:
    %r = linalg.matmul ins(%a, %b : tensor<8x64xf32>, tensor<64x8xf32>)
        outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>

After `tile_reduction_using_forall %r by num_threads = [0, 0, 4]`:
    %e = tensor.empty() : tensor<8x8x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : ...) -> tensor<8x8x4xf32>
    %p = scf.forall (%i) in (4) shared_outs(%acc = %f) -> (tensor<8x8x4xf32>) {
      %at = tensor.extract_slice %a[0, %k] [8, 16] [1, 1] : ...
      %bt = tensor.extract_slice %b[%k, 0] [16, 8] [1, 1] : ...
      %ct = tensor.extract_slice %acc[0, 0, %i] [8, 8, 1] [1, 1, 1] : ... to tensor<8x8xf32>
      %t = linalg.matmul ins(%at, %bt : ...) outs(%ct : ...) -> tensor<8x8xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %t into %acc[0, 0, %i] [8, 8, 1] [1, 1, 1] : ...
      }
    }
    %r = linalg.reduce { arith.addf } ins(%p : ...) outs(%o : ...) dimensions = [2]

This is split-K. With `tile_sizes` alone the loop counts elements, as upstream has it.

Requires: what tile_reduction_using_for requires.
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineBinaryOpKind, AffineExpr
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, var_result_def

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.scf import ForallOp, InParallelOp
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp
from tilewright.ir.errors import UserError
from tilewright.ir.indexing.semi_affine import binary
from tilewright.ir.text import place_of
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import (
    INDEX,
    Extent,
    OpList,
    ceil_div,
    evaluate,
    partial_size,
    product,
)
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.syntax import Integers
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.tile.one_tile import (
    extract_tile,
    loop_ranges,
    shift_indices,
)
from tilewright.transforms.structured.tile.partial_results import (
    filled,
    merge,
    partial_type,
)
from tilewright.transforms.structured.tile.tile_reduction_using_for import (
    Plan,
    analyze,
    check_handles,
    extents_of,
)
from tilewright.transforms.structured.tile.tile_using_forall import (
    may_pass_end,
)
from tilewright.transforms.structured.tile.tiling_checks import check_mapping


@irdl_op_definition
class TileReductionUsingForallOp(TargetOp):
    """Tile reductions to an `scf.forall`; consumes the target.

    Returns the fills, the tiled op, the ops that merge, and the loop.
    """

    name = "transform.structured.tile_reduction_using_forall"

    reduction_dims = prop_def(
        ArrayAttr[IntegerAttr], default_value=ArrayAttr[IntegerAttr]([])
    )
    num_threads = prop_def(
        DenseArrayBase.constr(i64), default_value=DenseArrayBase.from_list(i64, [])
    )
    tile_sizes = prop_def(
        DenseArrayBase.constr(i64), default_value=DenseArrayBase.from_list(i64, [])
    )
    mapping = opt_prop_def(ArrayAttr)
    res = var_result_def(TransformOpHandleType)

    custom_directives = (Integers,)
    assembly_format = (
        "$target (`reduction_dims` `=` custom<Integers>($reduction_dims)^)? `by` "
        "(`num_threads` `=` $num_threads^)? (`tile_sizes` `=` $tile_sizes^)? "
        "(`mapping` `=` $mapping^)? attr-dict `:` "
        "functional-type(operands, results)"
    )

    @property
    def counts_tiles(self) -> bool:
        """Whether the number of tiles is given, and not their size."""
        return len(self.num_threads) > 0

    def plans(self, state: TransformState) -> Sequence[Plan]:
        """One plan for each target, if handles and mapping fit."""
        if self.counts_tiles and len(self.tile_sizes):
            state.run.warnings.append(
                UserError(
                    f"{self.title()}: tile_sizes change nothing beside num_threads",
                    place_of(self),
                )
            )
        plans = super().plans(state)
        check_handles(self, plans, len(self.res))
        if self.mapping is not None:
            for plan in plans:
                check_mapping(self, plan.op, self.mapping, len(plan.dims))
        return plans

    def analyze(self, op: Operation) -> Plan:
        """Check that the reductions of `op` can be split."""
        given = self.num_threads if self.counts_tiles else self.tile_sizes
        sizes = [int(size) for size in given.get_values()]
        dims = [dim.value.data for dim in self.reduction_dims]
        return analyze(self, op, sizes, dims)

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> Sequence[Operation]:
        """Tile one op; the fills, the tiled op, the merges and the forall."""
        return rewrite(plan, self.mapping, rewriter, counts_tiles=self.counts_tiles)


def rewrite(
    plan: Plan,
    mapping: ArrayAttr[Attribute] | None,
    rewriter: Rewriter,
    *,
    counts_tiles: bool,
) -> list[Operation]:
    """Replace the op by fills, a forall over tiles, and merges; all in order."""
    op = plan.op
    before = OpList()
    ranges = loop_ranges(op, before)
    counts: list[Extent] = []
    steps: list[Extent] = []
    for dim in plan.dims:
        given = plan.tile_sizes[dim]
        other = ceil_div(ranges[dim], given, before)
        counts.append(given if counts_tiles else other)
        steps.append(other if counts_tiles else given)
    outer_maps = op.maps[len(op.inputs) :]
    fills = [
        filled(
            [*extents_of(map_, ranges), *counts],
            combiner.neutral,
            partial_type(output),
            before,
        )
        for map_, combiner, output in zip(
            outer_maps, plan.combiners, op.outputs, strict=True
        )
    ]
    starts = [fill.results[0] for fill in fills]
    block = Block(arg_types=[INDEX] * len(counts) + [value.type for value in starts])
    indices, shared = block.args[: len(counts)], block.args[len(counts) :]
    body = OpList()
    offsets: list[Extent] = [0] * len(ranges)
    sizes: list[Extent] = list(ranges)
    places: list[Extent] = []
    for index, dim, count, step in zip(indices, plan.dims, counts, steps, strict=True):
        passes = counts_tiles and may_pass_end(ranges[dim], step, count)
        sizes[dim] = partial_size(
            index,
            ranges[dim],
            step,
            body,
            counts_tiles=counts_tiles,
            may_pass_end=passes,
        )
        offsets[dim] = product(index, step, body) if counts_tiles else index
        places.append(index if counts_tiles else _tile_number(index, step, body))
    inputs = [
        extract_tile(operand, map_, offsets, sizes, body)
        for operand, map_ in zip(op.inputs, op.maps, strict=False)
    ]
    outputs: list[SSAValue] = []
    parts: list[tuple[list[Extent], list[Extent], list[Extent]]] = []
    for value, map_, output in zip(shared, outer_maps, op.outputs, strict=True):
        extents = extents_of(map_, ranges)
        ones: list[Extent] = [1] * len(places)
        zeros: list[Extent] = [0] * len(extents)
        strides: list[Extent] = [1] * (len(extents) + len(places))
        part = ([*zeros, *places], [*extents, *ones], strides)
        outputs.append(body.add(tensor.ExtractSliceOp(value, *part, output.type)))
        parts.append(part)
    tiled = type(op).create(
        operands=[*inputs, *outputs],
        result_types=[output.type for output in outputs],
        properties=op.properties.copy(),
        attributes=op.attributes.copy(),
        regions=[op.body.clone()],
        location=op.location,
    )
    shift_indices(tiled, offsets)
    body.ops.append(tiled)
    inserts: list[Operation] = [
        ParallelInsertSliceOp(result, value, *part)
        for result, value, part in zip(tiled.results, shared, parts, strict=True)
    ]
    block.add_ops(body.ops)
    block.add_op(InParallelOp(Region(Block(inserts))))
    ends = counts if counts_tiles else [ranges[dim] for dim in plan.dims]
    forall = ForallOp(
        [0] * len(counts),
        ends,
        [1] * len(counts) if counts_tiles else steps,
        starts,
        Region(block),
        mapping,
    )
    forall.location = plan.made_by
    after = OpList()
    merges = [
        merge(result, output, combiner, after)
        for result, output, combiner in zip(
            forall.results, op.outputs, plan.combiners, strict=True
        )
    ]
    rewriter.insert_before(op, *before.ops, forall, *after.ops)
    rewriter.replace(op, [m.results[0] for m in merges], stands_for=tiled)
    return [*fills, tiled, *merges, forall]


def _tile_number(index: Extent, step: Extent, new_ops: OpList) -> Extent:
    """The number of the tile at `index`, if the loop counts elements."""
    quotient = binary(
        AffineBinaryOpKind.FloorDiv, AffineExpr.symbol(0), AffineExpr.symbol(1)
    )
    return evaluate(quotient, [], new_ops, [index, step])
