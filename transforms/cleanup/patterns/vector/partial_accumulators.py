"""Update a loop's accumulator as a whole, under a mask, for partial tiles.

The last, partial step of a tiled reduction updates only part of the tile of partial
results. Slices of varying size would keep the accumulator out of registers; a masked
access to the whole tile keeps it there.

Before:
    scf.for %k = ... iter_args(%acc = %zeros) -> (tensor<1x2048xf32>) {
      %slice = tensor.extract_slice %acc[0, 0] [1, %size] [1, 1] : ...
      %old = vector.transfer_read %slice[%c0, %c0], %poison, %mask : ...
      %written = vector.transfer_write %new, %slice[%c0, %c0], %mask : ...
      %inserted = tensor.insert_slice %written into %acc[0, 0] [1, %size] [1, 1] : ...

After:
      %old = vector.transfer_read %acc[%c0, %c0], %poison : ...
      %kept = arith.select %mask, %new, %old : vector<1x2048xi1>, vector<1x2048xf32>
      %inserted = vector.transfer_write %kept, %acc[%c0, %c0] : ...
"""

from __future__ import annotations

from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from tilewright.ir.dialects import scf, ub
from tilewright.ir.dialects.vector import (
    CreateMaskOp,
    MaskOp,
    TransferReadOp,
    TransferWriteOp,
)
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.build import make, owner_named
from tilewright.transforms.cleanup.constants import index_constant, is_poison
from tilewright.transforms.cleanup.driver import pattern_on
from tilewright.transforms.cleanup.patterns.vector.masks import mask_type
from tilewright.transforms.cleanup.patterns.vector.transfers import (
    Transfer,
    is_in_bounds,
    source_of,
    vector_of,
)
from tilewright.transforms.cleanup.shapes import Slice, known, shape_of
from tilewright.transforms.core.extents import Extent, known_size
from tilewright.transforms.core.rewriter import Rewriter


@pattern_on("tensor.insert_slice")
def write_whole_accumulator(op: Operation, rewriter: Rewriter) -> None:
    """Further than upstream: update a carried tile as a whole, under the mask."""
    write, carried = op.operands[0].owner, op.operands[1]
    if not isinstance(write, TransferWriteOp) or write.mask is None:
        return
    extract = owner_named(source_of(write), "tensor.extract_slice")
    extents = _held_extents(carried, op)
    if extract is None or extents is None or extract.operands[0] is not carried:
        return
    place = Slice.of(op)
    if not place.is_same(Slice.of(extract)) or not _is_first(place):
        return
    if not _is_plain(write) or len(shape_of(op.operands[0])) != len(extents):
        return
    whole = _Whole(write, carried, extents, extract, rewriter)
    old = whole.read()
    for use in list(extract.results[0].uses):
        reader = use.operation
        if isinstance(reader, TransferReadOp) and _reads_same(reader, write):
            rewriter.replace(reader, [old])
    kept = make("arith.select", [write.mask, write.vector, old], [old.type])
    rewriter.insert_before(op, kept)
    rewriter.replace_with(op, whole.write(kept.results[0]))


class _Whole:
    """Transfers of a whole carried tile, masked where it may be partial."""

    def __init__(
        self,
        like: TransferWriteOp,
        carried: SSAValue,
        extents: list[Extent],
        before: Operation,
        rewriter: Rewriter,
    ):
        self._like = like
        self._carried = carried
        self._before = before
        self._rewriter = rewriter
        zero = self._add(index_constant(0))
        self._indices = [zero] * len(extents)
        lanes = vector_of(like).get_shape()
        self._mask: SSAValue | None = None
        if not all(
            isinstance(extent, int) and extent >= lane
            for extent, lane in zip(extents, lanes, strict=True)
        ):
            sizes = [
                extent
                if isinstance(extent, SSAValue)
                else self._add(index_constant(extent))
                for extent in extents
            ]
            self._mask = self._add(CreateMaskOp(sizes, mask_type(lanes)))

    def _add(self, op: Operation) -> SSAValue:
        self._rewriter.insert_before(self._before, op)
        return op.results[0]

    def read(self) -> SSAValue:
        """Read the whole carried tile."""
        of = vector_of(self._like)
        padding = ub.PoisonOp.create(
            result_types=[of.element_type], properties={"value": ub.PoisonAttr()}
        )
        return self._add(
            TransferReadOp(
                self._carried,
                self._indices,
                self._add(padding),
                of,
                self._like.in_bounds,
                self._like.permutation_map,
                self._mask,
            )
        )

    def write(self, value: SSAValue) -> TransferWriteOp:
        """Write the whole carried tile."""
        return TransferWriteOp(
            value,
            self._carried,
            self._indices,
            self._like.in_bounds,
            self._mask,
            self._like.permutation_map,
            tensor_type(self._carried),
        )


def _held_extents(value: SSAValue, inserted: Operation) -> list[Extent] | None:
    """The extents of a tensor that can be held in registers; None for others.

    Such a tensor was made from a vector, or a loop carries it and yields the tensor
    that was inserted into it.
    """
    if not isinstance(value.owner, TransferWriteOp) and not _is_carried(
        value, inserted
    ):
        return None
    extents = [known_size(value, dim) for dim in range(len(shape_of(value)))]
    found = [extent for extent in extents if extent is not None]
    return found if len(found) == len(extents) else None


def _is_carried(value: SSAValue, inserted: Operation) -> bool:
    if not isinstance(value, BlockArgument):
        return False
    loop = value.block.parent_op()
    if not isinstance(loop, scf.ForOp) or value.index == 0:
        return False
    last = loop.body.block.last_op
    return last is not None and last.operands[value.index - 1] is inserted.results[0]


def _is_first(place: Slice) -> bool:
    """Whether a slice starts at offset 0 everywhere."""
    return all(known(offset) == 0 for offset in place.offsets) and all(
        known(stride) == 1 for stride in place.strides
    )


def _is_plain(transfer: Transfer) -> bool:
    """Whether lanes map to elements in order from the first, in bounds."""
    map_ = transfer.permutation_map.data
    return (
        is_in_bounds(transfer)
        and map_ == AffineMap.identity(map_.num_dims)
        and all(constant_int(index) == 0 for index in transfer.indices)
        and not isinstance(transfer.parent_op(), MaskOp)
    )


def _reads_same(read: TransferReadOp, write: TransferWriteOp) -> bool:
    """Whether a read gives the elements that the write overwrites."""
    return (
        _is_plain(read)
        and read.mask is write.mask
        and read.result.type == write.vector.type
        and is_poison(read.padding)
    )


PATTERNS = (write_whole_accumulator,)
