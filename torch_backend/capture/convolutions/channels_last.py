"""Lays out a graph channels last where its convolutions run so.

Convolutions that stay in torch get images and filters channels last. The strides of all
other values follow from torch's own rules: element-wise ops, poolings and concats keep
the order of their operands. A copy stands where an op needs another order: in front of
the first convolution, of a view that joins dimensions which lie apart, and of results
that the user sees. In a payload a copy is no op of its own: the kernel that writes its
operand writes the order that it has.

Before, with the strides of a 3x4x5 image:

    x: (60, 20, 5, 1)
    y = aten.convolution(x, w, ...): (60, 20, 5, 1)
    return aten.relu(y)

After:

    x_last = aten.clone(x, memory_format=channels_last): (60, 1, 15, 3)
    w_last = aten.clone(w, memory_format=channels_last)
    y = aten.convolution(x_last, w_last, ...): (60, 1, 15, 3)
    return aten.clone(aten.relu(y), memory_format=contiguous_format)
"""

from __future__ import annotations

import logging
import operator
from collections.abc import Sequence
from typing import Any

import torch
from torch.fx import Graph, Node

from tilewright.torch_backend.capture.convolutions.layout_choice import (
    run_channels_last,
    stays_plain,
)
from tilewright.torch_backend.capture.graph_edits import may_be_view
from tilewright.torch_backend.capture.new_nodes import add_call, value_of
from tilewright.torch_backend.ops.images.pooling import MOVED_BY_STRIDES
from tilewright.torch_backend.ops.result import is_own
from tilewright.torch_backend.ops.table import OPS

aten = torch.ops.aten
_log = logging.getLogger("tilewright.torch")
_FORMATS = {4: torch.channels_last, 5: torch.channels_last_3d}
"""By the rank of an image of two or three dimensions."""
_OPERANDS = {
    aten.convolution.default: (0, 1),
    aten.convolution_backward.default: (0, 1, 2),
}
"""Which operands of a convolution are images or filters."""
READS_STRIDES = {
    aten.as_strided.default,
    aten.as_strided_scatter.default,
    aten.view.dtype,
    aten.view_as_complex.default,
    aten.view_as_real.default,
}
"""Ops whose result depends on where elements lie."""


def lay_out(
    graph: Graph,
    *,
    given: Sequence[Any] = (),
    seen: int | None = None,
    training: bool = False,
) -> list[tuple[int, ...] | None] | None:
    """Lay out a graph channels last, if its convolutions are quicker so.

    `given` are values of inputs, whose strides may differ from those of the trace. The
    first `seen` results keep their strides, all of them by default. Gives the strides
    of all results, if any has others than in the trace.
    """
    nodes = list(graph.nodes)
    layout = _Layout(graph)
    layout.take_inputs(nodes, given)
    forward = [
        n
        for n in nodes
        if n.target is aten.convolution.default
        and _is_image(n)
        and not is_own(n)
        and not stays_plain(n)
    ]
    chosen = run_channels_last(forward, len(nodes), training=training)
    for node in nodes:
        if node.op == "output":
            layout.keep_results(node, seen)
        elif node.op == "call_function":
            if chosen and str(node.target) in MOVED_BY_STRIDES:
                layout.pool(node)
            layout.pass_on(node)
            is_kept = node.target in _OPERANDS and not is_own(node)
            if is_kept and _is_image(node) and not _is_plain(node):
                layout.convolve(node, first=chosen)
            layout.choose(node)
    results: Any = nodes[-1].args[0]
    if all(one not in layout.traced for one in results):
        return None
    return [_strides(one) for one in results]


def _strides(node: Any) -> tuple[int, ...] | None:
    """The strides of a node; None if it is no tensor, or they are not known."""
    value = node.meta.get("val") if isinstance(node, Node) else None
    strides = value.stride() if isinstance(value, torch.Tensor) else ()
    known = isinstance(value, torch.Tensor) and all(isinstance(s, int) for s in strides)
    return tuple(strides) if known else None


