"""Buffers for subviews that a structured op reads and writes, and the copies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    i8,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from tilewright.ir.dialects import arith, func, memref
from tilewright.ir.dialects.gpu import AddressSpace, AddressSpaceAttr, BarrierOp
from tilewright.ir.dialects.linalg import CopyOp, FillOp, GenericOp, StructuredOp
from tilewright.ir.dialects.memref import SubviewOp
from tilewright.ir.dialects.tensor import dropped_dims
from tilewright.ir.dtypes import element
from tilewright.ir.types import buffer_type
from tilewright.transforms.cleanup.patterns.memref.buffers import window
from tilewright.transforms.cleanup.shapes import Slice, numbers_in
from tilewright.transforms.core.extents import Extent, OpList, upper_bound
from tilewright.transforms.core.rewriter import Rewriter


@dataclass(frozen=True)
class Buffers(ABC):
    """How buffers are made, filled and dropped."""

    is_original: bool
    """Whether a buffer has the subview's size, and not the largest that it can have."""

    @abstractmethod
    def allocate(
        self, view: SubviewOp, sizes: Sequence[Extent], new: OpList, rewriter: Rewriter
    ) -> SSAValue:
        """A buffer of some sizes, all of it."""

    @abstractmethod
    def copy(self, source: SSAValue, target: SSAValue) -> list[Operation]:
        """Copy one buffer into another."""

    def drop(self, whole: SSAValue) -> list[Operation]:
        """Deallocate what `allocate` made."""
        return []


@dataclass(frozen=True)
class PlainBuffers(Buffers):
    """Bytes, allocated where the op stands, seen as elements."""

    alignment: Attribute | None
    memory_space: Attribute | None
    is_on_stack: bool

    def allocate(
        self, view: SubviewOp, sizes: Sequence[Extent], new: OpList, rewriter: Rewriter
    ) -> SSAValue:
        """Allocate the bytes of all elements; as many as run time says, if need be."""
        kind = buffer_type(view.result)
        count: Extent = 1
        for size in sizes:
            count = _times(count, size, new)
        count = _times(count, element(kind.element_type).byte_width, new)
        shape = [count if isinstance(count, int) else DYNAMIC_INDEX]
        space = self.memory_space or NoneAttr()
        make = memref.AllocaOp if self.is_on_stack else memref.AllocOp
        dynamic = [] if isinstance(count, int) else [count]
        bytes_type = MemRefType(i8, shape, memory_space=space)
        memory = new.add(make(dynamic, [], bytes_type, self.alignment))
        whole = MemRefType(
            kind.element_type, [DYNAMIC_INDEX] * len(sizes), memory_space=space
        )
        at = new.index(0)
        values = [new.index(size) for size in sizes]
        seen = memref.ViewOp.build(operands=[memory, at, values], result_types=[whole])
        return new.add(seen)

    def copy(self, source: SSAValue, target: SSAValue) -> list[Operation]:
        """A structured copy."""
        return [CopyOp([source], [target])]

    def drop(self, whole: SSAValue) -> list[Operation]:
        """Deallocate the bytes, unless they are on the stack."""
        if self.is_on_stack:
            return []
        assert isinstance(whole.owner, memref.ViewOp)
        return [memref.DeallocOp.build(operands=[whole.owner.source])]


@dataclass(frozen=True)
class SpaceBuffers(Buffers):
    """Elements in a memory of a GPU, allocated where the function begins."""

    space: AddressSpace

    def allocate(
        self, view: SubviewOp, sizes: Sequence[Extent], new: OpList, rewriter: Rewriter
    ) -> SSAValue:
        """Allocate shared memory, or registers on the stack."""
        shape = [size for size in sizes if isinstance(size, int)]
        kind = MemRefType(
            buffer_type(view.result).element_type,
            shape,
            memory_space=AddressSpaceAttr(self.space),
        )
        is_shared = self.space is AddressSpace.WORKGROUP
        alloc = (memref.AllocOp if is_shared else memref.AllocaOp)([], [], kind)
        function = view.parent_op()
        while not isinstance(function, func.FuncOp):
            assert function is not None, "payload lies in a function"
            function = function.parent_op()
        rewriter.insert_at_start(function.body.block, alloc)
        return alloc.memref

    def copy(self, source: SSAValue, target: SSAValue) -> list[Operation]:
        """A plain copy, between barriers if the memory is shared."""
        copy = memref.CopyOp(source, target)
        if self.space is AddressSpace.PRIVATE:
            return [copy]
        return [BarrierOp.build(), copy, BarrierOp.build()]


def _times(left: Extent, right: Extent, new: OpList) -> Extent:
    if isinstance(left, int) and isinstance(right, int):
        return left * right
    if 1 in (left, right):
        return right if left == 1 else left
    return new.add(arith.MuliOp(new.index(left), new.index(right)))


def _kept_sizes(view: SubviewOp) -> list[Extent]:
    """The sizes of a subview, without those of dimensions that it drops."""
    sizes = Slice.of(view).known().sizes
    shape = buffer_type(view.result).get_shape()
    left_out = dropped_dims(numbers_in(Slice.of(view).sizes), shape)
    assert left_out is not None, "the verifier has checked the shape"
    return [size for dim, size in enumerate(sizes) if dim not in left_out]


def full_sizes(view: SubviewOp, is_original: bool) -> list[Extent]:
    """The largest sizes that a subview can have, as far as they are known."""
    sizes = _kept_sizes(view)
    if is_original:
        return sizes
    bounds = [size if isinstance(size, int) else upper_bound(size) for size in sizes]
    return [
        size if bound is None else bound
        for size, bound in zip(sizes, bounds, strict=True)
    ]


def promote_operands(
    op: StructuredOp,
    positions: Sequence[int],
    full: Collection[int],
    buffers: Buffers,
    rewriter: Rewriter,
) -> None:
    """Give operands buffers of their own; results are copied back."""
    new, after = OpList(), list[Operation]()
    copies: list[Operation] = []
    dropped: list[Operation] = []
    for position in positions:
        view = op.operands[position].owner
        assert isinstance(view, SubviewOp)
        whole = buffers.allocate(
            view, full_sizes(view, buffers.is_original), new, rewriter
        )
        sizes = [new.index(size) for size in _kept_sizes(view)]
        place = Slice((0,) * len(sizes), tuple(sizes), (1,) * len(sizes))
        part = new.add(window(whole, place))
        if position in full:
            zero = new.add(_zero(buffer_type(whole).element_type))
            new.ops.append(FillOp([zero], [whole]))
        if _is_read(op, position):
            copies += buffers.copy(view.result, part)
        if position >= len(op.inputs):
            after += buffers.copy(part, view.result)
        dropped += buffers.drop(whole)
        rewriter.set_operand(op, position, whole if position in full else part)
    rewriter.insert_before(op, *new.ops, *copies)
    rewriter.insert_after(op, *after, *dropped)


def _is_read(op: StructuredOp, position: int) -> bool:
    """Whether the old contents are needed; always, of a named op, as in upstream."""
    if not isinstance(op, GenericOp):
        return True
    return op.body.block.args[position].first_use is not None


def _zero(kind: Attribute) -> arith.ConstantOp:
    if isa(kind, IntegerType):
        return arith.ConstantOp(IntegerAttr(0, kind))
    assert isinstance(kind, AnyFloat)
    return arith.ConstantOp(FloatAttr(0.0, kind))
