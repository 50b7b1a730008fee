"""Memory accesses of a kernel: pointers, tensor descriptors and counters."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr, UnitAttr, VectorType, i1, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    EqAttrConstraint,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.kernel.types import (
    DescriptorType,
    PointerType,
    element_of,
    shape_of,
    tile_of,
)


@irdl_op_definition
class OffsetOp(IRDLOperation):
    """Pointer plus offsets, counted in elements."""

    name = "kernel.offset"

    pointer = operand_def()
    offset = operand_def()
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = (
        "$pointer `,` $offset attr-dict `:` type($pointer) `,` type($offset) "
        "`to` type($result)"
    )

    def __init__(self, pointer: SSAValue, offset: SSAValue):
        shape = shape_of(offset.type) or shape_of(pointer.type)
        super().__init__(
            operands=[pointer, offset],
            result_types=[tile_of(element_of(pointer.type), shape)],
        )

    def verify_(self) -> None:
        """Two tiles must agree in shape."""
        shapes = {shape_of(operand.type) for operand in self.operands} - {()}
        if len(shapes) > 1:
            raise VerifyException("pointer and offset tiles differ in shape")
        if not isinstance(element_of(self.pointer.type), PointerType):
            raise VerifyException("needs a pointer")


@irdl_op_definition
class LoadOp(IRDLOperation):
    """Load through a tile of pointers; masked-off lanes read `other`."""

    name = "kernel.load"

    pointer = operand_def()
    mask = opt_operand_def()
    other = opt_prop_def(Attribute)
    eviction = opt_prop_def(StringAttr)
    """`evict_first` or `evict_last`: which cache lines are evicted first, or last."""
    cache = opt_prop_def(StringAttr)
    """A cache operator as PTX names it: ca, cg, cv."""
    result = result_def()

    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$pointer (`mask` $mask^ `:` type($mask))? (`other` $other^)? "
        "(`eviction` $eviction^)? (`cache` $cache^)? attr-dict "
        "`:` type($pointer) `to` type($result)"
    )

    def __init__(
        self,
        pointer: SSAValue,
        mask: SSAValue | None = None,
        other: Attribute | None = None,
    ):
        of = element_of(pointer.type)
        assert isinstance(of, PointerType)
        super().__init__(
            operands=[pointer, mask],
            properties={"other": other},
            result_types=[tile_of(of.pointee, shape_of(pointer.type))],
        )

    def verify_(self) -> None:
        """A masked load gives the value of masked-off lanes."""
        if (self.mask is None) != (self.other is None):
            raise VerifyException("mask and other go together")
        if self.mask is not None and element_of(self.mask.type) != i1:
            raise VerifyException("the mask must be a tile of i1")


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Store through a tile of pointers; masked-off lanes write nothing."""

    name = "kernel.store"

    pointer = operand_def()
    value = operand_def()
    mask = opt_operand_def()
    eviction = opt_prop_def(StringAttr)
    cache = opt_prop_def(StringAttr)

    traits = traits_def(MemoryWriteEffect())

    assembly_format = (
        "$pointer `,` $value (`mask` $mask^ `:` type($mask))? "
        "(`eviction` $eviction^)? (`cache` $cache^)? attr-dict "
        "`:` type($pointer) `,` type($value)"
    )

    def __init__(
        self, pointer: SSAValue, value: SSAValue, mask: SSAValue | None = None
    ):
        super().__init__(operands=[pointer, value, mask])


@irdl_op_definition
class AtomicAddOp(IRDLOperation):
    """Add through a tile of pointers; masked-off lanes add nothing.

    Lanes and programs may add to one element, in any order; each addition is atomic.
    """

    name = "kernel.atomic_add"

    pointer = operand_def()
    value = operand_def()
    mask = opt_operand_def()

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = (
        "$pointer `,` $value (`mask` $mask^ `:` type($mask))? attr-dict "
        "`:` type($pointer) `,` type($value)"
    )

    def __init__(
        self, pointer: SSAValue, value: SSAValue, mask: SSAValue | None = None
    ):
        super().__init__(operands=[pointer, value, mask])

    def verify_(self) -> None:
        """The pointers are to elements of the value's type."""
        of = element_of(self.pointer.type)
        if not isinstance(of, PointerType) or of.pointee != element_of(self.value.type):
            raise VerifyException("adds a value of another type than its pointer's")


@irdl_op_definition
class DescriptorLoadOp(IRDLOperation):
    """Load the block at `offsets`; elements outside the buffer read zero."""

    name = "kernel.descriptor_load"

    descriptor = operand_def(DescriptorType)
    offsets = var_operand_def(EqAttrConstraint(i32))
    partial = opt_prop_def(UnitAttr)
    """Set where the block may reach past the buffer's end."""
    result = result_def(VectorType)

    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$descriptor `[` $offsets `]` (`partial` $partial^)? attr-dict "
        "`:` type($descriptor) `to` type($result)"
    )

    def __init__(
        self, descriptor: SSAValue, offsets: Sequence[SSAValue], partial: bool
    ):
        of = descriptor.type
        assert isinstance(of, DescriptorType)
        super().__init__(
            operands=[descriptor, offsets],
            properties={"partial": UnitAttr() if partial else None},
            result_types=[of.block],
        )


@irdl_op_definition
class DescriptorStoreOp(IRDLOperation):
    """Store the block at `offsets`; elements outside the buffer are dropped."""

    name = "kernel.descriptor_store"

    descriptor = operand_def(DescriptorType)
    offsets = var_operand_def(EqAttrConstraint(i32))
    value = operand_def(VectorType)
    partial = opt_prop_def(UnitAttr)

    traits = traits_def(MemoryWriteEffect())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    assembly_format = (
        "$descriptor `[` $offsets `]` `,` $value (`partial` $partial^)? attr-dict "
        "`:` type($descriptor) `,` type($value)"
    )

    def __init__(
        self,
        descriptor: SSAValue,
        offsets: Sequence[SSAValue],
        value: SSAValue,
        partial: bool,
    ):
        super().__init__(
            operands=[descriptor, offsets, value],
            properties={"partial": UnitAttr() if partial else None},
        )


@irdl_op_definition
class ArriveOp(IRDLOperation):
    """Increment a counter atomically after the program's stores; give its old value.

    Programs that arrive later see the stores of programs that arrived earlier.
    """

    name = "kernel.arrive"

    counter = operand_def(PointerType)
    result = result_def(i32)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$counter attr-dict `:` type($counter)"

    def __init__(self, counter: SSAValue):
        super().__init__(operands=[counter], result_types=[i32])
