"""What is read many times is computed in the order in which it is read.

`tilewright.readers_order`. A bias of positions is computed for all heads at a pair of
positions, and added for all positions of a head, in every batch:

    %b = linalg.generic ... ins(%table, %distance) -> tensor<512x512x8xbf16>
    %s = linalg.generic {indexing_maps = [..., (b, h, q, k) -> (q, k, h), ...]}
           ins(%scores, %b) { addf } -> tensor<16x8x512x512xbf16>

Each of 16 batches would read single elements, 16 bytes apart. So `%b` is computed as
8x512x512 elements: once it is written across, and then read along.

All readers must be generic ops that read it in one order. At least one of them must
have a loop that reads it again, or the op must read nothing along its own last loop:
then no order is better for it. Sizes must be known.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Operation, Use
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.linalg import GenericOp, iterators, maps_attribute
from tilewright.ir.structured.bodies import is_elementwise
from tilewright.ir.structured.loop_order import reorder_loops
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.shapes import with_shape
from tilewright.transforms.core.rewriter import Rewriter


@pattern(GenericOp)
def compute_in_readers_order(op: GenericOp, rewriter: Rewriter) -> None:
    """Reorder the loops and the result of an op as all its readers have them."""
    order = readers_order(op)
    if order is None:
        return
    result = op.results[0]
    shape = tensor_type(result).get_shape()
    kind = with_shape(tensor_type(result), [shape[dim] for dim in order])
    empty = tensor.EmptyOp([], kind)
    reorder_loops(op, order)
    new = GenericOp(
        op.inputs,
        [empty.results[0]],
        op.body.clone(),
        # The result has the new order of the loops, too.
        maps_attribute([*op.maps[:-1], AffineMap.identity(len(order))]),
        iterators(len(order)),
        [kind],
    )
    new.location = op.location
    new.results[0].name_hint = result.name_hint
    rewriter.insert_before(op, empty, new)
    for use in list(result.uses):
        reader = use.operation
        assert isinstance(reader, GenericOp)
        maps = list(reader.maps)
        read = maps[use.index]
        along = tuple(read.results[dim] for dim in order)
        maps[use.index] = AffineMap(read.num_dims, 0, along)
        reader.indexing_maps = maps_attribute(maps)
        rewriter.set_operand(reader, use.index, new.results[0])
    rewriter.erase(op)


def readers_order(op: Operation) -> list[int] | None:
    """The order of the dimensions in which all readers read a result, if another."""
    if not isinstance(op, GenericOp) or not _is_plain(op):
        return None
    uses = list(op.results[0].uses)
    reads = [_read(use) for use in uses]
    orders = {tuple(_order(read)) if read is not None else () for read in reads}
    if len(orders) != 1 or not (order := list(orders.pop())):
        return None
    is_again = any(read is not None and _reads_again(read) for read in reads)
    is_better = is_again or not _reads_along(op)
    return order if is_better and order != sorted(order) else None


def _reads_along(op: GenericOp) -> bool:
    """Whether an op reads neighbours in memory along its last loop."""
    last = AffineDimExpr(op.get_num_loops() - 1)
    reads = (read.results for read in op.maps[: len(op.inputs)])
    return any(results and results[-1] == last for results in reads)


def _is_plain(op: GenericOp) -> bool:
    """Whether an op computes elements of one result, into an empty tensor."""
    return (
        is_elementwise(op)
        and len(op.results) == 1
        and isinstance(op.results[0].type, TensorType)
        and isinstance(op.outputs[0].owner, tensor.EmptyOp)
        and not op.body.block.args[-1].uses
        and op.maps[-1] == AffineMap.identity(op.get_num_loops())
        and DYNAMIC_INDEX not in tensor_type(op.results[0]).get_shape()
    )


def _read(use: Use) -> AffineMap | None:
    """How a generic op reads a tensor; None for other readers."""
    reader = use.operation
    if not isinstance(reader, GenericOp) or use.index >= len(reader.inputs):
        return None
    read = reader.maps[use.index]
    loops = list(_loops(read))
    is_once_each = len(set(loops)) == len(loops) == len(read.results)
    return read if is_once_each else None


def _loops(read: AffineMap) -> Iterator[int]:
    return (e.position for e in read.results if isinstance(e, AffineDimExpr))


def _order(read: AffineMap) -> list[int]:
    """The dimensions of a tensor as the loops of its reader come."""
    loops = list(_loops(read))
    return sorted(range(len(loops)), key=lambda dim: loops[dim])


def _reads_again(read: AffineMap) -> bool:
    """Whether a loop of the reader stands still in the tensor."""
    return len(read.results) < read.num_dims


PATTERNS = (compute_in_readers_order,)
