"""The ops of a chain on one tile of the streamed dimension."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import AnyFloat, ArrayAttr, FloatAttr
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.ir.affine import AffineMap

from tilewright.ir.dialects import arith, tensor
from tilewright.ir.dialects.linalg import (
    FillOp,
    GenericOp,
    IteratorTypeAttr,
    StructuredOp,
    YieldOp,
    maps_attribute,
)
from tilewright.ir.types import element_type, is_tensor
from tilewright.transforms.core.extents import Extent, OpList
from tilewright.transforms.structured.new_ops import empty
from tilewright.transforms.structured.stream.algebra.corrections import Use
from tilewright.transforms.structured.stream.analysis.chain import Chain
from tilewright.transforms.structured.stream.row_ops import Placed
from tilewright.transforms.structured.stream.writing.edits import Edit
from tilewright.transforms.structured.tile.one_tile import (
    extract_tile,
    loop_ranges,
    operand_slice,
    shift_indices,
)


@dataclass(frozen=True)
class Tile:
    """A part of the streamed dimension."""

    offset: SSAValue
    size: Extent
    """The last tile may be smaller than `step`."""
    step: Extent
    extent: Extent
    """The length of the dimension."""


Edits = Mapping[Use, Edit]


class TileWriter:
    """Writes the ops of a chain on one tile, each version once."""

    def __init__(self, chain: Chain, tile: Tile, new_ops: OpList):
        self.chain = chain
        self.tile = tile
        self.new_ops = new_ops
        self._made: dict[object, StructuredOp] = {}
        self._slices: dict[object, SSAValue] = {}

    def streamed(self, op: StructuredOp, edits: Edits) -> StructuredOp:
        """A streamed op on the tile; the ops that it reads come first."""
        inputs = self._inputs(op, edits)
        own = {use: edit for use, edit in edits.items() if _is_in(op, use)}
        placed = {use: edit.reads() for use, edit in own.items() if edit.reads}
        left_out = frozenset(use for use, edit in own.items() if edit.reads is None)
        key = (
            op,
            tuple(value for value in inputs if value is not None),
            tuple((use, p.tensor) for use, p in placed.items()),
            left_out,
        )
        if (known := self._made.get(key)) is None:
            offsets, sizes = self._part(op)
            outputs = [
                self._destination(op, position, offsets, sizes, edits)
                for position in range(len(op.outputs))
            ]
            known = self._made[key] = self._write(op, inputs, outputs, placed, left_out)
        return known

    def reduction(
        self, op: StructuredOp, outputs: Sequence[SSAValue], edits: Edits
    ) -> StructuredOp:
        """A reduction of the tile, into accumulators."""
        inputs = self._inputs(op, edits)
        own = {use: edit for use, edit in edits.items() if _is_in(op, use)}
        placed = {use: edit.reads() for use, edit in own.items() if edit.reads}
        left_out = frozenset(use for use, edit in own.items() if edit.reads is None)
        return self._write(op, inputs, outputs, placed, left_out)

    def _part(self, op: StructuredOp) -> tuple[list[Extent], list[Extent]]:
        sizes = loop_ranges(op, self.new_ops)
        offsets: list[Extent] = [0] * len(sizes)
        loop = self.chain.axis[op]
        offsets[loop], sizes[loop] = self.tile.offset, self.tile.size
        return offsets, sizes

    def _inputs(self, op: StructuredOp, edits: Edits) -> list[SSAValue | None]:
        """The inputs on the tile; None for running values, which edits provide."""
        offsets, sizes = self._part(op)
        found: list[SSAValue | None] = []
        for operand, map_ in zip(op.inputs, op.maps, strict=False):
            if self.chain.is_running(operand):
                found.append(None)
            else:
                found.append(self._input(operand, map_, offsets, sizes, edits))
        return found

    def _input(
        self,
        operand: SSAValue,
        map_: AffineMap,
        offsets: Sequence[Extent],
        sizes: Sequence[Extent],
        edits: Edits,
    ) -> SSAValue:
        producer = operand.owner
        if isinstance(producer, StructuredOp) and producer in self.chain.axis:
            made = self.streamed(producer, edits)
            assert isinstance(operand, OpResult)
            return made.results[operand.index]
        key = (operand, map_, tuple(offsets))
        if (known := self._slices.get(key)) is None:
            known = extract_tile(operand, map_, offsets, sizes, self.new_ops)
            self._slices[key] = known
        return known

    def _destination(
        self,
        op: StructuredOp,
        position: int,
        offsets: Sequence[Extent],
        sizes: Sequence[Extent],
        edits: Edits,
    ) -> SSAValue:
        operand = op.outputs[position]
        map_ = op.maps[len(op.inputs) + position]
        fill = operand.owner
        if is_empty_tensor(operand) or isinstance(fill, FillOp):
            _, shape, _ = operand_slice(operand, map_, offsets, sizes, self.new_ops)
            made = empty(shape, element_type(operand.type), self.new_ops)
            if isinstance(fill, FillOp):
                made = self.new_ops.add(FillOp(list(fill.inputs), [made]))
            return made
        return self._input(operand, map_, offsets, sizes, edits)

    def _write(
        self,
        op: StructuredOp,
        inputs: Sequence[SSAValue | None],
        outputs: Sequence[SSAValue],
        placed: Mapping[Use, Placed],
        left_out: frozenset[Use],
    ) -> StructuredOp:
        offsets, _ = self._part(op)
        if placed or left_out:
            made = edited(op, op.maps, inputs, outputs, placed, left_out)
        else:
            made = type(op).create(
                operands=[*(value for value in inputs if value is not None), *outputs],
                result_types=[o.type for o in outputs if is_tensor(o.type)],
                properties=op.properties.copy(),
                attributes=op.attributes.copy(),
                regions=[op.body.clone()],
            )
        made.location = op.location
        for old, new in zip(op.results, made.results, strict=True):
            new.name_hint = old.name_hint
        shift_indices(made, offsets)
        self.new_ops.ops.append(made)
        return made


def _is_in(op: StructuredOp, use: Use) -> bool:
    return use[0].parent is op.body.block


def edited(
    op: StructuredOp,
    its_maps: Sequence[AffineMap],
    inputs: Sequence[SSAValue | None],
    outputs: Sequence[SSAValue],
    placed: Mapping[Use, Placed],
    left_out: frozenset[Use],
) -> GenericOp:
    """The op with another body: running values are read elsewhere, or left out.

    Loops that its maps have beyond those of the op come first, and are parallel.
    """
    arguments = op.body.block.args
    count = len(op.inputs)
    rank = its_maps[0].num_dims
    maps: list[AffineMap] = []
    tensors: list[SSAValue] = []
    block = Block()
    values: dict[SSAValue, SSAValue] = {}

    def argument(value: SSAValue, map_: AffineMap) -> SSAValue:
        for known, at, arg in zip(tensors, maps, block.args, strict=True):
            if known is value and at == map_:
                return arg
        tensors.append(value)
        maps.append(map_)
        return block.insert_arg(element_type(value.type), len(block.args))

    for value, map_, old in zip(inputs, its_maps, arguments, strict=False):
        if value is not None:
            values[old] = argument(value, map_)
    reads = {
        use: argument(found.tensor, found.map_from(rank))
        for use, found in placed.items()
    }
    for value, map_, old in zip(
        outputs, its_maps[count:], arguments[count:], strict=True
    ):
        values[old] = block.insert_arg(element_type(value.type), len(block.args))
        maps.append(map_)

    def copied(value: SSAValue) -> SSAValue:
        owner = value.owner
        if value in values:
            return values[value]
        if not isinstance(owner, Operation) or owner.parent is not op.body.block:
            return value
        for position in range(len(owner.operands)):
            if (owner, position) in left_out:
                values[value] = _without(owner, position, copied, block)
                return values[value]
        operands = [operand(owner, position) for position in range(len(owner.operands))]
        clone = owner.clone(dict(zip(owner.operands, operands, strict=True)))
        for position, new in enumerate(operands):
            clone.operands[position] = new
        block.add_op(clone)
        for old, new in zip(owner.results, clone.results, strict=True):
            values[old] = new
        return values[value]

    def operand(owner: Operation, position: int) -> SSAValue:
        if (owner, position) in reads:
            return reads[(owner, position)]
        return copied(owner.operands[position])

    last = op.body.block.last_op
    assert isinstance(last, YieldOp)
    block.add_op(YieldOp(*(operand(last, n) for n in range(len(last.operands)))))
    more = [IteratorTypeAttr.parallel()] * (rank - op.get_num_loops())
    made = GenericOp(
        tensors,
        outputs,
        Region(block),
        maps_attribute(maps),
        ArrayAttr([*more, *op.get_iterator_types()]),
        [output.type for output in outputs],
    )
    made.attributes |= {
        name: value
        for name, value in op.attributes.items()
        if name not in made.attributes
    }
    return made


def _without(
    op: Operation, position: int, copied: Callable[[SSAValue], SSAValue], block: Block
) -> SSAValue:
    """What a product, quotient, sum or difference is without one of its operands."""
    other = copied(op.operands[1 - position])
    if position == 0 and isinstance(op, arith.DivfOp):
        of = other.type
        assert isinstance(of, AnyFloat)
        one = arith.ConstantOp(FloatAttr(1.0, of))
        quotient = arith.DivfOp(one.result, other)
        block.add_ops([one, quotient])
        return quotient.result
    if position == 0 and isinstance(op, arith.SubfOp):
        negated = arith.NegfOp(other)
        block.add_op(negated)
        return negated.result
    return other


def is_empty_tensor(value: SSAValue) -> bool:
    """Whether a tensor has unspecified contents."""
    owner = value.owner
    while isinstance(owner, tensor.ExtractSliceOp):
        owner = owner.source.owner
    return isinstance(owner, tensor.EmptyOp)
