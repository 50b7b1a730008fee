"""Tensors that are laid out from others along a dimension, and the simplest such form.

Concats, pads, slices and assignments to slices say for runs of indices which elements
of which tensor lie there, or which number does. A node becomes what its runs say:

    torch.cat([torch.zeros_like(x[:, :1]), x], 1)[:, :-1]     # a pad: (1, -1)
    torch.cat([a + b, a - b], 1).chunk(2, 1)                  # a + b, and a - b
    y[:, ::2] = a; y[:, 1::2] = b                             # stack([a, b], -1)
    select_scatter(zeros, q, 0, 0) + select_scatter(zeros, k, 0, 1)    # a concat

The last one is the gradient of a tensor that was cut into parts. A pad is read at
computed indices by the kernel that needs it, parts of a concat are computed in their
places, and a part of one tensor is computed where it is read; the forms above store
tensors for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.graph_edits import (
    erase_unread,
    is_elementwise,
    leaves,
    leaving,
    replace_node,
    shape_of,
)
from tilewright.torch_backend.capture.new_nodes import add_call
from tilewright.torch_backend.capture.parts.slices import Part, part_of, sliced, take

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
_SCATTERS = (aten.slice_scatter.default, aten.select_scatter.default)
_MOST_TURNS = 4
"""Neighbours in memory that one kernel stores as whole lines."""
_READERS = (aten.slice.Tensor, aten.slice_scatter.default, aten.copy.default)


@dataclass(frozen=True)
class Run:
    """What lies at some indices of a tensor along a dimension."""

    at: range
    source: Node | float
    """A number lies at all of them."""
    of: range
    """The indices of the source, one for each."""
    is_selected: bool = False
    """Whether the source lacks the dimension."""

    @property
    def is_number(self) -> bool:
        """Whether no tensor lies there."""
        return not isinstance(self.source, Node)

    def within(self, indices: range) -> Run | None:
        """The run in the part of the tensor that has some indices; None if none."""
        both = _common(self.at, indices)
        if not both:
            return None
        here, there = _positions(indices, both), _positions(self.at, both)
        of = self.of[there.start : there.stop : there.step]
        return Run(here, self.source, of, self.is_selected)


def _common(one: range, other: range) -> range:
    """The indices in both of two ranges."""
    step = math.lcm(one.step, other.step)
    low, high = max(one[0], other[0]), min(one[-1], other[-1])
    ahead = one[max(0, -(-(low - one[0]) // one.step)) :][: other.step]
    first = next((index for index in ahead if index in other), None)
    return range(0) if first is None else range(first, high + 1, step)


def _positions(indices: range, some: range) -> range:
    """Where some indices are among others."""
    first, last = indices.index(some[0]), indices.index(some[-1])
    return range(first, last + 1, max(1, some.step // indices.step))


def _without(one: range, other: range) -> list[range] | None:
    """The indices of a range that another one lacks; None if they are no few ranges."""
    both = _common(one, other)
    if not both:
        return [one]
    if len(both) == len(one):
        return []
    if one.step != 1:
        return None
    left, right = range(one.start, both[0]), range(both[-1] + 1, one.stop)
    if len(both) == 1 or both.step == 1:
        return [each for each in (left, right) if each]
    if both.step > _MOST_TURNS or len(left) + len(right) >= both.step:
        return None
    turns = [one[first :: both.step] for first in range(both.step)]
    return [each for each in turns if both[0] not in each]


def runs_of(node: Any, dim: int) -> list[Run] | None:
    """What a tensor is laid out from along a dimension; None if it is from nothing."""
    shape = shape_of(node)
    if shape is None:
        return None
    whole = range(shape[dim])
    if (number := constant_of(node)) is not None:
        return [Run(whole, number, whole)]
    if node.target is aten.cat.default:
        return _of_concat(node, dim)
    if node.target is aten.constant_pad_nd.default:
        return _of_pad(node, dim)
    if node.target in _SCATTERS:
        return _of_scatter(node, dim)
    return _of_sum(node, dim) if node.target is aten.add.Tensor else None


def constant_of(node: Any) -> float | None:
    """The number that a tensor is filled with."""
    if node.target in _CONSTANTS:
        return _CONSTANTS[node.target]
    place = _FILLS.get(node.target)
    number = None if place is None else node.args[place]
    # False and -0.0 would not be told from 0.
    is_plain = type(number) in (int, float) and str(number) != "-0.0"
    return number if is_plain and number == number else None


def _type(node: Node) -> torch.dtype:
    return node.meta["val"].dtype


def _of_concat(node: Node, dim: int) -> list[Run] | None:
    parts: Any = node.args[0]
    shapes = [shape_of(part) for part in parts]
    given: Any = node.args[1] if len(node.args) > 1 else 0
    if any(shape is None or len(shape) <= dim for shape in shapes):
        return None
    if given % len(shapes[0] or ()) != dim or {_type(one) for one in parts} != {
        _type(node)
    }:
        return None
    found: list[Run] = []
    start = 0
    for part, shape in zip(parts, shapes, strict=True):
        size = (shape or ())[dim]
        number = constant_of(part)
        source = part if number is None else number
        found.append(Run(range(start, start + size), source, range(size)))
        start += size
    return found


def _of_pad(node: Node, dim: int) -> list[Run] | None:
    x: Any
    widths: Any
    x, widths, *rest = node.args
    number: Any = rest[0] if rest else 0
    shape = shape_of(x)
    if shape is None or not all(isinstance(width, int) for width in widths):
        return None
    inner = 2 * (len(shape) - 1 - dim)
    others = [*widths[:inner], *widths[inner + 2 :]]
    if any(others) or inner >= len(widths):
        return None
    before, behind = widths[inner : inner + 2]
    kept = range(shape[dim])[max(0, -before) : shape[dim] + min(0, behind)]
    before, end = max(0, before), max(0, before) + len(kept)
    runs = [
        Run(range(before), number, range(before)),
        Run(range(before, end), x, kept),
        Run(range(end, end + max(0, behind)), number, range(max(0, behind))),
    ]
    return [run for run in runs if run.at]


def _of_scatter(node: Node, dim: int) -> list[Run] | None:
    given: Any = node.args
    base, source, *rest = given
    shape = shape_of(base)
    if shape is None or not isinstance(source, Node) or _type(source) != _type(node):
        return None
    is_selected = node.target is aten.select_scatter.default
    if is_selected and isinstance(rest[1], int):
        index = rest[1] % shape[rest[0]]
        rest = [rest[0], index, index + 1]
    found = sliced(shape, rest, node.kwargs)
    if found is None or found[0] != dim:
        return None
    at = found[1]
    made = [Run(at, source, range(len(at)), is_selected)]
    whole = range(shape[dim])
    for run in runs_of(base, dim) or [Run(whole, base, whole)]:
        left = _without(run.at, at)
        if left is None:
            return None
        for each in left:
            kept = _positions(run.at, each)
            of = run.of[kept.start : kept.stop : kept.step]
            made.append(Run(each, run.source, of, run.is_selected))
    return made


def _of_sum(node: Node, dim: int) -> list[Run] | None:
    """A sum of tensors that are zero where the others are not."""
    found: list[Run] = []
    for one in node.args:
        if not isinstance(one, Node) or len(one.users) > 1 or leaves(one):
            return None
        if node.kwargs or shape_of(one) != shape_of(node):
            return None
        runs = runs_of(one, dim)
        if runs is None or _type(one) != _type(node):
            return None
        if not all(run.source == 0 for run in runs if run.is_number):
            return None
        found += [run for run in runs if not run.is_number]
    gaps = [range((shape_of(node) or ())[dim])]
    for run in found:
        left = [_without(gap, run.at) for gap in gaps]
        if None in left or sum(map(len, gaps)) - len(run.at) != _length(left):
            return None
        gaps = [one for some in left for one in some or ()]
    return [*found, *(Run(gap, 0, range(len(gap))) for gap in gaps)]


def _length(some: Sequence[Sequence[range] | None]) -> int:
    return sum(len(one) for each in some for one in each or ())


def simplify_parts(graph: Graph) -> None:
    """Give tensors that are laid out from others their simplest form."""
    kept = leaving(graph)
    for node in list(graph.nodes):
        if node._erased:
            continue
        with graph.inserting_before(node):
            made = _simpler(graph, node, node in kept)
        if made is None or made is node:
            continue
        if node in kept and not _lie_alike(node, made):
            erase_unread(graph, [made])
            continue
        read = node.all_input_nodes
        replace_node(graph, node, made)
        erase_unread(graph, read)


def _lie_alike(one: Node, two: Node) -> bool:
    """Whether two tensors have the same strides."""
    return one.meta["val"].stride() == two.meta["val"].stride()


def _simpler(graph: Graph, node: Node, is_kept: bool) -> Node | None:
    """A simpler call for a node; None if there is none."""
    part = part_of(node)
    if part is not None:
        return None if is_kept else _read(graph, node, part)
    rank = len(shape_of(node) or ())
    if node.target is aten.cat.default and rank:
        dim: Any = node.args[1] if len(node.args) > 1 else 0
        runs = runs_of(node, dim % rank)
        return None if runs is None else _padded(graph, node, dim % rank, runs)
    if node.target is aten.add.Tensor and any(
        one.target in (*_SCATTERS, aten.add.Tensor) for one in node.all_input_nodes
    ):
        found = ((dim, runs_of(node, dim)) for dim in range(rank))
        return next((_laid(graph, node, *one) for one in found if one[1]), None)
    if node.target is aten.slice_scatter.default:
        return _assigned(graph, node)
    return None


def _read(graph: Graph, node: Node, part: Part) -> Node | None:
    """A part of a tensor, read from what lies there."""
    runs = runs_of(part.base, part.dim)
    if runs is None:
        return None
    found = [run for one in runs if (run := one.within(part.indices)) is not None]
    if len(found) > 1:
        is_alone = len(part.base.users) == 1 and not leaves(part.base)
        is_pad = is_alone and not part.drops_dim
        return _padded(graph, node, part.dim, found) if is_pad else None
    (run,) = found
    if not all(u.target in _READERS or is_elementwise(u) for u in node.users):
        return None
    if constant_of(part.base) is not None or run.is_selected:
        return None
    if not isinstance(run.source, Node):
        value, op = node.meta["val"], aten.full.default
        kind = {"dtype": value.dtype, "device": value.device}
        return add_call(graph, node, op, list(value.shape), run.source, **kind)
    size = (shape_of(run.source) or ())[part.dim]
    if len(run.of) == size and not part.drops_dim:
        return run.source
    moved = Part(run.source, part.dim, run.of, part.drops_dim)
    return take(graph, node, run.source, moved, part.dim)


def _padded(graph: Graph, node: Node, dim: int, runs: Sequence[Run]) -> Node | None:
    """A pad of one tensor by one number, if that is what the runs are."""
    numbers = {run.source for run in runs if run.is_number}
    tensors = [run for run in runs if not run.is_number]
    if len(numbers) != 1 or len(tensors) != 1 or any(run.at.step != 1 for run in runs):
        return None
    (tensor,) = tensors
    shape, whole = shape_of(tensor.source), shape_of(node)
    if shape is None or whole is None or tensor.is_selected or tensor.of.step != 1:
        return None
    widths = [0] * (2 * (len(shape) - dim))
    before = tensor.at.start - tensor.of.start
    widths[-2:] = [before, whole[dim] - shape[dim] - before]
    op = aten.constant_pad_nd.default
    return add_call(graph, node, op, tensor.source, widths, numbers.pop())


def _assigned(graph: Graph, node: Node) -> Node | None:
    """What assignments to slices fill, or the last one without those that it covers."""
    shape = shape_of(node) or ()
    found = sliced(shape, node.args[2:], node.kwargs) if shape else None
    if found is None:
        return None
    dim, at = found
    if not any(is_elementwise(u) or _goes_on(node, u) for u in node.users):
        # An element-wise reader would compute what was assigned by itself.
        runs = runs_of(node, dim)
        if runs and (made := _laid(graph, node, dim, runs)) is not None:
            return made
    base: Any = node.args[0]
    while base.target is node.target and base.args[0] is not None:
        under = sliced(shape, base.args[2:], base.kwargs)
        if under is None or under[0] != dim or _without(under[1], at) != []:
            break
        base = base.args[0]
    if base is node.args[0]:
        return None
    return add_call(graph, node, node.target, base, *node.args[1:])


def _goes_on(node: Node, user: Node) -> bool:
    """Whether another assignment is made to what a node has assigned."""
    return user.target is node.target and user.args[0] is node


def _laid(
    graph: Graph, node: Node, dim: int, runs: Sequence[Run] | None
) -> Node | None:
    """A concat or a stack of the tensors that fill a node, each as a whole."""
    runs = sorted(runs or (), key=lambda run: run.at.start)
    if len(runs) < 2 or any(_takes_part(run, dim) for run in runs):
        return None

    def call(op: Callable[..., Any], *args: Any) -> Node:
        return add_call(graph, node, op, *args)

    parts: list[Any] = [
        call(aten.unsqueeze.default, run.source, dim) if run.is_selected else run.source
        for run in runs
    ]
    if all(run.at.step == 1 or len(run.at) == 1 for run in runs):
        return call(aten.cat.default, parts, dim)
    size, turns = (shape_of(node) or ())[dim], len(runs)
    in_turn = (run.at == range(at, size, turns) for at, run in enumerate(runs))
    if size % turns or turns > _MOST_TURNS or not all(in_turn):
        return None
    rows = [call(aten.unsqueeze.default, part, dim + 1) for part in parts]
    return call(
        aten.view.default,
        call(aten.cat.default, rows, dim + 1),
        list(shape_of(node) or ()),
    )


def _takes_part(run: Run, dim: int) -> bool:
    """Whether a run is not the whole of a tensor."""
    shape = shape_of(run.source)
    return shape is None or (not run.is_selected and len(run.of) != shape[dim])
