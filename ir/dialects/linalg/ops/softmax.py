"""`linalg.softmax`, which is not a structured op, as upstream."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_result_def,
    prop_def,
    traits_def,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.effects import BufferEffect
from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.types import element_type, is_buffer, is_tensor


@irdl_op_definition
class SoftmaxOp(IRDLOperation):
    """exp(x - max(x)) along one dimension, divided by its sum."""

    name = "linalg.softmax"

    dimension = prop_def(IntegerAttr[i64])
    input = operand_def()
    output = operand_def()
    result = opt_result_def()

    traits = traits_def(BufferEffect())

    assembly_format = (
        "attr-dict `dimension` `(` $dimension `)` `ins` `(` $input `:` type($input) `)`"
        " `outs` `(` $output `:` type($output) `)` (`->` type($result)^)?"
    )

    def __init__(self, source: SSAValue, output: SSAValue, dimension: int):
        super().__init__(
            operands=[source, output],
            result_types=[output.type if is_tensor(output.type) else None],
            properties={"dimension": IntegerAttr(dimension, i64)},
        )

    def verify_(self) -> None:
        """Input and output have one shape, which has the dimension."""
        source, output = self.input.type, self.output.type
        for type_ in (source, output):
            if not is_tensor(type_) and not is_buffer(type_):
                raise VerifyException(f"expected a tensor or a memref, got {type_}")
        if is_tensor(source) != is_tensor(output):
            raise VerifyException("expected to have pure tensor or buffer semantics")
        if element_type(source) != element_type(output):
            raise VerifyException("expected input and output of one element type")
        shape = shape_of(source)
        if len(shape) != len(shape_of(output)) or any(
            a != b and a >= 0 and b >= 0
            for a, b in zip(shape, shape_of(output), strict=True)
        ):
            raise VerifyException("incompatible output shape")
        if not 0 <= self.dimension.value.data < len(shape):
            raise VerifyException("incompatible dimension specified")
        expected = [output] if is_tensor(output) else []
        if [result.type for result in self.results] != expected:
            raise VerifyException("expected a result of the output's type, if a tensor")
