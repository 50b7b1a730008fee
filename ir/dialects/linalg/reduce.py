"""`linalg.reduce`: combine inputs over some of their dimensions.

A body of one op on (accumulator, element) has a short form:

    %r = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>)
      outs(%s : tensor<4xf32>) dimensions = [1]
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, DenseArrayBase, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import (
    IRDLOperation,
    SameVariadicOperandSize,
    irdl_op_definition,
    prop_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.linalg.attributes import IteratorTypeAttr
from tilewright.ir.dialects.linalg.generic import YieldOp
from tilewright.ir.dialects.linalg.loops import iterators, maps_attribute, shape_of
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
        payload = _parse_payload(parser)
        inputs, outputs = parse_ins_outs(parser)
        dimensions = parse_dimensions(parser, "dimensions")
        attributes = parser.parse_optional_attr_dict()
        if payload is None:
            args = parser.parse_comma_separated_list(
                Parser.Delimiter.PAREN, parser.parse_argument
            )
            body = parser.parse_region(args)
        else:
            if len(inputs) != 1 or len(outputs) != 1:
                parser.raise_error("expected one input and one output in a short form")
            body = _short_body(*payload, inputs[0], outputs[0])
        op = cls(inputs, outputs, dimensions, body)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """The short form where the body has one."""
        payload = self._payload()
        if payload is not None:
            printer.print_string(f" {{ {payload.name}")
            printer.print_op_attributes(_without_defaults(payload))
            printer.print_string(" }")
        print_ins_outs(printer, self.inputs, self.outputs)
        print_dimensions(printer, "dimensions", self.dimensions.get_values())
        printer.print_op_attributes(self.attributes)
        if payload is None:
            printer.print_string(" ")
            with printer.in_parens():
                printer.print_list(self.body.block.args, printer.print_block_argument)
            printer.print_string(" ")
            printer.print_region(self.body, print_entry_block_args=False)

    def _payload(self) -> Operation | None:
        """The op of a body that may be printed short: `op(accumulator, element)`."""
        block = self.body.block
        op, last = block.first_op, block.last_op
        if len(block.args) != 2 or op is None or last is None or op.next_op is not last:
            return None
        element, accumulator = block.args
        if tuple(op.operands) != (accumulator, element) or len(op.results) != 1:
            return None
        if tuple(last.operands) != (op.results[0],) or op.regions:
            return None
        return op if op.results[0].type == accumulator.type == element.type else None


def _parse_payload(
    parser: Parser,
) -> tuple[type[IRDLOperation], dict[str, Attribute]] | None:
    """`[{ dialect.op [{...}] }]`."""
    if not parser.parse_optional_punctuation("{"):
        return None
    pos = parser.pos
    name = parser.parse_identifier()
    kind = parser.ctx.get_optional_op(name)
    if kind is None or not issubclass(kind, IRDLOperation):
        parser.raise_error(f"the op '{name}' is not supported", pos, parser.pos)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation("}")
    return kind, attributes


def _short_body(
    kind: type[IRDLOperation],
    given: dict[str, Attribute],
    source: SSAValue,
    init: SSAValue,
) -> Region:
    types = [element_type(source.type), element_type(init.type)]
    block = Block(arg_types=types)
    properties, attributes = dict[str, Attribute](), dict[str, Attribute]()
    known = kind.get_irdl_definition().properties
    for name, value in given.items():
        (properties if name in known else attributes)[name] = value
    combined = kind.build(
        operands=[block.args[1], block.args[0]],
        result_types=[types[1]],
        properties=properties,
        attributes=attributes,
    )
    block.add_ops([combined, YieldOp(combined.results[0])])
    return Region(block)


def _without_defaults(op: Operation) -> dict[str, Attribute]:
    """The properties and attributes of an op that are not its defaults."""
    assert isinstance(op, IRDLOperation)
    known = op.get_irdl_definition().properties
    changed = {
        name: value
        for name, value in op.properties.items()
        if name not in known or known[name].default_value != value
    }
    return changed | op.attributes
