"""What a matmul sums up is computed in the order in which it reads it.

`tilewright.sums_order`. The gradients of attention read the same weights in two
orders, once summed along their columns and once along their rows:

    %s = linalg.contract ... ins(%q, %k) -> tensor<64x32xf32>
    %w = linalg.generic ... ins(%s) { exp } -> tensor<64x32xf32>
    %a = linalg.contract {... (i, d, j) -> (i, j) ...} ins(%w, %k) -> tensor<64x16xf32>
    %b = linalg.contract {... (j, d, i) -> (i, j) ...} ins(%w, %q) -> tensor<32x16xf32>

One loop along the columns computes `%a` without storing `%w`, and one along the rows
computes `%b`. So `%b` gets elements of its own, whose last dimension is the one that it
sums along, and all matmuls that read them so share them:

    %s2 = linalg.generic ... ins(%k, %q) { multiply and add } -> tensor<32x64xf32>
    %w2 = linalg.generic ... ins(%s2) { exp } -> tensor<32x64xf32>
    %b = linalg.contract {... (j, d, i) -> (j, i) ...} ins(%w2, %q) -> tensor<32x16xf32>

Copied are the element-wise ops between two matmuls, and the matmul that makes the
elements. It pays where one loop computes all of them: a tile of it holds the columns of
one matmul and the sums of the other whole, at most 256 of each. Sizes must be known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence, Set

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.linalg import (
    FillOp,
    GenericOp,
    StructuredOp,
    maps_attribute,
)
from tilewright.ir.structured.bodies import is_elementwise
from tilewright.ir.structured.contractions import contraction_dims, product_of
from tilewright.ir.structured.loop_order import reorder_loops
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.shapes import with_shape
from tilewright.transforms.core.rewriter import Rewriter

Order = tuple[int, ...]
"""Dimensions of a tensor, in the order of another one with the same elements."""

WIDEST_HELD = 256
"""The columns of the last matmul, and the length of the first one's sums: a tile holds
both whole, at most so many."""


@pattern(StructuredOp)
def compute_in_order_of_sums(op: StructuredOp, rewriter: Rewriter) -> None:
    """Give all matmuls of a block that sum along no last dimension their own factors.

    All at once, so that those which read one tensor in one order share the copy.
    """
    if not sums_across(op) or op.parent is None:
        return
    copies = _Copies(rewriter)
    for reader in list(op.parent.ops):
        across = _across(reader)
        if not across:
            continue
        assert isinstance(reader, StructuredOp)
        inputs, maps = list(reader.inputs), list(reader.maps)
        for position in across:
            order = _order_of_sums(reader, position)
            inputs[position] = copies.of(inputs[position], order)
            maps[position] = _permuted(maps[position], order)
        made = GenericOp(
            inputs,
            reader.outputs,
            reader.body.clone(),
            maps_attribute(maps),
            reader.get_iterator_types(),
            [reader.results[0].type],
        )
        made.location = reader.location
        made.results[0].name_hint = reader.results[0].name_hint
        rewriter.replace_with(reader, made)


def sums_across(op: Operation) -> bool:
    """Whether an op is a matmul whose own order of a factor would be another one."""
    return next(iter(_across(op)), None) is not None


def _across(op: Operation) -> list[int]:
    """The factors of a matmul that it sums along another than their last dimension,
    and that a matmul makes."""
    if not isinstance(op, StructuredOp) or not _is_matmul(op):
        return []
    sums = _sums(op)
    return [
        position
        for position, (value, read) in enumerate(zip(op.inputs, op.maps, strict=False))
        if len(sums) == 1
        and sums[0] in named_loops(read)
        and named_loops(read)[-1] not in sums
        and _is_held(op, set(named_loops(op.maps[-1])) - set(named_loops(read)))
        and _is_made(value)
    ]


def _order_of_sums(op: StructuredOp, position: int) -> Order:
    """The order of a factor's dimensions in which the one that is summed comes last."""
    (loop,) = _sums(op)
    loops = named_loops(op.maps[position])
    last = loops.index(loop)
    return (*(dim for dim in range(len(loops)) if dim != last), last)


def _is_matmul(op: StructuredOp) -> bool:
    """Whether an op adds products of two tensors up, in one result."""
    return (
        contraction_dims(op) is not None
        and product_of(op) is not None
        and bool(op.results)
        and isinstance(op.results[0].type, TensorType)
    )


def _sums(op: StructuredOp) -> list[int]:
    dims = contraction_dims(op)
    return [] if dims is None else dims.k


