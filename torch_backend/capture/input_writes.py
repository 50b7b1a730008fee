"""Writes to a graph's inputs, such as a cache of keys or the means of a batch norm.

AOTAutograd makes a graph functional: an op makes a new tensor, and a `copy_` at the end
of the graph writes it over the input. `without_writes` takes these copies away while
the graph is rewritten, as if the new tensors were results. `write_in_place` lets an op
that changes a part of an input write to the input itself, where nobody reads the old
numbers any more: a token is added to a cache without two copies of the cache.
`copy_together` copies the weights that an optimizer has updated in one call.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import torch
from torch.fx import Graph, Node
from torch.utils import _pytree as pytree

from tilewright.torch_backend.capture.graph_edits import leaving
from tilewright.torch_backend.lowering.owned_writes import OWNED

aten = torch.ops.aten

IN_PLACE: dict[Any, Any] = {
    aten.index_copy.default: aten.index_copy_.default,
    aten.index_fill.int_Scalar: aten.index_fill_.int_Scalar,
    aten.index_fill.int_Tensor: aten.index_fill_.int_Tensor,
    aten.index_put.default: aten.index_put_.default,
    aten.index_add.default: aten.index_add_.default,
    aten.scatter.src: aten.scatter_.src,
    aten.scatter.value: aten.scatter_.value,
    aten.scatter_add.default: aten.scatter_add_.default,
    aten.scatter_reduce.two: aten.scatter_reduce_.two,
}
"""Ops that change a part of their first operand, and the same ops in its place."""


@contextmanager
def without_writes(graph: Graph) -> Generator[None]:
    """Within, what the last calls copy to inputs are results of the graph."""
    (output,) = graph.find_nodes(op="output")
    writes: list[tuple[Node, Node]] = []
    for node in reversed(graph.nodes):
        if node is output:
            continue
        if not is_input_write(node):
            break
        writes.insert(0, (node.args[0], node.args[1]))
        graph.erase_node(node)
    if not writes:
        yield
        return
    (results,) = output.args
    output.args = ((*results, *(new for _, new in writes)),)
    try:
        yield
    finally:
        (found,) = output.args
        kept = len(found) - len(writes)
        with graph.inserting_before(output):
            for (given, _), new in zip(writes, found[kept:], strict=True):
                made = graph.call_function(aten.copy_.default, (given, new))
                made.meta["val"] = given.meta["val"]
        output.args = (type(results)(found[:kept]),)


def is_input_write(node: Node) -> bool:
    """Whether a call copies a whole tensor over an input, and nobody reads it."""
    if node.target is not aten.copy_.default or node.users:
        return False
    given = node.args[0]
    return isinstance(given, Node) and given.op == "placeholder"


def write_in_place(graph: Graph) -> None:
    """Let ops write to the inputs that their results are copied to."""
    seen = leaving(graph)
    for copy in graph.find_nodes(op="call_function", target=aten.copy_.default):
        if not is_input_write(copy):
            continue
        given, new = copy.args[:2]
        steps = _steps(given, new)
        if steps is None or set(given.users) != {steps[0], copy} or new in seen:
            continue
        graph.erase_node(copy)
        for step in steps:
            step.target = IN_PLACE[step.target]
            step.meta[OWNED] = True


def copy_together(graph: Graph) -> None:
    """Make one call of the copies to inputs that follow each other.

    torch copies a list of tensors of one type by few kernels.
    """
    alike: dict[tuple[torch.device, torch.dtype], list[Node]] = {}
    for node in reversed(graph.nodes):
        if node.op == "output":
            continue
        if not is_input_write(node):
            break
        given = node.args[0].meta["val"]
        alike.setdefault((given.device, given.dtype), []).insert(0, node)
    for copies in alike.values():
        if len(copies) > 1:
            lists = [[node.args[place] for node in copies] for place in range(2)]
            with graph.inserting_before(copies[-1].next):
                copy: Any = getattr(torch, "_foreach_copy_")  # noqa: B009
                graph.call_function(copy, tuple(lists))
            for node in copies:
                graph.erase_node(node)


def _steps(given: Node, new: Any) -> list[Node] | None:
    """The ops that make a tensor of an input, one after another; None if others do.

    Only the last result may have other readers.
    """
    found: list[Node] = []
    while new is not given:
        if not isinstance(new, Node) or new.target not in IN_PLACE:
            return None
        others = _other_operands(new)
        if found and len(new.users) > 1 or given in others or _has_mask(others):
            return None
        found.insert(0, new)
        new = new.args[0]
    return found or None


def _other_operands(node: Node) -> set[Node]:
    """What an op reads beside the tensor that it changes."""
    values = pytree.tree_leaves((node.args[1:], dict(node.kwargs)))
    return {value for value in values if isinstance(value, Node)}


def _has_mask(operands: set[Node]) -> bool:
    """Whether a mask chooses elements: torch waits for the GPU to count them."""
    return any(one.meta["val"].dtype is torch.bool for one in operands)
