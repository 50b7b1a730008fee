"""`linalg.reduce`: combine inputs over some of their dimensions.

A body of one op on (accumulator, element) has a short form:

    %r = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>)
      outs(%s : tensor<4xf32>) dimensions = [1]
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, DenseArrayBase, i64
from xdsl.ir import Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import SameVariadicOperandSize, irdl_op_definition, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.linalg.attributes import IteratorTypeAttr
from tilewright.ir.dialects.linalg.loops import iterators, maps_attribute, shape_of
from tilewright.ir.dialects.linalg.short_bodies import (
    parse_long_body,
    parse_short_payload,
    print_long_body,
    print_short_payload,
    short_payload,
)
from tilewright.ir.dialects.linalg.structured import StructuredOp
from tilewright.ir.dialects.linalg.syntax import (
    parse_dimensions,
    parse_ins_outs,
    print_dimensions,
    print_ins_outs,
    shape_text,
)
from tilewright.ir.types import element_type, is_tensor


@irdl_op_definition
class ReduceOp(StructuredOp):
    """A reduction; the body takes an element and an accumulator for each input."""

    name = "linalg.reduce"

    dimensions = prop_def(DenseArrayBase.constr(i64))

    irdl_options = (SameVariadicOperandSize(),)

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue],
        dimensions: Sequence[int],
        body: Region,
    ):
        super().__init__(
            operands=[inputs, outputs],
            result_types=[[o.type for o in outputs if is_tensor(o.type)]],
            properties={"dimensions": DenseArrayBase.from_list(i64, dimensions)},
            regions=[body],
        )

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        """An input is indexed by all loops, an output by those that are not reduced."""
        rank = self.get_num_loops()
        dims = self.dimensions.get_values()
        kept = tuple(AffineExpr.dimension(d) for d in range(rank) if d not in dims)
        whole, rest = AffineMap.identity(rank), AffineMap(rank, 0, kept)
        return maps_attribute([whole] * len(self.inputs) + [rest] * len(self.outputs))

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        """The reduced dimensions are reductions, the others parallel."""
        rank = len(shape_of(self.inputs[0].type))
        return iterators(rank, tuple(self.dimensions.get_values()))

    def verify_(self) -> None:
        """Inputs of one shape; outputs of that shape without the reduced dimensions."""
        if not self.inputs:
            raise VerifyException("expected at least one input")
        shape = self._one_shape("inputs", self.inputs)
        init = self._one_shape("outputs", self.outputs)
        dims = self.dimensions.get_values()
        if any(not 0 <= dim < len(shape) for dim in dims):
            raise VerifyException(
                f"dimensions for reduction should be in the range [0, {len(shape) - 1}]"
            )
        if list(dims) != sorted(set(dims)):
            raise VerifyException("expected dimensions to be in increasing order")
        rest = tuple(size for dim, size in enumerate(shape) if dim not in dims)
        if len(rest) != len(init):
            raise VerifyException(
                f"number of dimensions after reduction {len(rest)} doesn't match the "
                f"init rank {len(init)}"
            )
        if rest != init:
            raise VerifyException(
                f"init dimensions {shape_text(init)} doesn't match input dimensions "
                f"after reduction {shape_text(rest)}"
            )
        super().verify_()

    def _one_shape(self, which: str, values: Sequence[SSAValue]) -> tuple[int, ...]:
        shapes = [shape_of(value.type) for value in values]
        if any(shape != shapes[0] for shape in shapes):
            raise VerifyException(f"expects all {which} to have the same shapes")
        return shapes[0]

    @classmethod
    def parse(cls, parser: Parser) -> ReduceOp:
        """`[{ op }] ins(...) outs(...) dimensions = [...] [{...}] [(args) {body}]`."""
        payload = parse_short_payload(parser)
        inputs, outputs = parse_ins_outs(parser)
        dimensions = parse_dimensions(parser, "dimensions")
        attributes = parser.parse_optional_attr_dict()
        if payload is None:
            body = parse_long_body(parser)
        else:
            if len(inputs) != 1 or len(outputs) != 1:
                parser.raise_error("expected one input and one output in a short form")
            types = [element_type(inputs[0].type), element_type(outputs[0].type)]
            body = payload.body(types, (1, 0))
        op = cls(inputs, outputs, dimensions, body)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """The short form where the body has one."""
        payload = self._payload()
        if payload is not None:
            print_short_payload(printer, payload)
        print_ins_outs(printer, self.inputs, self.outputs)
        print_dimensions(printer, "dimensions", self.dimensions.get_values())
        printer.print_op_attributes(self.attributes)
        if payload is None:
            print_long_body(printer, self.body)

    def _payload(self) -> Operation | None:
        """The op of a body that may be printed short: `op(accumulator, element)`."""
        args = self.body.block.args
        if len(args) != 2 or args[0].type != args[1].type:
            return None
        return short_payload(self.body.block, (args[1], args[0]))
