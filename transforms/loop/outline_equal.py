"""`outline_equal`: move loops that are equal into one function. Not upstream's.

Before:
    %a = scf.forall ... shared_outs(%o = %e) { ... %x ... }
    %b = scf.forall ... shared_outs(%o = %f) { ... %a ... }   // equal, but reads %a

After `{func_name = "grid", fewest = 2}`:
    func.func private @grid(%in: tensor<..>, %out: tensor<..>) -> tensor<..> {
      %r = scf.forall ... shared_outs(%o = %out) { ... %in ... }
      return %r
    }
    %a = func.call @grid(%x, %e)
    %b = func.call @grid(%a, %f)

Loops are equal if only names, places and the tensors from outside differ. Constants and
empty tensors that a loop uses are copied into the function. A loop stays where it is if
it has fewer than `fewest` equals, if it uses a tensor of unknown size or another value
than a tensor or a constant, or if one of its results has no use.

Requires: loops at the top level of one function.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FunctionType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import irdl_op_definition, prop_def, result_def

from tilewright.ir.dialects import func, tensor
from tilewright.ir.op_structure import OpStructure
from tilewright.ir.types import is_tensor
from tilewright.transforms.cleanup.constant_pool import is_constant
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.foreseen import Foreseen
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.loop.outline import unused_name


@dataclass(frozen=True)
class _Loop:
    """A loop, and what it takes from outside, in the order in which it does."""

    op: Operation
    arguments: list[tuple[Operation, int]]
    """The operands that are the first uses of the function's arguments."""
    copied: list[SSAValue]
    """The results of constants and empty tensors."""


@irdl_op_definition
class OutlineEqualOp(TargetOp):
    """Outline equal loops; consumes the loops, returns the functions and the calls."""

    name = "transform.tilewright.outline_equal"

    func_name = prop_def(StringAttr)
    fewest = prop_def(IntegerAttr[IntegerType])
    function = result_def(TransformOpHandleType)
    call = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def __init__(self, target: SSAValue, func_name: str, fewest: int):
        super().__init__(target)
        self.properties["func_name"] = StringAttr(func_name)
        self.properties["fewest"] = IntegerAttr(fewest, i64)

    def foresee(self, results: Foreseen) -> None:
        """Functions and calls; loops lie in other functions now."""
        results.new_functions(stay=False)

    def analyze(self, op: Operation) -> Operation:
        """Check that a loop stands at the top level of a function."""
        around = op.parent_op()
        if not isinstance(around, func.FuncOp) or around.parent_op() is None:
            raise self.refuse(
                f"'{op.name}' does not stand at the top level of a function",
                op,
                remedy="give loops that no other op surrounds",
            )
        return op

    def plans(self, state: TransformState) -> Sequence[list[_Loop]]:
        """The loops that are equal."""
        known: dict[Hashable, list[_Loop]] = {}
        for op in super().plans(state):
            read = _LoopStructure(op)
            if read.is_closed and all(result.first_use for result in op.results):
                found = _Loop(op, read.arguments, read.copied)
                known.setdefault((op.parent, read.key), []).append(found)
        fewest = self.fewest.value.data
        return [loops for loops in known.values() if len(loops) >= fewest]

    def rewrite(
        self, plan: list[_Loop], rewriter: Rewriter
    ) -> tuple[func.FuncOp, list[func.CallOp]]:
        """Call a function for all loops, and move the first of them into it."""
        first = plan[0].op
        around = first.parent_op()
        assert isinstance(around, func.FuncOp)
        name = unused_name(around, self.func_name.data)
        calls = [_call(name, loop, rewriter) for loop in plan]
        function = _function(name, plan[0])
        rewriter.insert_before(around, function)
        for loop in plan[1:]:
            rewriter.erase(loop.op)
        return function, calls


class _LoopStructure(OpStructure):
    """What tells a loop apart: which tensors from outside it uses does not."""

    def __init__(self, loop: Operation) -> None:
        super().__init__()
        self.loop = loop
        self.arguments: list[tuple[Operation, int]] = []
        self.copied: list[SSAValue] = []
        self.is_closed = True
        """Whether the loop uses nothing but constants and tensors of known sizes."""
        self.add_op(loop)

    def add_outside(self, op: Operation, index: int) -> None:
        """Number a value from outside; the kind of its owner counts."""
        value = op.operands[index]
        owner = value.owner
        # What the loop itself takes is an argument: its results may live there.
        is_inside = op is not self.loop
        if is_inside and isinstance(owner, Operation) and _is_copied(owner):
            self.found.append(owner.name)
            self.found.append(frozenset(owner.properties.items()))
            self.copied.append(value)
        else:
            self.arguments.append((op, index))
            of = value.type
            self.is_closed &= is_tensor(of) and DYNAMIC_INDEX not in of.get_shape()
        self.number(value)


def _is_copied(op: Operation) -> bool:
    """Whether an op is copied into the function: patterns look for such ops."""
    return is_constant(op) or (isinstance(op, tensor.EmptyOp) and not op.operands)


def _call(name: str, loop: _Loop, rewriter: Rewriter) -> func.CallOp:
    """Call a function on what a loop uses, and use its results."""
    op = loop.op
    arguments = [reader.operands[index] for reader, index in loop.arguments]
    call = func.CallOp(name, arguments, [result.type for result in op.results])
    call.location = op.location
    rewriter.insert_before(op, call)
    for old, new in zip(op.results, call.results, strict=True):
        new.name_hint = old.name_hint
        rewriter.replace_uses(old, new)
    return call


def _function(name: str, loop: _Loop) -> func.FuncOp:
    """Move a loop into a function that takes what the loop uses."""
    op = loop.op
    outside = [reader.operands[index] for reader, index in loop.arguments]
    block = Block(arg_types=[value.type for value in outside])
    copies: list[Operation] = []
    for value in loop.copied:
        assert isinstance(value.owner, Operation)
        copies.append(value.owner.clone())
    inside = [*block.args, *(copy.results[0] for copy in copies)]
    for value, own in zip([*outside, *loop.copied], inside, strict=True):
        own.name_hint = value.name_hint
        value.replace_uses_with_if(own, lambda use: op.is_ancestor(use.operation))
    op.detach()
    block.add_ops([*copies, op, func.ReturnOp(*op.results)])
    results = [result.type for result in op.results]
    kind = FunctionType.from_lists([value.type for value in outside], results)
    function = func.FuncOp(name, kind, Region(block), "private")
    function.location = op.location
    return function
