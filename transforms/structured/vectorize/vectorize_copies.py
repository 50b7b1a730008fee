"""Vectorize insertions and copies as one read and one write.

Before:
    %r = tensor.insert_slice %x into %o[%i, 2] [1, 4] [1, 1]
        : tensor<4xf32> into tensor<3x8xf32>

After:
    %v = vector.transfer_read %x[%c0], %zero ... : tensor<4xf32>, vector<4xf32>
    %r = vector.transfer_write %v, %o[%i, %c2] ... : vector<4xf32>, tensor<3x8xf32>

What goes into a tensor full of one number may have a size known only at run time: it is
read up to the size of the destination, lanes past its end hold that number too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, BoolAttr, VectorType, i1
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from tilewright.ir.dialects import arith, linalg, memref, tensor
from tilewright.ir.dialects.linalg import FillOp
from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.dialects.tensor import slice_of
from tilewright.ir.dialects.vector import (
    CombiningKindFlag,
    CreateMaskOp,
    MaskOp,
    TransferReadOp,
    TransferWriteOp,
)
from tilewright.ir.errors import UserError
from tilewright.ir.structured.combiners import neutral_element
from tilewright.ir.types import element_type, is_buffer
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.extents import (
    Extent,
    OpList,
    dim_size,
    known_size,
    upper_bound,
)
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.structured.vectorize import vectorize_structured


@dataclass(frozen=True)
class MovePlan:
    """An insertion, and the shape of the vector that moves."""

    op: tensor.InsertSliceOp
    offsets: tuple[Extent, ...]
    vector_sizes: tuple[int, ...]
    longer: tuple[bool, ...]
    """Per lane dimension: whether there may be more lanes than elements."""
    padding: SSAValue | None
    """The value of lanes without an element."""
    masked: bool = False
    """Whether a mask turns off the lanes without an element."""


def analyze_copy(user: TransformOp, op: memref.CopyOp) -> None:
    """Check that the shape of a copy is static."""
    if not all(is_buffer(value.type) for value in op.operands):
        raise user.refuse("the rank of what is copied is not known", op)
    if any(size < 1 for size in shape_of(op.source.type)):
        raise user.refuse("the elements that move are not known in number", op)
    vectorize_structured.check_elements(user, op, [op.source.type])


def rewrite_copy(op: memref.CopyOp, rewriter: Rewriter) -> None:
    """Replace the copy by a read and a write: those of `linalg.copy`."""
    copy = linalg.CopyOp([op.source], [op.target])
    rewriter.insert_before(op, copy)
    rewriter.erase(op)
    sizes = tuple(shape_of(copy.inputs[0].type))
    vectorize_structured.rewrite(
        vectorize_structured.Plan(copy, sizes, (None,)), rewriter
    )


def analyze(
    user: TransformOp,
    op: tensor.InsertSliceOp,
    vector_sizes: Sequence[int] = (),
    trust: list[UserError] | None = None,
) -> MovePlan:
    """Check that the elements are contiguous and their number is bounded.

    With vector sizes, lanes past the end of the source are masked. Upstream's write
    masks past the end of the destination, and overwrites what is behind the source.
    """
    vectorize_structured.check_elements(user, op, [op.source.type])
    shape, into = shape_of(op.source.type), shape_of(op.dest.type)
    offsets, sizes, strides = slice_of(op)
    if any(stride != 1 for stride in strides):
        raise user.refuse("the elements are not inserted side by side", op)
    # Dimensions that the source does not have must come first.
    leading = len(offsets) - len(shape)
    if any(size != 1 for size in sizes[:leading]) or any(
        isinstance(size, int) and size != have
        for size, have in zip(sizes[leading:], shape, strict=True)
    ):
        raise user.refuse("a dimension is dropped between others", op)
    if vector_sizes:
        _check_sizes(user, op, shape, vector_sizes, trust)
        inside = (False,) * len(shape)
        lanes = tuple(vector_sizes)
        return MovePlan(op, tuple(offsets), lanes, inside, None, lanes != shape)
    filled = op.dest.owner
    padding = filled.inputs[0] if isinstance(filled, FillOp) else None
    longer = tuple(size < 0 for size in shape)
    lanes = tuple(
        into[leading + dim] if more and padding is not None else shape[dim]
        for dim, more in enumerate(longer)
    )
    if any(size < 1 for size in lanes):
        raise user.refuse("the elements that move are not known in number", op)
    return MovePlan(op, tuple(offsets), lanes, longer, padding)


def _check_sizes(
    user: TransformOp,
    op: tensor.InsertSliceOp,
    shape: Sequence[int],
    vector_sizes: Sequence[int],
    trust: list[UserError] | None,
) -> None:
    if len(vector_sizes) != len(shape):
        raise user.refuse(
            f"{len(vector_sizes)} vector sizes for {len(shape)} dimensions", op
        )
    for dim, (extent, size) in enumerate(zip(shape, vector_sizes, strict=True)):
        known = known_size(op.source, dim) if extent < 0 else extent
        bound = None if known is None else upper_bound(known)
        if bound is None or bound > size:
            doubt = user.refuse(
                f"vector size {size} does not cover dimension {dim}",
                op,
                "use a larger vector size, or tile the insertion",
            )
            if bound is not None or trust is None:
                raise doubt
            trust.append(doubt)


def _under_mask(plan: MovePlan, access: Operation, new: OpList) -> SSAValue:
    """A read or a write, with the lanes past the end of the source turned off."""
    if not plan.masked:
        return new.add(access)
    source = plan.op.source
    extents: list[Operation | SSAValue] = [
        new.index(dim_size(source, dim, new)) for dim in range(len(plan.vector_sizes))
    ]
    mask = new.add(CreateMaskOp(extents, VectorType(i1, plan.vector_sizes)))
    return new.add(MaskOp(mask, access))


def rewrite(plan: MovePlan, rewriter: Rewriter) -> None:
    """Replace the insertion by a read of its source and a write."""
    op, new = plan.op, OpList()
    of = element_type(op.source.type)
    lanes = len(plan.vector_sizes)
    rank = len(plan.offsets)
    padding = plan.padding
    if padding is None:
        zero = neutral_element(CombiningKindFlag.ADD, of)
        assert zero is not None, "vectors hold integers or floats"
        padding = new.add(arith.ConstantOp(zero))
    read = TransferReadOp(
        op.source,
        [new.index(0)] * lanes,
        padding,
        VectorType(of, plan.vector_sizes),
        _in_bounds([not more for more in plan.longer]),
        AffineMapAttr(AffineMap.identity(lanes)),
    )
    vector = _under_mask(plan, read, new)
    trailing = tuple(AffineExpr.dimension(d) for d in range(rank - lanes, rank))
    write = TransferWriteOp(
        vector,
        op.dest,
        [new.index(offset) for offset in plan.offsets],
        # A vector of the destination's shape fits if it starts at the first element.
        _in_bounds(
            not more or offset == 0
            for more, offset in zip(
                plan.longer, plan.offsets[rank - lanes :], strict=True
            )
        ),
        permutation_map=AffineMapAttr(AffineMap(rank, 0, trailing)),
        result_type=op.dest.type,
    )
    _under_mask(plan, write, new)
    rewriter.replace_with(op, *new.ops)


def _in_bounds(flags: Iterable[bool]) -> ArrayAttr[BoolAttr]:
    return ArrayAttr([BoolAttr.from_bool(flag) for flag in flags])
