"""Compute and store a large tile in parts, so that registers do not spill.

**Before**, in a kernel with `store_parts 2`

    %out = arith.maximumf %acc, %zero : vector<128x256xf32>
    kernel.descriptor_store %out_desc[%m, %n], %out

**After** (two parts)

    %left, %right = kernel.halves %acc : vector<128x256xf32>
    %out_0 = arith.maximumf %left, %zero_0 : vector<128x128xf32>
    kernel.descriptor_store %out_desc[%m, %n], %out_0
    %out_1 = arith.maximumf %right, %zero_0 : vector<128x128xf32>
    kernel.descriptor_store %out_desc[%m, %n + 128], %out_1

A part is a range of columns. The ops between the accumulator and a store are repeated
for each part: loads, arithmetic, addresses, masks. Values along rows stay whole.

**Requires** stores of matrices whose columns can be traced back to loads, to addresses,
or to a whole matrix that can be halved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    VectorType,
    i32,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from tilewright.codegen.analysis.elements.tiles import part_width
from tilewright.codegen.kernel.modules import (
    kernels_of,
    launches_of,
    set_arguments,
    tile_block,
)
from tilewright.codegen.kernel.named_sizes import COLUMNS, add_size
from tilewright.codegen.refusal import refuse
from tilewright.ir.dense_constants import dense_of
from tilewright.ir.dialects import arith, vector
from tilewright.ir.dialects.kernel import (
    ArangeOp,
    CastOp,
    CompareOp,
    ConstexprOp,
    DescriptorLoadOp,
    DescriptorStoreOp,
    DescriptorType,
    ExpandDimsOp,
    FullOp,
    FuncOp,
    HalvesOp,
    LaunchOp,
    LoadOp,
    OffsetOp,
    ReduceOp,
    ReshapeOp,
    StoreOp,
    TransOp,
    element_of,
    shape_of,
)


@dataclass(frozen=True)
class Columns:
    """A range of a tile's columns: part `number` of `count` equal ones."""

    number: int
    count: int
    width: int
    name: str
    """The name of the width in the source."""

    @property
    def start(self) -> int:
        """The first column."""
        return self.number * self.width


def store_parts(module: ModuleOp) -> ModuleOp:
    """Split the stores of the kernels that ask for parts."""
    for kernel in kernels_of(module).values():
        if kernel.store_parts is not None:
            parts = kernel.store_parts.value.data
            _split_stores(module, kernel, tile_block(kernel), parts)
            del kernel.properties["store_parts"]
    return module


def _split_stores(module: ModuleOp, kernel: FuncOp, block: Block, parts: int) -> None:
    """Replace the stores of a block that can be split by stores of their parts."""
    stores = {
        op: width
        for op in block.ops
        if isinstance(op, StoreOp | DescriptorStoreOp)
        and (width := part_width(op.value.type, parts)) is not None
    }
    written = frozenset(
        _buffer(op)
        for op in block.walk()
        if isinstance(op, StoreOp | DescriptorStoreOp)
    )
    by_width: dict[int, list[StoreOp | DescriptorStoreOp]] = {}
    for store, width in stores.items():
        by_width.setdefault(width, []).append(store)
    descriptors = _Descriptors(kernel, launches_of(module, kernel))
    for width, alike in by_width.items():
        name = add_size(kernel, _name_of_parts(alike[0]), width)
        for number in range(parts):
            columns = Columns(number, parts, width, name)
            part = _Part(columns, descriptors, alike[-1], written)
            for store in alike:
                part.store(store)
    for store in stores:
        store.detach()
        store.erase()


def _name_of_parts(store: StoreOp | DescriptorStoreOp) -> str:
    """`PART_N` for columns that are called `BLOCK_N`."""
    columns = store.attributes.get(COLUMNS)
    name = columns.data if isinstance(columns, StringAttr) else ""
    return f"PART_{name.removeprefix('BLOCK_') or 'N'}"


@dataclass(frozen=True)
class _Descriptors:
    """The descriptors that a kernel takes, in blocks of several shapes."""

    kernel: FuncOp
    launches: Sequence[LaunchOp]

    def of_block(self, descriptor: SSAValue, block: Sequence[int]) -> SSAValue:
        """The parameter for the buffer of a descriptor in blocks of another shape."""
        assert isinstance(descriptor, BlockArgument)
        assert isinstance(descriptor.type, DescriptorType)
        of = DescriptorType(
            VectorType(descriptor.type.block.get_element_type(), list(block)),
            descriptor.type.extents,
        )
        first = self.launches[0]
        base = first.buffers[descriptor.index]
        entry = self.kernel.body.block
        for parameter, buffer in zip(entry.args, first.buffers, strict=False):
            if buffer is base and parameter.type == of:
                return parameter
        made = entry.insert_arg(of, len(first.buffers))
        made.name_hint = descriptor.name_hint
        for launch in self.launches:
            buffers = [*launch.buffers, launch.buffers[descriptor.index]]
            set_arguments(launch, buffers, list(launch.scalars))
        return made


