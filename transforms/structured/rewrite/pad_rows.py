"""`transform.tilewright.pad_rows`: read operands from copies with padded rows.

Not upstream's. Before:
    %r = linalg.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x5xf16>) outs(%c : ...)

After `pad_rows %r at [1] to 16`:
    %e = bufferization.alloc_tensor() : tensor<8x8xf16>
    %s = tensor.extract_slice %e[0, 0] [8, 5] [1, 1] : ... to tensor<8x5xf16>
    %p = linalg.copy ins(%b : tensor<8x5xf16>) outs(%s : tensor<8x5xf16>)
    %r = linalg.matmul ins(%a, %p : tensor<4x8xf16>, tensor<8x5xf16>) outs(%c : ...)

The shapes stay. In memory, each row of a copy begins at a multiple of these bytes (16
if none are given), so that tensor descriptors can describe it. Nothing reads the
elements between the rows.

Requires: a structured op on tensors, whose inputs at these positions are matrices with
rows of a known length that is no multiple of these bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IntegerAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, result_def

from tilewright.ir.dialects.bufferization import AllocTensorOp
from tilewright.ir.dialects.linalg import CopyOp, StructuredOp
from tilewright.ir.dialects.tensor import ExtractSliceOp
from tilewright.ir.dtypes import byte_width
from tilewright.ir.types import is_tensor, tensor_type
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import Extent, OpList, dim_size
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.new_ops import split_sizes
from tilewright.transforms.structured.targets import structured_op

ALIGNMENT = 16
"""Rows that descriptors describe begin at multiples of this many bytes."""


@dataclass(frozen=True)
class Plan:
    """An op, and the positions of the inputs that it reads from copies."""

    op: StructuredOp
    positions: tuple[int, ...]
    unit: int
    """The rows of a copy begin at multiples of this many bytes."""


@irdl_op_definition
class PadRowsOp(TargetOp):
    """Copy operands; consumes the target, returns the op and the copies."""

    name = "transform.tilewright.pad_rows"
    FORM: ClassVar[str] = (
        "pad_rows <target:handle> at <positions:numbers> [to <multiple_of:param>]"
    )
    SUMMARY: ClassVar[str] = (
        "read operands from copies whose rows are multiples of 16 bytes"
    )

    positions = prop_def(DenseArrayBase.constr(i64))
    multiple_of = opt_prop_def(IntegerAttr.constr(i64))
    transformed = result_def(TransformOpHandleType)
    copies = result_def(TransformOpHandleType)

    assembly_format = (
        "$target `at` $positions (`to` $multiple_of^)? attr-dict `:` "
        "functional-type(operands, results)"
    )

    def _positions(self) -> list[int]:
        return [int(position) for position in self.positions.get_values()]

    def _unit(self) -> int:
        return ALIGNMENT if self.multiple_of is None else self.multiple_of.value.data

    def analyze(self, op: Operation) -> Plan:
        """Check that the inputs have rows that can be padded."""
        op, unit = structured_op(self, op), self._unit()
        if unit < ALIGNMENT or unit & (unit - 1):
            raise self.refuse(
                f"rows cannot begin at multiples of {unit} bytes",
                op,
                f"give a power of two of at least {ALIGNMENT}",
            )
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
            is_whole = row * byte_width(of.element_type) % unit == 0
            if is_whole or _is_padded(value, unit):
                raise self.refuse(
                    f"the rows of input {position} begin at multiples of {unit} bytes",
                    op,
                    "leave it out",
                )
        return Plan(op, tuple(self._positions()), unit)

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
                copies[value] = _padded_copy(value, plan.unit, new)
            made.operands[position] = copies[value].results[0]
        new.ops.append(made)
        for new_op in new.ops:
            new_op.location = op.location
        rewriter.insert_before(op, *new.ops)
        rewriter.replace(op, made.results, stands_for=made)
        return made, list(copies.values())


def _padded_row(of: TensorType[Attribute], unit: int) -> int:
    """The elements from one row to the next, in a copy."""
    elements = unit // byte_width(of.element_type)
    return -(-of.get_shape()[-1] // elements) * elements


def _is_padded(value: SSAValue, unit: int) -> bool:
    """Whether a value is a copy that this op made."""
    if not isinstance(value.owner, CopyOp):
        return False
    slice_ = value.owner.outputs[0].owner
    if not isinstance(slice_, ExtractSliceOp):
        return False
    wide = tensor_type(slice_.source).get_shape()
    return wide[-1] == _padded_row(tensor_type(value), unit)


def _padded_copy(value: SSAValue, unit: int, new: OpList) -> CopyOp:
    """A copy of a tensor whose rows begin at multiples of `unit` bytes.

    Two `tensor.empty` of one shape may become one, and two copies would then share a
    tensor; an `alloc_tensor` has a buffer of its own.
    """
    of = tensor_type(value)
    shape: list[Extent] = [
        dim_size(value, dim, new) for dim in range(len(of.get_shape()))
    ]
    static, dynamic = split_sizes([*shape[:-1], _padded_row(of, unit)])
    wide = new.add(
        AllocTensorOp.build(
            operands=[dynamic, None, None],
            result_types=[TensorType(of.element_type, static)],
        )
    )
    zeros, ones = [0] * len(shape), [1] * len(shape)
    part = new.add(ExtractSliceOp(wide, zeros, shape, ones, of))
    copy = CopyOp([value], [part])
    new.ops.append(copy)
    return copy
