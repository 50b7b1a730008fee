"""Patterns on masks: make them constant, drop those with every lane on.

As in upstream, a mask with constant sizes becomes a `vector.constant_mask`, and a mask
with all lanes on, or all lanes off, a dense constant.
"""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType, i1
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.dialects.vector import (
    ConstantMaskOp,
    CreateMaskOp,
    MaskOp,
    ShapeCastOp,
    TransferReadOp,
    TransferWriteOp,
    TransposeOp,
)
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import vector_type
from tilewright.transforms.cleanup.build import make
from tilewright.transforms.cleanup.constants import become, filled, uniform
from tilewright.transforms.cleanup.driver import fold, pattern
from tilewright.transforms.cleanup.patterns.vector.transfers import (
    mask_of,
    rebuild_read,
    rebuild_write,
)
from tilewright.transforms.cleanup.shapes import Size
from tilewright.transforms.core.rewriter import Rewriter


def mask_sizes(mask: SSAValue) -> tuple[Size, ...] | None:
    """The number of lanes that are on in each dimension; None if it is unknown."""
    owner = mask.owner
    if isinstance(owner, CreateMaskOp):
        return tuple(
            size if (number := constant_int(size)) is None else number
            for size in owner.mask_dim_sizes
        )
    if isinstance(owner, ConstantMaskOp):
        return owner.sizes
    if (known := uniform(mask)) is not None:
        shape = vector_type(mask).get_shape()
        return shape if known else tuple(0 for _ in shape)
    return None


def is_full(mask: SSAValue) -> bool:
    """Whether every lane of a mask is on."""
    sizes = mask_sizes(mask)
    return sizes is not None and all(
        isinstance(size, int) and size >= extent
        for size, extent in zip(sizes, vector_type(mask).get_shape(), strict=True)
    )


@pattern(CreateMaskOp)
def constant_sizes(op: CreateMaskOp, rewriter: Rewriter) -> None:
    """Make a mask of constant sizes a constant mask."""
    numbers = [constant_int(size) for size in op.mask_dim_sizes]
    known = [number for number in numbers if number is not None]
    kind = vector_type(op.mask_vector)
    if len(known) != len(numbers) or not kind.get_shape():
        return
    pairs = zip(known, kind.get_shape(), strict=True)
    sizes = [max(0, min(number, extent)) for number, extent in pairs]
    if 0 in sizes:
        sizes = [0] * len(sizes)
    rewriter.replace_with(op, ConstantMaskOp(sizes, kind))


@fold(ConstantMaskOp)
def uniform_mask(op: ConstantMaskOp, rewriter: Rewriter) -> None:
    """Make a mask with every lane on, or off, a dense constant."""
    kind = vector_type(op.result)
    if op.sizes == kind.get_shape():
        become(op, filled(1, kind), rewriter)
    elif not any(op.sizes):
        become(op, filled(0, kind), rewriter)


@pattern(TransposeOp)
def transposed_mask(op: TransposeOp, rewriter: Rewriter) -> None:
    """Replace a transposed mask by a mask of transposed sizes."""
    owner, kind = op.vector.owner, vector_type(op.result)
    if isinstance(owner, CreateMaskOp):
        sizes = [owner.mask_dim_sizes[dim] for dim in op.order]
        rewriter.replace_with(op, CreateMaskOp(sizes, kind))
    elif isinstance(owner, ConstantMaskOp):
        numbers = [owner.sizes[dim] for dim in op.order]
        rewriter.replace_with(op, ConstantMaskOp(numbers, kind))


@pattern(ShapeCastOp)
def reshaped_mask(op: ShapeCastOp, rewriter: Rewriter) -> None:
    """Drop the last dimension of a mask if it has one lane, which is on."""
    owner, kind = op.source.owner, vector_type(op.result)
    shape = vector_type(op.source).get_shape()
    if not shape or (*kind.get_shape(), 1) != shape:
        return
    if isinstance(owner, CreateMaskOp):
        if constant_int(owner.mask_dim_sizes[-1]) == 1:
            sizes = list(owner.mask_dim_sizes[:-1])
            rewriter.replace_with(op, CreateMaskOp(sizes, kind))
    elif isinstance(owner, ConstantMaskOp) and owner.sizes[-1] == 1:
        rewriter.replace_with(op, ConstantMaskOp(owner.sizes[:-1], kind))


@fold(TransferReadOp)
def unmasked_read(op: TransferReadOp, rewriter: Rewriter) -> None:
    """Drop a mask with every lane on."""
    mask = mask_of(op)
    if mask is not None and is_full(mask):
        rewriter.replace_with(op, rebuild_read(op, mask=None))


@fold(TransferWriteOp)
def unmasked_write(op: TransferWriteOp, rewriter: Rewriter) -> None:
    """Drop a mask with every lane on."""
    mask = mask_of(op)
    if mask is not None and is_full(mask):
        rewriter.replace_with(op, rebuild_write(op, mask=None))


@fold(MaskOp)
def unmasked_op(op: MaskOp, rewriter: Rewriter) -> None:
    """Unmask an op whose mask has every lane on."""
    masked = op.masked_op
    if masked is not None and op.passthru is None and is_full(op.mask):
        unmask(op, masked, rewriter)


def unmask(op: MaskOp, masked: Operation, rewriter: Rewriter) -> None:
    """Take the op out from under its mask."""
    rewriter.move_before(masked, op)
    rewriter.replace(op, list(masked.results))


@pattern(MaskOp)
def mask_around_nothing(op: MaskOp, rewriter: Rewriter) -> None:
    """Replace a mask without an op by its value, or by a select."""
    last = op.body.block.last_op
    if op.masked_op is not None or last is None:
        return
    if op.passthru is None:
        rewriter.replace(op, list(last.operands))
        return
    operands = [op.mask, last.operands[0], op.passthru]
    rewriter.replace_with(op, make("arith.select", operands, op.result_types))


@pattern(MaskOp)
def lower_masked_transfer(op: MaskOp, rewriter: Rewriter) -> None:
    """Replace `vector.mask { transfer }` by a transfer with a mask operand."""
    masked = op.masked_op
    if op.passthru is not None:
        return  # its pass-through is a vector, and a transfer's padding a scalar
    if isinstance(masked, TransferReadOp) and masked.mask is None:
        rewriter.replace_with(op, rebuild_read(masked, mask=op.mask))
    elif isinstance(masked, TransferWriteOp) and masked.mask is None:
        rewriter.replace_with(op, rebuild_write(masked, mask=op.mask))


def mask_type(shape: tuple[int, ...]) -> VectorType[Attribute]:
    """The type of a mask over lanes of this shape."""
    return VectorType(i1, shape)


PATTERNS = (
    constant_sizes,
    uniform_mask,
    transposed_mask,
    reshaped_mask,
    unmasked_read,
    unmasked_write,
    unmasked_op,
    mask_around_nothing,
)
MASKED = (lower_masked_transfer,)
