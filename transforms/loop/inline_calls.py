"""`inline_calls`: put the bodies of functions where they are called. Not upstream's.

Before:
    func.func private @grid(%in: tensor<..>, %out: tensor<..>) -> tensor<..> {
      %r = scf.forall ... shared_outs(%o = %out) { ... %in ... }
      return %r
    }
    %a = func.call @grid(%x, %e)
    %b = func.call @grid(%a, %f)

After:
    %a = scf.forall ... shared_outs(%o = %e) { ... %x ... }
    %b = scf.forall ... shared_outs(%o = %f) { ... %a ... }

Constants are shared and stand at the head of the caller. Private functions that
are no longer called are erased.

Requires: calls of functions that have a body of one block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition
from xdsl.traits import SymbolTable

from tilewright.ir.dialects import func
from tilewright.transforms.cleanup.constant_pool import ConstantPool, is_constant
from tilewright.transforms.core.foreseen import Foreseen
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.core.walking import walked


@dataclass(frozen=True)
class Inlined:
    """A call, and the function that it calls."""

    call: func.CallOp
    callee: func.FuncOp


@irdl_op_definition
class InlineCallsOp(TargetOp):
    """Inline calls; consumes them."""

    name = "transform.tilewright.inline_calls"

    assembly_format = "$target attr-dict `:` type($target)"

    def foresee(self, results: Foreseen) -> None:
        """Functions that nothing calls any more go away."""
        results.new_functions()

    def analyze(self, op: Operation) -> Inlined:
        """Check that the op calls a function with a body."""
        callee = None
        if isinstance(op, func.CallOp):
            callee = SymbolTable.lookup_symbol(op, op.callee)
        if not isinstance(callee, func.FuncOp) or len(callee.body.blocks) != 1:
            raise self.refuse(
                f"'{op.name}' calls no function with a body of one block",
                op,
                "match func.call, and leave out the calls of declarations",
            )
        if callee.is_ancestor(op):
            raise self.refuse("the function calls itself", op, "leave it a call")
        assert isinstance(op, func.CallOp)
        return Inlined(op, callee)

    def plans(self, state: TransformState) -> Sequence[list[Inlined]]:
        """One plan for all calls: they share constants."""
        return [list(super().plans(state))]

    def rewrite(self, plan: list[Inlined], rewriter: Rewriter) -> None:
        """Inline all calls; erase the functions that nobody calls then."""
        pool = ConstantPool(rewriter)
        for op in _beside(plan):
            if is_constant(op):
                pool.take(op)
        for each in plan:
            _inline(each, rewriter, pool)
        for callee in {each.callee: None for each in plan}:
            visibility = callee.sym_visibility
            is_private = visibility is not None and visibility.data == "private"
            if is_private and callee.sym_name.data not in _called(callee.parent_op()):
                rewriter.erase(callee)


def _beside(plan: list[Inlined]) -> list[Operation]:
    """The ops in the blocks of the calls."""
    blocks = {each.call.parent: None for each in plan}
    return [op for block in blocks if block is not None for op in block.ops]


def _inline(plan: Inlined, rewriter: Rewriter, pool: ConstantPool) -> None:
    block = plan.callee.body.block
    values: dict[SSAValue, SSAValue] = dict(
        zip(block.args, plan.call.operands, strict=True)
    )
    made: list[Operation] = []
    for op in block.ops:
        if isinstance(op, func.ReturnOp):
            results = [values.get(value, value) for value in op.operands]
            rewriter.insert_before(plan.call, *made)
            for copy in made:
                if is_constant(copy):
                    pool.take(copy)
            rewriter.replace(plan.call, results)
            return
        made.append(op.clone(values))


def _called(module: Operation | None) -> set[str]:
    """The names of the functions that are called."""
    assert module is not None
    calls = [op for op in walked(module) if isinstance(op, func.CallOp)]
    return {call.callee.string_value() for call in calls}
