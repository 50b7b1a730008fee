"""Rewrite a function from tensors to buffers; `inplace.py` decides what is reused.

Ops are converted in order. A tensor becomes the buffer that holds it, a slice becomes a
subview. An operand that is not in place gets a new buffer, with a copy of the old
contents if they are read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FunctionType,
    IntegerAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from tilewright.ir.dialects import arith, linalg, memref
from tilewright.ir.dialects.bufferization import ToBufferOp, ToTensorOp
from tilewright.ir.dialects.tensor import Slice
from tilewright.ir.types import buffer_type as type_of_buffer
from tilewright.ir.types import is_tensor, tensor_type
from tilewright.transforms.bufferization.buffer_aliases import Places
from tilewright.transforms.bufferization.buffer_types import (
    dynamic_type,
    identity_type,
    is_held_by,
    subview_type,
)
from tilewright.transforms.bufferization.global_constants import Globals
from tilewright.transforms.bufferization.inplace import Analysis
from tilewright.transforms.bufferization.op_model import Operand
from tilewright.transforms.core.walking import walked

ALIGNMENT = IntegerAttr(64, i64)


@dataclass
class Writer:
    """Writes the buffer form of blocks, op by op, into a new block."""

    analysis: Analysis
    block: Block
    constants: Globals
    signatures: dict[str, FunctionType]
    """The new types of functions that are called."""
    returns: Sequence[Attribute] | None
    """The result types; None for the types that the buffers have."""
    memcpy: str = "memref.copy"
    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """Old value -> new: a buffer for a tensor, its copy for anything else."""
    places: Places = field(default_factory=Places)

    def inner(self, block: Block) -> Writer:
        """The same state, writing into a nested block."""
        return Writer(
            self.analysis,
            block,
            self.constants,
            self.signatures,
            self.returns,
            self.memcpy,
            self.values,
            self.places,
        )

    def bind(self, old: SSAValue, new: SSAValue) -> None:
        """Record `new` as the replacement of `old`."""
        if new.name_hint is None:
            new.name_hint = old.name_hint
        self.values[old] = new

    def add(self, op: Operation, like: Operation) -> Operation:
        """Append an op made from `like`."""
        op.location = like.location
        self.block.add_op(op)
        return op

    def convert(self, op: Operation) -> None:
        """Convert one op."""
        facts = self.analysis.facts
        if op in facts.touching:
            facts.model(op).write(op, self)
        else:
            self.clone(op)

    def region(
        self,
        old: Block,
        arguments: Sequence[SSAValue],
        finish: Callable[[Writer, Operation], None],
        types: Sequence[Attribute] | None = None,
    ) -> Region:
        """A block in a region of its own; `finish` writes its last op.

        Of the block's arguments only those given stay arguments, perhaps of other
        types; the others are bound.
        """
        if types is None:
            types = [argument.type for argument in arguments]
        block = Block(arg_types=types)
        for argument, new in zip(arguments, block.args, strict=True):
            self.bind(argument, new)
        inner = self.inner(block)
        for op in old.ops:
            if op is old.last_op:
                finish(inner, op)
            else:
                inner.convert(op)
        return Region(block)

    def clone(self, op: Operation) -> None:
        """Copy an op without tensors, on new values."""
        used = (v for nested in walked(op) for v in nested.operands)
        mapper = {v: self.values[v] for v in used if v in self.values}
        new_op = self.add(op.clone(value_mapper=mapper), op)
        for old, new in zip(op.results, new_op.results, strict=True):
            self.bind(old, new)

    # -- buffers -----------------------------------------------------------------

    def is_in_place(self, op: Operation, index: int) -> bool:
        """Whether an operand is bufferized in place."""
        return Operand(op, index) in self.analysis.in_place

    def buffer(self, op: Operation, index: int) -> SSAValue:
        """The buffer of an operand: its own if in place, else a new one."""
        old = op.operands[index]
        if self.is_in_place(op, index):
            return self.values[old]
        copy = self.analysis.facts.needs_copy(Operand(op, index))
        return self.fresh(self.values[old], tensor_type(old), op, copy=copy)

    def bind_view(self, op: Operation, view: SSAValue) -> None:
        """Replace the result of `op` by a view, or by a copy of it if not in place."""
        if not self.is_in_place(op, 0):
            copy = self.analysis.facts.needs_copy(Operand(op, 0))
            view = self.fresh(view, tensor_type(op.results[0]), op, copy=copy)
        self.bind(op.results[0], view)

    def allocate(
        self,
        type_: TensorType[Attribute],
        sizes: Sequence[SSAValue],
        like: Operation,
        space: Attribute | None = None,
    ) -> SSAValue:
        """A new buffer for a type of tensor; `sizes` are its dynamic ones."""
        kind = identity_type(type_, space)
        alloc = memref.AllocOp(sizes, [], kind, ALIGNMENT)
        return self.add(alloc, like).results[0]

    def fresh(
        self,
        buffer: SSAValue,
        type_: TensorType[Attribute],
        like: Operation,
        *,
        copy: bool = True,
        space: Attribute | None = None,
    ) -> SSAValue:
        """A new buffer of the size of another, perhaps with its content.

        It lies in the same memory space, unless another one is given.
        """
        if space is None:
            space = type_of_buffer(buffer).memory_space
        sizes = [
            self.dim(buffer, dim, like)
            for dim, size in enumerate(type_.get_shape())
            if size == DYNAMIC_INDEX
        ]
        new = self.allocate(type_, sizes, like, space)
        if copy:
            self.copy(buffer, new, like)
        return new

    def copy(self, source: SSAValue, target: SSAValue, like: Operation) -> None:
        """Copy a buffer into another, unless it is the same."""
        if self.places.are_same(source, target):
            return
        if self.memcpy == "linalg.copy":
            self.add(linalg.CopyOp([source], [target]), like)
        else:
            self.add(memref.CopyOp(source, target), like)

    def dim(self, buffer: SSAValue, dim: int, like: Operation) -> SSAValue:
        """A size of a buffer, as a value."""
        index = arith.ConstantOp(IntegerAttr.from_index_int_value(dim))
        self.add(index, like)
        return self.add(memref.DimOp(buffer, index.result), like).results[0]

    # -- tensors -----------------------------------------------------------------

    def seen_as_buffer(self, tensor: SSAValue, like: Operation) -> SSAValue:
        """The buffer of a tensor that stays one; its layout is not known."""
        kind = dynamic_type(tensor_type(tensor))
        op = ToBufferOp.build(operands=[tensor], result_types=[kind])
        return self.add(op, like).results[0]

    def contents(self, buffer: SSAValue, kind: Attribute, like: Operation) -> SSAValue:
        """The contents of a buffer, as a tensor."""
        if isinstance(buffer.owner, ToBufferOp) and buffer.owner.tensor.type == kind:
            return buffer.owner.tensor
        op = ToTensorOp.build(operands=[buffer], result_types=[kind])
        return self.add(op, like).results[0]

    def plain(self, old: SSAValue, like: Operation) -> SSAValue:
        """A value for an op that stays on tensors."""
        new = self.values[old]
        return self.contents(new, old.type, like) if is_tensor(old.type) else new

    # -- views -------------------------------------------------------------------

    def subview(
        self, buffer: SSAValue, part: Slice, shape: Sequence[int], like: Operation
    ) -> SSAValue:
        """A part of a buffer, of the given shape."""
        type_ = subview_type(buffer, part, shape)
        op = memref.SubviewOp.get(buffer, *part, type_)
        self.add(op, like)
        self.places.note_part(op.result, buffer, part)
        return op.result

    def put(
        self, tile: SSAValue, buffer: SSAValue, part: Slice, like: Operation
    ) -> None:
        """Write a tile's buffer into a part of another, unless it is there already."""
        if self.places.holds(buffer, part, tile):
            return
        shape = type_of_buffer(tile).get_shape()
        self.copy(tile, self._part_of(buffer, part, shape, like), like)

    def _part_of(
        self, buffer: SSAValue, part: Slice, shape: Sequence[int], like: Operation
    ) -> SSAValue:
        offsets, sizes, strides = part
        static = [s if isinstance(s, int) else DYNAMIC_INDEX for s in sizes]
        if len(shape) == len(static):
            shape = static  # the tile's type may be more static than the slice, or less
        return self.subview(buffer, (offsets, sizes, strides), shape, like)

    def cast(self, buffer: SSAValue, type_: Attribute, like: Operation) -> SSAValue:
        """The same buffer under another type."""
        if buffer.type == type_:
            return buffer
        cast = self.add(memref.CastOp(buffer, type_), like).results[0]
        self.places.note_cast(cast, buffer)
        return cast

    def as_type(
        self,
        buffer: SSAValue,
        type_: Attribute,
        like: Operation,
        tensor: TensorType[Attribute],
    ) -> SSAValue:
        """A buffer under another type: a cast, or a copy where the layout differs."""
        if not is_held_by(buffer, type_):
            buffer = self.fresh(buffer, tensor, like)
        return self.cast(buffer, type_, like)

    def common_type(
        self, buffers: Sequence[SSAValue], tensor: TensorType[Attribute]
    ) -> Attribute:
        """A type that several buffers of one tensor type can be cast to."""
        types = {type_of_buffer(buffer) for buffer in buffers}
        first = types.pop()
        return dynamic_type(tensor, first.memory_space) if types else first

    # -- sizes -------------------------------------------------------------------

    def extent(self, value: SSAValue | int) -> SSAValue | int:
        """A size or offset in terms of new values; a number if it is known."""
        return value if isinstance(value, int) else self.values[value]

    def part(self, part: Slice) -> Slice:
        """A slice in terms of new values."""
        offsets, sizes, strides = part
        return (
            [self.extent(v) for v in offsets],
            [self.extent(v) for v in sizes],
            [self.extent(v) for v in strides],
        )
