"""`loops_to_grid`: make a nest of parallel `scf.for` a grid. Not upstream's.

Before:
    %r = scf.for %i = %c0 to %c64 step %c32 iter_args(%t = %init) -> (tensor<64xf32>) {
      %x = tensor.extract_slice %a[%i] [32] [1] : ...
      %y = ... %x ...
      %n = tensor.insert_slice %y into %t[%i] [32] [1] : ...
      scf.yield %n : tensor<64xf32>
    }

After:
    %r = scf.forall (%p) in (2) shared_outs(%t = %init) -> (tensor<64xf32>) {
      %i = affine.apply affine_map<(d0) -> (d0 * 32)>(%p)
      ...
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %y into %t[%i] [32] [1] : ...
      }
    } {mapping = [#gpu.block<x>]}

Requires: a perfect nest of loops with constant bounds, at most three deep, whose
iterations each write a part of the carried tensor that no other one writes or reads.
Sequential loops inside stay as they are. A forall without a mapping only gets one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineExpr
from xdsl.irdl import irdl_op_definition, result_def
from xdsl.traits import is_side_effect_free

from tilewright.ir.dialects import affine, scf, tensor
from tilewright.ir.dialects.gpu import BlockMappingAttr, MappingId
from tilewright.ir.dialects.scf import ForallOp, InParallelOp
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp, slice_of
from tilewright.ir.indexing.constants import constant_int
from tilewright.transforms.cleanup.carried_values import yielded
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.extents import INDEX, Extent, OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp

_MOST_LOOPS = 3
"""A grid has the dimensions x, y and z."""


MOST_MAPPED = 10
"""Upstream has block<linear_dim_0> to block<linear_dim_9>."""


def block_mapping(rank: int) -> list[Attribute]:
    """The innermost loop to x, the next to y, the next to z; more are numbered."""
    order = [MappingId.X, MappingId.Y, MappingId.Z]
    if rank > _MOST_LOOPS:
        order = [MappingId(f"linear_dim_{loop}") for loop in range(rank)]
    return [BlockMappingAttr(order[rank - 1 - loop]) for loop in range(rank)]


@irdl_op_definition
class LoopsToGridOp(TargetOp):
    """Make a nest of parallel loops, or an unmapped forall, a grid."""

    name = "transform.tilewright.loops_to_grid"

    grid = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> ForallOp | Plan:
        """Find the nest and check that its iterations are independent."""
        if isinstance(op, ForallOp):
            if op.rank > _MOST_LOOPS:
                raise self.refuse(
                    f"{op.rank} loops cannot all be mapped",
                    op,
                    remedy="a grid has 3 dimensions: tile fewer loops",
                )
            return op
        if not isinstance(op, scf.ForOp):
            raise self.refuse(f"'{op.name}' is not a loop", op, "match scf.for")
        nest = [op]
        while (inner := _only_loop(nest[-1])) is not None:
            nest.append(inner)
        while nest:
            inserts = _inserts(nest[-1])
            if inserts is not None:
                break
            nest.pop()
        else:
            raise self.refuse(
                "its iterations do not hand back one slice of what they carry",
                op,
                "tile the parallel loops with 'onto', then the reduction",
            )
        if len(nest) > _MOST_LOOPS:
            raise self.refuse(
                f"{len(nest)} loops cannot all be mapped to blocks",
                op,
                remedy="a grid has 3 dimensions: coalesce loops, or leave some inside",
            )
        for loop in nest:
            _check_parallel(self, loop, inserts)
        for insert in inserts:
            _check_reads(self, nest[-1], insert)
        return Plan(tuple(nest), inserts)

    def rewrite(self, plan: ForallOp | Plan, rewriter: Rewriter) -> ForallOp:
        """Replace the nest by a grid; a forall only gets its mapping."""
        if isinstance(plan, ForallOp):
            plan.properties["mapping"] = ArrayAttr(block_mapping(plan.rank))
            rewriter.changed(plan)
            return plan
        outer, inner = plan.loops[0], plan.loops[-1]
        counts = [-(-_bounds(loop)[1] // _bounds(loop)[2]) for loop in plan.loops]
        outputs = list(outer.iter_args)
        block = Block(arg_types=[INDEX] * len(counts) + [o.type for o in outputs])
        indices, shared = block.args[: len(counts)], block.args[len(counts) :]
        head = OpList()
        for index, loop in zip(indices, plan.loops, strict=True):
            step = _bounds(loop)[2]
            offset = head.apply(AffineExpr.dimension(0) * step, [index])
            loop.body.block.args[0].replace_all_uses_with(offset)
        block.add_ops(head.ops)
        for loop in plan.loops:
            for arg, output in zip(loop.body.block.args[1:], shared, strict=True):
                arg.replace_all_uses_with(output)
            for op in list(loop.body.block.ops):
                if (
                    op in plan.loops
                    or isinstance(op, scf.YieldOp)
                    or op in plan.inserts
                ):
                    continue
                op.detach()
                block.add_op(op)
        tiles: list[Operation] = [
            ParallelInsertSliceOp(insert.source, output, *slice_of(insert))
            for insert, output in zip(plan.inserts, shared, strict=True)
        ]
        block.add_op(InParallelOp(Region(Block(tiles))))
        rank = len(counts)
        grid = ForallOp(
            [0] * rank,
            counts,
            [1] * rank,
            outputs,
            Region(block),
            ArrayAttr(block_mapping(rank)),
            inner.attributes.copy(),
        )
        grid.location = outer.location
        rewriter.insert_before(outer, grid)
        rewriter.replace(outer, grid.results, stands_for=grid)
        return grid


@dataclass(frozen=True)
class Plan:
    """The nest, outermost first, and the insertion into each output."""

    loops: tuple[scf.ForOp, ...]
    inserts: tuple[tensor.InsertSliceOp, ...]


def _only_loop(loop: scf.ForOp) -> scf.ForOp | None:
    """The only loop in `loop`, if there is nothing else but index arithmetic."""
    args = list(loop.body.block.args[1:])
    inner: scf.ForOp | None = None
    for op in loop.body.block.ops:
        if isinstance(op, scf.ForOp) and inner is None:
            inner = op
        elif op.regions or not (isinstance(op, scf.YieldOp) or is_side_effect_free(op)):
            return None
    if inner is None or list(inner.iter_args) != args:
        return None
    if any(use.operation is not inner for arg in args for use in arg.uses):
        return None  # another op in the loop reads the carried values
    return inner if list(yielded(loop)) == list(inner.results) else None


def _inserts(loop: scf.ForOp) -> tuple[tensor.InsertSliceOp, ...] | None:
    """The insertions that a body yields, one for each carried tensor."""
    found: list[tensor.InsertSliceOp] = []
    for arg, value in zip(loop.body.block.args[1:], yielded(loop), strict=True):
        insert = value.owner
        if not isinstance(insert, tensor.InsertSliceOp) or insert.dest is not arg:
            return None
        found.append(insert)
    return tuple(found) if found else None


def _bounds(loop: scf.ForOp) -> tuple[int, int, int]:
    bounds = [constant_int(value) for value in (loop.lb, loop.ub, loop.step)]
    lower, upper, step = bounds
    assert lower is not None and upper is not None and step is not None
    return lower, upper, step


def _check_parallel(
    user: TransformOp, loop: scf.ForOp, inserts: Sequence[tensor.InsertSliceOp]
) -> None:
    """Refuse iterations that may write to the same place."""
    bounds = [constant_int(value) for value in (loop.lb, loop.ub, loop.step)]
    if None in bounds or bounds[0] != 0:
        raise user.refuse(
            "a loop's bounds are not constants from 0",
            loop,
            remedy="tile with sizes that are known, from 0",
        )
    step = bounds[2]
    assert step is not None
    index = loop.body.block.args[0]
    for insert in inserts:
        offsets, sizes, strides = slice_of(insert)
        if any(constant_int(stride) != 1 for stride in strides) or not any(
            offset is index and _at_most(size, step)
            for offset, size in zip(offsets, sizes, strict=True)
        ):
            raise user.refuse(
                "two iterations may write the same elements", loop, "tile with 'onto'"
            )


def _at_most(size: Extent, limit: int) -> bool:
    number = constant_int(size)
    if number is not None:
        return number <= limit
    owner = size.owner if isinstance(size, SSAValue) else None
    return isinstance(owner, affine.MinOp) and any(
        isinstance(expr, AffineConstantExpr) and expr.value <= limit
        for expr in owner.map.data.results
    )


def _check_reads(
    user: TransformOp, loop: scf.ForOp, insert: tensor.InsertSliceOp
) -> None:
    """Refuse iterations that read what another one writes."""
    for use in insert.dest.uses:
        reader = use.operation
        if reader is insert or isinstance(reader, tensor.DimOp):
            continue
        own = isinstance(reader, tensor.ExtractSliceOp) and slice_of(
            reader
        ) == slice_of(insert)
        if not own:
            raise user.refuse(
                "an iteration reads what another one writes", reader, "tile with 'onto'"
            )
