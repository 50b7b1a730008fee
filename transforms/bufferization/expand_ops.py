"""Expand ops into simpler ones first: pad, generate, splat, concat, from_elements.

As in upstream, each becomes an empty tensor into which elements are computed or parts
are inserted, so that all remaining ops write into destinations. An access under
`vector.mask` becomes an access with a mask operand, which upstream leaves to a later
pattern.

Where the result is upstream's, elements are computed by `linalg.map`; otherwise by
`linalg.fill` and `linalg.generic`, which code generation knows best.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, Region

from tilewright.ir.dialects import arith, tensor, vector
from tilewright.ir.dialects.linalg import FillOp, GenericOp, MapOp, YieldOp
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


def expand_ops(root: Operation, *, as_maps: bool = False) -> None:
    """Expand these ops inside `root`, a copy that is not part of the payload yet.

    As maps, what fills a tensor is written as `linalg.map`, as upstream writes it.
    """
    rewriter = Rewriter()
    for op in walked(root):
        match op:
            case tensor.PadOp() | tensor.GenerateOp() | tensor.FromElementsOp():
                made = give_destination(op, rewriter)
                if as_maps:
                    _map_elements(made, rewriter)
            case tensor.SplatOp():
                _fill(op, rewriter)
            case tensor.ConcatOp():
                _concatenate(op, rewriter)
            case vector.MaskOp():
                _mask_access(op, rewriter)
            case _:
                pass


def _map_elements(made: Operation, rewriter: Rewriter) -> None:
    """Write what computes a tensor, or what padding it is inserted into, as a map."""
    filling = made.dest.owner if isinstance(made, tensor.InsertSliceOp) else made
    if isinstance(filling, FillOp):
        block = Block(arg_types=[filling.inputs[0].type])
        block.add_op(YieldOp(filling.inputs[0]))
        body = Region(block)
    elif isinstance(filling, GenericOp) and not filling.inputs:
        body = filling.detach_region(0)
    else:
        return
    rewriter.replace_with(filling, MapOp([], filling.outputs[0], body))


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