class _Layout:
    """The values of a graph whose strides are not those of the trace."""

    def __init__(self, graph: Graph):
        self.graph = graph
        self.traced: dict[Node, Any] = {}
        """The values in the trace of the nodes that lie otherwise now."""
        self.copies: dict[Node, Node] = {}
        """Channels-last copies of nodes."""

    def take_inputs(self, nodes: Sequence[Node], given: Sequence[Any]) -> None:
        """Give inputs the strides that they are called with."""
        inputs = [node for node in nodes if node.op == "placeholder"]
        for node, value in zip(inputs, given, strict=False):
            before = node.meta.get("val")
            if isinstance(before, torch.Tensor) and _differ(before, value):
                self.traced[node] = before
                node.meta["val"] = value

    def pass_on(self, node: Node) -> None:
        """Infer a node's value again, if an operand lies otherwise than in the trace.

        Operands are copied back where the op needs their strides.
        """
        changed = [one for one in node.all_input_nodes if one in self.traced]
        if not changed:
            return
        before = node.meta.get("val")
        if _takes_any_strides(node):
            if not may_be_view(node):
                self._replace(node, self.copies)
            value = _inferred(node)
            if value is not None and _shapes(value) == _shapes(before):
                if _differ(before, value):
                    self.traced[node] = before
                    node.meta["val"] = value
                return
        with self.graph.inserting_before(node):
            back = {one: self._as_traced(one) for one in changed}
        self._replace(node, back)

    def choose(self, node: Node) -> None:
        """Add a channels-last copy behind a node whose order is free."""
        if not _is_free(node):
            return
        readers = list(node.users)
        with self.graph.inserting_after(node):
            kind = _FORMATS[node.meta["val"].dim()]
            copy = add_call(
                self.graph, node, aten.clone.default, node, memory_format=kind
            )
        for reader in readers:
            reader.replace_input_with(node, copy)
        self.traced[copy] = self.traced.get(node, node.meta["val"])

    def convolve(self, node: Node, *, first: bool) -> None:
        """Give a convolution its operands channels last.

        Unless it is the first to have them so, one of them lies so already.
        """
        places = _OPERANDS[node.target]  # pyright: ignore[reportArgumentType]
        operands: list[Any] = [node.args[place] for place in places]
        if not first and not any(self._is_changed(one) for one in operands):
            return
        copies: dict[Node, Node] = {}
        for one in operands:
            if not _lies_last(one):
                copies[one] = self._copied_last(one, node)
        if copies:
            before = node.meta["val"]
            self._replace(node, copies)
            value = _inferred(node)
            assert value is not None
            if _differ(before, value):
                self.traced.setdefault(node, before)
                node.meta["val"] = value

    def pool(self, node: Node) -> None:
        """Give a pooling between convolutions the copy of its image that they read.

        Windows of channels lie side by side, and the result needs no copy of its own.
        """
        image: Any = node.args[0]
        if image.meta["val"].dim() not in _FORMATS:
            return
        if image in self.traced or _lies_last(image):
            return
        if image not in self.copies and not _is_convolved(image):
            return
        results = [one for one in node.users if one.target is operator.getitem]
        if any(map(_is_convolved, results or [node])):
            self._replace(node, {image: self._copied_last(image, node)})

    def _is_changed(self, node: Node) -> bool:
        return node in self.traced and _lies_last(node)

    def keep_results(self, output: Node, seen: int | None) -> None:
        """Give the results that a user sees the strides of the trace."""
        results = list(output.args[0])  # pyright: ignore[reportArgumentType]
        for place, one in enumerate(results[:seen]):
            if isinstance(one, Node) and one in self.traced:
                with self.graph.inserting_before(output):
                    results[place] = self._as_traced(one)
        output.args = (tuple(results),)

    def _copied_last(self, node: Node, reader: Node) -> Node:
        if node not in self.copies:
            kind = _FORMATS[node.meta["val"].dim()]
            with self.graph.inserting_before(reader):
                self.copies[node] = add_call(
                    self.graph, node, aten.clone.default, node, memory_format=kind
                )
            self.traced[self.copies[node]] = node.meta["val"]
        return self.copies[node]

    def _as_traced(self, node: Node) -> Node:
        """A copy with the strides of the trace; the node itself if it has no order."""
        before = self.traced[node]
        order = _dense_order(before)
        if order is None:
            return node
        if order == list(range(before.dim())):
            return self._copied(node)
        turned = add_call(self.graph, node, aten.permute.default, node, order)
        back = [order.index(dim) for dim in range(len(order))]
        copy = self._copied(turned)
        return add_call(self.graph, node, aten.permute.default, copy, back)

    def _copied(self, node: Node) -> Node:
        plain = torch.contiguous_format
        return add_call(self.graph, node, aten.clone.default, node, memory_format=plain)

    def _replace(self, node: Node, by: dict[Node, Node]) -> None:
        args, kwargs = torch.fx.map_arg(
            (node.args, dict(node.kwargs)), lambda one: by.get(one, one)
        )
        node.args, node.kwargs = args, kwargs


