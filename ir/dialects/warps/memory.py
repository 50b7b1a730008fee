"""Shared memory: rings of tiles, views of them, and copies that run by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import (
    I64,
    DenseArrayBase,
    IntegerAttr,
    UnitAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    EqAttrConstraint,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.kernel import DescriptorType, element_of, shape_of
from tilewright.ir.dialects.warps.types import BarriersType, RingType, ViewType


@irdl_op_definition
class RingOp(IRDLOperation):
    """Shared memory for the tiles of a ring."""

    name = "warps.ring"

    result = result_def(RingType)

    traits = traits_def(MemoryWriteEffect())

    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, of: RingType):
        super().__init__(result_types=[of])


@irdl_op_definition
class SlotOp(IRDLOperation):
    """The tile in one slot of a ring."""

    name = "warps.slot"

    ring = operand_def(RingType)
    slot = operand_def(i32)
    result = result_def(ViewType)

    traits = traits_def(Pure())

    assembly_format = "$ring `[` $slot `]` attr-dict `:` type($ring) `to` type($result)"

    def __init__(self, ring: SSAValue, slot: SSAValue):
        of = ring.type
        assert isinstance(of, RingType)
        super().__init__(operands=[ring, slot], result_types=[ViewType(of.tile)])


@irdl_op_definition
class ReshapeOp(IRDLOperation):
    """The same tile of shared memory in another shape."""

    name = "warps.reshape"

    source = operand_def(ViewType)
    result = result_def(ViewType)

    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    def __init__(self, source: SSAValue, shape: Sequence[int]):
        tile = VectorType(element_of(_tile(source)), list(shape))
        super().__init__(operands=[source], result_types=[ViewType(tile)])

    def verify_(self) -> None:
        """The elements stay."""
        before, after = _tile(self.source), _tile(self.result)
        if prod(shape_of(before)) != prod(shape_of(after)):
            raise VerifyException(f"{before} has not as many elements as {after}")


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """The same tile of shared memory with its dimensions permuted."""

    name = "warps.transpose"

    source = operand_def(ViewType)
    order = prop_def(DenseArrayBase.constr(i64))
    result = result_def(ViewType)

    traits = traits_def(Pure())

    assembly_format = "$source $order attr-dict `:` type($source) `to` type($result)"

    def __init__(self, source: SSAValue, order: Sequence[int]):
        shape = shape_of(_tile(source))
        tile = VectorType(element_of(_tile(source)), [shape[dim] for dim in order])
        super().__init__(
            operands=[source],
            properties={"order": DenseArrayBase.from_list(i64, order)},
            result_types=[ViewType(tile)],
        )


@irdl_op_definition
class CopyInOp(IRDLOperation):
    """Start a copy of the block at `offsets` into shared memory (TMA).

    The copy adds its bytes to a phase of the barrier when it is complete.
    """

    name = "warps.copy_in"

    descriptor = operand_def(DescriptorType)
    offsets = var_operand_def(EqAttrConstraint(i32))
    view = operand_def(ViewType)
    barriers = operand_def(BarriersType)
    slot = operand_def(i32)
    partial = opt_prop_def(UnitAttr)
    """Set where the block may reach past the buffer's end; that part is zero."""

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    assembly_format = (
        "$descriptor `[` $offsets `]` `to` $view `then` $barriers `[` $slot `]` "
        "(`partial` $partial^)? attr-dict "
        "`:` type($descriptor) `,` type($view) `,` type($barriers)"
    )

    def __init__(
        self,
        descriptor: SSAValue,
        offsets: Sequence[SSAValue],
        view: SSAValue,
        barriers: SSAValue,
        slot: SSAValue,
        partial: bool = False,
    ):
        super().__init__(
            operands=[descriptor, offsets, view, barriers, slot],
            properties={"partial": UnitAttr() if partial else None},
        )

    def verify_(self) -> None:
        """A copy fills a tile."""
        _check_block(self.descriptor, self.view)


@irdl_op_definition
class CopyOutOp(IRDLOperation):
    """Start a copy of a tile of shared memory to the block at `offsets` (TMA)."""

    name = "warps.copy_out"

    descriptor = operand_def(DescriptorType)
    offsets = var_operand_def(EqAttrConstraint(i32))
    view = operand_def(ViewType)
    partial = opt_prop_def(UnitAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    assembly_format = (
        "$view `to` $descriptor `[` $offsets `]` (`partial` $partial^)? attr-dict "
        "`:` type($view) `,` type($descriptor)"
    )

    def __init__(
        self,
        descriptor: SSAValue,
        offsets: Sequence[SSAValue],
        view: SSAValue,
        partial: bool = False,
    ):
        super().__init__(
            operands=[descriptor, offsets, view],
            properties={"partial": UnitAttr() if partial else None},
        )

    def verify_(self) -> None:
        """A copy writes a whole tile."""
        _check_block(self.descriptor, self.view)


@irdl_op_definition
class StoreWaitOp(IRDLOperation):
    """Wait until at most so many copies of this partition still read their tiles."""

    name = "warps.store_wait"

    pending = prop_def(IntegerAttr[I64])

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$pending attr-dict"

    def __init__(self, pending: int):
        super().__init__(properties={"pending": IntegerAttr(pending, i64)})


@irdl_op_definition
class ReadOp(IRDLOperation):
    """Read a tile of shared memory into registers."""

    name = "warps.read"

    view = operand_def(ViewType)
    layout = opt_prop_def(Attribute)
    result = result_def(VectorType)

    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$view (`layout` $layout^)? attr-dict `:` type($view) `to` type($result)"
    )

    def __init__(self, view: SSAValue):
        super().__init__(operands=[view], result_types=[_tile(view)])


@irdl_op_definition
class WriteOp(IRDLOperation):
    """Write a tile of registers to shared memory."""

    name = "warps.write"

    value = operand_def(VectorType)
    view = operand_def(ViewType)

    traits = traits_def(MemoryWriteEffect())

    assembly_format = "$value `to` $view attr-dict `:` type($value) `,` type($view)"

    def __init__(self, value: SSAValue, view: SSAValue):
        super().__init__(operands=[value, view])

    def verify_(self) -> None:
        """The tile has the shape and the type of the value."""
        if _tile(self.view) != self.value.type:
            raise VerifyException(f"writes {self.value.type} to {_tile(self.view)}")


@irdl_op_definition
class FenceOp(IRDLOperation):
    """Let the copies and products started later see what this partition has written."""

    name = "warps.fence"

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "attr-dict"


def _tile(view: SSAValue) -> VectorType:
    of = view.type
    assert isinstance(of, ViewType)
    return of.tile


def _check_block(descriptor: SSAValue, view: SSAValue) -> None:
    of = descriptor.type
    assert isinstance(of, DescriptorType)
    if of.block != _tile(view):
        raise VerifyException(f"copies blocks of {of.block}, the tile is {_tile(view)}")
