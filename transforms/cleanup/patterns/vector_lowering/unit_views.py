"""Transfers to and from views of buffers without dimensions of extent 1.

`vector.drop_inner_most_unit_dims_from_xfer_ops` drops the last ones,
`vector.rank_reducing_subview_patterns` all, where the whole buffer is accessed.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineExpr,
    AffineMap,
)

from tilewright.ir.dialects import memref
from tilewright.ir.dialects.memref import layout_of
from tilewright.ir.dialects.vector import (
    MaskOp,
    ShapeCastOp,
    TransferReadOp,
    TransferWriteOp,
)
from tilewright.ir.indexing.semi_affine import binary
from tilewright.ir.types import buffer_type, is_buffer, vector_type, vector_with
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.patterns.memref.buffers import SUBVIEW, window_type
from tilewright.transforms.cleanup.patterns.vector.transfers import is_in_bounds
from tilewright.transforms.cleanup.shapes import Size, Slice, known, slice_op
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter

Transfer = TransferReadOp | TransferWriteOp


def _vector(op: Transfer) -> SSAValue:
    return op.result if isinstance(op, TransferReadOp) else op.vector


def _is_plain(op: Transfer) -> bool:
    """Whether an unmasked transfer of a strided buffer has the last dimensions."""
    if not is_buffer(op.source.type) or op.mask is not None:
        return False
    if isinstance(op.parent_op(), MaskOp) or layout_of(buffer_type(op.source)) is None:
        return False
    map_ = op.permutation_map.data
    return map_ == AffineMap.minor_identity(map_.num_dims, len(map_.results))


@pattern(TransferReadOp, TransferWriteOp)
def drop_inner(op: Transfer, rewriter: Rewriter) -> None:
    """Drop the last dimensions that have extent 1 in the buffer and in the vector."""
    if not _is_plain(op):
        return
    lanes, shape = (
        vector_type(_vector(op)).get_shape(),
        buffer_type(op.source).get_shape(),
    )
    layout = layout_of(buffer_type(op.source))
    assert layout is not None, "a plain transfer has a strided buffer"
    inside = [bool(flag.value.data) for flag in op.in_bounds]
    count = 0
    while count < len(lanes):
        at = -1 - count
        if (lanes[at], shape[at], layout.strides[at]) != (1, 1, 1):
            break
        count += 1
    if len(lanes) <= 1 or count == 0 or not all(inside[-count:]):
        return
    rank = len(shape)
    indices = list(op.indices)[: rank - count]
    _replace(
        op, range(rank - count, rank), indices, lanes[: len(lanes) - count], rewriter
    )


@pattern(TransferReadOp, TransferWriteOp)
def drop_all(op: Transfer, rewriter: Rewriter) -> None:
    """Drop every dimension of extent 1, if the access begins at the first element."""
    if not _is_plain(op) or not is_in_bounds(op):
        return
    lanes, shape = (
        vector_type(_vector(op)).get_shape(),
        buffer_type(op.source).get_shape(),
    )
    units = [dim for dim, size in enumerate(shape) if size == 1]
    kept = [size for size in lanes if size != 1]
    if not units or len(kept) != len(shape) - len(units):
        return
    if any(known(index) != 0 for index in op.indices):
        return
    _replace(op, units, list(op.indices)[: len(kept)], kept, rewriter, simplify=True)


def _replace(
    op: Transfer,
    dropped: Sequence[int],
    indices: Sequence[SSAValue],
    lanes: Sequence[int],
    rewriter: Rewriter,
    *,
    simplify: bool = False,
) -> None:
    """Transfer between a view without some dimensions and a vector of such a shape."""
    new, source = OpList(), op.source
    view = _view(source, tuple(dropped), new, simplify=simplify)
    of = vector_type(_vector(op))
    kind = vector_with(of.element_type, lanes)
    rank = buffer_type(view).get_num_dims()
    map_ = AffineMapAttr(AffineMap.minor_identity(rank, len(lanes)))
    inside = ArrayAttr(list(op.in_bounds)[: len(lanes)])
    if isinstance(op, TransferReadOp):
        read = TransferReadOp(view, indices, op.padding, kind, inside, map_)
        vector = new.add(read)
        if kind != of:
            new.add(ShapeCastOp(vector, of))
        rewriter.replace_with(op, *new.ops)
        return
    vector = op.vector if kind == of else new.add(ShapeCastOp(op.vector, kind))
    new.ops.append(TransferWriteOp(vector, view, indices, inside, None, map_))
    rewriter.replace_with(op, *new.ops)


def _view(
    source: SSAValue, dropped: tuple[int, ...], new: OpList, *, simplify: bool
) -> SSAValue:
    """The whole buffer without some dimensions of extent 1."""
    shape = buffer_type(source).get_shape()
    sizes: list[Size] = [
        size if size != DYNAMIC_INDEX else new.add(memref.DimOp(source, new.index(dim)))
        for dim, size in enumerate(shape)
    ]
    place = Slice((0,) * len(shape), tuple(sizes), (1,) * len(shape))
    kind = window_type(buffer_type(source), place, dropped)
    assert kind is not None, "a plain transfer has a strided buffer"
    kind = _simplified(kind) if simplify else kind
    return new.add(slice_op(SUBVIEW, [source], place, [kind]))


def _simplified(kind: MemRefType[Attribute]) -> MemRefType[Attribute]:
    """The type without a layout if it is contiguous, else with a map as upstream."""
    layout = kind.layout
    assert isinstance(layout, StridedLayoutAttr)
    strides, offset = list(layout.get_strides()), layout.get_offset()
    if strides == [1] and offset == 0:
        return kind  # upstream takes this for the simplest form
    plain = MemRefType(
        kind.element_type, kind.get_shape(), NoneAttr(), kind.memory_space
    )
    contiguous = layout_of(plain)
    assert contiguous is not None, "it has no layout"
    if offset == 0 and strides == list(contiguous.strides):
        return plain
    symbols = 0
    total: AffineExpr | None = None
    start: AffineExpr = AffineConstantExpr(offset or 0)
    if offset is None:
        start, symbols = AffineExpr.symbol(0), 1
    for dim, stride in enumerate(strides):
        term: AffineExpr = AffineExpr.dimension(dim)
        if stride is None:
            term = binary(AffineBinaryOpKind.Mul, term, AffineExpr.symbol(symbols))
            symbols += 1
        elif stride != 1:
            term = term * stride
        total = term if total is None else total + term
    total = start if total is None else (total if offset == 0 else total + start)
    map_ = AffineMapAttr(AffineMap(len(strides), symbols, (total,)))
    return MemRefType(kind.element_type, kind.get_shape(), map_, kind.memory_space)


INNER = (drop_inner,)
ALL = (drop_all,)
