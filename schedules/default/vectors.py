"""The vector sizes that the default gives the ops of one grid: powers of two.

A dot has a smallest size, and smaller tiles are padded up to it with masks. Ops that
share a tile with the dot must be padded alike: otherwise a value in registers would
have two sizes and go through memory between them. So if a product pads a tile, every op
with this tile pads it too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from tilewright.ir.dialects import scf, tensor
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dtypes import byte_width, element
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.powers import power_of_two
from tilewright.ir.structured.contractions import contraction_dims, is_contraction
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.text import place_of
from tilewright.ir.types import element_type, tensor_type
from tilewright.transforms.core.extents import Extent, OpList, upper_bound
from tilewright.transforms.structured.tile.one_tile import loop_ranges

SMALLEST = 16
"""The smallest size of Triton's dot in any dimension."""
SMALLEST_K = 32
"""The smallest size of Triton's dot along k, in bytes."""
_PRODUCTS = (("arith.mulf", "arith.addf"), ("arith.muli", "arith.addi"))


def is_product(op: StructuredOp) -> bool:
    """Whether an op is a matrix product that tensor cores can compute."""
    dims = contraction_dims(op)
    if dims is None or not any(is_contraction(op, *names) for names in _PRODUCTS):
        return False
    factor = element(factor_of(op))
    if not factor.is_float and factor.byte_width > 1:
        return False
    return bool(dims.m and dims.n)


def factor_of(op: StructuredOp) -> Attribute:
    """The element type of a product's operands in memory."""
    return element_type(op.operands[0].type)


def vector_sizes(ops: Sequence[StructuredOp]) -> dict[StructuredOp, list[int]]:
    """The vector that covers each op of a grid."""
    extents = {op: [upper(e, op) for e in loop_ranges(op, OpList())] for op in ops}
    sizes = {op: _own_sizes(op, extents[op]) for op in ops}
    tiles = _Tiles(ops)
    known: dict[tuple[object, ...], tuple[int, ...]] = {}
    changed = any(is_product(op) for op in ops)
    while changed:
        for op in ops:
            for value, loops in _operand_loops(op):
                tile = tiles.key(value, [extents[op][loop] for loop in loops])
                own = tuple(sizes[op][loop] for loop in loops)
                known[tile] = tuple(map(max, own, known.get(tile, own)))
        changed = False
        for op in ops:
            for value, loops in _operand_loops(op):
                tile = tiles.key(value, [extents[op][loop] for loop in loops])
                for loop, size in zip(loops, known[tile], strict=True):
                    changed = changed or size > sizes[op][loop]
                    sizes[op][loop] = max(size, sizes[op][loop])
    return sizes


class _Tiles:
    """What identifies a tile: its extents, and if these are ambiguous, its value.

    A product pads short dimensions. Which ones does not follow from the extents if two
    of them are short and equal: of scores `1x1x1x1x64` and of an accumulator
    `1x1x1x1x64`, the rows may be another dimension. Results, their destinations and
    carried values are the same tile then.
    """

    def __init__(self, ops: Sequence[StructuredOp]) -> None:
        self.first: dict[SSAValue, SSAValue] = {}
        for block in dict.fromkeys(op.parent for op in ops):
            parent = block.parent_op() if block is not None else None
            if isinstance(parent, scf.ForOp):
                self._join_carried(parent)
            for op in block.ops if block is not None else ():
                if isinstance(op, StructuredOp):
                    for result, output in zip(op.results, op.outputs, strict=False):
                        self._join(result, output)
                elif isinstance(op, tensor.ExtractSliceOp):
                    if not isinstance(op.source.owner, Block) or isinstance(
                        op.source.owner.parent_op(), scf.ForOp
                    ):
                        self._join(op.result, op.source)
                elif isinstance(op, tensor.InsertSliceOp):
                    self._join(op.result, op.dest)
                    self._join(op.result, op.source)

    def _join_carried(self, loop: scf.ForOp) -> None:
        last = loop.body.block.last_op
        assert last is not None
        inside = loop.body.block.args[1:]
        carried = zip(loop.iter_args, inside, last.operands, loop.results, strict=True)
        for start, *others in carried:
            for value in others:
                self._join(value, start)

    def key(self, value: SSAValue, extents: Sequence[int]) -> tuple[object, ...]:
        """The same for two operands that are the same tile."""
        short = [extent for extent in extents if extent < SMALLEST]
        is_clear = len(set(short)) == len(short)
        return tuple(extents) if is_clear else (self._of(value), *extents)

    def _of(self, value: SSAValue) -> SSAValue:
        """The value that stands for all of a tile."""
        while value in self.first:
            value = self.first[value]
        return value

    def _join(self, value: SSAValue, other: SSAValue) -> None:
        one, two = self._of(value), self._of(other)
        if isinstance(two.owner, tensor.EmptyOp):
            one, two = two, one
        if one is not two and not isinstance(one.owner, tensor.EmptyOp):
            self.first[one] = two


def _own_sizes(op: StructuredOp, extents: Sequence[int]) -> list[int]:
    """The sizes that an op needs by itself: powers of two, at least a dot's sizes."""
    sizes = [power_of_two(extent) for extent in extents]
    for loop, size in _accumulated(op):
        sizes[loop] = max(sizes[loop], power_of_two(size))
    if not is_product(op):
        return sizes
    dims = contraction_dims(op)
    assert dims is not None
    for loops in (dims.m, dims.n):
        sizes[loops[-1]] = max(sizes[loops[-1]], SMALLEST)
    least = max(SMALLEST, SMALLEST_K // byte_width(factor_of(op)))
    innermost = dims.k[-1]
    sizes[innermost] = max(sizes[innermost], least)
    return sizes


def _accumulated(op: StructuredOp) -> Iterator[tuple[int, int]]:
    """Loops along a tile of partial results that a loop carries, and its extents.

    A vector covers the whole tile, even if a short row fills only part of it.
    """
    maps = list(op.maps)[len(op.inputs) :]
    for output, map_ in zip(op.outputs, maps, strict=True):
        cut = output.owner
        if not isinstance(cut, tensor.ExtractSliceOp):
            continue
        whole = cut.source
        is_carried = isinstance(whole, BlockArgument) and isinstance(
            whole.block.parent_op(), scf.ForOp
        )
        starts = [*cut.static_offsets.get_values()]
        if not is_carried or any(starts) or len(starts) != len(map_.results):
            continue
        for expr, extent in zip(
            map_.results, tensor_type(whole).get_shape(), strict=True
        ):
            if isinstance(expr, AffineDimExpr) and extent != DYNAMIC_INDEX:
                yield expr.position, extent


def _operand_loops(op: StructuredOp) -> Iterator[tuple[SSAValue, list[int]]]:
    """Each input and result, and the loops that run over its dimensions."""
    made = op.results or op.outputs
    for value, map_ in zip((*op.inputs, *made), op.maps, strict=True):
        loops = list(named_loops(map_))
        if loops and len(loops) == len(map_.results):
            yield value, loops


def upper(extent: Extent, op: Operation) -> int:
    """An upper bound of the extent of a loop of `op`."""
    if (bound := upper_bound(extent)) is not None:
        return bound
    raise SilenceableFailure(
        "a loop's extent has no bound known before it runs",
        place_of(op),
        "vectorize the op in the schedule, giving the sizes",
    )
