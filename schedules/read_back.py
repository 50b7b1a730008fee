"""Whether a statement says what an op does: it is read again, and compared.

The printer offers statements, this decides. A verb that leaves something of an op out
is found here and not by whoever runs the schedule that was written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.errors import UserError
from tilewright.schedules.parser import parse
from tilewright.schedules.scope import Scope, Skip
from tilewright.schedules.statements import lower_simple
from tilewright.transforms.handles.param_constant import ParamConstantOp


def reads_as(
    statement: str, ops: Sequence[Operation], names: Mapping[str, SSAValue]
) -> bool:
    """Whether a statement, where these names are bound, makes these ops."""
    scope = Scope(Block())
    scope.know(names)
    try:
        (definition,) = parse(
            f"schedule s() {{ {statement} }}", "<printed>"
        ).definitions
        (tree,) = definition.body
        lower_simple(tree, scope)
        made = list(scope.block.ops)[-len(ops) :]
        return len(made) == len(ops) and all(map(_same_op, made, ops))
    except (UserError, Skip):
        return False
    finally:
        for op in reversed(list(scope.block.ops)):
            scope.block.erase_op(op, safe_erase=False)


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
    """The same value, or one that was made here as the other was."""
    if new is old:
        return True
    a, b = new.owner, old.owner
    if not isinstance(a, Operation) or not isinstance(b, Operation):
        return False
    # Two constants of one value are one; a handle that is made twice is not.
    is_here = a.parent is not None and a.parent is not b.parent
    return (is_here or isinstance(a, ParamConstantOp)) and _same_op(a, b)
