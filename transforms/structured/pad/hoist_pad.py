"""`structured.hoist_pad`: pad all tiles before the loops that read them.

Before:
    %r = scf.for %i = %c0 to %c24 step %c5 iter_args(...) {
      %s = tensor.extract_slice %a[%i, 0] [%n, 12] [1, 1] : ... to tensor<?x12xf32>
      %p = tensor.pad %s low[0, 0] high[%h, 0] { ... } : ... to tensor<5x12xf32>
      ...

After `hoist_pad %p by 1 loops`:
    %t = scf.for %j = %c0 to %c24 step %c5 iter_args(%e) -> (tensor<?x5x12xf32>) {
      ... slice, pad, and insert_slice at [%j ceildiv 5, 0, 0]
    }
    %r = scf.for %i = %c0 to %c24 step %c5 iter_args(...) {
      %p = tensor.extract_slice %t[%i ceildiv 5, 0, 0] [1, 5, 12] [1, 1, 1] : ...
      ...

Only loops whose index says what is padded are copied. `transpose by` stores the tiles
in another order. `hoist_pad.build_packing_loop_nest` builds the new loops and leaves
the old ones as they are.

Requires: a `tensor.pad` of static result type with a constant padding value, inside
`scf.for` loops; a slice of a tensor from before them.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, IntegerType, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects import scf, tensor
from tilewright.transforms.core.base import TransformOp, TransformOpHandleType
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.pad.packing_loops import (
    CannotHoist,
    Hoisting,
    analyze,
    build,
    loops_around,
    read,
)

_NONE = DenseArrayBase.from_list(i64, [])


def _order(given: DenseArrayBase[IntegerType]) -> tuple[int, ...]:
    return tuple(int(number) for number in given.get_values())


def _verify_order(order: Sequence[int]) -> None:
    if sorted(order) != list(range(len(order))):
        raise VerifyException(
            f"expects transpose to be a permutation, found {list(order)}"
        )


@irdl_op_definition
class HoistPadOp(TargetOp):
    """Hoist pads; consumes the target, returns the new pads."""

    name = "transform.structured.hoist_pad"

    target = operand_def(TransformOpHandleType)
    num_loops = prop_def(IntegerAttr[i64])
    transpose = prop_def(DenseArrayBase.constr(i64), default_value=_NONE)
    transformed = result_def(TransformOpHandleType)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$target `by` $num_loops `loops` (`,` `transpose` `by` $transpose^)? attr-dict "
        "`:` functional-type(operands, results)"
    )

    def verify_(self) -> None:
        """The order is a permutation."""
        _verify_order(_order(self.transpose))

    def analyze(self, op: Operation) -> Hoisting:
        """Check that the pad can be computed before the loops."""
        if not isinstance(op, tensor.PadOp):
            raise self.refuse(f"'{op.name}' is not tensor.pad", op, "match tensor.pad")
        loops = loops_around(op)[: self.num_loops.value.data]
        if not loops:
            raise self.refuse("there is no scf.for right around it", op)
        try:
            return analyze(op, loops[-1], _order(self.transpose))
        except CannotHoist as reason:
            raise self.refuse(str(reason), op) from reason

    def rewrite(self, plan: Hoisting, rewriter: Rewriter) -> Operation:
        """Build the new loops, and read the tiles from their result."""
        tiles = build(plan, rewriter)
        new = OpList()
        tile = read(plan, tiles, new)
        rewriter.insert_before(plan.pad, *new.ops)
        rewriter.replace(plan.pad, [tile], stands_for=tiles.pad)
        return tiles.pad


@irdl_op_definition
class HoistPadBuildPackingLoopNestOp(TransformOp):
    """Build the loops alone; returns the outermost, or the pad without loops."""

    name = "transform.structured.hoist_pad.build_packing_loop_nest"

    target = operand_def(TransformOpHandleType)
    loop = operand_def(TransformOpHandleType)
    transpose = prop_def(DenseArrayBase.constr(i64), default_value=_NONE)
    packing_loop = result_def(TransformOpHandleType)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$target `above` $loop (`,` `transpose` `by` $transpose^)? attr-dict `:` "
        "functional-type(operands, results)"
    )

    def verify_(self) -> None:
        """The order is a permutation."""
        _verify_order(_order(self.transpose))

    def consumed_handles(self) -> Sequence[SSAValue]:
        """None: the old ops stay."""
        return ()

    def apply(self, state: TransformState) -> None:
        """Build the nest before the loop."""
        pads, loops = state.payload_ops(self.target), state.payload_ops(self.loop)
        if len(pads) != 1 or len(loops) != 1:
            raise self.broken(
                f"needs one pad and one loop, the handles point at {len(pads)} and "
                f"{len(loops)}"
            )
        (pad,), (loop,) = pads, loops
        if not isinstance(pad, tensor.PadOp) or not isinstance(loop, scf.ForOp):
            raise self.broken("needs a tensor.pad and an scf.for", pad)
        if loop not in loops_around(pad):
            raise self.broken("only scf.for ops may be between the loop and it", pad)
        try:
            plan = analyze(pad, loop, _order(self.transpose))
        except CannotHoist as reason:
            raise self.broken(str(reason), pad) from reason
        tiles = build(plan, state.rewriter)
        made: Operation = tiles.loops[0] if tiles.loops else tiles.pad
        state.set_ops(self.packing_loop, [made])
