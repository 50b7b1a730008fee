"""The ops of a chain on all chunks of the streamed dimension at once.

The dimension of length N becomes two: the number of chunks, and their length. Every op
of the chain gets one more parallel loop, the first one, over the chunks.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    IntegerAttr,
    TensorType,
    i64,
)
from xdsl.ir import OpResult, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from tilewright.ir.dialects import affine, tensor
from tilewright.ir.dialects.linalg import FillOp, IndexOp, StructuredOp
from tilewright.ir.types import element_type, tensor_type
from tilewright.transforms.core.extents import Extent, OpList, dim_size
from tilewright.transforms.structured.new_ops import empty, split_sizes
from tilewright.transforms.structured.stream.analysis.chain import Chain
from tilewright.transforms.structured.stream.row_ops import Frame
from tilewright.transforms.structured.stream.writing.tiles import (
    Edits,
    edited,
    is_empty_tensor,
)

CHUNKED = Frame(has_chunks=True)


class ChunkWriter:
    """Writes the ops of a chain on chunks, each version once."""

    def __init__(self, chain: Chain, chunks: int, length: int, new_ops: OpList):
        self.chain = chain
        self.chunks = chunks
        self.length = length
        self.new_ops = new_ops
        self._made: dict[object, StructuredOp] = {}
        self._views: dict[tuple[SSAValue, int], SSAValue] = {}

    def reduction(
        self, op: StructuredOp, starts: Sequence[SSAValue], edits: Edits
    ) -> StructuredOp:
        """A reduction of each chunk; the chunks are the first dimension of a result."""
        outputs = [
            Frame(has_chunks=True, is_of_chunk=True).running(map_)
            for map_ in op.maps[len(op.inputs) :]
        ]
        return self._write(op, starts, outputs, edits)

    def _streamed(self, op: StructuredOp, edits: Edits) -> StructuredOp:
        own = [use for use in edits if use[0].parent is op.body.block]
        reads = [edits[use].reads for use in own]
        tensors = tuple(edit().tensor if edit is not None else None for edit in reads)
        key = (op, tuple(own), tensors, tuple(self._inputs(op, edits)))
        if (known := self._made.get(key)) is None:
            starts = [self._destination(op, n, edits) for n in range(len(op.outputs))]
            outputs = [self._map(op, map_) for map_ in op.maps[len(op.inputs) :]]
            known = self._made[key] = self._write(op, starts, outputs, edits)
        return known

    def _write(
        self,
        op: StructuredOp,
        starts: Sequence[SSAValue],
        outputs: Sequence[AffineMap],
        edits: Edits,
    ) -> StructuredOp:
        inputs = self._inputs(op, edits)
        own = {u: edit for u, edit in edits.items() if u[0].parent is op.body.block}
        placed = {use: edit.reads() for use, edit in own.items() if edit.reads}
        left_out = frozenset(use for use, edit in own.items() if edit.reads is None)
        maps = [self._map(op, map_) for map_ in op.maps[: len(op.inputs)]]
        made = edited(op, [*maps, *outputs], inputs, starts, placed, left_out)
        made.location = op.location
        for old, new in zip(op.results, made.results, strict=True):
            new.name_hint = old.name_hint
        self._renumber(op, made)
        self.new_ops.ops.append(made)
        return made

    def _map(self, op: StructuredOp, map_: AffineMap) -> AffineMap:
        """A map to an operand whose streamed dimension is two."""
        loop = self.chain.axis[op]
        results: list[AffineExpr] = []
        for old, new in zip(map_.results, CHUNKED.fixed(map_).results, strict=True):
            if loop in old.used_dims():
                results.append(AffineExpr.dimension(0))
            results.append(new)
        return AffineMap(map_.num_dims + 1, 0, tuple(results))

    def _inputs(self, op: StructuredOp, edits: Edits) -> list[SSAValue | None]:
        """The inputs; None for running values, which edits provide."""
        return [
            None if self.chain.is_running(operand) else self._input(op, n, edits)
            for n, operand in enumerate(op.inputs)
        ]

    def _input(self, op: StructuredOp, position: int, edits: Edits) -> SSAValue:
        operand, map_ = op.operands[position], op.maps[position]
        producer = operand.owner
        if isinstance(producer, StructuredOp) and producer in self.chain.axis:
            assert isinstance(operand, OpResult)
            return self._streamed(producer, edits).results[operand.index]
        loop = self.chain.axis[op]
        for dim, expr in enumerate(map_.results):
            if loop in expr.used_dims():
                return self._view(operand, dim)
        return operand

    def _shape(self, operand: SSAValue, along: int) -> list[Extent]:
        shape: list[Extent] = []
        for dim in range(len(tensor_type(operand).get_shape())):
            if dim == along:
                shape += [self.chunks, self.length]
            else:
                shape.append(dim_size(operand, dim, self.new_ops))
        return shape

    def _view(self, operand: SSAValue, along: int) -> SSAValue:
        """An input with the streamed dimension cut in two; nothing is copied."""
        if (known := self._views.get((operand, along))) is None:
            shape = self._shape(operand, along)
            groups: list[list[int]] = []
            for dim in range(len(shape) - 1):
                at = dim if dim <= along else dim + 1
                groups.append([at, at + 1] if dim == along else [at])
            static, dynamic = split_sizes(shape)
            known = self._views[operand, along] = self.new_ops.add(
                tensor.ExpandShapeOp(
                    operand,
                    dynamic,
                    ArrayAttr(
                        [ArrayAttr([IntegerAttr(i, i64) for i in g]) for g in groups]
                    ),
                    static,
                    TensorType(element_type(operand.type), static),
                )
            )
        return known

    def _destination(self, op: StructuredOp, number: int, edits: Edits) -> SSAValue:
        operand = op.outputs[number]
        fill = operand.owner
        if is_empty_tensor(operand) or isinstance(fill, FillOp):
            map_ = op.maps[len(op.inputs) + number]
            loop = self.chain.axis[op]
            along = next(
                dim for dim, e in enumerate(map_.results) if loop in e.used_dims()
            )
            of = element_type(operand.type)
            made = empty(self._shape(operand, along), of, self.new_ops)
            if isinstance(fill, FillOp):
                made = self.new_ops.add(FillOp(list(fill.inputs), [made]))
            return made
        return self._input(op, len(op.inputs) + number, edits)

    def _renumber(self, op: StructuredOp, made: StructuredOp) -> None:
        """Compute each `linalg.index` from the new loops."""
        loop = self.chain.axis[op]
        for index in [o for o in made.body.walk() if isinstance(o, IndexOp)]:
            block = index.parent_block()
            assert block is not None
            number = index.dim.value.data
            inner = IndexOp(number + 1)
            block.insert_op_before(inner, index)
            value: SSAValue = inner.result
            if number == loop:
                chunk = IndexOp(0)
                first = AffineExpr.dimension(0) * self.length
                map_ = AffineMap(2, 0, (first + AffineExpr.dimension(1),))
                whole = affine.ApplyOp([chunk.result, value], AffineMapAttr(map_))
                block.insert_ops_before([chunk, whole], index)
                value = whole.result
            index.result.replace_all_uses_with(value)
            block.erase_op(index)
