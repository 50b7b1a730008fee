"""`loop.outline`: move a loop into a function and call it.

Before:
    func.func @f(%a: f32, %n: index) -> f32 {
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (f32) { ... }
      return %r : f32
    }

After `{func_name = "loop"}`:
    func.func @loop(%c0: index, %n: index, %c1: index, %a: f32) -> f32 {
      %r = scf.for ... { ... }
      return %r : f32
    }
    func.func @f(%a: f32, %n: index) -> f32 {
      %r = func.call @loop(%c0, %n, %c1, %a) : (index, index, index, f32) -> f32
      return %r : f32
    }

Values that the loop uses become arguments of the function, those of nested ops first.
Index constants are also copied into the function. A name that is taken gets a number.

Requires: an op inside a function inside a module.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import FunctionType, IndexType, StringAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import irdl_op_definition, prop_def, result_def
from xdsl.traits import SymbolTable

from tilewright.ir.dialects import func
from tilewright.ir.indexing.constants import constant_int
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.foreseen import Foreseen
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp


@irdl_op_definition
class LoopOutlineOp(TargetOp):
    """Outline loops; consumes them, returns the functions and the calls."""

    name = "transform.loop.outline"
    ANY_TARGET: ClassVar[bool] = True
    FORM: ClassVar[str] = "outline <target:handle> as <func_name:string>"
    SUMMARY: ClassVar[str] = "move a loop to a function of its own"

    func_name = prop_def(StringAttr)
    function = result_def(TransformOpHandleType)
    call = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def foresee(self, results: Foreseen) -> None:
        """The function and the call; loops lie in another function now."""
        results.new_functions(stay=False)

    def analyze(self, op: Operation) -> Operation:
        """Check that there is a function around the loop."""
        if _function_around(op) is None:
            raise self.refuse(
                f"'{op.name}' does not stand in a function of a module",
                op,
                remedy="give a loop of a function",
            )
        return op

    def rewrite(
        self, loop: Operation, rewriter: Rewriter
    ) -> tuple[func.FuncOp, func.CallOp]:
        """Move the loop into a new function; the function and the call."""
        # Not part of the plan: the loop may use the results of one that is outlined
        # before it, and these are then the results of a call.
        captured = list(_captured(loop))
        return _outline(loop, captured, self.func_name.data, rewriter)


def _function_around(op: Operation) -> func.FuncOp | None:
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, func.FuncOp):
        parent = parent.parent_op()
    if parent is None or not isinstance(parent.parent_op(), Operation):
        return None
    return parent


def _captured(op: Operation) -> dict[SSAValue, None]:
    """The values from outside that an op uses, those of nested ops first."""
    values: dict[SSAValue, None] = {}
    for nested in _post_order(op):
        for operand in nested.operands:
            if not op.is_ancestor(operand.owner):
                values.setdefault(operand)
    return values


def _post_order(op: Operation) -> list[Operation]:
    nested = [
        inner
        for region in op.regions
        for block in region.blocks
        for child in block.ops
        for inner in _post_order(child)
    ]
    return [*nested, op]


def _outline(
    loop: Operation, captured: Sequence[SSAValue], name: str, rewriter: Rewriter
) -> tuple[func.FuncOp, func.CallOp]:
    around = _function_around(loop)
    assert around is not None
    inputs = [value.type for value in captured]
    outputs: list[Attribute] = [result.type for result in loop.results]
    name = unused_name(around, name)
    call = func.CallOp(name, list(captured), outputs)
    call.location = loop.location
    rewriter.insert_before(loop, call)
    for old, new in zip(loop.results, call.results, strict=True):
        new.name_hint = old.name_hint
        old.replace_all_uses_with(new)
    block = Block(arg_types=inputs)
    constants: list[Operation] = []
    for value, arg in zip(captured, block.args, strict=True):
        arg.name_hint = value.name_hint
        inside: SSAValue = arg
        owner = value.owner
        if constant_int(value) is not None and isinstance(value.type, IndexType):
            assert isinstance(owner, Operation)
            constants.append(owner.clone())
            inside = constants[-1].results[0]
        value.replace_uses_with_if(inside, lambda use: loop.is_ancestor(use.operation))
    loop.detach()
    block.add_ops([*constants, loop, func.ReturnOp(*loop.results)])
    kind = FunctionType.from_lists(inputs, outputs)
    function = func.FuncOp(name, kind, Region(block))
    function.location = loop.location
    rewriter.insert_before(around, function)
    return function, call


def unused_name(around: func.FuncOp, name: str) -> str:
    """A name for a function beside another: the wanted one, or one with a number."""
    table = around.parent_op()
    assert table is not None
    number, free = 0, name
    while SymbolTable.lookup_symbol(table, free) is not None:
        free = f"{name}_{number}"
        number += 1
    return free
