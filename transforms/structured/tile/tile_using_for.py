"""`tile_using_for`: cut an op into tiles that run in sequence.

Before:
    %r = linalg.matmul ins(%a, %b : ...) outs(%c : tensor<32x32xf32>) -> ...

After `tile_using_for %mm tile_sizes [0, 0, 16]`:
    %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%acc = %c) -> (...) {
      %at = tensor.extract_slice %a[0, %k] [32, 16] [1, 1] : ...
      %bt = tensor.extract_slice %b[%k, 0] [16, 32] [1, 1] : ...
      %t = linalg.matmul ins(%at, %bt : ...) outs(%acc : ...) -> tensor<32x32xf32>
      %i = tensor.insert_slice %t into %acc[0, 0] [32, 32] [1, 1] : ...
      scf.yield %i : tensor<32x32xf32>
    }

Requires: an op with tiles (`interface/table.py`). Size 0 leaves a loop alone; a tile
that does not divide, or whose loop's extent is only known at run time, becomes partial.
On buffers the tiles are views, and the loops carry nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, LocationAttr, i1, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)

from tilewright.ir.dialects import scf
from tilewright.ir.dialects.tensor import InsertSliceOp
from tilewright.ir.errors import UserError
from tilewright.transforms.core.base import (
    AnyOpType,
    TransformOp,
    TransformOpHandleType,
)
from tilewright.transforms.core.extents import Extent, OpList, partial_size
from tilewright.transforms.core.foreseen import LOOP, Foreseen, KnownBefore
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.sizes import (
    sizes_for,
)
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.syntax import ScalableSizes
from tilewright.transforms.core.target_op import PlannedOp
from tilewright.transforms.structured.tile.interface.tiling import (
    Part,
    Tiled,
    Tiling,
)
from tilewright.transforms.structured.tile.loop_nest import build_loop_nest
from tilewright.transforms.structured.tile.tiling_checks import (
    check_tiling,
    numbers_of,
    wrong_loops,
    wrong_sizes,
)


@irdl_op_definition
class TileUsingForOp(PlannedOp):
    """Tile to nested `scf.for`; consumes the target, returns the tiled op and loops."""

    name = "transform.structured.tile_using_for"

    target = operand_def(TransformOpHandleType)
    dynamic_sizes = var_operand_def()
    static_sizes = prop_def(DenseArrayBase.constr(i64))
    scalable_sizes = opt_prop_def(DenseArrayBase.constr(i1))
    interchange = prop_def(
        DenseArrayBase.constr(i64), default_value=DenseArrayBase.from_list(i64, [])
    )
    tiled_op = result_def(TransformOpHandleType)
    loops = var_result_def(TransformOpHandleType)

    custom_directives = (ScalableSizes,)
    assembly_format = (
        "$target `tile_sizes` custom<ScalableSizes>($dynamic_sizes, $static_sizes, "
        "$scalable_sizes) (`interchange` `=` $interchange^)? attr-dict `:` "
        "functional-type(operands, results)"
    )

    def __init__(
        self,
        target: SSAValue,
        tile_sizes: Sequence[SSAValue | int],
        interchange: Sequence[int] = (),
    ):
        static = [s if isinstance(s, int) else DYNAMIC_INDEX for s in tile_sizes]
        loops = sum(1 for size in static if size != 0)
        super().__init__(
            operands=[target, [s for s in tile_sizes if isinstance(s, SSAValue)]],
            result_types=[AnyOpType(), [AnyOpType()] * loops],
            properties={
                "static_sizes": DenseArrayBase.from_list(i64, static),
                "interchange": DenseArrayBase.from_list(i64, list(interchange)),
            },
        )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The target is gone; the results stand for it."""
        return (self.target,)

    def foresee(self, results: Foreseen) -> None:
        """A tile of the target in the loops."""
        results.tiled(self.tiled_op, self.loops, LOOP)

    def mistakes(self, known: KnownBefore) -> Iterator[UserError]:
        """Too many sizes, or another number of loops than handles."""
        sizes = numbers_of(self.static_sizes)
        yield from wrong_sizes(self, self.target, sizes, known)
        yield from wrong_loops(self, sizes, len(self.loops))

    def plans(self, state: TransformState) -> Sequence[Plan]:
        """One plan for each op that the target points at."""
        if self.scalable_sizes is not None and any(self.scalable_sizes.get_values()):
            raise self.broken("scalable tile sizes are not supported")
        targets = state.payload_ops(self.target)
        sizes = sizes_for(self, state, self.static_sizes, self.dynamic_sizes, targets)
        order = tuple(int(i) for i in self.interchange.get_values())
        return [
            analyze(self, op, its_sizes, order, len(self.loops), state)
            for op, its_sizes in zip(targets, sizes, strict=True)
        ]

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> Sequence[Operation]:
        """Tile one op; the tiled op, then the loops."""
        tiled, loops = rewrite(plan, rewriter)
        return (tiled.op, *loops)


