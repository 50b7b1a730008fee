"""Ops that are printed inside the statement that uses their result."""

from __future__ import annotations

from xdsl.ir import Operation

from tilewright.transforms.control.choices.constrain import ConstrainParamsOp
from tilewright.transforms.control.choices.selected_region import SelectedRegionOp
from tilewright.transforms.handles.handle_facts import NumAssociationsOp
from tilewright.transforms.handles.param_constant import ParamConstantOp
from tilewright.transforms.handles.payload_numbers import PayloadNumberOp


def is_nameless_constant(op: Operation) -> bool:
    """Whether an op is a constant without a name."""
    return isinstance(op, ParamConstantOp) and op.param.name_hint is None


def is_nameless_number(op: Operation) -> bool:
    """Whether an op is an expression inside the next statement."""
    if (
        not isinstance(op, ConstrainParamsOp)
        or len(op.res) != 1
        or op.res[0].name_hint is not None
        or not op.res[0].has_one_use()
    ):
        return False
    use = op.res[0].get_user_of_unique_use()
    # As an operand of an expression it would need parentheses, so it gets a name.
    return use is next_statement(op) and not isinstance(use, ConstrainParamsOp)


def is_nameless_payload_number(op: Operation) -> bool:
    """Whether an op reads a number off the payload for the next statement alone."""
    if not isinstance(op, PayloadNumberOp | NumAssociationsOp):
        return False
    if op.results[0].name_hint is not None:
        return False
    use = op.results[0].get_user_of_unique_use()
    return use is not None and (use is next_statement(op) or is_nameless_number(use))


def next_statement(op: Operation) -> Operation | None:
    """The next op that is a statement of its own."""
    following = op.next_op
    while following is not None and (
        is_nameless_constant(following)
        or isinstance(following, PayloadNumberOp | NumAssociationsOp)
        or isinstance(following, SelectedRegionOp)
        or (isinstance(following, ConstrainParamsOp) and following.res)
    ):
        following = following.next_op
    return following
