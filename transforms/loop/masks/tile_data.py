"""Bounds that are data: the range of a tensor's elements over the rows of a tile.

The mask `j + jj < length[b]` compares indices with an element of a tensor that the loop
does not change. Over a tile, the element lies between its least and its greatest value,
which vector ops in front of the loop compute. In a linear form they stand for it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    BoolAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.utils.hints import isa

from tilewright.ir.dialects import affine, arith, scf, tensor
from tilewright.ir.dialects.affine import MaxOp
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.dialects.vector import MultiReductionOp, TransferReadOp
from tilewright.ir.indexing.ranges import PROVEN, Form
from tilewright.ir.types import element_type, is_tensor, vector_with
from tilewright.transforms.cleanup.apply_licm import is_defined_outside
from tilewright.transforms.core.extents import INDEX, OpList, known_size

MOST_ELEMENTS = 4096
"""More rows than a tile of a program has; a longer tensor would fill its registers."""


@dataclass
class TileData:
    """Data that bounds the index of a loop; `new_ops` compute it in front of it."""

    loop: scf.ForOp
    only_new: bool = False
    """Whether to pass over tensors that the loop's bounds depend on already."""
    has_old: bool = False
    """Whether such a tensor was passed over."""
    new_ops: OpList = field(default_factory=OpList)
    _extremes: dict[tuple[SSAValue, bool], SSAValue] = field(
        default_factory=dict[tuple[SSAValue, bool], SSAValue]
    )
    _slices: dict[Operation, SSAValue] = field(
        default_factory=dict[Operation, SSAValue]
    )
    _reads: dict[tuple[SSAValue, bool | None], SSAValue] = field(
        default_factory=dict[tuple[SSAValue, bool | None], SSAValue]
    )
    _indices: dict[tuple[SSAValue, int | None, int | None], SSAValue] = field(
        default_factory=dict[tuple[SSAValue, int | None, int | None], SSAValue]
    )

    def row_operand(self, value: SSAValue, op: StructuredOp) -> SSAValue | None:
        """The tensor whose element a scalar of a body is, if the loop keeps it.

        A slice that is the same in all iterations is cut before the loop.
        """
        found = operand_of(value, op)
        if found is None or is_defined_outside(found.owner, self.loop):
            return found
        cut = found.owner
        if not isinstance(cut, tensor.ExtractSliceOp) or not all(
            is_defined_outside(operand.owner, self.loop) for operand in cut.operands
        ):
            return None
        if cut not in self._slices:
            self._slices[cut] = self.new_ops.add(cut.clone())
        return self._slices[cut]

    def is_old(self, data: SSAValue) -> bool:
        """Whether to pass over a tensor: the loop's bounds depend on it already."""
        is_old = self.only_new and self._bounds_loop(data)
        self.has_old |= is_old
        return is_old

    def _bounds_loop(self, data: SSAValue) -> bool:
        todo = [self.loop.lb, self.loop.ub]
        seen: set[Operation] = set()
        while todo:
            op = todo.pop().owner
            if not isinstance(op, Operation) or op in seen:
                continue
            seen.add(op)
            for inner in op.walk():
                if isinstance(inner, TransferReadOp) and _is_same(inner.source, data):
                    return True
                todo += inner.operands
        return False

    def bounded(
        self, form: Form, value: SSAValue, op: StructuredOp, *, greatest: bool
    ) -> SSAValue | None:
        """An index in place of the data in a form: its extreme over the tile.

        The form tells within which numbers the extreme matters: beyond them its sign
        is the same at all indices. `greatest` asks for the greatest data.
        """
        operand = self.row_operand(value, op)
        if operand is None or self.is_old(operand):
            return None
        found = self.extreme(operand, greatest=greatest)
        if found is None:
            return None
        rest = form.without(value)
        least, most = PROVEN.least(rest), PROVEN.greatest(rest)
        if abs(form.terms[value]) != 1 or least is None or most is None:
            return self._clamped(found, None, None)
        if form.terms[value] == -1:
            return self._clamped(found, least, most + 1)
        return self._clamped(found, -most - 1, -least)

    def extreme(self, operand: SSAValue, *, greatest: bool) -> SSAValue | None:
        """The least or greatest element of a tensor, an integer; None if it is long."""
        key = (operand, greatest)
        if key not in self._extremes:
            sizes = [_padded_size(operand, dim) for dim in range(_rank(operand))]
            shape = [size for size in sizes if size is not None]
            if len(shape) < len(sizes) or math.prod(shape) > MOST_ELEMENTS:
                return None
            self._extremes[key] = self._reduced(operand, shape, greatest=greatest)
        return self._extremes[key]

    def _reduced(
        self, operand: SSAValue, shape: list[int], *, greatest: bool
    ) -> SSAValue:
        add = self.new_ops.add
        of = element_type(operand.type)
        assert isa(of, IntegerType)
        most = 2 ** (of.width.data - 1) - 1
        neutral = IntegerAttr(-most - 1 if greatest else most, of)
        start = add(arith.ConstantOp(neutral))
        whole = tuple(shape_of(operand.type)) == tuple(shape)
        # Lanes beyond a partial tile are neutral; whole tiles share one read.
        key = (operand, None if whole else greatest)
        if key not in self._reads:
            self._reads[key] = add(_read(operand, shape, start, self.new_ops))
        kind = CombiningKindFlag.MAXSI if greatest else CombiningKindFlag.MINSI
        dims = list(range(max(len(shape), 1)))
        reads = self._reads[key]
        found = add(MultiReductionOp(CombiningKindAttr(kind), reads, start, dims))
        found.name_hint = "most" if greatest else "least"
        return found

    def _clamped(self, value: SSAValue, low: int | None, high: int | None) -> SSAValue:
        key = (value, low, high)
        if key not in self._indices:
            self._indices[key] = clamped(value, low, high, self.new_ops)
        return self._indices[key]