def _is_image(node: Node) -> bool:
    operands: list[Any] = [node.args[place] for place in _OPERANDS[node.target]]  # pyright: ignore
    return all(one.meta["val"].dim() in _FORMATS for one in operands)


def _is_plain(node: Node) -> bool:
    """Whether a node is a convolution that keeps torch's default layout."""
    return (
        node.target is aten.convolution.default
        and not is_own(node)
        and _is_image(node)
        and stays_plain(node)
    )


def _is_convolved(node: Node) -> bool:
    """Whether a convolution reads a node as its image."""
    return any(
        one.target is aten.convolution.default
        and one.args[0] is node
        and _is_image(one)
        and not _is_plain(one)
        for one in node.users
    )


def _lies_last(node: Node) -> bool:
    value = node.meta["val"]
    return value.is_contiguous(memory_format=_FORMATS[value.dim()])


def _takes_any_strides(node: Node) -> bool:
    """Whether a node's numbers do not depend on where its operands' elements lie.

    Random numbers are drawn in the order of memory.
    """
    target = node.target
    return (
        isinstance(target, torch._ops.OpOverload)
        and target.namespace in ("aten", "prims")
        and target not in READS_STRIDES
        and not _is_plain(node)
        and torch.Tag.nondeterministic_seeded not in target.tags
    ) or target is operator.getitem


def _inferred(node: Node) -> Any:
    """The value of a node for its operands as they lie now; None if torch refuses."""
    try:
        return value_of(node.target, node.args, node.kwargs)
    except Exception as error:
        _log.debug("%s keeps its strides: %s", node.name, error)
        return None


def _is_free(node: Node) -> bool:
    """Whether a node computes an image of a channels-last one, and torch lies it plain.

    Our kernels write the order that they read.
    """
    maker: Any = node.args[0] if node.target is operator.getitem else node
    if (
        str(maker.target) not in OPS
        or may_be_view(maker)
        or "memory_format" in node.kwargs
    ):
        return False
    given: Any = maker.args[0] if maker.args else None
    value = node.meta.get("val")
    if not isinstance(given, Node) or not isinstance(value, torch.Tensor):
        return False
    source = given.meta.get("val")
    if not isinstance(source, torch.Tensor) or source.dim() != value.dim():
        return False
    if value.dim() not in _FORMATS or source.shape[:2] != value.shape[:2]:
        return False
    return _lies_last(given) and not _lies_last(node) and not source.is_contiguous()


def _tensors(value: Any) -> list[torch.Tensor]:
    several = value if isinstance(value, tuple | list) else [value]
    return [one for one in several if isinstance(one, torch.Tensor)]


def _shapes(value: Any) -> list[Any]:
    return [(one.shape, one.dtype) for one in _tensors(value)]


def _differ(before: Any, value: Any) -> bool:
    """Whether some tensor has other strides; those of size 1 do not count."""
    for one, other in zip(_tensors(before), _tensors(value), strict=True):
        strides = zip(one.shape, one.stride(), other.stride(), strict=True)
        if any(size != 1 and old != new for size, old, new in strides):
            return True
    return False


def _dense_order(value: Any) -> list[int] | None:
    """The dimensions from the slowest to the fastest; None if there are gaps."""
    if not isinstance(value, torch.Tensor):
        return None
    if value.is_contiguous():
        return list(range(value.dim()))
    order = sorted(range(value.dim()), key=lambda dim: -value.stride(dim))
    return order if value.permute(order).is_contiguous() else None
