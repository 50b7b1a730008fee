"""Other shapes of a tensor: a `tensor.collapse_shape` and a `tensor.expand_shape`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from tilewright.frontend.builder.generic import listed
from tilewright.frontend.builder.ops.dimension_groups import (
    Groups,
    collapsed,
    expanded,
    groups_of,
)
from tilewright.frontend.builder.ops.views import materialized
from tilewright.frontend.builder.sizes import Shape, Size, product, shown
from tilewright.frontend.builder.tensor_view import T, TensorView
from tilewright.frontend.builder.user_lines import fail
from tilewright.ir.dialects import tensor


def split_axis(x: T, axis: int, sizes: tuple[int, int]) -> T:
    """One dimension as two: an expand of the value, its view kept."""
    owner = x.axes[axis]
    assert owner is not None and x.sizes[owner] == math.prod(sizes)
    groups = [
        [dim, dim + 1] if dim == owner else [dim + (dim > owner)]
        for dim in range(len(x.sizes))
    ]
    whole: Shape = (*x.sizes[:owner], *sizes, *x.sizes[owner + 1 :])
    axes: list[int | None] = []
    for one in x.axes:
        moved = one + (one > owner) if one is not None else None
        axes.extend([owner, owner + 1] if one == owner else [moved])
    flat = replace(x, axes=tuple(range(len(x.sizes))))
    return replace(expanded(flat, whole, groups), axes=tuple(axes))


def drop_axis(x: T, axis: int) -> T:
    """A tensor without a dimension of size 1: a collapse of the value, its view kept.

    The tensor has another dimension in memory, or the dimension is a new axis.
    """
    at = axis % x.rank
    rest = (*x.axes[:at], *x.axes[at + 1 :])
    owner = x.axes[at]
    if owner is None:
        return replace(x, axes=rest)
    assert x.sizes[owner] == 1 and len(x.sizes) > 1
    # With the dimension after it: the elements of a slice stay a run.
    into = min(owner, len(x.sizes) - 2)
    groups = [
        [dim, dim + 1] if dim == into else [dim + (dim > into)]
        for dim in range(len(x.sizes) - 1)
    ]
    sizes = (*x.sizes[:owner], *x.sizes[owner + 1 :])
    axes = tuple(a - (a > owner) if a is not None else None for a in rest)
    flat = replace(x, axes=tuple(range(len(x.sizes))))
    return replace(collapsed(flat, sizes, groups), axes=axes)


def reshape(x: T, shape: Sequence[Size]) -> T:
    """The same numbers in the same order: at most a collapse and an expand.

    A transposed tensor stays one where the dimensions that are joined follow each other
    in memory. Dimensions of size 1 are new axes, which no op has loops along.
    """
    wanted = _wanted(x, shape)
    units = [dim for dim, size in enumerate(wanted) if size == 1]
    if units and len(units) < len(wanted):
        rest = reshape(x, [size for size in wanted if size != 1])
        axes = iter(rest.axes)
        view = [None if size == 1 else next(axes) for size in wanted]
        return replace(rest, axes=tuple(view))
    if None in x.axes and x.axes.count(None) < x.rank:
        kept = [axis for axis in x.axes if axis is not None]
        return reshape(replace(x, axes=tuple(kept)), wanted)
    if not is_plain(x) and len(x.sizes) > 1 and 1 in x.shape:
        # Of one image, only the order of the other dimensions is transposed.
        return reshape(drop_axis(x, x.shape.index(1)), wanted)
    groups = groups_of(x.shape, wanted)
    if groups is not None and not is_plain(x):
        seen = _reshaped_view(x, wanted, *groups)
        if seen is not None:
            return seen
    x = _before_reshapes(materialized(x), wanted)
    groups = groups_of(x.shape, wanted)
    if groups is None:
        fail(
            f"reshape: {listed([x])} does not hold the elements of {shown(wanted)}",
            "sizes that are not numbers must stay as they are",
        )
    sources, targets = groups
    middle: Shape = tuple(product(x.shape[dim] for dim in group) for group in sources)
    if len(middle) != x.rank:
        x = collapsed(x, middle, sources)
    return x if len(middle) == len(wanted) else expanded(x, wanted, targets)


def _before_reshapes(x: T, wanted: Shape) -> T:
    """The tensor that reshapes made this one of, if it can have the shape at once.

    Dimensions that were only joined on the way stay apart.
    """
    made = x.value.owner
    if not isinstance(made, tensor.CollapseShapeOp | tensor.ExpandShapeOp):
        return x
    source = made.operands[0]
    sizes = x.builder.shapes.get(source)
    if sizes is None or groups_of(sizes, wanted) is None:
        return x
    return _before_reshapes(x.like(source, sizes, x.dtype), wanted)


def is_plain(x: TensorView) -> bool:
    """Whether a tensor is its value, without a view."""
    return x.axes == tuple(range(len(x.sizes)))


def _reshaped_view(x: T, shape: Shape, sources: Groups, targets: Groups) -> T | None:
    """A transposed tensor under another shape, its value reshaped in its own order.

    None where a group of dimensions lies apart in memory, or out of order.
    """
    owned: list[tuple[list[int], Sequence[int]]] = []
    for source, target in zip(sources, targets, strict=True):
        owners = [axis for axis in (x.axes[dim] for dim in source) if axis is not None]
        if not owners or owners != list(range(owners[0], owners[0] + len(owners))):
            return None
        owned.append((owners, target))
    placed = sorted(range(len(owned)), key=lambda at: owned[at][0])
    inner = [owned[at] for at in placed]
    sizes: Shape = tuple(shape[dim] for _, target in inner for dim in target)
    whole = reshape(replace(x, axes=tuple(range(len(x.sizes)))), sizes)
    order = [dim for _, target in inner for dim in target]
    return replace(whole, axes=tuple(order.index(dim) for dim in range(len(shape))))


def _wanted(x: TensorView, shape: Sequence[Size]) -> Shape:
    """The shape, with the size in place of a -1."""
    if list(shape).count(-1) != 1:
        return tuple(shape)
    names = [size for size in x.shape if isinstance(size, str)]
    missing = [name for name in names if name not in shape]
    if missing:
        return tuple(missing[0] if size == -1 else size for size in shape)
    total = math.prod(size for size in x.shape if isinstance(size, int))
    rest = math.prod(s for s in shape if isinstance(s, int) and s != -1)
    return tuple(total // rest if size == -1 else size for size in shape)
