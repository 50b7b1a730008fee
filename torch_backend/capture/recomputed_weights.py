"""Training computes the weights of attention again in the backward graph.

torch saves what the backward graph needs, and no product is computed twice: where
attention is written out, it saves the weights, and often the scores, of all queries by
all keys. Then no loop streams the forward pass, since it has to store them, and the
backward pass reads them again. So what has that many elements is marked to be computed
again, from the products on, and two numbers of each row are saved:

    weights = softmax(f(query @ key))           most = amax(scores)
    result = weights @ value                    share = 1 / sum(exp(scores - most))
                                                weights = exp(scores - most) * share

The gradient of the softmax sums the weights times their gradients along each row. That
is the sum of the result times its own gradient, which needs no weights:

    sum(weights * (gradient @ value^T)) = sum(result * gradient)

The gradients of queries and keys are then products of rows, and the views of what the
products read are taken again. The planner streams both graphs, after
`tilewright.sums_order`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch.fx import Graph, Node
from torch.utils.checkpoint import CheckpointPolicy

from tilewright.torch_backend.capture.graph_edits import (
    is_elementwise,
    is_pure,
    leaving,
    replace_node,
    shape_of,
)
from tilewright.torch_backend.capture.new_nodes import add_call

aten = torch.ops.aten
_PRODUCTS = (aten.bmm.default, aten.mm.default)
_VIEWS = (
    aten.view.default,
    aten.expand.default,
    aten.unsqueeze.default,
    aten.squeeze.dim,
    aten.squeeze.dims,
    aten._unsafe_view.default,
)
_TRANSPOSITIONS = (aten.permute.default, aten.transpose.int, aten.t.default)
_TRIANGLES = (aten.tril.default, aten.triu.default)
_SAME = (aten.detach.default, aten.alias.default, aten.clone.default)


def recompute_weights(joint: Graph) -> None:
    """Mark the weights of each attention whose gradient does not need their sums."""
    seen = leaving(joint)
    for node in list(joint.nodes):
        if node.target is aten._softmax.default:
            found = _Attention.of(node, seen)
            if found is not None:
                found.recompute(joint)


def must_recompute(nodes: Iterable[Node]) -> None:
    """Let the backward graph compute nodes again, where nothing else is asked for."""
    for node in nodes:
        node.meta.setdefault("recompute", CheckpointPolicy.MUST_RECOMPUTE)


@dataclass(frozen=True)
class _Attention:
    """A softmax of scores, and the product that it weights."""

    softmax: Node
    scores: list[Node]
    """What has as many elements, from the products to the softmax."""
    copies: list[Node]
    """The weights: as they are, in other types, and in other shapes."""
    total: Node
    """The sums of the weights times their gradients."""
    result: Node
    gradient: Node
    """What the result's gradient is, in its shape."""

    @classmethod
    def of(cls, softmax: Node, seen: set[Node]) -> _Attention | None:
        """An attention; None if its weights are needed for something else."""
        shape = shape_of(softmax)
        axis: Any = softmax.args[1]
        if shape is None or len(shape) < 2 or axis not in (-1, len(shape) - 1):
            return None
        scores = _scores(softmax)
        copies = list(_copies(softmax))
        if scores is None or not seen.isdisjoint([*scores, *copies]):
            return None
        for one in copies:
            for total in one.users:
                found = _weighted(total, softmax, copies)
                if found is not None:
                    return cls(softmax, scores, copies, *found)
        return None

    def recompute(self, graph: Graph) -> None:
        """Save two numbers of each row in place of the weights."""
        kinds = [one.meta["val"].dtype for one in (self.result, self.total)]
        # Before the gradient of the values, which is one kernel with that of the keys.
        last = max(self.result, self.gradient, key=list(graph.nodes).index)
        with graph.inserting_before(last.next):
            pair = [self.result, self.gradient]
            if kinds[0] != kinds[1]:
                pair = [_cast(graph, one, kinds[1]) for one in pair]
            moved = add_call(graph, self.total, aten.mul.Tensor, *pair)
            rows = add_call(graph, self.total, aten.sum.dim_IntList, moved, [-1], True)
            shape = list(shape_of(self.total) or ())
            rows = add_call(graph, self.total, aten.view.default, rows, shape)
        replace_node(graph, self.total, rows)
        views = [view for one in self._factors() for view in _views(one)]
        again = [*self.scores, *self.copies, *self._in_parts(graph), *views]
        must_recompute([*again, *_masks(graph, self.scores)])

    def _factors(self) -> Iterator[Node]:
        """What the products of the forward pass read from memory."""
        for one in self.scores:
            if one.target in _PRODUCTS:
                yield from one.all_input_nodes
        yield self.result.all_input_nodes[-1]

    def _in_parts(self, graph: Graph) -> list[Node]:
        """Write the softmax out; what has as many elements as the weights."""
        old, scores = self.softmax, self.softmax.args[0]
        assert isinstance(scores, Node)
        kind = old.meta["val"].dtype
        parts: list[Node] = []
        with graph.inserting_before(old):
            if scores.meta["val"].dtype in (torch.bfloat16, torch.float16):
                scores = _cast(graph, scores, torch.float32)
                parts.append(scores)
            most = add_call(graph, old, aten.amax.default, scores, [-1], True)
            below = add_call(graph, old, aten.sub.Tensor, scores, most)
            powers = add_call(graph, old, aten.exp.default, below)
            total = add_call(graph, old, aten.sum.dim_IntList, powers, [-1], True)
            share = add_call(graph, old, aten.reciprocal.default, total)
            weights = add_call(graph, old, aten.mul.Tensor, powers, share)
            parts += [below, powers, weights]
            if weights.meta["val"].dtype != kind:
                weights = _cast(graph, weights, kind)
                parts.append(weights)
        for saved in (most, share):
            saved.meta["recompute"] = CheckpointPolicy.MUST_SAVE
        replace_node(graph, old, weights)
        return parts


