"""Writing a function on tensors anew on buffers; `inplace.py` says what may be reused.

An op is converted once everything it uses is. A tensor becomes the buffer it lives in,
a slice a subview; a write that may not happen in place gets a new buffer, with a copy
of the old content where that matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    FunctionType,
    IntegerAttr,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from tilewright.ir.dialects import arith, func, memref, scf, tensor
from tilewright.ir.dialects.bufferization import AllocTensorOp
from tilewright.ir.dialects.linalg import SoftmaxOp, StructuredOp
from tilewright.ir.dialects.memref import CopyOp
from tilewright.ir.dialects.scf import ForallOp, InParallelOp
from tilewright.ir.dialects.tensor import (
    ParallelInsertSliceOp,
    Slice,
    SliceOp,
    slice_of,
)
from tilewright.ir.dialects.vector import TransferReadOp, TransferWriteOp
from tilewright.ir.types import is_tensor, tensor_type, vector_type
from tilewright.transforms.base import TransformOp
from tilewright.transforms.bufferization.buffer_types import (
    buffer_type,
    identity_type,
    subview_type,
)
from tilewright.transforms.bufferization.constants import Globals
from tilewright.transforms.bufferization.inplace import (
    Storage,
    has_content,
    is_all_of,
    reads_other_tiles,
)


def bufferize(
    user: TransformOp, function: func.FuncOp, constants: Globals
) -> func.FuncOp:
    """The same function on buffers; arguments and constants are never written."""
    inputs = [buffer_type(t) for t in function.function_type.inputs]
    outputs = [buffer_type(t) for t in function.function_type.outputs]
    region = Region()
    if function.body.blocks:
        block = Block(arg_types=inputs)
        region.add_block(block)
        body = _Bufferizer(user, block, constants)
        for old, new in zip(function.body.block.args, block.args, strict=True):
            body.bind(old, new)
            body.storage.protect(new)
        body.convert_ops(function.body.block)
    new = func.FuncOp(
        function.sym_name.data,
        FunctionType.from_lists(inputs, outputs),
        region,
        function.sym_visibility,
        arg_attrs=function.arg_attrs,
        res_attrs=function.res_attrs,
    )
    new.attributes |= function.attributes
    new.location = function.location
    return new


class _Bufferizer:
    """Writes the buffer form of blocks, op by op, into a new block."""

    def __init__(self, user: TransformOp, block: Block, constants: Globals):
        self.user = user
        self.block = block
        self.constants = constants
        self.values: dict[SSAValue, SSAValue] = {}
        """Old value -> new: a buffer for a tensor, its copy for anything else."""
        self.storage = Storage()

    def inner(self, block: Block) -> _Bufferizer:
        """The same state, writing into a nested block."""
        nested = _Bufferizer(self.user, block, self.constants)
        nested.values, nested.storage = self.values, self.storage
        return nested

    def bind(self, old: SSAValue, new: SSAValue) -> None:
        """Let `new` stand for `old`."""
        if new.name_hint is None:
            new.name_hint = old.name_hint
        self.values[old] = new
        if is_tensor(old.type):
            self.storage.settle(old, new)

    def add(self, op: Operation, like: Operation) -> Operation:
        """Append an op made from `like`."""
        op.location = like.location
        self.block.add_op(op)
        return op

    def convert_ops(self, block: Block) -> None:
        """Convert every op of a block."""
        for op in block.ops:
            self.convert(op)

    def convert(self, op: Operation) -> None:
        """Convert one op."""
        if isinstance(op, SliceOp):
            self.check_rank(op)
        match op:
            case tensor.EmptyOp() | AllocTensorOp(copy=None):
                sizes = [self.values[size] for size in op.dynamic_sizes]
                self.bind(op.tensor, self.allocate(op.tensor, sizes, op))
            case tensor.ExtractSliceOp():
                part = self._part(slice_of(op))
                buffer = self.subview(self.values[op.source], part, op)
                self.bind(op.result, buffer)
            case tensor.InsertSliceOp():
                self._insert(op)
            case tensor.DimOp():
                source, index = self.values[op.source], self.values[op.index]
                dim = self.add(memref.DimOp(source, index), op)
                self.bind(op.result, dim.results[0])
            case arith.ConstantOp() if is_tensor(op.result.type):
                self._constant(op)
            case TransferReadOp():
                self._clone(op)
            case TransferWriteOp() if op.result is not None:
                self._write(op, op.result)
            case StructuredOp() if op.results:
                self._structured(op)
            case SoftmaxOp() if op.result is not None:
                (buffer,) = self.destinations(op, [op.output], [False])
                made = SoftmaxOp(self.values[op.input], buffer, op.dimension.value.data)
                made.attributes = op.attributes.copy()
                self.add(made, op)
                self.bind(op.result, buffer)
            case ForallOp():
                self._forall(op)
            case scf.ForOp():
                self._for(op)
            case func.ReturnOp():
                self._return(op)
            case _:
                self._plain(op)

    def check_rank(self, op: SliceOp) -> None:
        """Refuse a slice that drops dimensions."""
        tile = op.result if isinstance(op, tensor.ExtractSliceOp) else op.source
        if tensor_type(tile).get_num_dims() != len(op.static_sizes):
            raise self.user.refuse(
                "a slice that drops dimensions cannot be bufferized yet",
                op,
                "slice without dropping dimensions",
            )

    # -- buffers -----------------------------------------------------------------

    def allocate(
        self, like_tensor: SSAValue, sizes: Sequence[SSAValue], like: Operation
    ) -> SSAValue:
        """A new buffer with the shape of a tensor; `sizes` are its dynamic ones."""
        type_ = identity_type(tensor_type(like_tensor))
        alloc = memref.AllocOp(sizes, [], type_, IntegerAttr(64, i64))
        return self.add(alloc, like).results[0]

    def fresh(
        self,
        old: SSAValue,
        like: Operation,
        *,
        copy: bool = True,
        source: SSAValue | None = None,
    ) -> SSAValue:
        """A new buffer for a tensor, with a copy of `source` where that is wanted."""
        buffer = self.values[old] if source is None else source
        sizes = [
            self._dim(buffer, dim, like)
            for dim, size in enumerate(tensor_type(old).get_shape())
            if size == DYNAMIC_INDEX
        ]
        new = self.allocate(old, sizes, like)
        if copy:
            self.add(CopyOp(buffer, new), like)
        return new

    def destination(
        self, op: Operation, target: SSAValue, *, reads: bool = True
    ) -> SSAValue:
        """The buffer `op` writes into: the target's own, or a new one."""
        if self.storage.is_in_place(op, target, self.values):
            return self.values[target]
        copy = reads and has_content(target)
        return self.fresh(target, op, copy=copy)

    def destinations(
        self, op: Operation, targets: Sequence[SSAValue], reads: Sequence[bool]
    ) -> list[SSAValue]:
        """The buffers `op` writes its results into, no two in the same storage."""
        buffers: list[SSAValue] = []
        taken: set[SSAValue] = set()
        for target, read in zip(targets, reads, strict=True):
            if self.storage.root(self.values[target]) in taken:
                buffer = self.fresh(target, op, copy=read and has_content(target))
            else:
                buffer = self.destination(op, target, reads=read)
            taken.add(self.storage.root(buffer))
            buffers.append(buffer)
        return buffers

    def subview(self, buffer: SSAValue, part: Slice, like: Operation) -> SSAValue:
        """A part of a buffer."""
        op = memref.SubviewOp.get(buffer, *part, subview_type(buffer, part))
        self.add(op, like)
        self.storage.parts[op.result] = (buffer, part)
        return op.result

    def holds(self, buffer: SSAValue, part: Slice, tile: SSAValue) -> bool:
        """Whether a tile's buffer is that part of `buffer` already."""
        if tile is buffer and is_all_of(part, buffer):
            return True
        return self.storage.parts.get(tile) == (buffer, part)

    def put(
        self, tile: SSAValue, buffer: SSAValue, part: Slice, like: Operation
    ) -> None:
        """Write a tile's buffer into a part of another, unless it is there already."""
        if not self.holds(buffer, part, tile):
            self.add(CopyOp(tile, self.subview(buffer, part, like)), like)

    # -- ops ---------------------------------------------------------------------

    def _constant(self, op: arith.ConstantOp) -> None:
        if not isinstance(op.value, DenseIntOrFPElementsAttr):
            raise self.user.refuse("this kind of constant cannot be bufferized", op)
        (buffer,) = self.add(self.constants.get(op.value), op).results
        self.bind(op.result, buffer)
        self.storage.protect(buffer)

    def _insert(self, op: tensor.InsertSliceOp) -> None:
        tile, buffer = self.values[op.source], self.values[op.dest]
        part = self._part(slice_of(op))
        if not self.holds(buffer, part, tile):
            buffer = self.destination(op, op.dest)
            self.put(tile, buffer, part, op)
        self.bind(op.result, buffer)

    def _write(self, op: TransferWriteOp, result: SSAValue) -> None:
        buffer = self.destination(op, op.source, reads=not _writes_everything(op))
        write = TransferWriteOp(
            self.values[op.vector],
            buffer,
            [self.values[i] for i in op.indices],
            op.in_bounds,
            None if op.mask is None else self.values[op.mask],
            op.permutation_map,
        )
        self.add(write, op)
        self.bind(result, buffer)

    def _structured(self, op: StructuredOp) -> None:
        old_args = op.body.block.args[len(op.inputs) :]
        reads = [arg.uses.get_length() > 0 for arg in old_args]
        outputs = self.destinations(op, op.outputs, reads)
        region = op.body.clone()
        for nested in region.walk():
            nested.operands = [self.values.get(v, v) for v in nested.operands]
        new_op = type(op).create(
            operands=[*(self.values[v] for v in op.inputs), *outputs],
            properties=op.properties.copy(),
            attributes=op.attributes.copy(),
            regions=[region],
        )
        self.add(new_op, op)
        for result, buffer in zip(op.results, outputs, strict=True):
            self.bind(result, buffer)

    def _forall(self, op: ForallOp) -> None:
        buffers = self.destinations(op, op.outputs, [True] * len(op.outputs))
        block = Block(arg_types=[arg.type for arg in op.induction_vars])
        inner = self.inner(block)
        for old, new in zip(op.induction_vars, block.args, strict=True):
            self.bind(old, new)
        for arg, output, buffer in zip(
            op.shared_outs, op.outputs, buffers, strict=True
        ):
            seen = buffer
            if has_content(output) and reads_other_tiles(op, arg):
                seen = self.fresh(output, op, source=buffer)
                self.storage.protect(seen)
            self.bind(arg, seen)
        for nested in op.body.block.ops:
            if not isinstance(nested, InParallelOp):
                inner.convert(nested)
        written = dict(zip(op.shared_outs, buffers, strict=True))
        for insert in op.terminator.region.block.ops:
            assert isinstance(insert, ParallelInsertSliceOp)
            self.check_rank(insert)
            part = self._part(slice_of(insert))
            buffer = next(b for arg, b in written.items() if arg is insert.dest)
            inner.put(self.values[insert.source], buffer, part, insert)
        block.add_op(InParallelOp())
        new_op = ForallOp(
            [self._extent(v) for v in op.lower_bounds],
            [self._extent(v) for v in op.upper_bounds],
            [self._extent(v) for v in op.steps],
            [],
            Region(block),
            op.mapping,
            op.attributes.copy(),
        )
        self.add(new_op, op)
        for result, buffer in zip(op.results, buffers, strict=True):
            self.bind(result, buffer)

    def _for(self, op: scf.ForOp) -> None:
        """Buffers are written in place; only what is no tensor is carried."""
        carried = [i for i, v in enumerate(op.iter_args) if not is_tensor(v.type)]
        tensors = [i for i, v in enumerate(op.iter_args) if is_tensor(v.type)]
        targets = [op.iter_args[i] for i in tensors]
        taken = self.destinations(op, targets, [True] * len(targets))
        buffers = dict(zip(tensors, taken, strict=True))
        inits = [self.values[op.iter_args[i]] for i in carried]
        index, *old_args = op.body.block.args
        block = Block(arg_types=[index.type, *(v.type for v in inits)])
        self.bind(index, block.args[0])
        for position, i in enumerate(carried):
            self.bind(old_args[i], block.args[position + 1])
        for i, buffer in buffers.items():
            self.bind(old_args[i], buffer)
        inner = self.inner(block)
        for nested in op.body.block.ops:
            if isinstance(nested, scf.YieldOp):
                inner.hand_on(nested, buffers)
                values = [self.values[nested.operands[i]] for i in carried]
                inner.add(scf.YieldOp(*values), nested)
            else:
                inner.convert(nested)
        lower, upper, step = (self.values[v] for v in (op.lb, op.ub, op.step))
        new_op = scf.ForOp(lower, upper, step, inits, Region(block))
        new_op.attributes = op.attributes.copy()
        self.add(new_op, op)
        for position, i in enumerate(carried):
            self.bind(op.results[i], new_op.results[position])
        for i, buffer in buffers.items():
            self.bind(op.results[i], buffer)

    def hand_on(self, op: scf.YieldOp, buffers: dict[int, SSAValue]) -> None:
        """Bring what a loop yields into the buffers it carries, all at once."""
        roots = {self.storage.root(buffer) for buffer in buffers.values()}
        moves: list[tuple[SSAValue, SSAValue]] = []
        for i, buffer in buffers.items():
            old = op.operands[i]
            produced = self.values[old]
            if produced is buffer:
                continue
            if self.storage.root(produced) in roots:
                # Another of these moves may write over it first: a swap, say.
                produced = self.fresh(old, op)
            moves.append((produced, buffer))
        for produced, buffer in moves:
            self.add(CopyOp(produced, buffer), op)

    def _return(self, op: func.ReturnOp) -> None:
        """A part of a buffer is copied out: results have an identity layout.

        So is a constant: a caller may write into what it gets.
        """
        values: list[SSAValue] = []
        for old in op.operands:
            new = self.values[old]
            is_part = is_tensor(old.type) and new.type != buffer_type(old.type)
            if is_part or isinstance(new.owner, memref.GetGlobalOp):
                new = self.fresh(old, op)
            values.append(new)
        self.add(func.ReturnOp(*values), op)

    def _plain(self, op: Operation) -> None:
        """An op that knows no tensors."""
        if op.regions and any(
            is_tensor(v.type)
            for nested in op.walk()
            for v in (*nested.operands, *nested.results)
        ):
            raise self.user.refuse(
                f"'{op.name}' around tensors cannot be bufferized",
                op,
                "lower masked transfers first: include to_vectors"
                if op.name == "vector.mask"
                else None,
            )
        if any(is_tensor(v.type) for v in (*op.operands, *op.results)):
            raise self.user.refuse(
                f"'{op.name}' on tensors cannot be bufferized",
                op,
                remedy="lower it to structured or vector ops first",
            )
        self._clone(op)

    def _clone(self, op: Operation) -> None:
        used = (v for nested in op.walk() for v in nested.operands)
        mapper = {v: self.values[v] for v in used if v in self.values}
        new_op = self.add(op.clone(value_mapper=mapper), op)
        for old, new in zip(op.results, new_op.results, strict=True):
            self.bind(old, new)

    # -- sizes -------------------------------------------------------------------

    def _extent(self, value: SSAValue | int) -> SSAValue | int:
        return value if isinstance(value, int) else self.values[value]

    def _part(self, part: Slice) -> Slice:
        offsets, sizes, strides = part
        return (
            [self._extent(v) for v in offsets],
            [self._extent(v) for v in sizes],
            [self._extent(v) for v in strides],
        )

    def _dim(self, buffer: SSAValue, dim: int, like: Operation) -> SSAValue:
        index = arith.ConstantOp(IntegerAttr.from_index_int_value(dim))
        self.add(index, like)
        return self.add(memref.DimOp(buffer, index.result), like).results[0]


def _writes_everything(op: TransferWriteOp) -> bool:
    """Whether a write leaves nothing of its target.

    As many lanes as elements, in bounds and unmasked, cannot be anywhere else.
    """
    lanes = prod(vector_type(op.vector).get_shape())
    elements = prod(tensor_type(op.source).get_shape())
    in_bounds = all(bool(entry) for entry in op.in_bounds)
    return op.mask is None and in_bounds and lanes == elements
