"""Ops that make a tile or change its shape."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.kernel.types import element_of, shape_of


@irdl_op_definition
class ArangeOp(IRDLOperation):
    """The numbers from 0 up to the tile's length."""

    name = "kernel.arange"

    length_name = opt_prop_def(StringAttr)
    layout = opt_prop_def(Attribute)
    """The layout of registers, where the warps of a kernel have roles."""
    result = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = (
        "($length_name^)? (`layout` $layout^)? attr-dict `:` type($result)"
    )

    def __init__(self, length: int, name: str | None = None):
        super().__init__(
            properties={"length_name": None if name is None else StringAttr(name)},
            result_types=[VectorType(i32, [length])],
        )


@irdl_op_definition
class FullOp(IRDLOperation):
    """A tile filled with one constant, such as a loop's initial accumulator."""

    name = "kernel.full"

    value = prop_def(Attribute)
    extents = opt_prop_def(ArrayAttr[StringAttr])
    """Names of the extents; the extent of an empty name is written as a number."""
    layout = opt_prop_def(Attribute)
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = (
        "$value ($extents^)? (`layout` $layout^)? attr-dict `:` type($result)"
    )

    def __init__(self, value: Attribute, of: Attribute, extents: Sequence[str]):
        super().__init__(
            properties={
                "value": value,
                "extents": ArrayAttr([StringAttr(name) for name in extents]),
            },
            result_types=[of],
        )


@irdl_op_definition
class ExpandDimsOp(IRDLOperation):
    """Insert a dimension of size one: `x[:, None]`."""

    name = "kernel.expand_dims"

    source = operand_def(VectorType)
    axis = prop_def(IntegerAttr[I64])
    result = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = (
        "$source `axis` $axis attr-dict `:` type($source) `to` type($result)"
    )

    def __init__(self, source: SSAValue, axis: int):
        shape = list(shape_of(source.type))
        shape.insert(axis, 1)
        super().__init__(
            operands=[source],
            properties={"axis": IntegerAttr(axis, i64)},
            result_types=[VectorType(element_of(source.type), shape)],
        )


@irdl_op_definition
class ReshapeOp(IRDLOperation):
    """The same elements, row-major, in another shape."""

    name = "kernel.reshape"

    source = operand_def()
    extents = opt_prop_def(ArrayAttr[StringAttr])
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = (
        "$source ($extents^)? attr-dict `:` type($source) `to` type($result)"
    )

    def __init__(self, source: SSAValue, of: Attribute, extents: Sequence[str]):
        super().__init__(
            operands=[source],
            properties={"extents": ArrayAttr([StringAttr(name) for name in extents])},
            result_types=[of],
        )


@irdl_op_definition
class TransOp(IRDLOperation):
    """Permute a tile's dimensions."""

    name = "kernel.trans"

    source = operand_def(VectorType)
    order = prop_def(DenseArrayBase.constr(i64))
    result = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = "$source $order attr-dict `:` type($source) `to` type($result)"

    def __init__(self, source: SSAValue, order: Sequence[int]):
        shape = shape_of(source.type)
        super().__init__(
            operands=[source],
            properties={"order": DenseArrayBase.from_list(i64, order)},
            result_types=[
                VectorType(element_of(source.type), [shape[p] for p in order])
            ],
        )


@irdl_op_definition
class HalvesOp(IRDLOperation):
    """The left and the right half of a matrix's columns."""

    name = "kernel.halves"

    source = operand_def(VectorType)
    layout = opt_prop_def(Attribute)
    left = result_def(VectorType)
    right = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = (
        "$source (`layout` $layout^)? attr-dict "
        "`:` type($source) `to` type($left) `,` type($right)"
    )

    def __init__(self, source: SSAValue):
        rows, columns = shape_of(source.type)
        half = VectorType(element_of(source.type), [rows, columns // 2])
        super().__init__(operands=[source], result_types=[half, half])

    def verify_(self) -> None:
        """Two halves of an even number of columns."""
        shape = shape_of(self.source.type)
        half = [(*shape[:-1], shape[-1] // 2)] * 2
        if len(shape) != 2 or shape[1] % 2:
            raise VerifyException("needs a matrix with an even number of columns")
        if [shape_of(result.type) for result in self.results] != half:
            raise VerifyException(f"the halves of {shape} are {half[0]}")
