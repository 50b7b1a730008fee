"""Reads a printed statement back, and compares the ops it makes with the printed ops.

The printer offers statements, and this decides. A verb that would leave part of an op
out is noticed here, before the schedule is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.errors import UserError
from tilewright.schedules.language.lowering.scope import Scope, Skip
from tilewright.schedules.language.lowering.statements import lower_simple
from tilewright.schedules.language.parsing.parser import parse
from tilewright.transforms.control.choices.constrain import ConstrainParamsOp
from tilewright.transforms.control.choices.selected_region import SelectedRegionOp
from tilewright.transforms.handles.cast import CastOp
from tilewright.transforms.handles.handle_facts import NumAssociationsOp
from tilewright.transforms.handles.merge_handles import MergeHandlesOp
from tilewright.transforms.handles.param_constant import ParamConstantOp
from tilewright.transforms.handles.payload_numbers import PayloadNumberOp

_IN_LINE = (
    CastOp,
    ConstrainParamsOp,
    MergeHandlesOp,
    NumAssociationsOp,
    ParamConstantOp,
    PayloadNumberOp,
    SelectedRegionOp,
)
"""Ops that a statement makes for its arguments, beside those it is written for."""


def reads_as(
    statement: str, ops: Sequence[Operation], names: Mapping[str, SSAValue]
) -> bool:
    """Whether a statement makes these ops, given the names in scope."""
    choices = {
        owner.alternatives_name.data: [label.data for label in owner.labels]
        for op in ops
        for operand in op.operands
        for owner in _selections(operand)
    }
    scope = Scope(Block(), choices=choices)
    scope.know(names)
    try:
        (definition,) = parse(
            f"schedule s() {{ {statement} }}", "<printed>"
        ).definitions
        (tree,) = definition.body
        lower_simple(tree, scope)
        others = list(scope.block.ops)[: -len(ops)]
        made = list(scope.block.ops)[-len(ops) :]
        return (
            len(made) == len(ops)
            and all(map(_same_op, made, ops))
            and all(isinstance(op, _IN_LINE) for op in others)
        )
    except (UserError, Skip):
        return False
    finally:
        for op in reversed(list(scope.block.ops)):
            scope.block.erase_op(op, safe_erase=False)


def _selections(value: SSAValue) -> Iterator[SelectedRegionOp]:
    """The choices that an operand depends on, directly or through a number."""
    owner = value.owner
    if isinstance(owner, SelectedRegionOp):
        yield owner
    elif isinstance(owner, ConstrainParamsOp):
        for param in owner.params:
            if isinstance(param.owner, SelectedRegionOp):
                yield param.owner


def _same_op(new: Operation, old: Operation) -> bool:
    return (
        type(new) is type(old)
        and new.properties == old.properties
        and new.attributes == old.attributes
        and [r.type for r in new.results] == [r.type for r in old.results]
        and len(new.operands) == len(old.operands)
        and all(map(_same_value, new.operands, old.operands))
        and all(
            a.is_structurally_equivalent(b)
            for a, b in zip(new.regions, old.regions, strict=True)
        )
    )


def _same_value(new: SSAValue, old: SSAValue) -> bool:
    """The same value, or results of equal ops, one of them made by the reading."""
    if new is old:
        return True
    a, b = new.owner, old.owner
    if not isinstance(a, Operation) or not isinstance(b, Operation):
        return False
    # Equal constants are interchangeable; two handles made the same way are not.
    is_here = a.parent is not None and a.parent is not b.parent
    return (is_here or isinstance(a, ParamConstantOp)) and _same_op(a, b)
