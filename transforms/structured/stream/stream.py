"""`stream`: compute a chain of reductions along one dimension in one loop.

Not upstream's. Before:
    %s = linalg.matmul ins(%q, %kt : ...) ...                       // 64x512
    %m = linalg.generic ins(%s) { maximumf } ...                    // 64
    %e = linalg.generic ins(%s, %m) { exp(s - m) } ...              // 64x512
    %l = linalg.generic ins(%e) { addf } ...                        // 64
    %o = linalg.matmul ins(%e, %v : ...) ...                        // 64x32

After `stream %o by 128`:
    %m, %l, %o = scf.for %j = %c0 to %c512 step %c128
        iter_args(%m0 = -inf, %l0 = 0, %o0 = 0) -> (...) {
      %st = linalg.matmul ins(%q, %ktt : ...) ...                   // 64x128
      %m1 = linalg.generic ins(%st) outs(%m0) { maximumf }
      %g = linalg.generic ins(%m1) { select(m1 == -inf, 0, m1) }
      %et = linalg.generic ins(%st, %g) { exp(s - g) }
      %f = linalg.generic ins(%m0, %g) { exp(m0 - g) }
      %l1 = linalg.generic ins(%et) outs(%l0 * %f) { addf }
      %o1 = linalg.matmul ins(%et, %vt) outs(%o0 * %f)
      scf.yield %m1, %l1, %o1
    }

Each later reduction reads running values of earlier ones. When such a value changes,
what was accumulated under the old one is corrected; how is derived from the scalar
bodies by the rules in `algebra/rules.py`.

Requires: reductions on tensors along one dimension, in one block; a rule for every
reduction that reads an earlier one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import FloatAttr, LocationAttr
from xdsl.ir import Block, Region, SSAValue
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects import arith, scf
from tilewright.ir.dialects.linalg import FillOp, StructuredOp
from tilewright.ir.structured.reductions import filled_with
from tilewright.transforms.core.base import (
    TransformOp,
    TransformOpHandleType,
)
from tilewright.transforms.core.extents import INDEX, Extent, OpList, partial_size
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import Ops
from tilewright.transforms.structured.stream.algebra.corrections import Streamed
from tilewright.transforms.structured.stream.algebra.expressions import running_leaves
from tilewright.transforms.structured.stream.analysis.chain import Chain, length_of
from tilewright.transforms.structured.stream.analysis.derive import derive
from tilewright.transforms.structured.stream.analysis.limits import start_of_result
from tilewright.transforms.structured.stream.record import RoundsAnew
from tilewright.transforms.structured.stream.row_ops import State
from tilewright.transforms.structured.stream.targets import ChainOp
from tilewright.transforms.structured.stream.writing.replacing import put_in_place
from tilewright.transforms.structured.stream.writing.running import Running, Target
from tilewright.transforms.structured.stream.writing.step import step
from tilewright.transforms.structured.stream.writing.tiles import Tile
from tilewright.transforms.structured.tile.one_tile import loop_ranges


@dataclass(frozen=True)
class Plan:
    """A chain, the correction of each reduction, and the size of a tile."""

    chain: Chain
    reductions: Sequence[Streamed]
    size: Extent
    made_by: LocationAttr


@irdl_op_definition
class StreamOp(ChainOp):
    """Stream a chain; returns its last reductions, tiled, and the loop."""

    name = "transform.tilewright.stream"
    FORM: ClassVar[str] = (
        "stream <target:handle> by <size:param> [along <dimension:param>]"
    )
    SUMMARY: ClassVar[str] = (
        "compute a chain of reductions along one dimension in one loop"
    )

    tiled = result_def(TransformOpHandleType)
    loop = result_def(TransformOpHandleType)

    assembly_format = (
        "$target `by` custom<Size>($dynamic_size, $static_size) "
        "(`along` $dimension^)? attr-dict `:` functional-type(operands, results)"
    )

    def plans(self, state: TransformState) -> Sequence[Plan]:
        """One plan for all targets together."""
        targets = state.payload_ops(self.target)
        if not targets:
            return []
        size = self.size(state, targets)
        chain = self.chain(targets)
        reductions = derive(self, chain)
        state.record(RoundsAnew())
        made_by = self.location_for(targets[0])
        return [Plan(chain, reductions, size, made_by)]

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> Sequence[Ops]:
        """Replace the chain by one loop; the tiled reductions and the loop."""
        return _rolling(self, plan, rewriter)


def _rolling(user: TransformOp, plan: Plan, rewriter: Rewriter) -> Sequence[Ops]:
    chain = plan.chain
    last = chain.reductions[-1]
    bounds = OpList()
    extent = loop_ranges(last, bounds)[chain.axis[last]]
    start, stop, by = (bounds.index(value) for value in (0, extent, plan.size))
    results = [result for r in plan.reductions for result in r.op.results]
    inits = [init for r in plan.reductions for init in _starts(plan, r, bounds)]
    block = Block(arg_types=[INDEX, *(init.type for init in inits)])
    loop = scf.ForOp(start, stop, by, inits, Region(block))
    loop.location = plan.made_by
    body = OpList()
    index = block.args[0]
    size = partial_size(index, extent, plan.size, body)
    tile = Tile(index, size, plan.size, extent)
    before: dict[SSAValue, SSAValue] = dict(zip(results, block.args[1:], strict=True))
    for result, carried in before.items():
        carried.name_hint = result.name_hint
    after, tiled = step(user, chain, plan.reductions, before, tile, body)
    rewriter.insert_before(last, *bounds.ops, loop)
    rewriter.insert_at_end(
        block, *body.ops, scf.YieldOp(*(after[result] for result in results))
    )
    _replace(plan, loop, results, tiled, rewriter)
    wanted = set(chain.targets)
    ends = [
        made for made, r in zip(tiled, plan.reductions, strict=True) if r.op in wanted
    ]
    return (ends, loop)


def _starts(plan: Plan, reduction: Streamed, new_ops: OpList) -> Sequence[SSAValue]:
    """What the loop starts from: an infinity where NaN would be compared with."""
    op = reduction.op
    fill = op.outputs[0].owner
    compared = {
        leaf.value
        for later in plan.reductions
        for node in later.correction.compared_nodes
        for leaf in running_leaves(node)
    }
    value = filled_with(op)
    is_nan = isinstance(value, FloatAttr) and math.isnan(value.value.data)
    if not is_nan or op.results[0] not in compared:
        return op.outputs
    assert isinstance(fill, FillOp) and isinstance(value, FloatAttr)
    start = FloatAttr(start_of_result(op.results[0]), value.type)
    constant = new_ops.add(arith.ConstantOp(start))
    return [new_ops.add(FillOp([constant], list(fill.outputs)))]


def _replace(
    plan: Plan,
    loop: scf.ForOp,
    results: Sequence[SSAValue],
    tiled: Sequence[StructuredOp],
    rewriter: Rewriter,
) -> None:
    """Let the loop's results take the place of the reductions'."""
    chain = plan.chain
    final: dict[SSAValue, SSAValue] = dict(zip(results, loop.res, strict=True))
    after = OpList()
    running = Running(length_of(chain), after)
    state = State("final", final.__getitem__)
    for reduction in plan.reductions:
        if not reduction.correction.pulled:
            continue
        op = reduction.op
        target = Target(final[op.results[0]], op.maps[len(op.inputs)])
        pulled = reduction.correction.pulled
        final[op.results[0]] = running.with_pulled(target, pulled, state)
    rewriter.insert_after(loop, *after.ops)
    put_in_place(chain, final, tiled, [loop, *after.ops], rewriter)
