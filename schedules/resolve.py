"""A schedule with the choices made written into it, and the others still open."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from tilewright.ir.names import name_hint
from tilewright.transforms.control.constrain import ConstrainParamsOp
from tilewright.transforms.control.sequence import YieldOp
from tilewright.transforms.control.tune import AlternativesOp, KnobOp
from tilewright.transforms.handles.param_constant import ParamConstantOp


def without_constraints(module: ModuleOp) -> ModuleOp:
    """A copy without `constrain_params`, which upstream parses and cannot run."""
    copy = module.clone()
    for op in list(copy.walk()):
        if isinstance(op, ConstrainParamsOp):
            Rewriter.erase_op(op)
    return copy


def resolved(module: ModuleOp) -> ModuleOp:
    """A copy with knobs that were set as constants and chosen branches in line.

    Constraints on constants alone have done their work and are dropped.
    """
    copy = module.clone()
    for op in list(copy.walk()):
        if isinstance(op, KnobOp) and op.selected is not None:
            _fix(op)
    while _inline_one(copy):
        pass
    for op in list(copy.walk()):
        if isinstance(op, ConstrainParamsOp) and all(map(_is_constant, op.params)):
            Rewriter.erase_op(op)
    return copy


def _fix(knob: KnobOp) -> None:
    assert knob.selected is not None
    constant = ParamConstantOp(knob.selected)
    constant.location = knob.location
    constant.param.name_hint = name_hint(knob.knob_name.data)
    Rewriter.insert_op(constant, InsertPoint.before(knob))
    knob.result.replace_all_uses_with(constant.param)
    Rewriter.erase_op(knob)


def _inline_one(module: ModuleOp) -> bool:
    """Put the outermost chosen branch in line; whether there was one."""
    for op in module.walk():
        if isinstance(op, AlternativesOp) and op.selected_region is not None:
            _inline(op, op.selected_region)
            return True
    return False


def _inline(choice: AlternativesOp, picked: int) -> None:
    block = choice.alternatives[picked].block
    ops: list[Operation] = list(block.ops)
    terminator = ops.pop()
    assert isinstance(terminator, YieldOp)
    yielded = list(terminator.operands)
    for op in ops:
        op.detach()
        Rewriter.insert_op(op, InsertPoint.before(choice))
    for result, value in zip(choice.results, yielded, strict=True):
        if value.name_hint is None:
            value.name_hint = result.name_hint
        result.replace_all_uses_with(value)
    Rewriter.erase_op(terminator)
    Rewriter.erase_op(choice)


def _is_constant(param: SSAValue) -> bool:
    return isinstance(param.owner, ParamConstantOp)
