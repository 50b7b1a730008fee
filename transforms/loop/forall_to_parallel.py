"""`loop.forall_to_parallel`: turn an `scf.forall` on buffers into `scf.parallel`.

Before:
    scf.forall (%i, %j) = (0, 2) to (4, %n) step (1, 3) { ... } {mapping = [...]}

After:
    scf.parallel (%i, %j) = (%c0, %c2) to (%c4, %n) step (%c1, %c3) {
      ...
      scf.reduce
    } {mapping = [...]}

Requires: a handle to one `scf.forall` without shared outputs. Code generation launches
`scf.forall` and not `scf.parallel`: the op is for handing payload to other tools.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, Region
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects.scf import ForallOp, ParallelOp, ReduceOp
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import INDEX, OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import OneTargetOp
from tilewright.transforms.loop.forall_to_for import bufferized_forall, range_of


@irdl_op_definition
class ForallToParallelOp(OneTargetOp):
    """Turn a forall into `scf.parallel`; consumes it, returns the new loop."""

    name = "transform.loop.forall_to_parallel"

    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> ForallOp:
        """Check that `op` is a forall on buffers."""
        return bufferized_forall(self, op)

    def rewrite(self, forall: ForallOp, rewriter: Rewriter) -> ParallelOp:
        """Replace the forall by one parallel loop."""
        return _replace(forall, rewriter)


def _replace(forall: ForallOp, rewriter: Rewriter) -> ParallelOp:
    """Replace the forall by one parallel loop."""
    bounds = OpList()
    lower, upper, steps = range_of(forall, bounds)
    block = Block(arg_types=[INDEX] * forall.rank)
    for index, own in zip(forall.induction_vars, block.args, strict=True):
        own.name_hint = index.name_hint
        index.replace_all_uses_with(own)
    for op in list(forall.body.block.ops):
        if op is not forall.terminator:
            op.detach()
            block.add_op(op)
    block.add_op(ReduceOp())
    parallel = ParallelOp(lower, upper, steps, [], Region(block))
    parallel.location = forall.location
    if forall.mapping is not None:
        parallel.attributes["mapping"] = forall.mapping
    rewriter.insert_before(forall, *bounds.ops, parallel)
    rewriter.replace(forall, [], stands_for=parallel)
    return parallel
