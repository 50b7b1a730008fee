"""Vectorize `linalg.pack` and `linalg.unpack` as a read, a transposition and a write.

Before:
    %r = linalg.pack %x inner_dims_pos = [1] inner_tiles = [4] into %o
        : tensor<3x8xf32> -> tensor<3x2x4xf32>

After:
    %v = vector.transfer_read %x[%c0, %c0], %poison ... : ..., vector<3x8xf32>
    %s = vector.shape_cast %v : vector<3x8xf32> to vector<3x2x4xf32>
    %r = vector.transfer_write %s, %o[%c0, %c0, %c0] ... : vector<3x2x4xf32>, ...

Vector sizes are those of the packed tensor: the numbers of tiles, then the tiles. With
them, lanes without an element are masked. Without them all sizes must be known, and
lanes without an element are out of bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    BoolAttr,
    VectorType,
)
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineMap

from tilewright.ir.dialects import ub
from tilewright.ir.dialects.linalg import PackOp, RelayoutOp
from tilewright.ir.dialects.vector import (
    ShapeCastOp,
    TransferReadOp,
    TransferWriteOp,
    TransposeOp,
)
from tilewright.ir.errors import UserError
from tilewright.ir.types import element_type, tensor_type
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.extents import (
    OpList,
    dim_size,
    known_size,
    upper_bound,
)
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.structured.vectorize.vectorize_pad import masked
from tilewright.transforms.structured.vectorize.vectorize_structured import (
    all_true,
    check_elements,
)


@dataclass(frozen=True)
class RelayoutPlan:
    """A pack or an unpack, and the shape of the vector in the packed layout."""

    op: RelayoutOp
    sizes: tuple[int, ...]
    masks: bool
    """Whether masks turn off lanes without an element, or bounds do."""

    @property
    def unpacked(self) -> list[int]:
        """The shape of the vector in the other layout."""
        rank = len(self.op.order)
        shape = [0] * rank
        for size, dim in zip(self.sizes, self.op.order, strict=False):
            shape[dim] = size
        for size, dim in zip(self.sizes[rank:], self.op.dims, strict=True):
            shape[dim] *= size
        return shape

    @property
    def split(self) -> list[int]:
        """The dimensions of the packed layout by the dimension that they come from."""
        rank, op = len(self.op.order), self.op
        found: list[int] = []
        for dim in range(rank):
            found.append(op.order.index(dim))
            if dim in op.dims:
                found.append(rank + op.dims.index(dim))
        return found


def analyze(
    user: TransformOp,
    op: RelayoutOp,
    sizes: Sequence[int],
    trust: list[UserError] | None = None,
) -> RelayoutPlan:
    """Check that vectors of these sizes hold all tiles, and plan it."""
    check_elements(user, op, [op.result.type])
    shape, packed = op.packed_type.get_shape(), _packed(op)
    if isinstance(op, PackOp) and op.inner_tiles:
        raise user.refuse("the size of a tile is known only at run time", op)
    if not sizes:
        if DYNAMIC_INDEX in (*shape, *op.unpacked_type.get_shape()):
            remedy = "give vector_sizes for the packed tensor"
            raise user.refuse("a size is known only at run time", op, remedy)
        return RelayoutPlan(op, shape, masks=False)
    if len(sizes) != len(shape):
        raise user.refuse(
            f"{len(sizes)} vector sizes for a packed tensor of {len(shape)} dimensions",
            op,
        )
    for dim, (size, extent) in enumerate(zip(sizes, shape, strict=True)):
        is_tile = dim >= len(op.order)
        known = known_size(packed, dim) if extent == DYNAMIC_INDEX else extent
        bound = None if known is None else upper_bound(known)
        if known == size or (not is_tile and bound is not None and bound <= size):
            continue
        doubt = user.refuse(
            f"vector size {size} does not {'equal' if is_tile else 'cover'} dimension "
            f"{dim} of the packed tensor"
            + (f", of extent {bound}" if bound is not None else ""),
            op,
            "use the size of the tile" if is_tile else "use a larger vector size",
        )
        if bound is not None or trust is None:
            raise doubt
        trust.append(doubt)
    return RelayoutPlan(op, tuple(sizes), masks=True)


def _packed(op: RelayoutOp) -> SSAValue:
    return op.dest if isinstance(op, PackOp) else op.source


def rewrite(plan: RelayoutPlan, rewriter: Rewriter) -> None:
    """Replace the op by vector code."""
    op, new, split = plan.op, OpList(), plan.split
    apart = [plan.sizes[dim] for dim in split]
    of = element_type(op.result.type)
    if isinstance(op, PackOp):
        vector = _read(plan, plan.unpacked, op.padding_value, new)
        vector = new.add(ShapeCastOp(vector, VectorType(of, apart)))
        order = [split.index(dim) for dim in range(len(split))]
        vector = new.add(TransposeOp(vector, order))
        _write(plan, vector, plan.sizes, new)
    else:
        vector = _read(plan, plan.sizes, None, new)
        vector = new.add(TransposeOp(vector, split))
        vector = new.add(ShapeCastOp(vector, VectorType(of, plan.unpacked)))
        _write(plan, vector, plan.unpacked, new)
    for new_op in new.ops:
        new_op.location = op.location
    rewriter.insert_before(op, *new.ops)
    rewriter.replace(op, [new.ops[-1].results[0]])


def _bounds(
    plan: RelayoutPlan, tensor: SSAValue, sizes: Sequence[int]
) -> ArrayAttr[BoolAttr]:
    if plan.masks:
        return all_true(len(sizes))
    shape = tensor_type(tensor).get_shape()
    inside = [extent == size for extent, size in zip(shape, sizes, strict=True)]
    return ArrayAttr([BoolAttr.from_bool(is_in) for is_in in inside])


def _read(
    plan: RelayoutPlan, sizes: Sequence[int], padding: SSAValue | None, new: OpList
) -> SSAValue:
    source, rank = plan.op.source, len(sizes)
    of, zero = element_type(source.type), new.index(0)
    if padding is None:
        properties = {"value": ub.PoisonAttr()}
        padding = new.add(ub.PoisonOp.create(result_types=[of], properties=properties))
    extents = [dim_size(source, dim, new) for dim in range(rank)] if plan.masks else []
    read = TransferReadOp(
        source,
        [zero] * rank,
        padding,
        VectorType(of, sizes),
        _bounds(plan, source, sizes),
        AffineMapAttr(AffineMap.identity(rank)),
    )
    return masked(read, extents or sizes, sizes, new)


def _write(
    plan: RelayoutPlan, vector: SSAValue, sizes: Sequence[int], new: OpList
) -> None:
    dest, rank = plan.op.dest, len(sizes)
    extents = [dim_size(dest, dim, new) for dim in range(rank)] if plan.masks else []
    write = TransferWriteOp(
        vector,
        dest,
        [new.index(0)] * rank,
        _bounds(plan, dest, sizes),
        permutation_map=AffineMapAttr(AffineMap.identity(rank)),
        result_type=dest.type,
    )
    masked(write, extents or sizes, sizes, new)
