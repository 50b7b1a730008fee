"""The image of a convolution as columns, and the convolution as a product of matrices.

    out[n, h, w, f] += x[n, h * s + kh, w * s + kw, c] * filter[kh, kw, c, f]

becomes, with m = (n, h, w) and k = (kh, kw, c),

    columns[m, k] = x[...]
    out[m, f] += columns[m, k] * filter[k, f]

Loops that lie side by side in every operand but the image become one loop.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.linalg import GenericOp, StructuredOp
from tilewright.ir.dialects.tensor import reassociation_of
from tilewright.ir.indexing.normal_form import constant, floordiv, modulo, replaced
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.types import element_type, tensor_type
from tilewright.transforms.core.extents import Extent, OpList, dim_size
from tilewright.transforms.structured.new_ops import empty, generic

Group = tuple[int, ...]
"""Loops of the convolution that become one."""


@dataclass(frozen=True)
class Unfolding:
    """How a structured op reads one input, its image, from columns."""

    op: StructuredOp
    image: int
    """The position of the input whose map computes."""
    groups: tuple[Group, ...]
    """The loops of the product, those of the output first."""

    @property
    def columns(self) -> tuple[int, ...]:
        """The groups that the columns run along, in the order of the image.

        A place of the image stands for the places of the output. The sum along a window
        is where the channels are, or last.
        """
        map_ = self.op.maps[self.image]
        order: list[int] = []
        for result in map_.results:
            plain = isinstance(result, AffineDimExpr)
            loops = [
                loop
                for loop in sorted(result.used_dims())
                if plain or not is_reduction(self.op, loop)
            ]
            order += [self._group_of(loop) for loop in loops]
        order += [self._group_of(loop) for loop in sorted(map_.used_dims())]
        return tuple(dict.fromkeys(order))

    def _group_of(self, loop: int) -> int:
        return next(at for at, group in enumerate(self.groups) if loop in group)

    def operand_groups(self, position: int) -> tuple[int, ...]:
        """The groups that an operand other than the image runs along."""
        loops = named_loops(self.op.maps[position])
        return tuple(dict.fromkeys(map(self._group_of, loops)))

    def map_of(self, along: Sequence[int]) -> AffineMap:
        """The map of an operand of the product that runs along these groups."""
        dims = tuple(AffineExpr.dimension(group) for group in along)
        return AffineMap(len(self.groups), 0, dims)

    def image_map(self) -> AffineMap:
        """The image's map over the loops of the columns."""
        sizes = self.op.get_static_loop_ranges()
        loops: list[AffineExpr] = [constant(0)] * len(sizes)
        for dim, at in enumerate(self.columns):
            rest = AffineExpr.dimension(dim)
            for loop, inner in _inner_sizes(self.groups[at], sizes):
                loops[loop] = floordiv(rest, constant(inner))
                rest = modulo(rest, constant(inner))
        results = self.op.maps[self.image].results
        return AffineMap(
            len(self.columns), 0, tuple(replaced(e, loops, []) for e in results)
        )

    def flat(self, position: int, new: OpList) -> SSAValue:
        """An operand other than the image, with a dimension for each group."""
        value = self.op.operands[position]
        groups = self.dims_of_groups(position)
        shape = tensor_type(value).get_shape()
        if all(len(dims) == 1 for dims in groups):
            return value
        kind = TensorType(
            element_type(value.type), [_product(shape[d] for d in g) for g in groups]
        )
        return new.add(tensor.CollapseShapeOp(value, reassociation_of(groups), kind))

    def dims_of_groups(self, position: int) -> list[list[int]]:
        """The dimensions of an operand, by the groups that it runs along."""
        loops = named_loops(self.op.maps[position])
        return [
            [dim for dim, loop in enumerate(loops) if self._group_of(loop) == at]
            for at in self.operand_groups(position)
        ]

    def unfolded(self, flat: Mapping[int, SSAValue], new: OpList) -> GenericOp:
        """The op that writes the columns; `flat` has the other operands, flattened."""
        image = self.op.operands[self.image]
        shape = [self._extent(at, flat, new) for at in self.columns]
        columns = empty(shape, element_type(image.type), new)
        maps = [self.image_map(), AffineMap.identity(len(shape))]
        return generic([image], [columns], maps, (), lambda body: body.args[:1], new)

    def _extent(self, at: int, flat: Mapping[int, SSAValue], new: OpList) -> Extent:
        sizes = self.op.get_static_loop_ranges()
        if (size := _product(sizes[loop] for loop in self.groups[at])) >= 0:
            return size
        # The same dimension that the product's loop runs along, so that both are equal.
        return next(
            dim_size(value, self.operand_groups(position).index(at), new)
            for position, value in reversed(list(flat.items()))
            if at in self.operand_groups(position)
        )

    def restored(self, result: SSAValue, new: OpList) -> SSAValue:
        """The product's result in the shape of the convolution's."""
        position = len(self.op.operands) - 1
        groups = self.dims_of_groups(position)
        if all(len(dims) == 1 for dims in groups):
            return result
        kind = tensor_type(self.op.operands[position])
        shape = kind.get_shape()
        open_sizes = [
            dim_size(self.op.operands[position], dim, new)
            for dim, size in enumerate(shape)
            if size == DYNAMIC_INDEX
        ]
        sizes = [new.index(size) for size in open_sizes]
        return new.add(
            tensor.ExpandShapeOp(result, sizes, reassociation_of(groups), shape, kind)
        )


def unfolding(op: StructuredOp, image: int, *, batch_apart: bool) -> Unfolding:
    """How an op whose other operands have projections as maps is unfolded.

    With `batch_apart`, a loop that the image has by itself stays one of the output's.
    """
    others = [
        named_loops(map_) for position, map_ in enumerate(op.maps) if position != image
    ]
    computed = {
        loop
        for result in op.maps[image].results
        if not isinstance(result, AffineDimExpr)
        for loop in result.used_dims()
    }
    sizes = op.get_static_loop_ranges()

    def kind(loop: int) -> object:
        is_batch = batch_apart and loop not in computed and not is_reduction(op, loop)
        return (
            [loop in loops for loops in others],
            loop in op.maps[image].used_dims(),
            is_batch,
        )

    def may_follow(first: int, second: int) -> bool:
        is_known = sizes[second] != DYNAMIC_INDEX  # others are counted by it
        return (
            is_known
            and kind(first) == kind(second)
            and all(
                loops.index(second) == loops.index(first) + 1
                for loops in others
                if first in loops
            )
        )

    groups: list[Group] = []
    for loop in dict.fromkeys(loop for loops in reversed(others) for loop in loops):
        if groups and may_follow(groups[-1][-1], loop):
            groups[-1] = (*groups[-1], loop)
        else:
            groups.append((loop,))
    return Unfolding(op, image, tuple(groups))


def _inner_sizes(group: Group, sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Each loop of a group, and the number of iterations of those after it."""
    return [
        (loop, math.prod(sizes[inner] for inner in group[at + 1 :]))
        for at, loop in enumerate(group)
    ]


def _product(sizes: Iterable[int]) -> int:
    known = list(sizes)
    return DYNAMIC_INDEX if DYNAMIC_INDEX in known else math.prod(known)
