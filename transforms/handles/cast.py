"""`transform.cast`: the same handle with another type.

%m = transform.cast %h : !transform.any_op to !transform.op<"linalg.matmul">

Requires: types of one kind (ops, values, parameters), and payload of the new type.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import irdl_op_definition, operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from tilewright.transforms.core.base import (
    OperationType,
    TransformHandleType,
    TransformOp,
    TransformOpHandleType,
    TransformParamHandleType,
    TransformValueHandleType,
)
from tilewright.transforms.core.foreseen import Foreseen
from tilewright.transforms.core.state import TransformState

_KINDS = (TransformOpHandleType, TransformValueHandleType, TransformParamHandleType)


@irdl_op_definition
class CastOp(TransformOp):
    """The same handle with another type."""

    name = "transform.cast"
    ONLY_LOOKS: ClassVar[bool] = True

    input = operand_def(TransformHandleType)
    output = result_def(TransformHandleType)

    assembly_format = "$input attr-dict `:` type($input) `to` type($output)"

    def verify_(self) -> None:
        """Check that both types are handles to ops, to values, or parameters."""
        before, after = self.input.type, self.output.type
        if not any(isinstance(before, k) and isinstance(after, k) for k in _KINDS):
            raise VerifyException(
                f"operand type '{before}' and result type '{after}' are cast "
                "incompatible"
            )

    def foresee(self, results: Foreseen) -> None:
        """The same payload."""
        results.same()

    def apply(self, state: TransformState) -> None:
        """Check the ops' names against the new type."""
        kind = self.output.type
        if isinstance(kind, OperationType):
            for op in state.payload_ops(self.input):
                if op.name != kind.operation.data:
                    raise self.refuse(
                        f"'{op.name}' is not of type {kind}",
                        op,
                        remedy="match ops of that name"
                        + self.worded(mlir=", or cast to !transform.any_op", tw=""),
                    )
        state.copy_mapping(self.input, self.output)
