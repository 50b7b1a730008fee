"""Merge a perfect nest of `affine.for` into one loop.

Before:
    affine.for %i = 0 to 4 {
      affine.for %j = 2 to 9 step 2 {
        "f"(%i, %j)
      }
    }

After:
    affine.for %k = 0 to 16 {
      %n = affine.apply affine_map<(d0) -> (d0 mod 4)>(%k)
      %m = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%k)
      %i = affine.apply affine_map<(d0) -> (d0)>(%m)
      %j = affine.apply affine_map<(d0) -> (d0 * 2 + 2)>(%n)
      "f"(%i, %j)
    }

A loop that is no nest stays as it is.
"""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineExpr, AffineMap

from tilewright.ir.dialects import affine
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.loop.shared.affine_loops import constant_trips


def nest_of(loop: affine.ForOp) -> list[affine.ForOp]:
    """The loop and those that each hold nothing but the next."""
    nest = [loop]
    while isinstance(inner := nest[-1].body.block.first_op, affine.ForOp):
        if inner.next_op is not nest[-1].body.block.last_op:
            break
        nest.append(inner)
    return nest


def why_not_merged(nest: list[affine.ForOp]) -> str | None:
    """Why the loops of a nest cannot become one."""
    if len(nest) == 1:
        return None
    if any(loop.results for loop in nest):
        return "a loop of the nest carries values"
    if any(not constant_trips(loop) for loop in nest):
        return "a loop of the nest has bounds that are not constant, or never runs"
    return None


def merge(nest: list[affine.ForOp], rewriter: Rewriter) -> affine.ForOp:
    """One loop over all iterations, with the indices computed from its own."""
    outer, inner = nest[0], nest[-1]
    if outer is inner:
        return outer
    counts = [constant_trips(loop) or 0 for loop in nest]
    block = Block(arg_types=[IndexType()])
    head: list[Operation] = []

    def applied(value: SSAValue, expr: AffineExpr) -> SSAValue:
        op = affine.ApplyOp([value], AffineMapAttr(AffineMap(1, 0, (expr,))))
        head.append(op)
        return op.result

    number = AffineExpr.dimension(0)
    rest: SSAValue = block.args[0]
    for loop, count in reversed(list(zip(nest, counts, strict=True))):
        own = rest if loop is outer else applied(rest, number % count)
        lower = loop.lower_map.data.results[0]
        assert isinstance(lower, AffineConstantExpr), "its bounds are constant"
        place = number * loop.step.value.data + lower.value
        loop.body.block.args[0].replace_all_uses_with(applied(own, place))
        if loop is not outer:
            rest = applied(rest, number // count)
    block.add_ops(head)
    for op in list(inner.body.block.ops):
        op.detach()
        block.add_op(op)
    lower, upper = (
        AffineMapAttr(AffineMap.constant_map(bound)) for bound in (0, prod(counts))
    )
    new = affine.ForOp((lower, ()), (upper, ()), 1, [], Region(block))
    new.attributes = outer.attributes.copy()
    new.location = outer.location
    rewriter.insert_before(outer, new)
    rewriter.replace(outer, [], stands_for=new)
    return new
