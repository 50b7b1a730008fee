"""`transform.tilewright.dim` and `elem_bits`: numbers read off the payload. Ours.

    %k = transform.tilewright.dim %mm[2] : (!transform.any_op) -> !transform.param<i64>
    %b = transform.tilewright.elem_bits %mm[0] : (...) -> !transform.param<i64>

`dim` is the extent of a loop of structured ops, `elem_bits` the width of the elements
of an operand. Positions count from 0, negative ones from the end. All ops of the handle
must agree. An extent that the payload leaves open has no value: a `require` on it is
ignored. Upstream reads such numbers only inside `match.structured`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat, IntegerAttr, IntegerType, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def
from xdsl.utils.hints import isa

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.phrases import count
from tilewright.ir.types import element_type
from tilewright.transforms.core.base import (
    ParamType,
    TransformOp,
    TransformOpHandleType,
    TransformParamHandleType,
)
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.handles.handle_facts import NumAssociationsOp

_FORMAT = "$target `[` $position `]` attr-dict `:` functional-type(operands, results)"


class PayloadNumberOp(TransformOp):
    """A number that all ops of a handle have in common."""

    ONLY_LOOKS: ClassVar[bool] = True
    FUNCTION: ClassVar[str]
    """The function of the schedule language that makes the op."""

    target = operand_def(TransformOpHandleType)
    position = prop_def(IntegerAttr.constr(i64))
    number = result_def(TransformParamHandleType)

    def __init__(self, target: SSAValue, position: int):
        super().__init__(
            operands=[target],
            properties={"position": IntegerAttr(position, i64)},
            result_types=[ParamType(i64)],
        )

    def words(self, target: str) -> str:
        """The call in the schedule language, for a handle of this name."""
        return f"{self.FUNCTION}({target}, {self.position.value.data})"

    def read(self, op: Operation, position: int) -> int | None:
        """The number of one op; None where the payload leaves it open."""
        raise NotImplementedError

    def apply(self, state: TransformState) -> None:
        """Read the number off every op."""
        found = {
            self.read(op, self.position.value.data): op
            for op in state.payload_ops(self.target)
        }
        if not found:
            raise self.refuse(
                "the handle is empty", remedy="match ops that the payload has"
            )
        if len(found) > 1:
            shown = " and ".join("open" if n is None else str(n) for n in found)
            raise self.refuse(
                f"its ops disagree: {shown}",
                list(found.values())[-1],
                remedy="pick one op: pick h at [0]",
            )
        (number,) = found
        values = [] if number is None else [IntegerAttr(number, i64)]
        state.set_params(self.number, values)

    def _at(self, op: Operation, position: int, length: int, what: str) -> int:
        if not -length <= position < length:
            raise self.refuse(
                f"there is no {what} {position}, the op has {count(length, what)}",
                op,
                remedy=f"positions count from 0; the last {what} is {length - 1}",
            )
        return position % length


@irdl_op_definition
class DimOp(PayloadNumberOp):
    """The extent of a loop of structured ops."""

    name = "transform.tilewright.dim"
    FUNCTION: ClassVar[str] = "dim"

    assembly_format = _FORMAT

    def read(self, op: Operation, position: int) -> int | None:
        """The number of iterations, if the payload fixes it."""
        if not isinstance(op, StructuredOp):
            raise self.refuse(
                f"'{op.name}' is not a structured op", op, remedy="match a linalg op"
            )
        extents = op.get_static_loop_ranges()
        extent = extents[self._at(op, position, len(extents), "loop")]
        return None if extent == DYNAMIC_INDEX else extent


@irdl_op_definition
class ElemBitsOp(PayloadNumberOp):
    """The width of the elements of an operand."""

    name = "transform.tilewright.elem_bits"
    FUNCTION: ClassVar[str] = "elem_bits"

    assembly_format = _FORMAT

    def read(self, op: Operation, position: int) -> int | None:
        """The bits of an element."""
        operands = op.operands
        value = operands[self._at(op, position, len(operands), "operand")]
        of = element_type(value.type)
        if isa(of, IntegerType):
            return of.width.data
        if isinstance(of, AnyFloat):
            return of.bitwidth
        raise self.refuse(
            f"operand {position} has elements without a width, {of}",
            op,
            remedy="take an operand of floats or integers",
        )


def count_ops(target: SSAValue, position: int) -> Operation:
    """The op that counts the ops of a handle."""
    return NumAssociationsOp.build(operands=[target], result_types=[ParamType(i64)])


PAYLOAD_NUMBER_OPS: Mapping[str, Callable[[SSAValue, int], Operation]] = {
    "dim": DimOp,
    "elem_bits": ElemBitsOp,
    "count": count_ops,
}
"""Makes the ops, by the functions of the schedule language."""


def is_payload_number(op: Operation) -> bool:
    """Whether an op reads a number off the payload of a handle."""
    return isinstance(op, PayloadNumberOp | NumAssociationsOp)


def payload_number(op: Operation, target: str) -> str | None:
    """The call that makes such an op, for a handle of this name."""
    if isinstance(op, PayloadNumberOp):
        return op.words(target)
    if isinstance(op, NumAssociationsOp):
        return f"count({target})"
    return None