def clamped(
    value: SSAValue, low: int | None, high: int | None, new_ops: OpList
) -> SSAValue:
    """An integer as an index between two numbers, so that sums of it do not wrap."""
    found = new_ops.add(arith.IndexCastOp(value, INDEX))
    found.name_hint = value.name_hint
    for bound, kind in ((high, affine.MinOp), (low, MaxOp)):
        if bound is not None:
            results = (AffineExpr.dimension(0), AffineExpr.constant(bound))
            found = new_ops.add(kind([found], AffineMapAttr(AffineMap(1, 0, results))))
    return found


def _is_same(one: SSAValue, other: SSAValue) -> bool:
    """Whether two values are one tensor, or the same slice of one."""
    cuts = one.owner, other.owner
    if one is other:
        return True
    if not all(isinstance(cut, tensor.ExtractSliceOp) for cut in cuts):
        return False
    first, second = (cut for cut in cuts if isinstance(cut, tensor.ExtractSliceOp))
    return (
        first.properties == second.properties
        and list(first.operands) == list(second.operands)
        and one.type == other.type
    )


def operand_of(value: SSAValue, op: StructuredOp) -> SSAValue | None:
    """The tensor of signed integers whose element a scalar of a body is."""
    while isinstance(value.owner, arith.ExtSIOp | arith.IndexCastOp):
        if isinstance(value.owner.input.type, IndexType):
            return None  # a narrower integer may have lost bits of it
        value = value.owner.input
    if not isinstance(value, BlockArgument) or value.block is not op.body.block:
        return None
    is_number = isa(value.type, IntegerType) and value.type.width.data > 1
    operand = op.operands[value.index]
    return operand if is_number and is_tensor(operand.type) else None


def _read(
    operand: SSAValue, shape: list[int], padding: SSAValue, new_ops: OpList
) -> TransferReadOp:
    """Read a tile; a tensor without dimensions as a vector of one element."""
    sizes = shape_of(operand.type)
    map_ = AffineMap.identity(len(shape))
    if not shape:
        map_ = AffineMap(0, 0, (AffineExpr.constant(0),))
    whole = [size == actual for size, actual in zip(shape, sizes, strict=True)]
    return TransferReadOp(
        operand,
        [new_ops.index(0)] * len(sizes),
        padding,
        vector_with(element_type(operand.type), shape or [1]),
        ArrayAttr([BoolAttr.from_bool(each) for each in whole or [True]]),
        AffineMapAttr(map_),
    )


def is_of_body(value: SSAValue, op: StructuredOp) -> bool:
    """Whether a scalar is computed in a body, or is an element of an operand."""
    owner = value.owner
    return owner is op.body.block or (owner.parent is op.body.block)


def _rank(operand: SSAValue) -> int:
    return len(shape_of(operand.type))


def _padded_size(operand: SSAValue, dim: int) -> int | None:
    """The power of two that a dimension of a tile fits into, if its size is bounded."""
    size = shape_of(operand.type)[dim]
    if size == DYNAMIC_INDEX:
        known = known_size(operand, dim)
        most = None if known is None else PROVEN.highest(known)
        if most is None:
            return None
        size = most
    return 1 << max(size - 1, 0).bit_length()
