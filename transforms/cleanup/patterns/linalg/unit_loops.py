"""Loops that run once go where no op needs them.

`tilewright.unit_loops`. A diffusion transformer scales its rows by a vector for each
image, which has a dimension of size 1 for the rows:

    %g = linalg.generic {maps = [(b, r, d) -> (b, r, d), ...]}
           ins(%scale) { 1 + s } -> tensor<4x1x768xf32>
    %y = linalg.generic {maps = [(b, r, d) -> (b, r, d), (b, r, d) -> (b, 0, d), ...]}
           ins(%x, %g) { mulf } -> tensor<4x512x768xf32>

Without it `%g` is computed where `%y` reads it:

    %g = linalg.generic ... ins(%rows_of_scale) { 1 + s } -> tensor<4x768xf32>

A loop goes in all ops that pass its dimension on to each other, or in none of them. It
stays if one of them is no generic op, if it is a row or column of a matrix product, or
if nothing else runs in parallel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeGuard

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from tilewright.ir.dialects import func, tensor
from tilewright.ir.dialects.linalg import FillOp, GenericOp
from tilewright.ir.disjoint_sets import DisjointSets
from tilewright.ir.structured.loops import nest_of
from tilewright.ir.structured.roles import Role, role_of
from tilewright.ir.types import is_tensor, tensor_type
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.patterns.linalg.unit_dims import (
    RESHAPES,
    Way,
    drop_loops,
    loops_once,
)
from tilewright.transforms.cleanup.patterns.tensor.reshapes import groups_of
from tilewright.transforms.cleanup.shapes import shape_of
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter

Place = tuple[Operation | SSAValue, int]
"""A loop of an op, or a dimension of a tensor."""


class UnitLoops:
    """The loops of a function that run once, and which of them have to stay."""

    def __init__(self, function: func.FuncOp) -> None:
        self._alike = DisjointSets[Place]()
        """The loops and dimensions that are one, in ops that pass it on."""
        self.ops = [op for op in function.body.block.ops if _has_loops(op)]
        needed = list[Place]()
        for op in function.body.block.ops:
            if _has_loops(op):
                needed += self._tie_loops(op)
            elif isinstance(op, tensor.ExpandShapeOp | tensor.CollapseShapeOp):
                self._tie_reshaped(op)
            elif not isinstance(op, FillOp | tensor.EmptyOp | func.ReturnOp):
                values = [v for v in (*op.operands, *op.results) if is_tensor(v.type)]
                needed += [(v, dim) for v in values for dim in _unit_dims(v)]
        self._needed = set(map(self._alike.find, needed))
        """A representative of each set that stays."""
        for op in self.ops:
            parallel = nest_of(op).parallel
            if parallel and set(parallel) <= set(self.dropped(op)):
                self._needed.add(self._alike.find((op, parallel[-1])))

    def dropped(self, op: GenericOp) -> list[int]:
        """The loops that an op loses."""
        return [loop for loop in loops_once(op) if not self._is_needed((op, loop))]

    def dropped_dims(self, operand: SSAValue, map_: AffineMap) -> list[int]:
        """The dimensions that an operand loses."""
        if not is_tensor(operand.type):
            return []
        return [
            dim
            for dim in _unit_dims(operand)
            if isinstance(map_.results[dim], AffineDimExpr | AffineConstantExpr)
            and not self._is_needed((operand, dim))
        ]

    def _is_needed(self, place: Place) -> bool:
        return self._alike.find(place) in self._needed

    def _tie_loops(self, op: GenericOp) -> Iterator[Place]:
        """Tie loops to dimensions; the places that have to stay."""
        once = loops_once(op)
        for loop in _own_loops(op, once):
            yield op, loop
        of_results = zip(op.results, op.maps[len(op.inputs) :], strict=True)
        for value, map_ in (*zip(op.operands, op.maps, strict=True), *of_results):
            for dim, expr in enumerate(map_.results):
                if isinstance(expr, AffineDimExpr):
                    if expr.position in once:
                        self._alike.union_left((op, expr.position), (value, dim))
                elif not isinstance(expr, AffineConstantExpr):
                    yield value, dim
                    for loop in expr.used_dims():
                        yield op, loop

    def _tie_reshaped(self, op: tensor.ExpandShapeOp | tensor.CollapseShapeOp) -> None:
        """A dimension of size 1 may be any of its group on the other side."""
        parts, whole = op.operands[0], op.results[0]
        if isinstance(op, tensor.ExpandShapeOp):
            parts, whole = whole, parts
        units = set(_unit_dims(parts))
        for dim, group in enumerate(groups_of(op)):
            if shape_of(whole)[dim] == 1:
                for part in units.intersection(group):
                    self._alike.union_left((whole, dim), (parts, part))


def _has_loops(op: Operation) -> TypeGuard[GenericOp]:
    """Whether an op is a generic one on tensors."""
    return isinstance(op, GenericOp) and all(is_tensor(v.type) for v in op.outputs)


def _unit_dims(value: SSAValue) -> list[int]:
    return [dim for dim, extent in enumerate(shape_of(value)) if extent == 1]


def _own_loops(op: GenericOp, once: list[int]) -> list[int]:
    """The loops that an op keeps for itself: those of a matrix product."""
    if not once:
        return []
    match role_of(op):
        case Role.ELEMENTWISE:
            return []
        case Role.REDUCTION:
            reduced = nest_of(op).reduced
            return list(reduced) if all(x in once for x in reduced) else []
        case Role.CONTRACTION:
            reads = [map_.used_dims() for map_ in op.maps]
            return [x for x in once if not all(x in read for read in reads)]
        case _:
            return once


@pattern(func.FuncOp)
def drop_unit_loops(function: func.FuncOp, rewriter: Rewriter) -> None:
    """Remove the loops that run once and that no op needs."""
    if not function.body.blocks:
        return
    loops = UnitLoops(function)
    changes = [
        (op, loops.dropped(op), list(map(loops.dropped_dims, op.operands, op.maps)))
        for op in loops.ops
    ]
    for op, once, dims in changes:
        if once or any(dims):
            drop_loops(op, PLAIN_RESHAPES, once, dims, rewriter)


def has_unit_loops(op: Operation) -> bool:
    """Whether a function has a loop that runs once and that no op needs."""
    if not isinstance(op, func.FuncOp) or not op.body.blocks:
        return False
    loops = UnitLoops(op)
    return any(loops.dropped(inner) for inner in loops.ops)


def _drop_dims(value: SSAValue, dims: Sequence[int], new_ops: OpList) -> SSAValue:
    """A tensor without some dimensions: what was just given them, or a reshape."""
    small = [extent for dim, extent in enumerate(shape_of(value)) if dim not in dims]
    before = value.owner
    if isinstance(before, tensor.ExpandShapeOp) and list(shape_of(before.src)) == small:
        return before.src
    return RESHAPES.drop(value, dims, new_ops)


PLAIN_RESHAPES = Way(_drop_dims, RESHAPES.restore)


@pattern(tensor.CollapseShapeOp, tensor.ExpandShapeOp)
def drop_reshapes_back(
    op: tensor.CollapseShapeOp | tensor.ExpandShapeOp, rewriter: Rewriter
) -> None:
    """Drop two reshapes that give a tensor its shape back, whatever is between."""
    before = op.operands[0].owner
    if not isinstance(before, tensor.CollapseShapeOp | tensor.ExpandShapeOp):
        return
    source = before.operands[0]
    if source.type == op.result.type and tensor_type(source).has_static_shape():
        rewriter.replace(op, [source])


PATTERNS = (drop_unit_loops, drop_reshapes_back)
