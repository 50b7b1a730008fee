"""`tile_reduction_using_for`: reduce tile by tile into a tile of partial results.

Before:
    %r = linalg.generic {... ["parallel", "reduction"]}
        ins(%x : tensor<40x20xf32>) outs(%o : tensor<40xf32>) { sum } -> tensor<40xf32>

After `tile_reduction_using_for %r by tile_sizes = [0, 5]`:
    %e = tensor.empty() : tensor<40x5xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x5xf32>) -> tensor<40x5xf32>
    %p = scf.for %k = %c0 to %c20 step %c5 iter_args(%acc = %f) -> (tensor<40x5xf32>) {
      %xt = tensor.extract_slice %x[0, %k] [40, 5] [1, 1] : ...
      %t = linalg.generic {... ["parallel", "parallel"]}
          ins(%xt : ...) outs(%acc : tensor<40x5xf32>) { sum } -> tensor<40x5xf32>
      scf.yield %t : tensor<40x5xf32>
    }
    %r = linalg.reduce { arith.addf } ins(%p : tensor<40x5xf32>)
        outs(%o : tensor<40xf32>) dimensions = [1]

Requires: outputs combined by one op with a neutral element; tile sizes for reductions
only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, LocationAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.irdl import irdl_op_definition, prop_def, var_result_def

from tilewright.ir.dialects import scf
from tilewright.ir.dialects.linalg import (
    GenericOp,
    IteratorTypeAttr,
    StructuredOp,
    maps_attribute,
)
from tilewright.ir.dialects.tensor import InsertSliceOp
from tilewright.ir.structured.loops import is_reduction
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.extents import Extent, OpList, partial_size
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.syntax import Integers
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.targets import structured_op
from tilewright.transforms.structured.tile.loop_nest import build_loop_nest
from tilewright.transforms.structured.tile.one_tile import (
    extract_tile,
    loop_ranges,
    operand_slice,
    shift_indices,
)
from tilewright.transforms.structured.tile.partial_results import (
    Combiner,
    combiners,
    filled,
    merge,
    partial_type,
)
from tilewright.transforms.structured.tile.tiling_checks import check_tiling


@irdl_op_definition
class TileReductionUsingForOp(TargetOp):
    """Tile reductions to `scf.for`; consumes the target.

    Returns the fills, the tiled op, the ops that merge, and the outermost loop.
    """

    name = "transform.structured.tile_reduction_using_for"
    FORM: ClassVar[str] = "tile_reduction <target:handle> by <tile_sizes:numbers>"
    SUMMARY: ClassVar[str] = "compute a reduction in parts, then combine the parts"

    reduction_dims = prop_def(
        ArrayAttr[IntegerAttr], default_value=ArrayAttr[IntegerAttr]([])
    )
    tile_sizes = prop_def(
        ArrayAttr[IntegerAttr], default_value=ArrayAttr[IntegerAttr]([])
    )
    res = var_result_def(TransformOpHandleType)

    custom_directives = (Integers,)
    assembly_format = (
        "$target (`reduction_dims` `=` custom<Integers>($reduction_dims)^)? "
        "`by` `tile_sizes` `=` custom<Integers>($tile_sizes) attr-dict `:` "
        "functional-type(operands, results)"
    )

    def plans(self, state: TransformState) -> Sequence[Plan]:
        """One plan for each target, if there is a handle for each new op."""
        plans = super().plans(state)
        check_handles(self, plans, len(self.res))
        return plans

    def analyze(self, op: Operation) -> Plan:
        """Check that the reductions of `op` can be split."""
        dims = [dim.value.data for dim in self.reduction_dims]
        sizes = [size.value.data for size in self.tile_sizes]
        return analyze(self, op, sizes, dims)

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> Sequence[Operation]:
        """Tile one op; the fills, the tiled op, the merges and the outermost loop."""
        return rewrite(plan, rewriter)


@dataclass(frozen=True)
class Plan:
    """A structured op, which loops are split, and how their parts are combined."""

    op: StructuredOp
    tile_sizes: tuple[Extent, ...]
    dims: tuple[int, ...]
    combiners: tuple[Combiner, ...]
    made_by: LocationAttr


def analyze(
    user: TransformOp, op: Operation, sizes: Sequence[int], dims: Sequence[int]
) -> Plan:
    """Check that the reductions of `op` can be tiled, and plan it."""
    _, full = check_tiling(user, op, sizes)
    structured = structured_op(user, op)
    if not op.results:
        raise user.refuse(
            "partial results of an op on buffers have no place",
            op,
            "split the reduction before bufferizing",
        )
    reductions = [
        loop
        for loop in range(len(full))
        if is_reduction(structured, loop)
        and (loop in dims if dims else full[loop] != 0)
    ]
    if any(not is_reduction(structured, dim) for dim in dims if dim < len(full)) or any(
        dim >= len(full) for dim in dims
    ):
        raise user.refuse(
            f"reduction_dims {list(dims)} are not all reductions",
            op,
            remedy="name loops whose iterator is 'reduction'",
        )
    if not reductions:
        remedy = user.worded(mlir="use tile_using_for", tw="use 'tile'")
        raise user.refuse("no reduction has a tile size", op, remedy)
    for loop, size in enumerate(full):
        if size != 0 and loop not in reductions:
            raise user.refuse(
                f"loop {loop} is no reduction to be split and has tile size {size}",
                op,
                "give it size 0, and tile it before",
            )
        if size == 0 and loop in reductions:
            raise user.refuse(
                f"loop {loop} is a reduction to be split and has tile size 0",
                op,
                "give it a size, or leave it out of reduction_dims",
            )
    for map_ in structured.maps[len(structured.inputs) :]:
        if not all(isinstance(expr, AffineDimExpr) for expr in map_.results):
            raise user.refuse(
                "an output is not indexed by plain loops",
                op,
                remedy="generalize, and give the output a plain map",
            )
    return Plan(
        structured,
        tuple(full),
        tuple(reductions),
        tuple(combiners(user, structured)),
        user.location_for(op),
    )


def check_handles(user: TransformOp, plans: Sequence[Plan], handles: int) -> None:
    """Check that there is a handle for each new op."""
    for plan in plans:
        expected = 2 * len(plan.op.outputs) + 2
        if handles != expected:
            raise user.broken(
                f"{expected} results are made (fills, tiled op, merges, loop), but "
                f"{handles} are bound",
                plan.op,
            )


def rewrite(plan: Plan, rewriter: Rewriter) -> list[Operation]:
    """Replace the op by fills, loops over tiles, and merges; all of them in order."""
    op = plan.op
    before = OpList()
    ranges = loop_ranges(op, before)
    tile_sizes = [plan.tile_sizes[dim] for dim in plan.dims]
    outer_maps = op.maps[len(op.inputs) :]
    partial_maps = [with_dims(map_, plan.dims) for map_ in outer_maps]
    fills = [
        filled(
            [*extents_of(map_, ranges), *tile_sizes],
            combiner.neutral,
            partial_type(output),
            before,
        )
        for map_, combiner, output in zip(
            outer_maps, plan.combiners, op.outputs, strict=True
        )
    ]
    rewriter.insert_before(op, *before.ops)
    nest = build_loop_nest(
        op,
        plan.dims,
        ranges,
        plan.tile_sizes,
        [fill.results[0] for fill in fills],
        plan.made_by,
        rewriter,
    )
    offsets: list[Extent] = [nest.indices.get(dim, 0) for dim in range(len(ranges))]
    carried = nest.carried
    body = OpList()
    sizes = list(ranges)
    for dim in plan.dims:
        sizes[dim] = partial_size(offsets[dim], ranges[dim], plan.tile_sizes[dim], body)
    inputs = [
        extract_tile(operand, map_, offsets, sizes, body)
        for operand, map_ in zip(op.inputs, op.maps, strict=False)
    ]
    nowhere: list[Extent] = [0] * len(ranges)
    outputs = [
        extract_tile(value, map_, nowhere, sizes, body)
        for value, map_ in zip(carried, partial_maps, strict=True)
    ]
    tiled = _tile(op, inputs, outputs, partial_maps, plan.dims)
    shift_indices(tiled, offsets)
    body.ops.append(tiled)
    inserted: list[SSAValue] = []
    for result, value, map_ in zip(tiled.results, carried, partial_maps, strict=True):
        part = operand_slice(value, map_, nowhere, sizes, body)
        inserted.append(body.add(InsertSliceOp(result, value, *part)))
    rewriter.insert_at_end(nest.body, *body.ops, scf.YieldOp(*inserted))
    after = OpList()
    merges = [
        merge(result, output, combiner, after)
        for result, output, combiner in zip(
            nest.loops[0].results, op.outputs, plan.combiners, strict=True
        )
    ]
    rewriter.insert_before(op, *after.ops)
    rewriter.replace(op, [m.results[0] for m in merges], stands_for=tiled)
    return [*fills, tiled, *merges, nest.loops[0]]


def with_dims(map_: AffineMap, dims: Sequence[int]) -> AffineMap:
    """An output's map with the split loops behind its own."""
    more = tuple(AffineExpr.dimension(dim) for dim in dims)
    return AffineMap(map_.num_dims, 0, (*map_.results, *more))


def extents_of(map_: AffineMap, ranges: Sequence[Extent]) -> list[Extent]:
    """An output's shape, from the extents of the loops it is indexed by."""
    return [ranges[e.position] for e in map_.results if isinstance(e, AffineDimExpr)]


def _tile(
    op: StructuredOp,
    inputs: Sequence[SSAValue],
    outputs: Sequence[SSAValue],
    partial_maps: Sequence[AffineMap],
    dims: Sequence[int],
) -> GenericOp:
    """The op on one tile; split loops become parallel, with a partial sum each."""
    maps = [*op.maps[: len(op.inputs)], *partial_maps]
    iterators = [
        IteratorTypeAttr.parallel() if loop in dims else entry
        for loop, entry in enumerate(op.get_iterator_types())
    ]
    tiled = GenericOp(
        inputs,
        outputs,
        op.body.clone(),
        maps_attribute(maps),
        iterators,
        [output.type for output in outputs],
    )
    tiled.location = op.location
    # As upstream, names without a dialect are dropped; launch attributes stay.
    kept = {name: value for name, value in op.attributes.items() if "." in name}
    tiled.attributes |= kept
    return tiled
