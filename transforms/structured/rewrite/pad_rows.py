"""`transform.tilewright.pad_rows`: read operands from copies with padded rows.

Not upstream's. Before:
    %r = linalg.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x5xf16>) outs(%c : ...)

After `pad_rows %r at [1]`:
    %e = bufferization.alloc_tensor() : tensor<8x8xf16>
    %s = tensor.extract_slice %e[0, 0] [8, 5] [1, 1] : ... to tensor<8x5xf16>
    %p = linalg.copy ins(%b : tensor<8x5xf16>) outs(%s : tensor<8x5xf16>)
    %r = linalg.matmul ins(%a, %p : tensor<4x8xf16>, tensor<8x5xf16>) outs(%c : ...)

The shapes stay. In memory, each row of a copy begins at a multiple of 16 bytes, so that
tensor descriptors can describe it. Nothing reads the elements between the rows.

Requires: a structured op on tensors, whose inputs at these positions are matrices with
rows of a known length that is no multiple of 16 bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, TensorType, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, prop_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from tilewright.ir.dialects.bufferization import AllocTensorOp
from tilewright.ir.dialects.linalg import CopyOp, StructuredOp
from tilewright.ir.dialects.tensor import ExtractSliceOp
from tilewright.ir.dtypes import byte_width
from tilewright.ir.types import element_type, is_tensor, tensor_type
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import Extent, OpList, dim_size
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.syntax import parse_signature, print_signature
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.new_ops import split_sizes
from tilewright.transforms.structured.targets import structured_op

ALIGNMENT = 16
"""The rows of a copy begin at multiples of this many bytes."""


@dataclass(frozen=True)
class Plan:
    """An op, and the positions of the inputs that it reads from copies."""

    op: StructuredOp
    positions: tuple[int, ...]


@irdl_op_definition
class PadRowsOp(TargetOp):
    """Copy operands; consumes the target, returns the op and the copies."""

    name = "transform.tilewright.pad_rows"

    positions = prop_def(DenseArrayBase.constr(i64))
    transformed = result_def(TransformOpHandleType)
    copies = result_def(TransformOpHandleType)

    @classmethod
    def parse(cls, parser: Parser) -> PadRowsOp:
        """`%h at [0, 1] : (type) -> (type, type)`."""
        target = parser.parse_unresolved_operand()
        parser.parse_keyword("at")
        positions = parser.parse_comma_separated_list(
            Parser.Delimiter.SQUARE, parser.parse_integer
        )
        attributes = parser.parse_optional_attr_dict()
        operands, types = parse_signature(parser, [target])
        op = cls.build(
            operands=operands,
            result_types=types,
            properties={"positions": DenseArrayBase.from_list(i64, positions)},
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%h at [0, 1] : (type) -> (type, type)`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.target)
        printer.print_string(f" at {self._positions()}")
        print_signature(printer, self)

    def _positions(self) -> list[int]:
        return [int(position) for position in self.positions.get_values()]

    def analyze(self, op: Operation) -> Plan:
        """Check that the inputs have rows that can be padded."""
        op = structured_op(self, op)
        for position in self._positions():
            if not 0 <= position < len(op.inputs):
                raise self.refuse(
                    f"there is no input {position}, the op has {len(op.inputs)}", op
                )
            value = op.inputs[position]
            of = value.type
            if not is_tensor(of) or len(of.get_shape()) < 2:
                raise self.refuse(
                    f"input {position} is no tensor with rows",
                    op,
                    "pad the rows of matrices, before bufferizing",
                )
            row = of.get_shape()[-1]
            if row == DYNAMIC_INDEX:
                raise self.refuse(
                    f"the rows of input {position} have a length known only at run "
                    "time",
                    op,
                    "leave it out",
                )
            if row * byte_width(of.element_type) % ALIGNMENT == 0 or _is_padded(value):
                raise self.refuse(
                    f"the rows of input {position} begin at multiples of {ALIGNMENT} "
                    "bytes",
                    op,
                    "leave it out",
                )
        return Plan(op, tuple(self._positions()))

    def rewrite(
        self, plan: Plan, rewriter: Rewriter
    ) -> tuple[Operation, Sequence[Operation]]:
        """Insert the copies and let the op read them."""
        op, new = plan.op, OpList()
        made = op.clone()
        copies: dict[SSAValue, Operation] = {}
        for position in plan.positions:
            value = op.inputs[position]
            if value not in copies:
                copies[value] = _padded_copy(value, new)
            made.operands[position] = copies[value].results[0]
        new.ops.append(made)
        for new_op in new.ops:
            new_op.location = op.location
        rewriter.insert_before(op, *new.ops)
        rewriter.replace(op, made.results, stands_for=made)
        return made, list(copies.values())


def _padded_row(of: TensorType) -> int:
    """The elements from one row to the next, in a copy."""
    unit = ALIGNMENT // byte_width(of.element_type)
    return -(-of.get_shape()[-1] // unit) * unit


def _is_padded(value: SSAValue) -> bool:
    """Whether a value is a copy that this op made."""
    if not isinstance(value.owner, CopyOp):
        return False
    slice_ = value.owner.outputs[0].owner
    if not isinstance(slice_, ExtractSliceOp):
        return False
    wide = tensor_type(slice_.source).get_shape()
    return wide[-1] == _padded_row(tensor_type(value))


def _padded_copy(value: SSAValue, new: OpList) -> CopyOp:
    """A copy of a tensor whose rows begin at multiples of 16 bytes.

    Two `tensor.empty` of one shape may become one, and two copies would then share a
    tensor; an `alloc_tensor` has a buffer of its own.
    """
    of = tensor_type(value)
    shape: list[Extent] = [
        dim_size(value, dim, new) for dim in range(len(of.get_shape()))
    ]
    static, dynamic = split_sizes([*shape[:-1], _padded_row(of)])
    wide = new.add(
        AllocTensorOp.build(
            operands=[dynamic, None, None],
            result_types=[TensorType(element_type(of), static)],
        )
    )
    zeros, ones = [0] * len(shape), [1] * len(shape)
    part = new.add(ExtractSliceOp(wide, zeros, shape, ones, of))
    copy = CopyOp([value], [part])
    new.ops.append(copy)
    return copy
