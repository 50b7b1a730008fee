"""`transform.verify` and remarks: ops that only report.

    transform.verify %h : !transform.any_op
    transform.debug.emit_remark_at %h, "tiled this" : !transform.any_op
    transform.debug.emit_param_as_remark %p, "size" at %h : !transform.param<i64>, ...

Remarks go to the standard error stream with the place of the payload op.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.errors import UserError, remark
from tilewright.ir.text import place_of, verify
from tilewright.transforms.core.base import (
    TransformHandleType,
    TransformOp,
    TransformOpHandleType,
    TransformParamHandleType,
)
from tilewright.transforms.core.printing import write_printed
from tilewright.transforms.core.state import TransformState, owner_of


@irdl_op_definition
class VerifyOp(TransformOp):
    """Verify payload; a violation is a broken schedule."""

    name = "transform.verify"

    target = operand_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` type($target)"

    def apply(self, state: TransformState) -> None:
        """Verify each op and what is in it."""
        for op in state.payload_ops(self.target):
            try:
                verify(op)
            except UserError as error:
                raise self.broken(f"payload is invalid: {error.fact}", op) from error


@irdl_op_definition
class EmitRemarkAtOp(TransformOp):
    """Emit a remark at each payload op."""

    name = "transform.debug.emit_remark_at"
    FORM: ClassVar[str] = "remark <at:handle> <message:string>"
    SUMMARY: ClassVar[str] = "print a remark at the place of payload ops"

    at = operand_def(TransformHandleType)
    message = prop_def(StringAttr)

    assembly_format = "$at `,` $message attr-dict `:` type($at)"

    def verify_(self) -> None:
        """Refuse parameters: they have no location."""
        if isinstance(self.at.type, TransformParamHandleType):
            raise VerifyException(
                f"expected a handle to ops or values, but got '{self.at.type}'"
            )

    def apply(self, state: TransformState) -> None:
        """One remark for each op or value."""
        for item in state.items(self.at):
            if not isinstance(item, Attribute):
                op = item if isinstance(item, Operation) else owner_of(item)
                _emit(self.message.data, op)


@irdl_op_definition
class EmitParamAsRemarkOp(TransformOp):
    """Show a parameter's values."""

    name = "transform.debug.emit_param_as_remark"

    param = operand_def(TransformParamHandleType)
    anchor = opt_operand_def(TransformOpHandleType)
    message = opt_prop_def(StringAttr)

    assembly_format = (
        "$param (`,` $message^)? (`at` $anchor^)? attr-dict "
        "`:` type($param) (`,` type($anchor)^)?"
    )

    def apply(self, state: TransformState) -> None:
        """One remark at each anchor, or one at this line."""
        shown = ", ".join(str(value) for value in state.params(self.param))
        lead = f"{self.message.data} " if self.message is not None else ""
        anchors: tuple[Operation, ...] = (self,)
        if self.anchor is not None:
            anchors = state.payload_ops(self.anchor)
        for op in anchors:
            _emit(lead + shown, op)


def _emit(message: str, op: Operation) -> None:
    write_printed(remark(message, place_of(op)) + "\n")
