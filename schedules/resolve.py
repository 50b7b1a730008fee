"""Writes the choices that a point makes into a schedule; others stay open."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, UnitAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from tilewright.ir.name_hints import name_hint
from tilewright.transforms.control.choices.constrain import ConstrainParamsOp, folded
from tilewright.transforms.control.choices.open_choices import choices
from tilewright.transforms.control.choices.selected_region import SelectedRegionOp
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.control.choices.tune_knob import KnobOp
from tilewright.transforms.control.sequence import YieldOp
from tilewright.transforms.handles.param_constant import ParamConstantOp

BRANCH = "tilewright.branch"
"""Marks a constant that is the number of a branch, during resolution."""


def without_constraints(module: ModuleOp) -> ModuleOp:
    """A copy without `constrain_params`, which upstream parses but cannot run."""
    copy = module.clone()
    for op in list(copy.walk()):
        if isinstance(op, KnobOp) and op.selected is not None and _is_computed(op):
            _fix(op)
    _fold(copy)
    for op in list(copy.walk()):
        if isinstance(op, ConstrainParamsOp) and not op.res:
            Rewriter.erase_op(op)
    _drop_unused(copy)
    return copy


def resolved(module: ModuleOp) -> ModuleOp:
    """A copy in which bound knobs are constants and chosen branches are inlined.

    Constraints on constants alone are decided, and dropped.
    """
    copy = module.clone()
    for op in list(copy.walk()):
        if isinstance(op, KnobOp) and op.selected is not None:
            _fix(op)
    while _inline_one(copy):
        pass
    _fold(copy)
    left = {op.choice_name for op in choices(copy)}
    for op in list(copy.walk()):
        if (
            isinstance(op, ConstrainParamsOp)
            and not op.res
            and (
                all(map(_is_constant, op.params))
                or any(_is_gone(param, left) for param in op.params)
            )
        ):
            Rewriter.erase_op(op)
    _drop_unused(copy)
    return copy


def _fold(module: ModuleOp) -> None:
    """Replace known numbers by constants: taken branches and computed numbers."""
    for op in list(module.walk()):
        if isinstance(op, SelectedRegionOp) and op.selected is not None:
            _replace(op, [IntegerAttr(op.selected.value.data, i64)])
        elif isinstance(op, ConstrainParamsOp) and op.res:
            values = folded(op)
            if values is not None:
                _replace(op, values)


def _drop_unused(module: ModuleOp) -> None:
    """Erase branch numbers that nothing uses any more."""
    for op in list(module.walk()):
        is_number = isinstance(op, SelectedRegionOp) or BRANCH in op.attributes
        if is_number and not op.results[0].uses.get_length():
            Rewriter.erase_op(op)
        else:
            op.attributes.pop(BRANCH, None)


def _replace(op: Operation, values: Sequence[Attribute]) -> None:
    for result, value in zip(op.results, values, strict=True):
        constant = ParamConstantOp(value)
        constant.location = op.location
        # A size without a name would be read as a constant of the op.
        is_size = any(
            use.operation.name.startswith("transform.structured.")
            for use in result.uses
        )
        constant.param.name_hint = result.name_hint or ("size" if is_size else None)
        if isinstance(op, SelectedRegionOp):
            constant.attributes[BRANCH] = UnitAttr()
        Rewriter.insert_op(constant, InsertPoint.before(op))
        result.replace_all_uses_with(constant.param)
    Rewriter.erase_op(op)


def _is_computed(knob: KnobOp) -> bool:
    """Whether a number is computed from the knob, and folds once it is a constant."""
    return any(
        isinstance(use.operation, ConstrainParamsOp) and use.operation.res
        for use in knob.result.uses
    )


def _is_gone(param: SSAValue, left: set[str]) -> bool:
    """Whether a parameter stands for a choice in a branch that was not taken."""
    owner = param.owner
    return isinstance(owner, SelectedRegionOp) and (
        owner.selected is None and owner.alternatives_name.data not in left
    )


def _fix(knob: KnobOp) -> None:
    assert knob.selected is not None
    constant = ParamConstantOp(knob.selected)
    constant.location = knob.location
    constant.param.name_hint = name_hint(knob.knob_name.data)
    Rewriter.insert_op(constant, InsertPoint.before(knob))
    knob.result.replace_all_uses_with(constant.param)
    Rewriter.erase_op(knob)


def _inline_one(module: ModuleOp) -> bool:
    """Inline the outermost chosen branch; whether there was one."""
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
