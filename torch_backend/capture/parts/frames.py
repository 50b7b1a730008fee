"""Frames of one number around a tensor: a join with constants is a pad.

    torch.cat([torch.zeros_like(x[:, :1]), x], 1)[:, :-1].cumsum(1)

becomes

    torch.constant_pad_nd(x, (1, -1)).cumsum(1)

A pad is read at computed places by the kernel that needs it; a join is stored. A cut of
a pad is a pad with other widths. An average over windows of a tensor with zeros around
it, as in a local response norm, pads by itself, and averages a batch of images of one
channel as images without channels.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.graph_edits import (
    erase_unread,
    leaves,
    replace_node,
    shape_of,
)
from tilewright.torch_backend.capture.new_nodes import add_call

aten = torch.ops.aten
_FILLS = {
    aten.full.default: 1,
    aten.full_like.default: 1,
    aten.new_full.default: 2,
}
"""Calls that fill a tensor, and the place of the number among their arguments."""
_CONSTANTS = {
    aten.zeros.default: 0,
    aten.zeros_like.default: 0,
    aten.new_zeros.default: 0,
    aten.ones.default: 1,
    aten.ones_like.default: 1,
    aten.new_ones.default: 1,
}
"""Calls that fill a tensor with a number of their own."""
_AVERAGES: dict[Any, int] = {aten.avg_pool2d.default: 2, aten.avg_pool3d.default: 3}
"""Poolings by the dimensions of their windows."""
_RESHAPES = (aten.view.default, aten.unsqueeze.default, aten.reshape.default)


def frame_tensors(graph: Graph) -> None:
    """Replace joins with constants, cuts of pads, and averages of padded tensors."""
    for node in list(graph.nodes):
        made = None
        with graph.inserting_before(node):
            if node.target is aten.cat.default:
                made = _padded(graph, node)
            elif node.target is aten.slice.Tensor:
                made = _cut(graph, node)
            elif node.target in _AVERAGES:
                made = _averaged(graph, node)
        if made is not None:
            read = node.all_input_nodes
            replace_node(graph, node, made)
            erase_unread(graph, read)


def _padded(graph: Graph, join: Node) -> Node | None:
    """A join of a tensor and constants of one value in front of it or behind it."""
    parts: Any = join.args[0]
    shape, shapes = shape_of(join), [shape_of(part) for part in parts]
    whole = [place for place, part in enumerate(parts) if constant_of(part) is None]
    if shape is None or None in shapes or len(whole) != 1 or len(parts) < 2:
        return None
    (place,) = whole
    numbers = {n for part in parts if (n := constant_of(part)) is not None}
    kinds = {part.meta["val"].dtype for part in parts}
    if len(numbers) > 1 or len(kinds) > 1:
        return None
    dim: Any = join.args[1] if len(join.args) > 1 else 0
    dim %= len(shape)
    sizes = [each[dim] if each is not None else 0 for each in shapes]
    widths = [0] * (2 * (len(shape) - dim))
    widths[-2:] = [sum(sizes[:place]), sum(sizes[place + 1 :])]
    return _pad(graph, join, parts[place], widths, numbers.pop())


def constant_of(node: Any) -> float | None:
    """The number that a tensor is filled with."""
    if node.target in _CONSTANTS:
        return _CONSTANTS[node.target]
    place = _FILLS.get(node.target)
    number = None if place is None else node.args[place]
    # False and -0.0 would not be told from 0.
    is_plain = type(number) in (int, float) and str(number) != "-0.0"
    return number if is_plain and number == number else None


def _pad(
    graph: Graph, like: Node, x: Node, widths: list[int], number: float
) -> Node | None:
    if not any(widths):
        return None
    return add_call(graph, like, aten.constant_pad_nd.default, x, widths, number)


def _cut(graph: Graph, node: Node) -> Node | None:
    """A part of a pad that nothing else reads."""
    pad: Any = node.args[0]
    dim, start, end, step = _slice_arguments(node)
    found = _frame(pad)
    shape = shape_of(pad)
    if found is None or shape is None or len(pad.users) > 1 or leaves(pad):
        return None
    x, widths, number = found
    dim %= len(shape)
    first, last, by = slice(start, end, step).indices(shape[dim])
    inner = 2 * (len(shape) - 1 - dim)
    if by != 1 or last <= first or inner >= len(widths):
        return None
    widths[inner] -= first
    widths[inner + 1] -= shape[dim] - last
    own = shape_of(x)
    removed = sum(max(0, -width) for width in widths[inner : inner + 2])
    if own is None or removed >= own[dim]:
        return None  # only the frame is left
    return _pad(graph, node, x, widths, number)


def _slice_arguments(node: Node) -> tuple[Any, Any, Any, Any]:
    names = ("dim", "start", "end", "step")
    given = dict(zip(names, node.args[1:], strict=False)) | dict(node.kwargs)
    return (
        given.get("dim", 0),
        given.get("start"),
        given.get("end"),
        given.get("step", 1),
    )


def _frame(node: Any) -> tuple[Node, list[int], float] | None:
    """What a pad is around, its widths, and its number."""
    if node.target is not aten.constant_pad_nd.default:
        return None
    x, widths, *rest = node.args
    number: Any = rest[0] if rest else 0
    known = all(isinstance(width, int) for width in widths)
    return (x, list(widths), number) if known else None


def _averaged(graph: Graph, pool: Node) -> Node | None:
    """An average over windows of a padded tensor, or of images of one channel."""
    rank = _AVERAGES[pool.target]
    given: Any = pool.args
    x, kernel, *rest = given
    usual: list[Any] = [[], [0], False, True, None]
    stride, padding, ceil_mode, _, divisor = [*rest, *usual[len(rest) :]]
    if pool.kwargs or ceil_mode or divisor is not None or any(padding):
        return None
    found = _frame(x)
    shape = shape_of(x)
    if found is None or shape is None or leaves(x) or len(x.users) > 1:
        return None
    image, widths, number = found
    kernel = list(kernel) * (rank if len(kernel) == 1 else 1)
    sides = [*widths, *[0] * (2 * len(shape) - len(widths))]
    pairs = list(zip(sides[::2], sides[1::2], strict=True))[::-1]
    inside, outside = pairs[-rank:], pairs[:-rank]
    fits = all(
        before == behind and 0 <= before <= size // 2
        for (before, behind), size in zip(inside, kernel, strict=True)
    )
    if number != 0 or not fits or any(width for pair in outside for width in pair):
        return None
    around = [before for before, _ in inside]
    plain = _without_channel(image, len(shape), rank)
    made = add_call(
        graph, pool, pool.target, plain or image, kernel, list(stride), around
    )
    if plain is None:
        return made
    sizes = list(pool.meta["val"].shape)
    return add_call(graph, pool, aten.view.default, made, sizes)


def _without_channel(image: Node, dims: int, rank: int) -> Node | None:
    """Images that a reshape gives one channel, as they were before."""
    if image.target not in _RESHAPES or dims != rank + 2:
        return None
    before: Any = image.args[0]
    shape, own = shape_of(image), shape_of(before)
    if shape is None or own is None or shape[1] != 1:
        return None
    return before if own == (shape[0], *shape[2:]) else None
