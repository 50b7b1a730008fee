"""`one_shot_bufferize`: from tensors to buffers, in place where it may be.

Before:
    %t = vector.transfer_write %v, %slice[%c0, %c0] : vector<8x8xf32>, tensor<8x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %out[%i, %j] [8, 8] [1, 1] : ...
    }

After:
    %sub = memref.subview %buffer[%i, %j] [8, 8] [1, 1] : memref<64x64xf32> to ...
    vector.transfer_write %v, %sub[%c0, %c0] : vector<8x8xf32>, memref<8x8xf32, ...>

Requires: `layout{IdentityLayoutMap}` and `bufferize_function_boundaries = true`; masked
transfers lowered. A function's arguments are never written: a write into one gets a
copy. Copies of a buffer onto itself, which upstream leaves behind, are not made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects import arith, func, memref, scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BoolAttr,
    FunctionType,
    IntAttr,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.dialects.linalg import LinalgStructuredOperation
from xdsl.dialects.vector import TransferReadOp, TransferWriteOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from tilewright.ir.dialects.memref import CopyOp
from tilewright.ir.dialects.scf import ForallOp, InParallelOp
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp, Slice, slice_of
from tilewright.transforms.base import AnyOpType, TransformOp, TransformOpHandleType
from tilewright.transforms.inplace import has_content, is_in_place
from tilewright.transforms.state import TransformState
from tilewright.transforms.syntax import parse_signature, print_signature
from tilewright.transforms.tiling import tensor_type

IDENTITY = "IdentityLayoutMap"


@irdl_op_definition
class OneShotBufferizeOp(TransformOp):
    """Bufferize a module; consumes the handle, returns one to the same module."""

    name = "transform.bufferization.one_shot_bufferize"
    VERB: ClassVar[str | None] = "bufferize"

    target = operand_def(TransformOpHandleType)
    layout = opt_prop_def(StringAttr, prop_name="function_boundary_type_conversion")
    transformed = result_def(TransformOpHandleType)

    def __init__(
        self, target: SSAValue, attributes: dict[str, Attribute] | None = None
    ):
        if attributes is None:
            attributes = {
                "bufferize_function_boundaries": BoolAttr.from_bool(True),
                "allow_return_allocs_from_loops": BoolAttr.from_bool(True),
            }
        super().__init__(
            operands=[target],
            result_types=[AnyOpType()],
            properties={"function_boundary_type_conversion": StringAttr(IDENTITY)},
            attributes=attributes,
        )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """Everything in the module is made anew."""
        return (self.target,)

    def apply(self, state: TransformState) -> None:
        """Bufferize every function in the target."""
        if self.layout is None or self.layout.data != IDENTITY:
            raise self.refuse(
                "only identity layouts at function boundaries are supported",
                remedy=f"write layout{{{IDENTITY}}}",
            )
        if not _is_true(self.attributes.get("bufferize_function_boundaries")):
            raise self.refuse(
                "tensors at function boundaries must be bufferized",
                remedy="set bufferize_function_boundaries = true",
            )
        targets = state.payload_ops(self.target)
        functions = [
            op for root in targets for op in root.walk() if isinstance(op, func.FuncOp)
        ]
        made = [(old, bufferize(self, old)) for old in functions]
        for old, new in made:
            state.rewriter.insert_before(old, new)
            state.rewriter.erase(old)
        state.set_ops(self.transformed, targets)

    @classmethod
    def parse(cls, parser: Parser) -> OneShotBufferizeOp:
        """`[layout{X}] %target {options} : (type) -> type`."""
        layout: StringAttr | None = None
        if parser.parse_optional_keyword("layout"):
            with parser.in_braces():
                layout = StringAttr(parser.parse_identifier())
        target = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        operands, types = parse_signature(parser, [target])
        op = cls.build(
            operands=operands,
            result_types=types,
            properties={"function_boundary_type_conversion": layout},
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """The upstream form."""
        if self.layout is not None:
            printer.print_string(f" layout{{{self.layout.data}}}")
        printer.print_string(" ")
        printer.print_ssa_value(self.target)
        print_signature(printer, self)


def bufferize(user: TransformOp, function: func.FuncOp) -> func.FuncOp:
    """The same function on buffers."""
    inputs = [_buffer_type(t) for t in function.function_type.inputs]
    outputs = [_buffer_type(t) for t in function.function_type.outputs]
    block = Block(arg_types=inputs)
    body = _Bufferizer(user, block)
    for old, new in zip(function.body.block.args, block.args, strict=True):
        new.name_hint = old.name_hint
        body.values[old] = new
    body.convert_ops(function.body.block)
    new = func.FuncOp(
        function.sym_name.data,
        FunctionType.from_lists(inputs, outputs),
        Region(block),
        function.sym_visibility,
    )
    new.attributes |= function.attributes
    new.location = function.location
    return new


class _Bufferizer:
    """Writes the buffer form of blocks, op by op, into a new block."""

    def __init__(
        self,
        user: TransformOp,
        block: Block,
        values: dict[SSAValue, SSAValue] | None = None,
        parts: dict[SSAValue, tuple[SSAValue, Slice]] | None = None,
    ):
        self.user = user
        self.block = block
        self.values: dict[SSAValue, SSAValue] = {} if values is None else values
        """Old value -> new: a buffer for a tensor, itself's copy for anything else."""
        self.parts = {} if parts is None else parts
        """What a subview was taken from, and which part of it."""

    def inner(self, block: Block) -> _Bufferizer:
        """The same state, writing into a nested block."""
        return _Bufferizer(self.user, block, self.values, self.parts)

    def add(self, op: Operation, like: Operation) -> Operation:
        """Append an op made from `like`."""
        op.location = like.location
        self.block.add_op(op)
        return op

    def extent(self, value: SSAValue | int) -> SSAValue | int:
        """A size or offset, in terms of new values."""
        return value if isinstance(value, int) else self.values[value]

    def convert_ops(self, block: Block) -> None:
        """Convert every op of a block."""
        for op in block.ops:
            self.convert(op)

    def convert(self, op: Operation) -> None:
        """Convert one op."""
        match op:
            case tensor.EmptyOp():
                self._bind(op.tensor, self.allocate(op.tensor, op))
            case tensor.ExtractSliceOp():
                part = self._part(slice_of(op))
                buffer = self.subview(self.values[op.source], part, op)
                self._bind(op.result, buffer)
            case tensor.InsertSliceOp():
                buffer = self.destination(op, op.dest)
                self.put(op.source, buffer, slice_of(op), op)
                self._bind(op.result, buffer)
            case tensor.DimOp():
                dim = memref.DimOp.from_source_and_index(
                    self.values[op.source], self.values[op.index]
                )
                self.add(dim, op)
                self._bind(op.result, dim.result)
            case TransferReadOp():
                self._clone(op)
            case TransferWriteOp() if op.result is not None:
                buffer = self.destination(op, op.source)
                write = TransferWriteOp(
                    self.values[op.vector],
                    buffer,
                    [self.values[i] for i in op.indices],
                    op.in_bounds,
                    None if op.mask is None else self.values[op.mask],
                    op.permutation_map,
                )
                self.add(write, op)
                self._bind(op.result, buffer)
            case LinalgStructuredOperation() if op.results:
                self._structured(op)
            case ForallOp():
                self._forall(op)
            case scf.ForOp():
                self._for(op)
            case _:
                self._plain(op)

    def allocate(self, tensor_value: SSAValue, like: Operation) -> SSAValue:
        """A new buffer with the shape of a tensor made by `tensor.empty`."""
        assert isinstance(like, tensor.EmptyOp)
        alloc = memref.AllocOp(
            [self.values[size] for size in like.dynamic_sizes],
            [],
            _identity(tensor_type(tensor_value)),
            IntegerAttr(64, i64),
        )
        return self.add(alloc, like).results[0]

    def destination(self, op: Operation, target: SSAValue) -> SSAValue:
        """The buffer `op` writes into: the target's own, or a new one with a copy."""
        buffer = self.values[target]
        if is_in_place(op, target):
            return buffer
        shape = tensor_type(target).get_shape()
        sizes: list[SSAValue] = []
        for dim, size in enumerate(shape):
            if size == DYNAMIC_INDEX:
                sizes.append(self._dim(buffer, dim, op))
        alloc = memref.AllocOp(
            sizes, [], _identity(tensor_type(target)), IntegerAttr(64, i64)
        )
        self.add(alloc, op)
        if has_content(target):
            self.add(CopyOp(buffer, alloc.memref), op)
        return alloc.memref

    def put(
        self, source: SSAValue, buffer: SSAValue, part: Slice, like: Operation
    ) -> None:
        """Write a tile's buffer into a part of another, unless it is there already."""
        tile = self.values[source]
        new_part = self._part(part)
        if self.parts.get(tile) == (buffer, new_part):
            return
        self.add(CopyOp(tile, self.subview(buffer, new_part, like)), like)

    def subview(self, buffer: SSAValue, part: Slice, like: Operation) -> SSAValue:
        """A part of a buffer."""
        op = memref.SubviewOp.get(buffer, *part, _subview_type(buffer, part))
        self.add(op, like)
        self.parts[op.result] = (buffer, part)
        return op.result

    def _forall(self, op: ForallOp) -> None:
        buffers = [self.destination(op, output) for output in op.outputs]
        block = Block(arg_types=[arg.type for arg in op.induction_vars])
        inner = self.inner(block)
        for old, new in zip(op.induction_vars, block.args, strict=True):
            new.name_hint = old.name_hint
            self.values[old] = new
        for arg, buffer in zip(op.shared_outs, buffers, strict=True):
            self.values[arg] = buffer
        for nested in op.body.block.ops:
            if not isinstance(nested, InParallelOp):
                inner.convert(nested)
        for insert in op.terminator.region.block.ops:
            assert isinstance(insert, ParallelInsertSliceOp)
            inner.put(insert.source, self.values[insert.dest], slice_of(insert), insert)
        block.add_op(InParallelOp())
        new_op = ForallOp(
            [self.extent(v) for v in op.lower_bounds],
            [self.extent(v) for v in op.upper_bounds],
            [self.extent(v) for v in op.steps],
            [],
            Region(block),
            op.mapping,
            op.attributes.copy(),
        )
        self.add(new_op, op)
        for result, buffer in zip(op.results, buffers, strict=True):
            self._bind(result, buffer)

    def _for(self, op: scf.ForOp) -> None:
        carried = [
            i for i, v in enumerate(op.iter_args) if not isinstance(v.type, TensorType)
        ]
        buffers = {
            i: self.destination(op, v)
            for i, v in enumerate(op.iter_args)
            if isinstance(v.type, TensorType)
        }
        inits = [self.values[op.iter_args[i]] for i in carried]
        old_args = op.body.block.args
        block = Block(arg_types=[old_args[0].type, *(v.type for v in inits)])
        self.values[old_args[0]] = block.args[0]
        block.args[0].name_hint = old_args[0].name_hint
        for position, i in enumerate(carried):
            self.values[old_args[i + 1]] = block.args[position + 1]
            block.args[position + 1].name_hint = old_args[i + 1].name_hint
        for i, buffer in buffers.items():
            self.values[old_args[i + 1]] = buffer
        inner = self.inner(block)
        for nested in op.body.block.ops:
            if isinstance(nested, scf.YieldOp):
                for i, buffer in buffers.items():
                    produced = self.values[nested.operands[i]]
                    if produced is not buffer:
                        inner.add(CopyOp(produced, buffer), nested)
                values = [self.values[nested.operands[i]] for i in carried]
                inner.add(scf.YieldOp(*values), nested)
            else:
                inner.convert(nested)
        new_op = scf.ForOp(
            self.values[op.lb],
            self.values[op.ub],
            self.values[op.step],
            inits,
            Region(block),
        )
        new_op.attributes = op.attributes.copy()
        self.add(new_op, op)
        for position, i in enumerate(carried):
            self._bind(op.results[i], new_op.results[position])
        for i, buffer in buffers.items():
            self._bind(op.results[i], buffer)

    def _structured(self, op: LinalgStructuredOperation) -> None:
        outputs = [self.destination(op, output) for output in op.outputs]
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
            self._bind(result, buffer)

    def _plain(self, op: Operation) -> None:
        """An op that does not know tensors; `func.return` takes whatever there is."""
        touches = [
            v for v in (*op.operands, *op.results) if isinstance(v.type, TensorType)
        ]
        if op.regions and any(
            isinstance(v.type, TensorType)
            for nested in op.walk()
            for v in (*nested.operands, *nested.results)
        ):
            remedy = "lower masked transfers first: include to_vectors"
            raise self.user.refuse(
                f"'{op.name}' around tensors cannot be bufferized", op, remedy
            )
        if touches and not isinstance(op, func.ReturnOp):
            raise self.user.refuse(f"'{op.name}' on tensors cannot be bufferized", op)
        self._clone(op)

    def _clone(self, op: Operation) -> None:
        new_op = op.clone(value_mapper=dict(self.values))
        self.add(new_op, op)
        for old, new in zip(op.results, new_op.results, strict=True):
            self._bind(old, new)

    def _bind(self, old: SSAValue, new: SSAValue) -> None:
        if new.name_hint is None:
            new.name_hint = old.name_hint
        self.values[old] = new

    def _part(self, part: Slice) -> Slice:
        offsets, sizes, strides = part
        return (
            [self.extent(v) for v in offsets],
            [self.extent(v) for v in sizes],
            [self.extent(v) for v in strides],
        )

    def _dim(self, buffer: SSAValue, dim: int, like: Operation) -> SSAValue:
        index = arith.ConstantOp(IntegerAttr.from_index_int_value(dim))
        self.add(index, like)
        op = memref.DimOp.from_source_and_index(buffer, index.result)
        return self.add(op, like).results[0]