def _is_held(op: StructuredOp, loops: Set[int]) -> bool:
    """Whether a tile may have all elements along some loops of a matmul."""
    extents = {
        loop: extent
        for value, read in zip(op.operands, op.maps, strict=True)
        for loop, extent in zip(
            named_loops(read), tensor_type(value).get_shape(), strict=True
        )
    }
    return 0 < math.prod(extents[loop] for loop in loops) <= WIDEST_HELD


def _is_made(value: SSAValue) -> bool:
    """Whether a matmul makes a tensor, with element-wise ops behind it, if any."""
    op = value.owner
    if not isinstance(op, StructuredOp) or not _can_copy(op):
        return False
    if not is_elementwise(op):
        return True
    return any(map(_is_made, _whole_inputs(op)))


def _can_copy(op: StructuredOp) -> bool:
    """Whether an op may be computed in another order, from the same operands."""
    if len(op.results) != 1 or not isinstance(op.results[0].type, TensorType):
        return False
    if DYNAMIC_INDEX in tensor_type(op.results[0]).get_shape():
        return False
    written = named_loops(op.maps[-1])
    if len(written) < len(op.maps[-1].results):
        return False
    if is_elementwise(op):
        is_read = bool(op.body.block.args[-1].uses)
        return not is_read and sorted(written) == list(range(op.maps[-1].num_dims))
    starts_filled = _is_matmul(op) and isinstance(op.outputs[0].owner, FillOp)
    return starts_filled and _is_held(op, set(_sums(op)))


def _whole_inputs(op: StructuredOp) -> list[SSAValue]:
    """The inputs that have as many elements as an element-wise op has results."""
    rank = op.maps[-1].num_dims
    return [
        value
        for value, read in zip(op.inputs, op.maps, strict=False)
        if sorted(named_loops(read)) == list(range(rank))
    ]


class _Copies:
    """Tensors in other orders, each made once."""

    def __init__(self, rewriter: Rewriter):
        self._rewriter = rewriter
        self._made: dict[tuple[SSAValue, Order], SSAValue] = {}

    def of(self, value: SSAValue, order: Order) -> SSAValue:
        """A tensor that `_is_made`, in another order."""
        if (value, order) not in self._made:
            self._made[value, order] = self._copy(value, order)
        return self._made[value, order]

    def _copy(self, value: SSAValue, order: Order) -> SSAValue:
        op = value.owner
        assert isinstance(op, StructuredOp)
        written = _permuted(op.maps[-1], order)
        inputs, maps = list(op.inputs), list(op.maps[:-1])
        if is_elementwise(op):
            wanted = named_loops(written)
            for i, given in enumerate(op.inputs):
                read = named_loops(maps[i])
                if sorted(read) == sorted(wanted) and _is_made(given):
                    own = tuple(read.index(loop) for loop in wanted)
                    if own != tuple(range(len(own))):
                        inputs[i] = self.of(given, own)
                        maps[i] = _permuted(maps[i], own)
        body = op.body.clone()
        if not is_elementwise(op) and _is_turned(maps, written):
            inputs.reverse()
            maps.reverse()
            _swap_factors(body)
        shape = tensor_type(value).get_shape()
        kind = with_shape(tensor_type(value), [shape[dim] for dim in order])
        start = tensor.EmptyOp([], kind)
        ops: list[Operation] = [start]
        filled = op.outputs[0].owner
        if isinstance(filled, FillOp):
            ops.append(FillOp([filled.inputs[0]], [start.results[0]]))
        made = GenericOp(
            inputs,
            [ops[-1].results[0]],
            body,
            maps_attribute([*maps, written]),
            op.get_iterator_types(),
            [kind],
        )
        made.location = op.location
        made.results[0].name_hint = value.name_hint
        loops = list(named_loops(written))
        rest = [loop for loop in range(written.num_dims) if loop not in loops]
        self._rewriter.insert_before(op, *ops, made)
        reorder_loops(made, [*loops, *rest])
        return made.results[0]


def _permuted(map_: AffineMap, order: Sequence[int]) -> AffineMap:
    """A map to the dimensions of a tensor in another order."""
    return AffineMap(map_.num_dims, 0, tuple(map_.results[dim] for dim in order))


def _is_turned(maps: Sequence[AffineMap], written: AffineMap) -> bool:
    """Whether the last dimension of a matmul's result is one of its left factor."""
    last = written.results[-1]
    return isinstance(last, AffineDimExpr) and last in maps[0].results


def _swap_factors(body: Region) -> None:
    """Let the factors of a matmul's body come in the other order."""
    block: Block = body.block
    moved = block.insert_arg(block.args[1].type, 0)
    old = block.args[2]
    moved.name_hint = old.name_hint
    old.replace_all_uses_with(moved)
    block.erase_arg(old)


PATTERNS = (compute_in_order_of_sums,)
