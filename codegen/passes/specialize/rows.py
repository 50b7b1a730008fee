"""Which dimension of each tile is split over the groups of warps.

The groups share the rows of every product. From there the split follows the tiles: the
rows of a sum of two tiles are the rows of both, the rows of a column of maxima are the
rows of the tile that they are maxima of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Block, Operation, SSAValue

from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects import scf, vector
from tilewright.ir.dialects.kernel import (
    ArangeOp,
    DescriptorLoadOp,
    DotOp,
    ExpandDimsOp,
    FullOp,
    FuncOp,
    HalvesOp,
    ReduceOp,
    ReshapeOp,
    TransOp,
    shape_of,
)

Dimension = tuple[SSAValue, int]


def split_dimensions(kernel: FuncOp) -> dict[SSAValue, int]:
    """For each tile that the groups share, the dimension along which they do."""
    ties = defaultdict[Dimension, list[Dimension]](list)
    dots: list[DotOp] = []
    for op in kernel.body.walk():
        dots += [op] if isinstance(op, DotOp) else []
        for tied in _ties(op):
            for one in tied:
                ties[one] += [other for other in tied if other != one]
    found: dict[SSAValue, int] = {}
    reached: set[Dimension] = {(dot.result, 0) for dot in dots}
    waiting = list(reached)
    while waiting:
        value, dim = waiting.pop()
        if found.setdefault(value, dim) != dim:
            _refuse(value, "both its rows and its columns are rows of a product")
        for other in ties[value, dim]:
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    _check(kernel, found)
    return found


def _check(kernel: FuncOp, found: dict[SSAValue, int]) -> None:
    """No op may need the rows of another group."""
    for op in kernel.body.walk():
        if isinstance(op, DotOp) and op.rhs in found:
            _refuse(op.rhs, "it is the right operand of a product")
        if isinstance(op, DotOp) and found.get(op.lhs) == 1:
            _refuse(op.lhs, "a product sums over them")
        is_summed = isinstance(op, ReduceOp) and op.axis.value.data == found.get(
            op.source
        )
        if is_summed:
            _refuse(op.operands[0], "they are reduced to one")


def _refuse(value: SSAValue, reason: str) -> None:
    owner = value.owner
    op = owner if isinstance(owner, Operation) else owner.parent_op()
    assert op is not None
    sizes = "x".join(map(str, shape_of(value.type)))
    refuse(
        op,
        f"specialize: groups of warps cannot share the rows of this tile of {sizes}: "
        f"{reason}",
        "specialize with consumers = 1",
    )


def _ties(op: Operation) -> Iterator[Sequence[Dimension]]:
    """Dimensions of an op's tiles that are the same rows."""
    match op:
        case DotOp():
            tiles = [op.lhs, op.result, *([op.acc] if op.acc is not None else [])]
            yield [(tile, 0) for tile in tiles]
        case ReduceOp():
            axis = op.axis.value.data
            for dim in range(len(shape_of(op.result.type))):
                yield [(op.result, dim), (op.source, dim + (dim >= axis))]
        case ExpandDimsOp():
            axis = op.axis.value.data
            for dim in range(len(shape_of(op.source.type))):
                yield [(op.source, dim), (op.result, dim + (dim >= axis))]
        case HalvesOp():
            yield [(tile, 0) for tile in (op.source, *op.results)]
        case vector.BroadcastOp():
            yield from _broadcast(op)
        case ReshapeOp():
            yield from zip(_real(op.source), _real(op.result), strict=False)
        case TransOp():
            for dim, source in enumerate(op.order.get_values()):
                yield [(op.result, dim), (op.source, int(source))]
        case scf.ForOp():
            yield from _carried(op.iter_args, op.body.block.args[1:], op.body.block, op)
        case scf.IfOp():
            for region in (op.true_region, op.false_region):
                for block in region.blocks:
                    yield from _carried((), (), block, op)
        case ArangeOp() | FullOp() | DescriptorLoadOp() | scf.YieldOp():
            pass
        case _:
            yield from _same_shape([*op.operands, *op.results])


def _same_shape(values: Sequence[SSAValue]) -> Iterator[Sequence[Dimension]]:
    tiles = [value for value in values if isinstance(value.type, VectorType)]
    if tiles and len({shape_of(tile.type) for tile in tiles}) == 1:
        for dim in range(len(shape_of(tiles[0].type))):
            yield [(tile, dim) for tile in tiles]


def _broadcast(op: vector.BroadcastOp) -> Iterator[Sequence[Dimension]]:
    before, after = shape_of(op.source.type), shape_of(op.results[0].type)
    ahead = len(after) - len(before)
    for dim, size in enumerate(before):
        if size == after[ahead + dim]:
            yield [(op.source, dim), (op.results[0], ahead + dim)]


def _real(value: SSAValue) -> list[Dimension]:
    """The dimensions of a tile that have more than one element."""
    return [(value, dim) for dim, size in enumerate(shape_of(value.type)) if size > 1]


def _carried(
    starts: Sequence[SSAValue], inside: Sequence[SSAValue], block: Block, op: Operation
) -> Iterator[Sequence[Dimension]]:
    terminator = block.last_op
    assert isinstance(terminator, scf.YieldOp)
    for number, (ends, yielded) in enumerate(
        zip(op.results, terminator.arguments, strict=True)
    ):
        around = [values[number] for values in (starts, inside) if values]
        yield from _same_shape([ends, yielded, *around])
