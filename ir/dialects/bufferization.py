"""bufferization: the border between tensors and buffers.

All ops are ours: xDSL's declare no effects and infer types that upstream does not.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    MemRefType,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import (
    EffectInstance,
    MemoryEffect,
    MemoryEffectKind,
    MemoryFreeEffect,
    MemoryReadEffect,
    Pure,
)
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from tilewright.ir.dialects.effects import AllocatesResult, BufferWriteEffect
from tilewright.ir.types import is_buffer, is_tensor, tensor_type

ANY_TENSOR = base(TensorType[Attribute]) | base(UnrankedTensorType[Attribute])
ANY_BUFFER = base(MemRefType[Attribute]) | base(UnrankedMemRefType[Attribute])

Contents = tuple[Attribute, tuple[int, ...] | None]
"""Element type and shape; the shape of an unranked type is None."""


def contents_of(of: Attribute) -> Contents:
    """The shape and elements of a tensor or buffer, without its memory layout."""
    if is_tensor(of) or is_buffer(of):
        return of.element_type, of.get_shape()
    if isa(of, UnrankedMemRefType[Attribute]):
        return of.element_type, None
    assert isa(of, UnrankedTensorType[Attribute])
    return of.element_type, None


def _verify_same(one: SSAValue, other: SSAValue) -> None:
    left, right = contents_of(one.type), contents_of(other.type)
    if left[0] != right[0]:
        raise VerifyException("element types do not match")
    if left[1] != right[1]:
        raise VerifyException("shapes do not match")


@irdl_op_definition
class AllocTensorOp(IRDLOperation):
    """A tensor with a buffer of its own, either uninitialized or a copy of a tensor."""

    name = "bufferization.alloc_tensor"

    T: ClassVar = VarConstraint("T", base(TensorType[Attribute]))

    dynamic_sizes = var_operand_def(IndexType)
    copy = opt_operand_def(T)
    size_hint = opt_operand_def(IndexType)
    memory_space = opt_prop_def(AnyAttr())
    tensor = result_def(T)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    traits = traits_def(AllocatesResult())

    assembly_format = (
        "`(` $dynamic_sizes `)` (`copy` `(` $copy^ `)`)? "
        "(`size_hint` `` `=` `` $size_hint^)? attr-dict `:` type($tensor)"
    )

    def verify_(self) -> None:
        """A size for each dynamic dimension, none where a tensor is copied."""
        if self.copy is not None:
            if self.dynamic_sizes:
                raise VerifyException("dynamic sizes not needed when copying a tensor")
            return
        wanted = tensor_type(self.tensor).get_shape().count(DYNAMIC_INDEX)
        if len(self.dynamic_sizes) != wanted:
            raise VerifyException(
                f"incorrect number of dynamic sizes, has {len(self.dynamic_sizes)}, "
                f"expected {wanted}"
            )


@irdl_op_definition
class DeallocTensorOp(IRDLOperation):
    """Deallocate the buffer of a tensor."""

    name = "bufferization.dealloc_tensor"

    tensor = operand_def(ANY_TENSOR)

    traits = traits_def(MemoryFreeEffect())

    assembly_format = "$tensor attr-dict `:` type($tensor)"


class _ClonesBuffer(MemoryEffect):
    """Reads its operand, and allocates its result."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        """A read and an allocation."""
        return {
            EffectInstance(MemoryEffectKind.READ, op.operands[0]),
            EffectInstance(MemoryEffectKind.ALLOC, op.results[0]),
        }


@irdl_op_definition
class CloneOp(IRDLOperation):
    """A copy of a buffer; from then on neither may be written to."""

    name = "bufferization.clone"

    input = operand_def(ANY_BUFFER)
    output = result_def(ANY_BUFFER)

    traits = traits_def(_ClonesBuffer())

    assembly_format = "$input attr-dict `:` type($input) `to` type($output)"

    def verify_(self) -> None:
        """The same elements, and sizes that can be the same."""
        left, right = contents_of(self.input.type), contents_of(self.output.type)
        if left[0] != right[0]:
            raise VerifyException("element types do not match")
        if not _can_be(left[1], right[1]):
            raise VerifyException("shapes do not match")


@irdl_op_definition
class ToTensorOp(IRDLOperation):
    """The contents of a buffer as a value."""

    name = "bufferization.to_tensor"

    memref = operand_def(ANY_BUFFER)
    restrict = opt_prop_def(UnitAttr)
    writable = opt_prop_def(UnitAttr)
    tensor = result_def(ANY_TENSOR)

    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$memref (`restrict` $restrict^)? (`writable` $writable^)? attr-dict "
        "`:` type($memref) `to` type($tensor)"
    )

    def verify_(self) -> None:
        """The buffer's elements and shape."""
        _verify_same(self.memref, self.tensor)


