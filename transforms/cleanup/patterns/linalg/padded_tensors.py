"""Transfer to and from the source of a pad: `linalg.pad_vectorization`."""

from __future__ import annotations

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, BoolAttr, VectorType
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects import affine, tensor
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.dialects.vector import TransferReadOp, TransferWriteOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.patterns.tensor.pads import constant_padding
from tilewright.transforms.cleanup.patterns.vector.transfers import (
    is_in_bounds,
    is_masked,
)
from tilewright.transforms.cleanup.shapes import Size, Slice, known
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter


def _padding(value: SSAValue) -> tuple[tensor.PadOp, SSAValue] | None:
    """The pad behind a tensor and its value, if there is padding at the end only."""
    pad = value.owner
    if not isinstance(pad, tensor.PadOp):
        return None
    padding = constant_padding(pad)
    lows = mixed(pad.static_low, pad.low)
    if padding is None or any(constant_int(low) != 0 for low in lows):
        return None
    return pad, padding


def _open_bounds(op: TransferReadOp | TransferWriteOp) -> ArrayAttr[BoolAttr]:
    # Folding infers which lanes are in bounds; a broadcast dimension always is.
    dims = op.permutation_map.data.results
    inner = [BoolAttr.from_bool(not isinstance(e, AffineDimExpr)) for e in dims]
    return ArrayAttr(inner)


@pattern(TransferReadOp)
def read_before_padding(op: TransferReadOp, rewriter: Rewriter) -> None:
    """Read the source; lanes past its end get the padding value."""
    found = _padding(op.source)
    if found is None or is_masked(op) or not is_in_bounds(op):
        return
    pad, padding = found
    new = TransferReadOp(
        pad.source,
        list(op.indices),
        padding,
        op.result.type,
        _open_bounds(op),
        op.permutation_map,
    )
    rewriter.replace_with(op, new)


@pattern(TransferWriteOp)
def write_before_padding(op: TransferWriteOp, rewriter: Rewriter) -> None:
    """Write to the source, if the padding is cut off again after the write."""
    found = _padding(op.source)
    if found is None or op.result is None or not op.result.has_one_use():
        return
    (use,) = op.result.uses
    cut, source = use.operation, found[0].source
    if (
        not isinstance(cut, tensor.ExtractSliceOp)
        or not op.permutation_map.data.results
    ):
        return
    if cut.result.type != source.type or not _cuts_to(cut, source):
        return
    new = TransferWriteOp(
        op.vector,
        source,
        list(op.indices),
        _open_bounds(op),
        op.mask,
        op.permutation_map,
        source.type,
    )
    rewriter.insert_before(op, new)
    assert new.result is not None
    rewriter.replace(cut, [new.result])
    rewriter.erase(op)


def _cuts_to(cut: tensor.ExtractSliceOp, source: SSAValue) -> bool:
    """Whether a slice from the first element on has the size of a tensor."""
    place = Slice.of(cut)
    if any(known(offset) != 0 for offset in place.offsets):
        return False
    if any(known(stride) != 1 for stride in place.strides):
        return False
    if tensor_type(source).has_static_shape():
        return True
    while isinstance(source.owner, tensor.CastOp):
        source = source.owner.source
    before = source.owner
    if not isinstance(before, tensor.ExtractSliceOp):
        return False
    sizes = Slice.of(before).sizes
    return len(sizes) == len(place.sizes) and all(map(_is_same, sizes, place.sizes))


def _is_same(one: Size, other: Size) -> bool:
    one, other = known(one), known(other)
    if one == other or isinstance(one, int) or isinstance(other, int):
        return one == other
    first, second = one.owner, other.owner
    return (
        isinstance(first, affine.MinOp)
        and isinstance(second, affine.MinOp)
        and first.map == second.map
        and tuple(first.operands) == tuple(second.operands)
    )


@pattern(tensor.InsertSliceOp)
def insert_padded(op: tensor.InsertSliceOp, rewriter: Rewriter) -> None:
    """Insert a padded tensor as a vector that is read with its padding."""
    found, place = _padding(op.source), Slice.of(op)
    if found is None or op.dest.owner is found[0]:
        return
    pad, padding = found
    kind = tensor_type(pad.result)
    shape, rank = kind.get_shape(), kind.get_num_dims()
    leading = [1] * (len(place.sizes) - rank)
    whole = [known(size) for size in place.sizes] == [*leading, *shape]
    if not whole or any(known(stride) != 1 for stride in place.strides):
        return
    new, vector = OpList(), VectorType(kind.element_type, shape)
    zero, inside = new.index(0), [BoolAttr.from_bool(True)] * rank
    outside = [BoolAttr.from_bool(False)] * rank
    read = TransferReadOp(
        pad.source,
        [zero] * rank,
        padding,
        vector,
        ArrayAttr(outside),
        AffineMapAttr(AffineMap.identity(rank)),
    )
    indices = [new.index(offset) for offset in place.offsets]
    write = TransferWriteOp(
        new.add(read),
        op.dest,
        indices,
        ArrayAttr(inside),
        None,
        AffineMapAttr(AffineMap.minor_identity(len(indices), rank)),
        op.dest.type,
    )
    rewriter.replace_with(op, *new.ops, write)


PATTERNS = (read_before_padding, write_before_padding, insert_padded)
