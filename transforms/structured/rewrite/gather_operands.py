"""`gather_operands`: read inputs at computed places inside the body. Not upstream's.

Before:
    %r = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>}
      ins(%x, %window) outs(%init) -> ...

After:
    %r = linalg.generic {...} ins(%window) outs(%init) {
    ^bb0(%w: f32, %acc: f32):
      %n = linalg.index 0 : index
      ...
      %i = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%oh, %kh)
      %j = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%ow, %kw)
      %e = tensor.extract %x[%n, %c, %i, %j] : tensor<2x8x33x33xf32>
      %m = arith.maximumf %acc, %e : f32
      linalg.yield %m : f32 }

An input whose map is a projection stays an operand. The input that is gathered is not
cut by tiling; `vectorize` makes a gather of the extract.

Requires: a structured op on tensors, with an input whose map is no projection; other
operands that bound all loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects import affine, arith, tensor
from tilewright.ir.dialects.linalg import (
    GenericOp,
    IndexOp,
    StructuredOp,
    maps_attribute,
)
from tilewright.ir.structured.maps import is_projection_or_zero, named_loops
from tilewright.ir.types import element_type, is_tensor
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import INDEX
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.targets import structured_op


@dataclass(frozen=True)
class Plan:
    """A structured op, and the positions of the inputs that become gathers."""

    op: StructuredOp
    gathered: tuple[int, ...]


@irdl_op_definition
class GatherOperandsOp(TargetOp):
    """Extract elements of inputs in the body; consumes the target."""

    name = "transform.tilewright.gather_operands"
    FORM: ClassVar[str] = "gather <target:handle>"
    SUMMARY: ClassVar[str] = "read inputs at computed places inside the body"

    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> Plan:
        """Find the inputs that are read at computed places."""
        op = structured_op(self, op)
        gathered = computed_inputs(op)
        if not gathered:
            raise self.refuse(
                "every input is read where its loops are",
                op,
                "match a convolution or a pooling",
            )
        if not all(is_tensor(op.operands[position].type) for position in gathered):
            raise self.refuse("an input is a buffer", op, "apply it before bufferizing")
        if (loop := unbounded_loop(op, gathered)) is not None:
            raise self.refuse(
                f"nothing else bounds loop {loop}",
                op,
                "give the op an input of the window's shape",
            )
        return Plan(op, gathered)

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> GenericOp:
        """Replace the op by a generic one that extracts the elements."""
        made = gathered(plan.op, plan.gathered)
        rewriter.insert_before(plan.op, made)
        rewriter.replace(plan.op, made.results, stands_for=made)
        return made


def gathered(op: StructuredOp, inputs: Sequence[int]) -> GenericOp:
    """A new op that extracts the elements of some inputs in its body."""
    kept = [at for at in range(len(op.operands)) if at not in inputs]
    body = op.body.clone()
    for position in reversed(inputs):
        _extract(body, position, op.operands[position], op.maps[position])
    made = GenericOp(
        [op.operands[at] for at in kept if at < len(op.inputs)],
        list(op.outputs),
        body,
        maps_attribute([op.maps[at] for at in kept]),
        op.get_iterator_types(),
        [result.type for result in op.results],
    )
    made.location = op.location
    return made


def computed_inputs(op: StructuredOp) -> tuple[int, ...]:
    """The inputs whose indexing map computes: a convolution's image, for example."""
    return tuple(
        position
        for position in range(len(op.inputs))
        if not is_projection_or_zero(op.maps[position])
    )


def unbounded_loop(op: StructuredOp, without: Sequence[int]) -> int | None:
    """The first loop whose extent only the operands `without` say."""
    bounded = {
        loop
        for position, map_ in enumerate(op.maps)
        if position not in without
        for loop in named_loops(map_)
    }
    return next((x for x in range(op.get_num_loops()) if x not in bounded), None)


def _extract(body: Region, position: int, source: SSAValue, map_: AffineMap) -> None:
    """Replace an argument of a body by the element of a tensor at a map's place."""
    block = body.block
    loops = [IndexOp(loop) for loop in range(map_.num_dims)]
    places: list[Operation] = [_place(expr, loops) for expr in map_.results]
    used = {value.owner for place in places for value in place.operands} | set(places)
    element = tensor.ExtractOp(
        source, [place.results[0] for place in places], element_type(source.type)
    )
    new: list[Operation] = [loop for loop in loops if loop in used]
    new += [place for place in places if place not in new]
    for op in (*new, element):
        op.location = block.ops.first.location if block.ops.first else op.location
    first = block.first_op
    assert first is not None
    block.insert_ops_before([*new, element], first)
    argument = block.args[position]
    element.result.name_hint = argument.name_hint
    argument.replace_all_uses_with(element.result)
    block.erase_arg(argument)


def _place(expr: AffineExpr, loops: Sequence[IndexOp]) -> Operation:
    """The op that computes an index from the loops'."""
    match expr:
        case AffineDimExpr():
            return loops[expr.position]
        case AffineConstantExpr():
            return arith.ConstantOp.from_int_and_width(expr.value, INDEX)
        case _:
            pass
    used = sorted({e.position for e in expr.dfs() if isinstance(e, AffineDimExpr)})
    own = [
        AffineExpr.dimension(used.index(loop) if loop in used else 0)
        for loop in range(len(loops))
    ]
    computed = expr.replace_dims_and_symbols(own, [])
    map_ = AffineMapAttr(AffineMap(len(used), 0, (computed,)))
    return affine.ApplyOp([loops[loop].result for loop in used], map_)
