"""`match.structured.result`: one result of a structured op, or the op that uses it."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, UnitAttr, i64
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.transforms.core.base import (
    TransformHandleType,
    TransformOpHandleType,
    TransformValueHandleType,
)
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.matchers.predicate import Predicate, one_structured


@irdl_op_definition
class MatchStructuredResultOp(Predicate):
    """A result, or the op that uses it."""

    name = "transform.match.structured.result"

    operand_handle = operand_def(TransformOpHandleType)
    position = prop_def(IntegerAttr.constr(i64))
    any = opt_prop_def(UnitAttr)
    single = opt_prop_def(UnitAttr)
    result = result_def(TransformHandleType)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$operand_handle `[` $position `]` (`any` $any^)? (`single` $single^)? "
        "attr-dict `:` functional-type(operands, results)"
    )

    def verify_(self) -> None:
        """Check that `any` or `single` is given for a user, and none for a value."""
        is_op = isinstance(self.result.type, TransformOpHandleType)
        if (self.any is not None or self.single is not None) != is_op:
            raise VerifyException(
                "expects the word 'any' or 'single' for a handle to a user, and none "
                "for a handle to the value"
            )
        if self.any is not None and self.single is not None:
            raise VerifyException("'any' and 'single' are mutually exclusive")

    def apply(self, state: TransformState) -> None:
        """Find the result, or the op that uses it."""
        op = one_structured(self, state, self.operand_handle)
        position = self.position.value.data
        index = position + len(op.results) if position < 0 else position
        if not 0 <= index < len(op.results):
            raise self.refuse(
                f"there is no result {position}, the op has {len(op.results)}", op
            )
        value = op.results[index]
        if isinstance(self.result.type, TransformValueHandleType):
            state.set_values(self.result, [value])
            return
        users = [use.operation for use in value.uses]
        if not users:
            raise self.refuse(f"result {index} has no user", op)
        if self.single is not None and len(users) != 1:
            raise self.refuse(f"result {index} has {len(users)} uses", op)
        state.set_ops(self.result, users[:1])