def _buffer_type(type_: Attribute) -> Attribute:
    return _identity(type_) if isinstance(type_, TensorType) else type_


def _identity(type_: TensorType[Attribute]) -> MemRefType[Attribute]:
    return MemRefType(type_.element_type, type_.get_shape())


def _strides(type_: MemRefType[Attribute]) -> list[int | None]:
    if isinstance(type_.layout, StridedLayoutAttr):
        return list(type_.layout.get_strides())
    strides: list[int | None] = []
    running: int | None = 1
    for size in reversed(type_.get_shape()):
        strides.insert(0, running)
        running = None if running is None or size == DYNAMIC_INDEX else running * size
    return strides


def _subview_type(buffer: SSAValue, part: Slice) -> MemRefType[Attribute]:
    """The strided type of a part of a buffer, static where it can be."""
    source = buffer.type
    assert isinstance(source, MemRefType)
    offsets, sizes, steps = part
    strides = _strides(source)
    offset = (
        source.layout.get_offset()
        if isinstance(source.layout, StridedLayoutAttr)
        else 0
    )
    new_strides: list[int | None] = []
    for at, step, stride in zip(offsets, steps, strides, strict=True):
        if at == 0:
            pass  # adds nothing, whatever the stride
        elif isinstance(at, int) and stride is not None and offset is not None:
            offset += at * stride
        else:
            offset = None
        new_strides.append(
            stride * step if isinstance(step, int) and stride is not None else None
        )
    layout = StridedLayoutAttr(
        [NoneAttr() if s is None else IntAttr(s) for s in new_strides],
        NoneAttr() if offset is None else IntAttr(offset),
    )
    shape = [s if isinstance(s, int) else DYNAMIC_INDEX for s in sizes]
    return MemRefType(source.element_type, shape, layout)


def _is_true(attribute: Attribute | None) -> bool:
    if isinstance(attribute, UnitAttr):
        return True
    return isinstance(attribute, IntegerAttr) and bool(attribute.value.data)
