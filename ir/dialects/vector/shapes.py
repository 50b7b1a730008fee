"""The same elements in another shape: broadcast, transpose, shape_cast, bitcast."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FixedBitwidthType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.types import element_type, lanes, vector_type, vector_with


@irdl_op_definition
class BroadcastOp(IRDLOperation):
    """Repeat a scalar or vector along leading dimensions, and stretch unit ones."""

    name = "vector.broadcast"

    source = operand_def(AnyAttr())
    vector = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `to` type($vector)"

    def __init__(self, source: SSAValue, result_type: VectorType[Attribute]):
        super().__init__(operands=[source], result_types=[result_type])

    def verify_(self) -> None:
        """Trailing sizes of source and result are equal, or 1 in the source."""
        target = vector_type(self.vector)
        if element_type(self.source.type) != target.element_type:
            raise VerifyException(
                f"source operand '{self.source.type}' and result '{target}' have "
                "different element types"
            )
        have, want = lanes(self.source.type) or (), target.get_shape()
        if len(have) > len(want):
            raise VerifyException("source rank higher than destination rank")
        trailing = want[len(want) - len(have) :]
        for size, wanted in zip(have, trailing, strict=True):
            if size not in (1, wanted):
                raise VerifyException(f"dimension mismatch ({size} vs. {wanted})")


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """Permute the dimensions of a vector."""

    name = "vector.transpose"

    vector = operand_def(VectorType)
    permutation = prop_def(DenseArrayBase.constr(i64))
    result = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = (
        "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)"
    )

    def __init__(self, source: SSAValue, permutation: Sequence[int]):
        type_ = vector_type(source)
        shape = [type_.get_shape()[p] for p in permutation]
        super().__init__(
            operands=[source],
            result_types=[vector_with(type_.element_type, shape)],
            properties={"permutation": DenseArrayBase.from_list(i64, permutation)},
        )

    @property
    def order(self) -> tuple[int, ...]:
        """Result dimension i is source dimension `order[i]`."""
        return tuple(int(p) for p in self.permutation.get_values())

    def verify_(self) -> None:
        """The list is a permutation, and the result has the permuted shape."""
        source, result = vector_type(self.vector), vector_type(self.result)
        shape = source.get_shape()
        if source.element_type != result.element_type:
            raise VerifyException("operand and result have different element types")
        if len(shape) != result.get_num_dims():
            raise VerifyException(
                f"vector result rank mismatch: {result.get_num_dims()}"
            )
        if len(self.order) != len(shape):
            raise VerifyException(f"transposition length mismatch: {len(self.order)}")
        for position, index in enumerate(self.order):
            if not 0 <= index < len(shape):
                raise VerifyException(f"transposition index out of range: {index}")
            if index in self.order[:position]:
                raise VerifyException(f"duplicate position index: {index}")
            if result.get_shape()[position] != shape[index]:
                raise VerifyException(f"dimension size mismatch at: {position}")


@irdl_op_definition
class ShapeCastOp(IRDLOperation):
    """Reinterpret a vector's shape, elements in row-major order."""

    name = "vector.shape_cast"

    source = operand_def(VectorType)
    result = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    def __init__(self, source: SSAValue, result_type: VectorType[Attribute]):
        super().__init__(operands=[source], result_types=[result_type])

    def verify_(self) -> None:
        """Source and result have equally many elements, of one type."""
        source, result = vector_type(self.source), vector_type(self.result)
        if source.element_type != result.element_type:
            raise VerifyException("has different source and result element types")
        have, want = prod(source.get_shape()), prod(result.get_shape())
        if have != want:
            raise VerifyException(
                f"has different number of elements at source ({have}) and result "
                f"({want})"
            )


@irdl_op_definition
class BitcastOp(IRDLOperation):
    """The same bits as elements of another width; the last dimension scales."""

    name = "vector.bitcast"

    source = operand_def(VectorType)
    result = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    def __init__(self, source: SSAValue, result_type: VectorType[Attribute]):
        super().__init__(operands=[source], result_types=[result_type])

    def verify_(self) -> None:
        """Leading sizes are equal, and rows have equally many bits."""
        source, result = vector_type(self.source), vector_type(self.result)
        have, want = source.get_shape(), result.get_shape()
        if len(have) != len(want):
            raise VerifyException("source and result have different ranks")
        for dim, (left, right) in enumerate(zip(have[:-1], want[:-1], strict=True)):
            if left != right:
                raise VerifyException(f"dimension size mismatch at: {dim}")
        if _row_bits(source) != _row_bits(result):
            what = "minor 1-D vectors" if have else "0-D vector element types"
            raise VerifyException(f"source/result bitwidth of the {what} must be equal")


def _row_bits(of: VectorType[Attribute]) -> int | None:
    """The number of bits of a row; None for `index`, whose width is the target's."""
    element = of.element_type
    if not isinstance(element, FixedBitwidthType):
        return None
    shape = of.get_shape()
    return element.bitwidth * (shape[-1] if shape else 1)