@dataclass(frozen=True)
class Plan:
    """An op, the tile size of each loop, and the order of the new loops."""

    tiling: Tiling
    tile_sizes: tuple[Extent, ...]
    order: tuple[int, ...]
    made_by: LocationAttr
    """The line of the schedule that asked for the loops."""


def analyze(
    user: TransformOp,
    op: Operation,
    sizes: Sequence[Extent],
    order: Sequence[int],
    handles: int,
    state: TransformState | None = None,
) -> Plan:
    """Check that `op` can be tiled, with this many loop handles, and plan it."""
    tiling, full = check_tiling(user, op, sizes, state)
    tiled = interchanged(user, op, full, order)
    if handles != len(tiled):
        raise user.broken(
            f"{len(tiled)} loops are made, but {handles} loop handles are bound"
        )
    return Plan(tiling, tuple(full), tuple(tiled), user.location_for(op))


def interchanged(
    user: TransformOp, op: Operation, sizes: Sequence[Extent], order: Sequence[int]
) -> list[int]:
    """The loops with a tile size, in the order that an interchange gives them."""
    if sorted(order) != list(range(len(order))):
        raise user.broken(f"interchange {list(order)} is not a permutation", op)
    if len(order) > len(sizes):
        raise user.refuse(
            f"interchange names {len(order)} loops of an op with {len(sizes)}",
            op,
            remedy="name at most as many as there are loops",
        )
    # Loops that the interchange does not name come after those it names.
    loops = (*order, *range(len(order), len(sizes)))
    return [loop for loop in loops if sizes[loop] != 0]


def rewrite(plan: Plan, rewriter: Rewriter) -> tuple[Tiled, list[scf.ForOp]]:
    """Replace the op by a loop nest over its tiles; the tile and the loops."""
    tiling, op = plan.tiling, plan.tiling.op
    if not plan.order:
        return Tiled.by(op), []
    new_ops = OpList()
    ranges = tiling.ranges(new_ops)
    starts = tiling.destinations(new_ops)
    rewriter.insert_before(op, *new_ops.ops)
    nest = build_loop_nest(
        op, plan.order, ranges, plan.tile_sizes, starts, plan.made_by, rewriter
    )
    offsets: list[Extent] = [nest.indices.get(loop, 0) for loop in range(len(ranges))]
    sizes: list[Extent] = list(ranges)
    carried = nest.carried
    body = OpList()
    for loop in plan.order:
        sizes[loop] = partial_size(
            offsets[loop], ranges[loop], plan.tile_sizes[loop], body
        )
    tile = Part(offsets, sizes)
    tiled = tiling.tile(tile, carried, body)
    inserted: list[SSAValue] = []
    for index, (value, out) in enumerate(zip(tiled.values, carried, strict=True)):
        part = tiling.part_of_result(index, tile, body)
        inserted.append(body.add(InsertSliceOp(value, out, *part.slice)))
    rewriter.insert_at_end(nest.body, *body.ops, scf.YieldOp(*inserted))
    rewriter.keep_extents(op)
    rewriter.replace(op, nest.loops[0].results, stands_for=tiled.op)
    return tiled, list(nest.loops)
