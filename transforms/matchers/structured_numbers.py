"""Predicates that read numbers off a structured op: loops, operands, element bits."""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat, IntegerType
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, operand_def, result_def
from xdsl.utils.hints import isa

from tilewright.ir.types import element_type
from tilewright.transforms.core.base import (
    TransformOpHandleType,
    TransformParamHandleType,
    TransformValueHandleType,
)
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.matchers.predicate import (
    Predicate,
    i64_param,
    one_structured,
)


@irdl_op_definition
class MatchStructuredRankOp(Predicate):
    """The number of loops."""

    name = "transform.match.structured.rank"

    operand_handle = operand_def(TransformOpHandleType)
    rank = result_def(TransformParamHandleType)

    assembly_format = "$operand_handle attr-dict `:` functional-type(operands, results)"

    def apply(self, state: TransformState) -> None:
        """Count the loops."""
        op = one_structured(self, state, self.operand_handle)
        state.set_params(self.rank, [i64_param(op.get_num_loops())])


@irdl_op_definition
class MatchStructuredNumInputsOp(Predicate):
    """The number of inputs."""

    name = "transform.match.structured.num_inputs"

    operand_handle = operand_def(TransformOpHandleType)
    number = result_def(TransformParamHandleType)

    assembly_format = "$operand_handle attr-dict `:` functional-type(operands, results)"

    def apply(self, state: TransformState) -> None:
        """Count the inputs."""
        op = one_structured(self, state, self.operand_handle)
        state.set_params(self.number, [i64_param(len(op.inputs))])


@irdl_op_definition
class MatchStructuredNumInitsOp(Predicate):
    """The number of outputs."""

    name = "transform.match.structured.num_inits"

    operand_handle = operand_def(TransformOpHandleType)
    number = result_def(TransformParamHandleType)

    assembly_format = "$operand_handle attr-dict `:` functional-type(operands, results)"

    def apply(self, state: TransformState) -> None:
        """Count the outputs."""
        op = one_structured(self, state, self.operand_handle)
        state.set_params(self.number, [i64_param(len(op.outputs))])


@irdl_op_definition
class MatchStructuredElementalBitwidthOp(Predicate):
    """The width of a value's elements, in bits."""

    name = "transform.match.structured.elemental_bitwidth"

    operand_handle = operand_def(TransformValueHandleType)
    width = result_def(TransformParamHandleType)

    assembly_format = "$operand_handle attr-dict `:` functional-type(operands, results)"

    def apply(self, state: TransformState) -> None:
        """Find the element type."""
        values = state.payload_values(self.operand_handle)
        if len(values) != 1:
            raise self.broken(f"needs one value, the handle points at {len(values)}")
        width = _bitwidth(element_type(values[0].type))
        if width is None:
            raise self.refuse("the elements are neither integers nor floats")
        state.set_params(self.width, [i64_param(width)])


def _bitwidth(of: Attribute) -> int | None:
    """The width of a scalar type, in bits."""
    if isa(of, IntegerType):
        return of.width.data
    return of.bitwidth if isinstance(of, AnyFloat) else None
