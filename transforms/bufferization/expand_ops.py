"""Expand ops into simpler ones first: pad, generate, splat, concat, from_elements.

As in upstream, each becomes an empty tensor into which elements are computed or parts
are inserted, so that all remaining ops write into destinations. An access under
`vector.mask` becomes an access with a mask operand, which upstream leaves to a later
pattern.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr

from tilewright.ir.dialects import arith, tensor, vector
from tilewright.ir.dialects.linalg import FillOp
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.patterns.vector.transfers import (
    rebuild_read,
    rebuild_write,
)
from tilewright.transforms.core.extents import Extent, OpList, dim_size, evaluate
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.walking import walked
from tilewright.transforms.structured.destinations.destination_passing_style import (
    give_destination,
)

EXPANDED = (
    tensor.ConcatOp,
    tensor.FromElementsOp,
    tensor.GenerateOp,
    tensor.PadOp,
    tensor.SplatOp,
)


def expand_ops(root: Operation) -> None:
    """Expand these ops inside `root`, a copy that is not part of the payload yet."""
    rewriter = Rewriter()
    for op in walked(root):
        match op:
            case tensor.PadOp() | tensor.GenerateOp() | tensor.FromElementsOp():
                give_destination(op, rewriter)
            case tensor.SplatOp():
                _fill(op, rewriter)
            case tensor.ConcatOp():
                _concatenate(op, rewriter)
            case vector.MaskOp():
                _mask_access(op, rewriter)
            case _:
                pass


def _mask_access(op: vector.MaskOp, rewriter: Rewriter) -> None:
    """Turn a masked access into one with a mask operand, and select afterwards."""
    new: list[Operation] = []
    match op.masked_op:
        case vector.TransferWriteOp() as write:
            new.append(rebuild_write(write, mask=op.mask))
        case vector.TransferReadOp() as read:
            new.append(rebuild_read(read, mask=op.mask))
        case vector.GatherOp() as gather:
            both = arith.AndIOp(gather.mask, op.mask)
            new += [both, gather.clone({gather.mask: both.result})]
        case _:
            return
    if op.passthru is not None:
        new.append(arith.SelectOp(op.mask, new[-1].results[0], op.passthru))
    rewriter.replace_with(op, *new)


def _fill(op: tensor.SplatOp, rewriter: Rewriter) -> None:
    empty = tensor.EmptyOp(op.dynamic_sizes, op.result.type)
    rewriter.replace_with(op, empty, FillOp([op.input], [empty.tensor]))


def _concatenate(op: tensor.ConcatOp, rewriter: Rewriter) -> None:
    new = OpList()
    kind, joined = tensor_type(op.result), op.dim.value.data
    sizes = [
        [dim_size(value, dim, new) for dim in range(kind.get_num_dims())]
        for value in op.inputs
    ]
    starts = _running_sums([entry[joined] for entry in sizes], new)
    total: list[Extent] = list(sizes[0])
    total[joined] = starts[-1]
    dynamic = [
        new.index(size)
        for size, static in zip(total, kind.get_shape(), strict=True)
        if static == DYNAMIC_INDEX
    ]
    result: SSAValue = new.add(tensor.EmptyOp(dynamic, kind))
    for value, entry, start in zip(op.inputs, sizes, starts, strict=False):
        offsets: list[Extent] = [0] * len(entry)
        offsets[joined] = start
        ones: list[Extent] = [1] * len(entry)
        shape = tensor_type(value).get_shape()
        part: list[Extent] = [
            new.index(size) if static == DYNAMIC_INDEX else static
            for size, static in zip(entry, shape, strict=True)
        ]
        result = new.add(tensor.InsertSliceOp(value, result, offsets, part, ones))
    for new_op in new.ops:
        new_op.location = op.location
    rewriter.insert_before(op, *new.ops)
    rewriter.replace(op, [result])


def _running_sums(sizes: Sequence[Extent], new: OpList) -> list[Extent]:
    plus = AffineExpr.dimension(0) + AffineExpr.dimension(1)
    sums: list[Extent] = [0]
    for size in sizes:
        sums.append(evaluate(plus, [sums[-1], size], new))
    return sums
