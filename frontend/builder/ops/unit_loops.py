"""Dimensions of size 1 are new axes of views: ops have no loops along them.

One token, a batch of one image or a mean that keeps its dimension has the same op, and
so the same plan, as without these dimensions:

    x + row, of 1x128x768 and 1x1x768      loops (s, d): x[s, d] + row[d]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tilewright.frontend.builder.function_builder import Number
from tilewright.frontend.builder.generic import Trace
from tilewright.frontend.builder.ops.dimension_groups import collapsed
from tilewright.frontend.builder.sizes import Shape, broadcast
from tilewright.frontend.builder.tensor_view import T, TensorView
from tilewright.ir.dialects.linalg import IndexOp, StructuredOp


def plain_units(
    operands: Mapping[str, T | Number], shape: Shape | None = None
) -> dict[str, T | Number]:
    """Operands whose dimensions of size 1 are new axes.

    The loops have a shape, or that of the operands. A single row stays one: what a row
    is reduced to is a tensor, too.
    """
    shapes = [one.shape for one in operands.values() if isinstance(one, TensorView)]
    loops = broadcast(shapes) if shape is None else shape
    if loops is None or sum(size != 1 for size in loops) < 2:
        return dict(operands)
    return {
        name: _without_units(one, loops) if isinstance(one, TensorView) else one
        for name, one in operands.items()
    }


def _without_units(x: T, loops: Shape) -> T:
    """A tensor without dimensions of size 1 in memory, as far as others are left."""
    units = [axis for axis, size in enumerate(x.sizes) if size == 1]
    if not units or len(units) == len(x.sizes):
        return x
    pairs = zip(x.axes[::-1], loops[::-1], strict=False)
    is_repeated = any(axis in units and size != 1 for axis, size in pairs)
    if isinstance(x.value.owner, StructuredOp) and not is_repeated:
        # A product of one row is fused with what has the same loops.
        return x
    kept = [axis for axis in range(len(x.sizes)) if axis not in units]
    groups: list[list[int]] = [[] for _ in kept]
    for axis in range(len(x.sizes)):
        # With the dimension after it: the elements of a slice stay a run.
        into = sum(each < axis for each in kept)
        groups[min(into, len(kept) - 1)].append(axis)
    flat = replace(x, axes=tuple(range(len(x.sizes))))
    small = collapsed(flat, tuple(x.sizes[axis] for axis in kept), groups)
    axes = [None if a is None or a in units else kept.index(a) for a in x.axes]
    return replace(small, axes=tuple(axes))


def unit_loops(traced: Trace, but: Sequence[int] = ()) -> tuple[int, ...]:
    """The loops along new axes of all operands, counted from the last, if any are left.

    Those in `but` do not count. A body that asks for indices keeps its loops.
    """
    rank = len(traced.loops)
    found = tuple(
        at
        for at in range(-rank, 0)
        if traced.loops[at] == 1
        and at + rank not in but
        and all(x.rank < -at or x.axes[at] is None for x in traced.tensors.values())
    )
    if len(found) + len(but) == rank or any(
        isinstance(op, IndexOp) for op in traced.body.block.ops
    ):
        return ()
    return found


def without_loops(traced: Trace, units: Sequence[int]) -> Trace:
    """The op without some loops, which count from the last."""
    if not units:
        return traced

    def kept(x: T) -> T:
        axes = [axis for at, axis in enumerate(x.axes, -x.rank) if at not in units]
        return replace(x, axes=tuple(axes))

    rank = len(traced.loops)
    loops = [size for at, size in enumerate(traced.loops, -rank) if at not in units]
    tensors = {name: kept(x) for name, x in traced.tensors.items()}
    return replace(traced, tensors=tensors, loops=tuple(loops))


def with_new_axes(x: T, units: Sequence[int]) -> T:
    """The result as a view that has these dimensions, counted from the last, too."""
    if not units:
        return x
    rank, rest = x.rank + len(units), iter(x.axes)
    axes = [None if at in units else next(rest) for at in range(-rank, 0)]
    return replace(x, axes=tuple(axes))
