"""Predicates on what a structured op computes: its body, its contraction loops."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.structured.bodies import is_elementwise, passes_through
from tilewright.ir.structured.contractions import contraction_dims, is_contraction
from tilewright.ir.structured.convolutions import convolution_dims
from tilewright.ir.structured.reductions import accumulation
from tilewright.transforms.core.base import (
    TransformOpHandleType,
    TransformParamHandleType,
)
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.matchers.predicate import (
    Predicate,
    i64_param,
    one_structured,
)


@irdl_op_definition
class MatchStructuredBodyOp(Predicate):
    """Check that the body reduces, copies, is element-wise or a contraction."""

    name = "transform.match.structured.body"

    operand_handle = operand_def(TransformOpHandleType)
    reduction_position = opt_prop_def(IntegerAttr.constr(i64))
    passthrough = opt_prop_def(UnitAttr)
    elementwise = opt_prop_def(UnitAttr)
    contraction = opt_prop_def(ArrayAttr[StringAttr])

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$operand_handle attr-dict `:` type($operand_handle)"

    def verify_(self) -> None:
        """Check that exactly one predicate is given."""
        given = (
            self.reduction_position,
            self.passthrough,
            self.elementwise,
            self.contraction,
        )
        if sum(predicate is not None for predicate in given) != 1:
            raise VerifyException(
                "expects exactly one of reduction_position, passthrough, elementwise, "
                "contraction"
            )
        if self.contraction is not None and len(self.contraction) != 2:
            raise VerifyException("expects 'contraction' to contain two names")

    def apply(self, state: TransformState) -> None:
        """Check the body."""
        op = one_structured(self, state, self.operand_handle)
        if self.reduction_position is not None:
            position = self.reduction_position.value.data
            if accumulation(op, position) is None:
                raise self.refuse(f"output {position} is not reduced by one op", op)
        elif self.passthrough is not None:
            if not passes_through(op):
                raise self.refuse("the body computes something", op)
        elif self.elementwise is not None:
            if not is_elementwise(op):
                raise self.refuse("the op is not element by element", op)
        elif self.contraction is not None:
            names = [name.data for name in self.contraction]
            if len(names) != 2 or not is_contraction(op, names[0], names[1]):
                raise self.refuse(f"the body is no contraction by {names}", op)


@irdl_op_definition
class MatchStructuredClassifyContractionDimsOp(Predicate):
    """Classify the loops of a contraction as batch, m, n and k."""

    name = "transform.match.structured.classify_contraction_dims"

    operand_handle = operand_def(TransformOpHandleType)
    batch = result_def(TransformParamHandleType)
    m = result_def(TransformParamHandleType)
    n = result_def(TransformParamHandleType)
    k = result_def(TransformParamHandleType)

    assembly_format = "$operand_handle attr-dict `:` functional-type(operands, results)"

    def apply(self, state: TransformState) -> None:
        """Sort the loops by the operands they index."""
        op = one_structured(self, state, self.operand_handle)
        dims = contraction_dims(op)
        if dims is None:
            raise self.refuse("the op is no contraction of two inputs", op)
        for result, loops in zip(
            self.results, (dims.batch, dims.m, dims.n, dims.k), strict=True
        ):
            state.set_params(result, [i64_param(loop) for loop in loops])


@irdl_op_definition
class MatchStructuredClassifyConvolutionDimsOp(Predicate):
    """Classify the loops of a convolution; return the steps of its windows too."""

    name = "transform.match.structured.classify_convolution_dims"

    operand_handle = operand_def(TransformOpHandleType)
    batch = result_def(TransformParamHandleType)
    output_image = result_def(TransformParamHandleType)
    output_channel = result_def(TransformParamHandleType)
    filter_loop = result_def(TransformParamHandleType)
    input_channel = result_def(TransformParamHandleType)
    depth = result_def(TransformParamHandleType)
    strides = result_def(TransformParamHandleType)
    dilations = result_def(TransformParamHandleType)

    assembly_format = "$operand_handle attr-dict `:` functional-type(operands, results)"

    def apply(self, state: TransformState) -> None:
        """Sort the loops by the operands they index."""
        op = one_structured(self, state, self.operand_handle)
        dims = convolution_dims(op)
        if dims is None:
            raise self.refuse("no window slides along an input", op)
        roles = (
            dims.batch,
            dims.output_image,
            dims.output_channel,
            dims.filter_loop,
            dims.input_channel,
            dims.depth,
            dims.strides,
            dims.dilations,
        )
        for result, numbers in zip(self.results, roles, strict=True):
            state.set_params(result, [i64_param(number) for number in numbers])