@dataclass
class _Part:
    """Computes one range of columns of values, each value once."""

    columns: Columns
    descriptors: _Descriptors
    before: Operation
    """The last of the stores: new ops go before it."""
    written: frozenset[SSAValue]
    """The buffers that the kernel stores to, which must not be loaded again."""
    known: dict[tuple[SSAValue, int], SSAValue] = field(
        default_factory=dict[tuple[SSAValue, int], SSAValue]
    )

    def store(self, op: StoreOp | DescriptorStoreOp) -> None:
        """Store this part of the tile that `op` stores."""
        axis = len(shape_of(op.value.type)) - 1
        value = self.of(op.value, axis)
        if isinstance(op, StoreOp):
            mask = None if op.mask is None else self.of(op.mask, axis)
            made = StoreOp(self.of(op.pointer, axis), value, mask)
            made.properties |= _hints(op)
            self._add(made, op)
            return
        descriptor = self._descriptor(op.descriptor)
        offsets = self._offsets(op.offsets)
        made = DescriptorStoreOp(descriptor, offsets, value, op.partial is not None)
        self._add(made, op)

    def of(self, value: SSAValue, axis: int) -> SSAValue:
        """The part of a tile whose dimension `axis` runs along the columns."""
        shape = shape_of(value.type)
        if not shape or shape[axis] == 1:
            return value
        key = (value, axis)
        if key not in self.known:
            self.known[key] = self._compute(value, axis)
        return self.known[key]

    def _compute(self, value: SSAValue, axis: int) -> SSAValue:
        op = value.owner
        match op:
            case ArangeOp():
                return self._arange(op)
            case arith.ConstantOp(value=DenseIntOrFPElementsAttr() as dense):
                of: Any = self._type(value, axis)
                same: Any = next(iter(dense.get_values()))
                return self._add(arith.ConstantOp(dense_of(of, [same])), op)
            case FullOp():
                of = self._type(value, axis)
                return self._add(FullOp(op.value, of, self._names(value, axis)), op)
            case ExpandDimsOp():
                inner = axis - (op.axis.value.data < axis)
                return self._add(
                    ExpandDimsOp(self.of(op.source, inner), op.axis.value.data), op
                )
            case vector.BroadcastOp():
                return self._broadcast(op, axis)
            case TransOp():
                order = [int(position) for position in op.order.get_values()]
                return self._add(TransOp(self.of(op.source, order[axis]), order), op)
            case ReduceOp():
                inner = axis + (op.axis.value.data <= axis)
                source = self.of(op.source, inner)
                return self._add(ReduceOp(source, op.kind, op.axis.value.data), op)
            case LoadOp() if _buffer(op) not in self.written:
                mask = None if op.mask is None else self.of(op.mask, axis)
                made = LoadOp(self.of(op.pointer, axis), mask, op.other)
                made.properties |= _hints(op)
                return self._add(made, op)
            case DescriptorLoadOp() if (
                axis == len(shape_of(value.type)) - 1
                and _buffer(op) not in self.written
            ):
                made = DescriptorLoadOp(
                    self._descriptor(op.descriptor),
                    self._offsets(op.offsets),
                    op.partial is not None,
                )
                return self._add(made, op)
            case ReshapeOp() if _adds_batch(op):
                more = len(shape_of(value.type)) - len(shape_of(op.source.type))
                source = self.of(op.source, axis - more)
                return self._add(
                    ReshapeOp(
                        source, self._type(value, axis), self._names(value, axis)
                    ),
                    op,
                )
            case Operation() if _is_elementwise(op):
                return self._elementwise(op, axis)
            case _:
                return self._halved(value, axis)

    def _arange(self, op: ArangeOp) -> SSAValue:
        columns = self.columns
        lanes = self._add(ArangeOp(columns.width, columns.name), op)
        if columns.start == 0:
            return lanes
        start = self._start(op)
        wide = self._add(vector.BroadcastOp(start, self._type(op.result, 0)), op)
        return self._add(arith.AddiOp(wide, lanes), op)

    def _broadcast(self, op: vector.BroadcastOp, axis: int) -> SSAValue:
        source = op.source
        missing = len(shape_of(op.vector.type)) - len(shape_of(source.type))
        if shape_of(source.type) and axis >= missing:
            source = self.of(source, axis - missing)
        return self._add(vector.BroadcastOp(source, self._type(op.vector, axis)), op)

    def _elementwise(self, op: Operation, axis: int) -> SSAValue:
        made = type(op).create(
            operands=[self.of(operand, axis) for operand in op.operands],
            result_types=[self._type(op.results[0], axis)],
            properties=dict(op.properties),
            attributes=dict(op.attributes),
        )
        return self._add(made, op)

    def _halved(self, value: SSAValue, axis: int) -> SSAValue:
        """A part of a value that must be computed whole: halve it once or twice."""
        if len(shape_of(value.type)) != 2 or axis != 1:
            refuse(
                self.before,
                "cannot be stored in parts: its columns are mixed before",
                "leave 'triton.store_parts' off this grid",
            )
        name = value.name_hint or "acc"
        parts = range(self.columns.count)
        while len(parts) > 1:
            middle = len(parts) // 2
            left, right = self._halves(value, name, parts[:middle], parts[middle:])
            is_left = self.columns.number in parts[:middle]
            value = left if is_left else right
            parts = parts[:middle] if is_left else parts[middle:]
        return value

    def _halves(
        self, value: SSAValue, name: str, left: range, right: range
    ) -> Sequence[SSAValue]:
        for use in value.uses:
            if isinstance(use.operation, HalvesOp):
                return use.operation.results
        made = HalvesOp(value)
        self._insert(made, self.before)
        for result, parts in zip(made.results, (left, right), strict=True):
            result.name_hint = f"{name}{''.join(map(str, parts))}"
        return made.results

    def _descriptor(self, descriptor: SSAValue) -> SSAValue:
        of = descriptor.type
        assert isinstance(of, DescriptorType)
        *rows, _ = of.block.get_shape()
        return self.descriptors.of_block(descriptor, [*rows, self.columns.width])

    def _offsets(self, offsets: Sequence[SSAValue]) -> list[SSAValue]:
        *rows, column = offsets
        if self.columns.start:
            start = self._start(self.before)
            column = self._add(arith.AddiOp(column, start), self.before)
        return [*rows, column]

    def _start(self, like: Operation) -> SSAValue:
        """The first column, as a multiple of the width."""
        columns = self.columns
        width = self._insert(ConstexprOp(columns.name, columns.width, i32), like)
        if columns.number == 1:
            return width
        times = self._insert(arith.ConstantOp(IntegerAttr(columns.number, i32)), like)
        return self._insert(arith.MuliOp(times, width), like)

    def _type(self, value: SSAValue, axis: int) -> VectorType[Attribute]:
        shape = list(shape_of(value.type))
        shape[axis] = self.columns.width
        return VectorType(element_of(value.type), shape)

    def _names(self, value: SSAValue, axis: int) -> list[str]:
        """The names of a part's extents; only the width has one."""
        names = [""] * len(shape_of(value.type))
        names[axis] = self.columns.name
        return names

    def _add(self, made: Operation, like: Operation) -> SSAValue:
        """Insert the op that corresponds to `like` for a part."""
        result = self._insert(made, like)
        if like.results and (hint := like.results[0].name_hint) is not None:
            result.name_hint = f"{hint}{self.columns.number}"
        return result

    def _insert(self, made: Operation, like: Operation) -> SSAValue:
        """Insert before the stores, or before `like` if that is outside their loop."""
        place = InsertPoint.before(self.before)
        if like.parent is not self.before.parent:
            place = InsertPoint.before(like)
        Rewriter.insert_op(made, place)
        made.location = like.location
        if not made.results:
            return None  # pyright: ignore[reportReturnType]
        return made.results[0]


def _buffer(op: LoadOp | StoreOp | DescriptorLoadOp | DescriptorStoreOp) -> SSAValue:
    """The parameter through which a buffer is accessed."""
    if isinstance(op, DescriptorLoadOp | DescriptorStoreOp):
        return op.descriptor
    pointer = op.pointer
    while isinstance(pointer.owner, OffsetOp | vector.BroadcastOp | ExpandDimsOp):
        pointer = pointer.owner.operands[0]
    return pointer


def _adds_batch(op: ReshapeOp) -> bool:
    """Whether a reshape only adds leading dimensions of size one."""
    source, result = shape_of(op.source.type), shape_of(op.result.type)
    more = len(result) - len(source)
    return more > 0 and result == (*[1] * more, *source)


def _is_elementwise(op: Operation) -> bool:
    """Whether a lane of the result depends on the same lanes of the operands only."""
    of_dialect = op.name.partition(".")[0] in ("arith", "math")
    return of_dialect or isinstance(op, CastOp | CompareOp | OffsetOp)


def _hints(op: LoadOp | StoreOp) -> dict[str, Attribute]:
    """The cache hints of an access."""
    hints = {"eviction": op.eviction, "cache": op.cache}
    return {name: hint for name, hint in hints.items() if hint is not None}
