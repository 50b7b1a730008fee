"""`linalg.map`: a function of the elements of inputs that all have the output's shape.

A body of one op on the elements of the inputs has a short form:

    %r = linalg.map { arith.addf } ins(%x, %y : tensor<4xf32>, tensor<4xf32>)
      outs(%o : tensor<4xf32>)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, ShapedType
from xdsl.ir import Operation, Region, SSAValue
from xdsl.irdl import VarOperand, irdl_op_definition, operand_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.linalg.attributes import IteratorTypeAttr
from tilewright.ir.dialects.linalg.loops import iterators, pointwise_maps, shape_of
from tilewright.ir.dialects.linalg.short_bodies import (
    parse_long_body,
    parse_short_payload,
    print_long_body,
    print_short_payload,
    short_payload,
)
from tilewright.ir.dialects.linalg.structured import StructuredOp
from tilewright.ir.dialects.linalg.syntax import (
    parse_ins_outs,
    print_ins_outs,
    shape_text,
)
from tilewright.ir.types import element_type, is_tensor


@irdl_op_definition
class MapOp(StructuredOp):
    """A function of elements; the body takes one of each input, and the output's."""

    name = "linalg.map"

    inputs = var_operand_def()
    outputs = cast(VarOperand, operand_def(ShapedType))
    """One, without operand segments, as upstream; `_outputs` makes it a sequence."""

    def __init__(self, inputs: Sequence[SSAValue], output: SSAValue, body: Region):
        super().__init__(
            operands=[inputs, output],
            result_types=[[output.type] if is_tensor(output.type) else []],
            regions=[body],
        )

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        """The identity for every operand."""
        return pointwise_maps(self.get_num_loops(), (False,) * len(self.operands))

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        """All parallel."""
        return iterators(len(shape_of(self.outputs[0].type)))

    def verify_(self) -> None:
        """The inputs have the output's shape."""
        wanted = shape_of(self.outputs[0].type)
        for value in self.inputs:
            if (shape := shape_of(value.type)) != wanted:
                raise VerifyException(
                    f"expected shape of input {shape_text(shape)} to match shape of "
                    f"output {shape_text(wanted)}"
                )
        super().verify_()

    @classmethod
    def parse(cls, parser: Parser) -> MapOp:
        """`[{ op }] [ins(...)] outs(...) [{...}] [(args) {body}]`."""
        payload = parse_short_payload(parser)
        pos = parser.pos
        inputs, outputs = parse_ins_outs(parser)
        if len(outputs) != 1:
            parser.raise_error("expected one output", pos, parser.pos)
        attributes = parser.parse_optional_attr_dict()
        if payload is None:
            body = parse_long_body(parser)
        else:
            types = [element_type(value.type) for value in (*inputs, *outputs)]
            body = payload.body(types, range(len(inputs)))
        op = cls(inputs, outputs[0], body)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """The short form where the body has one."""
        payload = self._payload()
        if payload is not None:
            print_short_payload(printer, payload)
        print_ins_outs(printer, self.inputs, self.outputs)
        printer.print_op_attributes(self.attributes)
        if payload is None:
            print_long_body(printer, self.body)

    def _payload(self) -> Operation | None:
        """The op of a body that may be printed short: a function of the inputs."""
        block = self.body.block
        return short_payload(block, block.args[:-1]) if self.inputs else None


def _outputs(op: MapOp) -> VarOperand:
    return VarOperand((op.operands[-1],))


# Other structured ops have a sequence of outputs; xDSL makes a single operand a value.
# It does so when it defines the op, which has to be done by then.
MapOp.get_irdl_definition()
setattr(MapOp, "outputs", property(_outputs))  # noqa: B010
