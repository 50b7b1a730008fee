"""`structured.fuse`: tile an op and fuse its producers into the loops.

Before:
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %r = linalg.add ins(%f, %b : ...) outs(%o : tensor<64xf32>) -> tensor<64xf32>

After `fuse %add tile_sizes [32]`:
    %r = scf.for %i = %c0 to %c64 step %c32 iter_args(%acc = %o) -> (...) {
      %et = tensor.extract_slice %e[%i] [32] [1] : ...
      %ft = linalg.fill ins(%z : f32) outs(%et : tensor<32xf32>) -> tensor<32xf32>
      %bt = tensor.extract_slice %b[%i] [32] [1] : ...
      %ot = tensor.extract_slice %acc[%i] [32] [1] : ...
      %t = linalg.add ins(%ft, %bt : ...) outs(%ot : ...) -> tensor<32xf32>
      ...

With `use_forall` the loops are one `scf.forall`. With `apply_cleanup` slices are merged
with the slices and casts behind them before each step, so it reaches producers there;
the loops stay, even those that run once.

Where a reduction is tiled, what fills the accumulator stays in front of the loops.
Upstream fuses it too, and so starts the sum again in every step.

Requires: what tile_using_for requires; what feeds the op and cannot be fused stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, UnitAttr, i64
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from tilewright.ir.dialects import scf, tensor
from tilewright.ir.dialects.linalg import IteratorType, StructuredOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.transforms.cleanup.driver import apply_greedily
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import Extent, OpList
from tilewright.transforms.core.foreseen import Foreseen
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.sizes import (
    parse_sizes,
    print_sizes,
    resolve_sizes,
    sizes_for,
)
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.syntax import parse_signature, print_types
from tilewright.transforms.core.target_op import PlannedOp
from tilewright.transforms.structured.fuse.producer_tile import (
    Tile,
    fuse_slice,
    why_not,
)
from tilewright.transforms.structured.tile import tile_using_for, tile_using_forall
from tilewright.transforms.structured.tile.interface.table import tiling_of


@irdl_op_definition
class FuseOp(PlannedOp):
    """Tile an op and fuse its producers; consumes it, returns it and the loops."""

    name = "transform.structured.fuse"
    FORM: ClassVar[str] = (
        "tile_and_fuse <target:handle> by <tile_sizes:sizes> [interchange "
        "<tile_interchange:sizes>]"
    )
    SUMMARY: ClassVar[str] = (
        "tile an op, and compute the tiles of all its producers in the loops"
    )

    target = operand_def(TransformOpHandleType)
    tile_sizes = var_operand_def()
    tile_interchange = var_operand_def()
    static_tile_sizes = prop_def(
        DenseArrayBase.constr(i64), default_value=DenseArrayBase.from_list(i64, [])
    )
    static_tile_interchange = prop_def(
        DenseArrayBase.constr(i64), default_value=DenseArrayBase.from_list(i64, [])
    )
    apply_cleanup = opt_prop_def(UnitAttr)
    use_forall = opt_prop_def(UnitAttr)
    transformed = result_def(TransformOpHandleType)
    loops = var_result_def(TransformOpHandleType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The target is gone; the results stand for it."""
        return (self.target,)

    @classmethod
    def parse(cls, parser: Parser) -> FuseOp:
        """`%h [tile_sizes [..]] [interchange [..]] {..} : (types) -> (types)`."""
        target = parser.parse_unresolved_operand()
        dynamic, static = [], []
        if parser.parse_optional_keyword("tile_sizes"):
            dynamic, static = parse_sizes(parser)
        moved, order = [], []
        if parser.parse_optional_keyword("interchange"):
            moved, order = parse_sizes(parser)
        attributes = dict(parser.parse_optional_attr_dict())
        properties = {
            name: attributes.pop(name, None) for name in ("apply_cleanup", "use_forall")
        }
        operands, types = parse_signature(parser, [target, *dynamic, *moved])
        op = cls.build(
            operands=[
                operands[0],
                operands[1 : 1 + len(dynamic)],
                operands[1 + len(dynamic) :],
            ],
            result_types=[types[0], types[1:]],
            properties={
                "static_tile_sizes": DenseArrayBase.from_list(i64, static),
                "static_tile_interchange": DenseArrayBase.from_list(i64, order),
                **properties,
            },
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print the upstream syntax."""
        printer.print_string(" ")
        printer.print_ssa_value(self.target)
        if len(self.static_tile_sizes):
            printer.print_string(" tile_sizes ")
            print_sizes(printer, self.static_tile_sizes, self.tile_sizes)
        if len(self.static_tile_interchange):
            printer.print_string(" interchange ")
            print_sizes(printer, self.static_tile_interchange, self.tile_interchange)
        flags = {
            name: flag
            for name, flag in (
                ("apply_cleanup", self.apply_cleanup),
                ("use_forall", self.use_forall),
            )
            if flag is not None
        }
        printer.print_op_attributes({**flags, **self.attributes})
        print_types(printer, self)

    def foresee(self, results: Foreseen) -> None:
        """A tile of the target in the loops."""
        results.tiled(self.transformed, self.loops)

    def plans(self, state: TransformState) -> Sequence[tuple[Plan, bool]]:
        """A plan for each op, and whether accumulators are fused as upstream does."""
        targets = state.payload_ops(self.target)
        sizes = sizes_for(self, state, self.static_tile_sizes, self.tile_sizes, targets)
        order = resolve_sizes(
            self, state, self.static_tile_interchange, self.tile_interchange
        )
        plans = [
            analyze(self, op, its_sizes, order, state)
            for op, its_sizes in zip(targets, sizes, strict=True)
        ]
        trusting = state.follows_upstream(self)
        for plan in plans:
            if trusting and _is_summed(plan) and _computes_start(plan.tiling.op):
                doubt = "every step of the sum starts again with what is fused"
                state.doubt(self, self.refuse(doubt, plan.tiling.op))
        return [(plan, trusting) for plan in plans]

    def rewrite(
        self, plan: tuple[Plan, bool], rewriter: Rewriter
    ) -> Sequence[Operation]:
        """Tile one op and fuse its producers; the tiled op, then the loops."""
        is_cleaned = self.apply_cleanup is not None
        root, loops = rewrite(
            plan[0], rewriter, is_cleaned=is_cleaned, trusting=plan[1]
        )
        return (root, *loops)


Plan = tile_using_for.Plan | tile_using_forall.Plan


def analyze(
    user: FuseOp,
    op: Operation,
    sizes: Sequence[Extent],
    order: Sequence[int],
    state: TransformState,
) -> Plan:
    """Check that `op` can be tiled, and plan it."""
    if not op.results and tiling_of(op) is not None:
        raise user.refuse(
            "an op on buffers has no producers to fuse",
            op,
            user.worded(mlir="use tile_using_for", tw="use 'tile'"),
        )
    if user.use_forall is None:
        return tile_using_for.analyze(user, op, sizes, order, len(user.loops), state)
    plan = tile_using_forall.analyze(user, op, sizes, None, state=state)
    if len(user.loops) != 1:
        raise user.broken(f"1 loop is made, but {len(user.loops)} handles are bound")
    loops = tile_using_for.interchanged(user, op, plan.tile_sizes, order)
    return replace(plan, order=tuple(loops), steps_by_tiles=True)


def _is_summed(plan: Plan) -> bool:
    """Whether a reduction is tiled."""
    return any(
        size != 0 and iterator != IteratorType.PARALLEL
        for size, iterator in zip(plan.tile_sizes, plan.tiling.iterators, strict=True)
    )


def _computes_start(op: Operation) -> bool:
    """Whether an output starts from what a tileable op computes."""
    outputs = op.outputs if isinstance(op, StructuredOp) else ()
    owners = [output.owner for output in outputs]
    return any(
        isinstance(owner, Operation) and tiling_of(owner) is not None
        for owner in owners
    )


def rewrite(
    plan: Plan, rewriter: Rewriter, *, is_cleaned: bool, trusting: bool = False
) -> tuple[Operation, list[Operation]]:
    """Tile, then fuse from the tiled op outwards; the tiled op and the loops.

    If it is cleaned, slices are merged with what they slice before they are fused.
    With `trusting`, what fills an accumulator is fused into the loop of the sum too.
    """
    summed = not trusting and _is_summed(plan)
    loops: list[Operation]
    if isinstance(plan, tile_using_for.Plan):
        root, nest = tile_using_for.rewrite(plan, rewriter)
        loops = list(nest)
    else:
        root, forall = tile_using_forall.rewrite(plan, rewriter)
        loops = [forall]
    waiting = list(root.slices)
    seen: set[Operation] = set()
    while True:
        if is_cleaned and loops:
            _clean(loops[0], rewriter)
            waiting = [
                op
                for op in loops[0].walk()
                if isinstance(op, tensor.ExtractSliceOp) and op not in seen
            ]
        if not waiting:
            return root.op, loops
        slice_op = waiting.pop(0)
        seen.add(slice_op)
        tile = _fuse(slice_op, loops, rewriter, summed=summed)
        if tile is not None:
            waiting += tile.tiled.slices


def _clean(loop: Operation, rewriter: Rewriter) -> None:
    """Merge the slices in a loop with what they slice."""
    from tilewright.transforms.cleanup.groups import slice_patterns

    apply_greedily(loop, slice_patterns(), rewriter)


def _fuse(
    slice_op: tensor.ExtractSliceOp,
    loops: Sequence[Operation],
    rewriter: Rewriter,
    *,
    summed: bool,
) -> Tile | None:
    """Compute a slice by the tile of its producer; None if it has none to fuse."""
    start = _start(slice_op.source, loops)
    tiling = tiling_of(start.owner) if isinstance(start.owner, Operation) else None
    if not isinstance(start, OpResult) or tiling is None:
        return None
    producer = tiling.op
    if any(loop.is_ancestor(producer) for loop in loops):
        return None
    carried = start is not slice_op.source
    if (carried and summed) or why_not(producer, slice_op, start) is not None:
        return None
    into: dict[SSAValue, SSAValue] = {}
    if carried and tiling.WRITES_DESTINATIONS:
        destination = tiling.destinations(OpList())[start.index]
        into = {destination: slice_op.source}
        _start_from(loops[0], start, destination)
        rewriter.changed(loops[0])
    return fuse_slice(producer, start, slice_op, rewriter, into)


def _start(value: SSAValue, loops: Sequence[Operation]) -> SSAValue:
    """The initial value of a value that loops carry."""
    for loop in reversed(loops):
        owner = value.owner
        if not isinstance(owner, Block) or owner.parent_op() is not loop:
            continue
        position = owner.args.index(value)
        if isinstance(loop, scf.ForOp) and position > 0:
            value = loop.iter_args[position - 1]
        elif isinstance(loop, ForallOp) and position >= loop.rank:
            value = loop.outputs[position - loop.rank]
    return value


def _start_from(loop: Operation, old: SSAValue, new: SSAValue) -> None:
    """Replace an initial tensor of a loop."""
    for position, operand in enumerate(loop.operands):
        if operand is old:
            loop.operands[position] = new
