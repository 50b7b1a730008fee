"""Expand ops into simpler ones first: pad, generate, splat, concat, from_elements.

As in upstream, each becomes an empty tensor into which elements are computed or parts
are inserted, so that all remaining ops write into destinations. An access under
`vector.mask` becomes an access with a mask operand, which upstream leaves to a later
pattern.
"""

from __future__ import annotations

from xdsl.ir import Operation

from tilewright.ir.dialects import arith, tensor, vector
from tilewright.ir.dialects.linalg import FillOp
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.patterns.tensor.concat_parts import inserted_parts
from tilewright.transforms.cleanup.patterns.vector.transfers import (
    rebuild_read,
    rebuild_write,
)
from tilewright.transforms.core.extents import OpList
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
    result = inserted_parts(op, tensor_type(op.result), new)
    for new_op in new.ops:
        new_op.location = op.location
    rewriter.insert_before(op, *new.ops)
    rewriter.replace(op, [result])
