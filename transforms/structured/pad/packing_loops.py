"""Loops that compute all tiles of a `tensor.pad` before the loops that read them.

A *packing loop* is a copy of a loop around the pad whose index says what is padded. The
nest stands before the outermost loop, and collects the padded tiles in one tensor with
a leading dimension for each packing loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineBinaryOpKind, AffineExpr

from tilewright.ir.dialects import affine, arith, scf, tensor
from tilewright.ir.dialects.affine import MaxOp
from tilewright.ir.dialects.linalg import TransposeOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.semi_affine import binary
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.effects import has_no_effect
from tilewright.transforms.core.extents import (
    INDEX,
    Extent,
    OpList,
    evaluate,
    upper_bound,
)
from tilewright.transforms.core.rewriter import Rewriter


@dataclass(frozen=True)
class Hoisting:
    """A pad, and what must be computed again before the loops."""

    pad: tensor.PadOp
    outermost: scf.ForOp
    ops: tuple[Operation, ...]
    """Constants, loops, index computations, the slice and the pad, in order."""
    order: tuple[int, ...]
    """The transposition of a padded tile; empty: none."""

    @property
    def loops(self) -> list[scf.ForOp]:
        """The loops to copy, the outermost first."""
        return [op for op in self.ops if isinstance(op, scf.ForOp)]

    @property
    def tile_shape(self) -> list[int]:
        """The shape of a tile in the packed tensor."""
        shape = tensor_type(self.pad.result).get_shape()
        return [shape[dim] for dim in self.order or range(len(shape))]


class CannotHoist(Exception):
    """The reason why a pad cannot be hoisted."""


def loops_around(op: Operation) -> list[scf.ForOp]:
    """The `scf.for` ops around an op, the innermost first, up to another op."""
    found: list[scf.ForOp] = []
    parent = op.parent_op()
    while isinstance(parent, scf.ForOp):
        found.append(parent)
        parent = parent.parent_op()
    return found


def analyze(pad: tensor.PadOp, outermost: scf.ForOp, order: Sequence[int]) -> Hoisting:
    """Plan to hoist a pad out of a loop; raises `CannotHoist`."""
    shape = tensor_type(pad.result).get_shape()
    if DYNAMIC_INDEX in shape:
        raise CannotHoist("the padded tile has a size of the run time")
    if order and sorted(order) != list(range(len(shape))):
        raise CannotHoist(f"{list(order)} is no order of {len(shape)} dimensions")
    # Tiling leaves an operand that every tile reads whole without a slice.
    slice_ = pad.source.owner
    reads = [slice_] if isinstance(slice_, tensor.ExtractSliceOp) else []
    source = reads[0].source if reads else pad.source
    if outermost.is_ancestor(_op_of(source)):
        raise CannotHoist("the padded tensor is computed inside the loops")
    value = _yielded(pad)
    if not isinstance(value.owner, arith.ConstantOp):
        raise CannotHoist("the padding value is not a constant")
    found = _Needed(outermost)
    if not pad.is_ancestor(value.owner):
        found.visit(value)
    indices = [v for op in (*reads, pad) for v in op.operands if v.type == INDEX]
    for loop in found.loops_of(indices):
        found.visit(loop.body.block.args[0])
    for op in (*reads, pad):
        for operand in op.operands:
            if operand.type == INDEX:
                found.visit(operand)
        found.ops[op] = None
    hoisting = Hoisting(pad, outermost, tuple(found.ops), tuple(order))
    for loop in hoisting.loops:
        for bound in (loop.lb, loop.step):
            inside = outermost.is_ancestor(_op_of(bound))
            if inside and constant_int(bound) is None:
                raise CannotHoist("a loop's lower bound or step is computed inside")
        _longest(loop, outermost)
    return hoisting


def _yielded(pad: tensor.PadOp) -> SSAValue:
    last = pad.region.block.last_op
    assert isinstance(last, tensor.YieldOp)
    return last.operands[0]


def _op_of(value: SSAValue) -> Operation:
    """The op that a value belongs to: its definer, or the op around its block."""
    owner = value.owner
    found = owner.parent_op() if isinstance(owner, Block) else owner
    assert found is not None
    return found


class _Needed:
    """The ops inside a loop that index computations need, operands first."""

    def __init__(self, outermost: scf.ForOp):
        self.outermost = outermost
        self.ops: dict[Operation, None] = {}

    def visit(self, value: SSAValue) -> None:
        """Add what computes a value."""
        op = _op_of(value)
        if op in self.ops or not self.outermost.is_ancestor(op):
            return
        if isinstance(value.owner, Block):
            if not isinstance(op, scf.ForOp) or value is not value.owner.args[0]:
                raise CannotHoist("an index is carried by a loop")
            for bound in (op.lb, op.ub, op.step):
                self.visit(bound)
            self.ops[op] = None
            return
        if not isinstance(op, arith.ConstantOp):
            if any(operand.type != INDEX for operand in op.operands):
                raise CannotHoist(f"'{op.name}' computes an index from other types")
            if op.regions or not has_no_effect(op):
                raise CannotHoist(f"'{op.name}' has a region or effects")
        for operand in op.operands:
            self.visit(operand)
        self.ops[op] = None

    def loops_of(self, values: Sequence[SSAValue]) -> list[scf.ForOp]:
        """The loops whose indices values depend on, the outermost first."""
        trial = _Needed(self.outermost)
        for value in values:
            trial.visit(value)
        loops = [op for op in trial.ops if isinstance(op, scf.ForOp)]
        return sorted(loops, key=lambda loop: len(loops_around(loop)))


def _longest(loop: scf.ForOp, outermost: scf.ForOp) -> Extent:
    """A bound of a loop that does not change in the loops around it."""
    if not outermost.is_ancestor(_op_of(loop.ub)) and not isinstance(
        loop.ub.owner, affine.MinOp | MaxOp | affine.ApplyOp
    ):
        number = constant_int(loop.ub)
        return loop.ub if number is None else number
    bound = upper_bound(loop.ub)
    if bound is None:
        raise CannotHoist("nothing bounds the length of a loop")
    return bound


@dataclass(frozen=True)
class PackedTiles:
    """The new ops before the loops."""

    pad: tensor.PadOp
    loops: tuple[scf.ForOp, ...]
    value: SSAValue
    """The tensor that holds all tiles; without loops, the one tile."""


def build(hoisting: Hoisting, rewriter: Rewriter) -> PackedTiles:
    """Build the nest before the outermost loop."""
    start = OpList()
    tile, rank = hoisting.tile_shape, len(hoisting.loops)
    sizes = [
        start.index(_length(loop, hoisting.outermost, start)) for loop in hoisting.loops
    ]
    of = tensor_type(hoisting.pad.result).element_type
    kind = TensorType(of, [*([DYNAMIC_INDEX] * rank), *tile])
    packed = start.add(tensor.EmptyOp(sizes, kind))
    here, made = start, dict[SSAValue, SSAValue]()
    nest: list[tuple[scf.ForOp, OpList]] = []
    counts: list[Extent] = []
    for op in hoisting.ops:
        if not isinstance(op, scf.ForOp):
            here.ops.append(op.clone(made))
            continue
        lb, ub, step = (made.get(value, value) for value in (op.lb, op.ub, op.step))
        body = Block(arg_types=[INDEX, kind])
        loop = scf.ForOp(lb, ub, step, [packed], Region(body))
        here.ops.append(loop)
        here = OpList()
        nest.append((loop, here))
        made[op.body.block.args[0]] = body.args[0]
        counts.append(_iteration(loop, here))
        packed = body.args[1]
    pad = made[hoisting.pad.result].owner
    assert isinstance(pad, tensor.PadOp)
    place = _place(counts, tile)
    value: SSAValue = pad.result
    if hoisting.order:
        part = here.add(tensor.ExtractSliceOp(packed, *place, TensorType(of, tile)))
        value = here.add(TransposeOp(value, part, hoisting.order))
    if nest:
        value = here.add(tensor.InsertSliceOp(value, packed, *place))
    for loop, ops in reversed(nest):
        ops.ops.append(scf.YieldOp(value))
        loop.body.block.add_ops(ops.ops)
        value = loop.results[0]
    rewriter.insert_before(hoisting.outermost, *start.ops)
    return PackedTiles(pad, tuple(loop for loop, _ in nest), value)


def read(hoisting: Hoisting, tiles: PackedTiles, new: OpList) -> SSAValue:
    """The tile that the pad made, read from the packed tensor."""
    counts = [_iteration(loop, new) for loop in hoisting.loops]
    of = tensor_type(hoisting.pad.result)
    shape = hoisting.tile_shape
    kind = TensorType(of.element_type, shape)
    place = _place(counts, shape)
    tile = new.add(tensor.ExtractSliceOp(tiles.value, *place, kind))
    if not hoisting.order:
        return tile
    back = [hoisting.order.index(dim) for dim in range(len(hoisting.order))]
    return new.add(TransposeOp(tile, new.add(tensor.EmptyOp([], of)), back))


def _place(
    counts: Sequence[Extent], tile: Sequence[int]
) -> tuple[list[Extent], list[Extent], list[Extent]]:
    rank = len(counts) + len(tile)
    zeros: list[Extent] = [0] * len(tile)
    return [*counts, *zeros], [*([1] * len(counts)), *tile], [1] * rank


_STEPS = binary(
    AffineBinaryOpKind.CeilDiv,
    AffineExpr.dimension(0) - AffineExpr.dimension(1),
    AffineExpr.symbol(0),
)
"""How many steps from the second value to the first."""


def _length(loop: scf.ForOp, outermost: scf.ForOp, new: OpList) -> Extent:
    return evaluate(_STEPS, [_longest(loop, outermost), loop.lb], new, [loop.step])


def _iteration(loop: scf.ForOp, new: OpList) -> Extent:
    """The number of the current iteration."""
    return evaluate(_STEPS, [loop.body.block.args[0], loop.lb], new, [loop.step])
