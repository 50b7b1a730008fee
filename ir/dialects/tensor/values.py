"""Ops that make tensors, cast them, or access their elements and sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
    i64,
)
from xdsl.interfaces import ConditionallySpeculatableInterface
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import NoMemoryEffect, Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.arith import constant_integers
from tilewright.ir.types import tensor_type


def verify_dynamic_sizes(of: TensorType[Attribute], sizes: Sequence[SSAValue]) -> None:
    """A size for each dynamic dimension."""
    expected = of.get_shape().count(DYNAMIC_INDEX)
    if len(sizes) != expected:
        raise VerifyException(
            f"expected {expected} dynamic sizes for '{of}', got {len(sizes)}"
        )


def verify_indices(of: TensorType[Attribute], indices: Sequence[SSAValue]) -> None:
    """An index for each dimension."""
    if len(indices) != len(of.get_shape()):
        raise VerifyException(
            f"expected {len(of.get_shape())} indices for '{of}', got {len(indices)}"
        )


def fits(made: Sequence[int], given: Sequence[int]) -> bool:
    """Whether two shapes may be equal: sizes that are static in both agree."""
    return len(made) == len(given) and all(
        a == b or DYNAMIC_INDEX in (a, b) for a, b in zip(made, given, strict=True)
    )


@irdl_op_definition
class EmptyOp(IRDLOperation):
    """A tensor of unspecified contents."""

    name = "tensor.empty"

    dynamic_sizes = var_operand_def(IndexType)
    tensor = result_def(TensorType)

    traits = traits_def(Pure())

    assembly_format = "`(` $dynamic_sizes `)` attr-dict `:` type($tensor)"

    def __init__(self, dynamic_sizes: Sequence[SSAValue], tensor_type: Attribute):
        super().__init__(operands=[dynamic_sizes], result_types=[tensor_type])

    def verify_(self) -> None:
        """A size for each dynamic dimension."""
        verify_dynamic_sizes(tensor_type(self.tensor), self.dynamic_sizes)


@irdl_op_definition
class SplatOp(IRDLOperation):
    """A tensor with the same scalar everywhere."""

    name = "tensor.splat"

    ELEMENT: ClassVar = VarConstraint("ELEMENT", AnyAttr())
    input = operand_def(ELEMENT)
    dynamic_sizes = var_operand_def(IndexType)
    result = result_def(TensorType.constr(ELEMENT))

    traits = traits_def(Pure())

    assembly_format = "$input (`[` $dynamic_sizes^ `]`)? attr-dict `:` type($result)"

    def __init__(
        self, input: SSAValue, dynamic_sizes: Sequence[SSAValue], result_type: Attribute
    ):
        super().__init__(operands=[input, dynamic_sizes], result_types=[result_type])

    def verify_(self) -> None:
        """A size for each dynamic dimension."""
        verify_dynamic_sizes(tensor_type(self.result), self.dynamic_sizes)


@irdl_op_definition
class FromElementsOp(IRDLOperation):
    """The given scalars in row-major order."""

    name = "tensor.from_elements"

    ELEMENT: ClassVar = VarConstraint("ELEMENT", AnyAttr())
    elements = var_operand_def(ELEMENT)
    result = result_def(TensorType.constr(ELEMENT))

    traits = traits_def(Pure())

    assembly_format = "$elements attr-dict `:` type($result)"

    def __init__(self, *elements: SSAValue, result_type: Attribute):
        super().__init__(operands=[elements], result_types=[result_type])

    def verify_(self) -> None:
        """As many scalars as elements."""
        made = tensor_type(self.result)
        if DYNAMIC_INDEX in made.get_shape():
            raise VerifyException(f"expected a result of static shape, got '{made}'")
        if made.element_count() != len(self.elements):
            raise VerifyException(
                f"expected {made.element_count()} elements for '{made}', got "
                f"{len(self.elements)}"
            )


@irdl_op_definition
class DimOp(IRDLOperation, ConditionallySpeculatableInterface):
    """The size of a dimension."""

    name = "tensor.dim"

    source = operand_def(TensorType)
    index = operand_def(IndexType)
    result = result_def(IndexType())

    traits = traits_def(NoMemoryEffect())

    assembly_format = "attr-dict $source `,` $index `:` type($source)"

    def __init__(self, source: SSAValue, index: SSAValue):
        super().__init__(operands=[source, index], result_types=[IndexType()])

    def verify_(self) -> None:
        """The tensor has at least one dimension."""
        if not tensor_type(self.source).get_shape():
            raise VerifyException("a tensor of rank 0 has no dimensions")

    def is_speculatable(self) -> bool:
        """Whether the dimension is a constant within the rank."""
        rank = len(tensor_type(self.source).get_shape())
        index = constant_integers(self.index)
        return index is not None and 0 <= index[0] < rank


@irdl_op_definition
class RankOp(IRDLOperation):
    """The number of dimensions."""

    name = "tensor.rank"

    tensor = operand_def(TensorType)
    result = result_def(IndexType())

    traits = traits_def(Pure())

    assembly_format = "$tensor attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue):
        super().__init__(operands=[tensor], result_types=[IndexType()])


@irdl_op_definition
class CastOp(IRDLOperation):
    """The same tensor under a type with more or fewer static sizes."""

    name = "tensor.cast"

    source = operand_def(TensorType)
    dest = result_def(TensorType)

    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"

    def __init__(self, source: SSAValue, dest: Attribute):
        super().__init__(operands=[source], result_types=[dest])

    def verify_(self) -> None:
        """Equal elements, and sizes that are equal where both are static."""
        given, made = tensor_type(self.source), tensor_type(self.dest)
        same = given.element_type == made.element_type
        if not same or not fits(made.get_shape(), given.get_shape()):
            raise VerifyException(f"cannot cast '{given}' to '{made}'")


@irdl_op_definition
class BitcastOp(IRDLOperation):
    """The same bits under another element type."""

    name = "tensor.bitcast"

    source = operand_def(TensorType)
    dest = result_def(TensorType)

    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"

    def __init__(self, source: SSAValue, dest: Attribute):
        super().__init__(operands=[source], result_types=[dest])

    def verify_(self) -> None:
        """Elements of one width, and sizes that are equal where both are static."""
        given, made = tensor_type(self.source), tensor_type(self.dest)
        widths = {_width(given.element_type), _width(made.element_type)}
        if len(widths) != 1 or not fits(made.get_shape(), given.get_shape()):
            raise VerifyException(f"cannot cast '{given}' to '{made}'")


def _width(type_: Attribute) -> int | None:
    if not isinstance(type_, IntegerType | AnyFloat):
        return None
    width: int = type_.bitwidth
    return width


@irdl_op_definition
class ExtractOp(IRDLOperation):
    """One element."""

    name = "tensor.extract"

    ELEMENT: ClassVar = VarConstraint("ELEMENT", AnyAttr())
    tensor = operand_def(TensorType.constr(ELEMENT))
    indices = var_operand_def(IndexType)
    result = result_def(ELEMENT)

    traits = traits_def(Pure())

    assembly_format = "$tensor `[` $indices `]` attr-dict `:` type($tensor)"

    def __init__(
        self, tensor: SSAValue, indices: Sequence[SSAValue], result_type: Attribute
    ):
        super().__init__(operands=[tensor, indices], result_types=[result_type])

    def verify_(self) -> None:
        """An index for each dimension."""
        verify_indices(tensor_type(self.tensor), self.indices)


@irdl_op_definition
class InsertOp(IRDLOperation):
    """A copy with one element replaced."""

    name = "tensor.insert"

    ELEMENT: ClassVar = VarConstraint("ELEMENT", AnyAttr())
    TENSOR: ClassVar = VarConstraint("TENSOR", TensorType.constr(ELEMENT))
    scalar = operand_def(ELEMENT)
    dest = operand_def(TENSOR)
    indices = var_operand_def(IndexType)
    result = result_def(TENSOR)

    traits = traits_def(Pure())

    assembly_format = "$scalar `into` $dest `[` $indices `]` attr-dict `:` type($dest)"

    def __init__(self, scalar: SSAValue, dest: SSAValue, indices: Sequence[SSAValue]):
        super().__init__(operands=[scalar, dest, indices], result_types=[dest.type])

    def verify_(self) -> None:
        """An index for each dimension."""
        verify_indices(tensor_type(self.dest), self.indices)


@irdl_op_definition
class ConcatOp(IRDLOperation):
    """Tensors one after the other along a dimension."""

    name = "tensor.concat"

    inputs = var_operand_def(TensorType)
    dim = prop_def(IntegerAttr.constr(i64))
    result = result_def(TensorType)

    traits = traits_def(Pure())

    assembly_format = (
        "`dim` `(` $dim `)` $inputs attr-dict `:` functional-type(operands, results)"
    )

    def __init__(self, inputs: Sequence[SSAValue], dim: int, result_type: Attribute):
        super().__init__(
            operands=[inputs],
            result_types=[result_type],
            properties={"dim": IntegerAttr(dim, i64)},
        )

    def verify_(self) -> None:
        """Element types agree, and shapes agree except in the one dimension."""
        made = tensor_type(self.result)
        parts = [tensor_type(part) for part in self.inputs]
        if not parts:
            raise VerifyException("expected at least one tensor")
        for part in parts:
            if part.element_type != made.element_type:
                raise VerifyException(
                    f"expected elements of type '{made.element_type}', got '{part}'"
                )
            if len(part.get_shape()) != len(made.get_shape()):
                raise VerifyException(f"expected the rank of '{made}', got '{part}'")
        dim: int = self.dim.value.data
        if not 0 <= dim < len(made.get_shape()):
            raise VerifyException(f"there is no dimension {dim} in '{made}'")
        shapes = [part.get_shape() for part in parts]
        for position, sizes in enumerate(zip(*shapes, strict=True)):
            size = made.get_shape()[position]
            static = [entry for entry in (*sizes, size) if entry != DYNAMIC_INDEX]
            if position == dim:
                agree = DYNAMIC_INDEX in (*sizes, size) or sum(sizes) == size
            else:
                agree = len(set(static)) <= 1
            if not agree:
                raise VerifyException(
                    f"the sizes {list(sizes)} of dimension {position} do not make "
                    f"'{made}'"
                )