@irdl_op_definition
class ToBufferOp(IRDLOperation):
    """A buffer with a tensor's contents."""

    name = "bufferization.to_buffer"

    tensor = operand_def(ANY_TENSOR)
    read_only = opt_prop_def(UnitAttr)
    memref = result_def(ANY_BUFFER)

    traits = traits_def(Pure())

    assembly_format = (
        "$tensor (`read_only` $read_only^)? attr-dict "
        "`:` type($tensor) `to` type($memref)"
    )

    def verify_(self) -> None:
        """The tensor's elements and shape."""
        _verify_same(self.tensor, self.memref)


@irdl_op_definition
class MaterializeInDestinationOp(IRDLOperation):
    """A tensor's contents, in the memory of another tensor or of a buffer."""

    name = "bufferization.materialize_in_destination"

    source = operand_def(ANY_TENSOR)
    dest = operand_def(ANY_TENSOR | ANY_BUFFER)
    restrict = opt_prop_def(UnitAttr)
    writable = opt_prop_def(UnitAttr)
    result = opt_result_def(ANY_TENSOR)

    traits = traits_def(BufferWriteEffect())

    assembly_format = (
        "$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest "
        "attr-dict `:` functional-type(operands, results)"
    )

    def __init__(self, source: SSAValue, dest: SSAValue):
        into_buffer = is_buffer(dest.type)
        super().__init__(
            operands=[source, dest],
            result_types=[None if into_buffer else dest.type],
            properties={"writable": UnitAttr() if into_buffer else None},
        )

    def verify_(self) -> None:
        """A tensor destination has a result; a buffer is declared writable."""
        into_buffer = not isa(
            self.dest.type, TensorType[Attribute] | UnrankedTensorType[Attribute]
        )
        left, right = contents_of(self.source.type), contents_of(self.dest.type)
        if left[0] != right[0]:
            raise VerifyException("element types do not match")
        if not _can_be(left[1], right[1]):
            raise VerifyException("shapes do not match")
        if self.restrict is not None and not into_buffer:
            raise VerifyException("'restrict' is valid only for memref destinations")
        if (self.writable is not None) != into_buffer:
            raise VerifyException(
                "'writable' must be specified if and only if the destination is of "
                "memref type"
            )
        if into_buffer and self.result is not None:
            raise VerifyException("memref 'dest' implies zero results")
        if not into_buffer and self.result is None:
            raise VerifyException("tensor 'dest' implies exactly one tensor result")
        if self.result is not None and self.result.type != self.dest.type:
            raise VerifyException("result and 'dest' types must match")


def _can_be(one: tuple[int, ...] | None, other: tuple[int, ...] | None) -> bool:
    """Whether two shapes can be the same when the program runs."""
    if one is None or other is None:
        return True
    return len(one) == len(other) and all(
        a == b or DYNAMIC_INDEX in (a, b) for a, b in zip(one, other, strict=True)
    )


Bufferization = Dialect(
    "bufferization",
    [
        AllocTensorOp,
        CloneOp,
        DeallocTensorOp,
        MaterializeInDestinationOp,
        ToBufferOp,
        ToTensorOp,
    ],
)

NOT_YET = frozenset({"bufferization.dealloc"})
"""Ops of upstream's dialect that this compiler does not have."""