def _masks(graph: Graph, scores: Iterable[Node]) -> set[Node]:
    """What scores read and no tensor is needed for, if it is cheap: masks by positions.

    A loop leaves out what they empty, if it computes them.
    """
    free: set[Node] = set()
    for node in graph.nodes:
        if is_pure(node) and free.issuperset(node.all_input_nodes):
            free.add(node)
    found: set[Node] = set()
    pending = [one for node in scores for one in node.all_input_nodes]
    while pending:
        node = pending.pop()
        is_cheap = is_elementwise(node) or node.target in (*_VIEWS, *_TRIANGLES)
        if node in free and (is_cheap or not node.all_input_nodes):
            free.remove(node)
            found.add(node)
            pending += node.all_input_nodes
    return found


def _views(node: Node) -> Iterator[Node]:
    """The views that a tensor is taken through, the last one first."""
    while node.op == "call_function" and (
        node.target in _VIEWS or _transposed(node) is not None
    ):
        yield node
        node = node.all_input_nodes[0]


def _cast(graph: Graph, node: Node, kind: torch.dtype) -> Node:
    """A tensor in another type."""
    return add_call(graph, node, aten._to_copy.default, node, dtype=kind)


def _count(node: Node) -> int:
    """The elements of a tensor, or 0."""
    shape = shape_of(node)
    return 0 if shape is None else torch.Size(shape).numel()


def _scores(softmax: Node) -> list[Node] | None:
    """What a softmax is computed from and has as many elements, if products make it.

    Products whose factors have fewer elements than they; anything else that makes the
    scores, such as a gather, would be computed twice.
    """
    count = _count(softmax)
    found: dict[Node, None] = {}
    pending = list(softmax.all_input_nodes)
    while pending:
        node = pending.pop()
        if node in found or _count(node) != count or node.op != "call_function":
            continue
        found[node] = None
        if node.target in _PRODUCTS:
            if sum(map(_count, node.all_input_nodes)) > count:
                return None
        elif is_elementwise(node) or any(
            _is_copy(node, source) for source in node.all_input_nodes
        ):
            pending += node.all_input_nodes
        else:
            return None
    has_product = any(node.target in _PRODUCTS for node in found)
    return list(found) if has_product else None


def _copies(softmax: Node) -> Iterator[Node]:
    """The weights as they are, in other types, and in other shapes."""
    seen: set[Node] = set()
    pending = [softmax]
    while pending:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        yield node
        pending += [user for user in node.users if _is_copy(user, node)]


def _is_copy(node: Node, source: Node) -> bool:
    """Whether a node has the elements of another, in their order."""
    if node.target is aten._to_copy.default:
        return node.meta["val"].device == source.meta["val"].device
    is_view = node.target in _VIEWS or node.target in _SAME
    return is_view and node.args[0] is source and _count(node) == _count(source)


def _source(node: Any) -> Any:
    """What a node is a copy of, as far back as there are copies."""
    while isinstance(node, Node) and node.op == "call_function":
        source = node.args[0] if node.args else None
        if not isinstance(source, Node) or not _is_copy(node, source):
            return node
        node = source
    return node


def _weighted(
    total: Node, softmax: Node, copies: list[Node]
) -> tuple[Node, Node, Node] | None:
    """A sum of weights times their gradients, the result, and its gradient."""
    product = total
    for user in product.users:
        if user.target is not aten.sum.dim_IntList or user.args[1:] != ([-1], True):
            continue
        if product.target is not aten.mul.Tensor:
            continue
        left, right = product.args
        of = right if _source(left) is softmax else left
        if {_source(left), _source(right)} == {softmax, _source(of)}:
            found = _result(_source(of), copies)
            if found is not None:
                return user, *found
    return None


def _result(moved: Any, copies: list[Node]) -> tuple[Node, Node] | None:
    """The product of weights and values, by that of its gradient and the values."""
    if not isinstance(moved, Node) or moved.target not in _PRODUCTS:
        return None
    gradient, values = moved.args
    assert isinstance(gradient, Node)
    for one in copies:
        for user in one.users:
            if user.target is moved.target and user.args[0] is one:
                if _transposed(values) is user.args[1]:
                    return user, gradient
    return None


def _transposed(node: Any) -> Node | None:
    """What a node is the transposed matrices of; None if it is no such call."""
    shape = shape_of(node)
    if node.target not in _TRANSPOSITIONS or shape is None:
        return None
    source: Any = node.args[0]
    rank = len(shape)
    if node.target is aten.permute.default:
        dims: Any = [dim % rank for dim in node.args[1]]
        is_turned = dims == [*range(rank - 2), rank - 1, rank - 2]
    elif node.target is aten.transpose.int:
        is_turned = {dim % rank for dim in node.args[1:3]} == {rank - 2, rank - 1}
    else:
        is_turned = True
    return source if is_turned else None
