"""Weights as constants: what depends on them alone is computed ahead, by torch.

Before:

    weight, x = inputs
    turned = aten.permute(weight, [1, 0])
    out = aten.mm(x, turned)

After, with `turned` a constant that is transposed already:

    x = inputs
    out = aten.mm(x, turned)
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch.fx import Node, map_arg

from tilewright.torch_backend.capture.exported import Exported
from tilewright.torch_backend.ops.table import OPS

_SMALL = 1 << 16
"""A result of this many elements is folded even if its operands have fewer."""


@dataclass(frozen=True)
class Folded:
    """A graph without its weights, and the constants that it reads instead."""

    exported: Exported
    constants: Mapping[Node, torch.Tensor]


def fold(exported: Exported, *, weights: bool = True) -> Folded:
    """Make constants of all weights, and of what depends on constants alone.

    Inputs of the user stay inputs, and so do weights unless they are asked for.
    """
    known: dict[Node, Any] = dict(exported.weights) if weights else {}
    inputs = tuple(node for node in exported.inputs if node not in known)
    created: set[Node] = set()
    for node in exported.nodes:
        if any(operand not in known for operand in node.all_input_nodes):
            continue
        if (value := _computed(node, known)) is not None:
            known[node] = value
            created |= {node} if not node.all_input_nodes else set()
    # An op without operands, such as arange, costs less than reading its elements.
    created = {node for node in created if str(node.target) in OPS}
    kept = tuple(n for n in exported.nodes if n not in known or n in created)
    read = {one for node in kept for one in node.all_input_nodes} | set(
        exported.outputs
    )
    constants = {
        node: value
        for node, value in known.items()
        if node in read and node not in created
    }
    nodes = tuple(node for node in kept if node not in created or node in read)
    return Folded(replace(exported, inputs=inputs, nodes=nodes), constants)


def _computed(node: Node, known: Mapping[Node, Any]) -> Any:
    """The result of a node whose operands are known; None if it stays an op."""
    if node.target is operator.getitem:
        return known[node.args[0]][node.args[1]]  # pyright: ignore[reportArgumentType]
    target = node.target
    if not isinstance(target, torch._ops.OpOverload) or target._schema.is_mutable:
        return None
    if torch.Tag.nondeterministic_seeded in target.tags or not _is_worth_it(node):
        return None
    arguments: Any = map_arg((node.args, dict(node.kwargs)), known.__getitem__)
    args, kwargs = arguments
    with torch.no_grad():
        return target(*args, **kwargs)


def _is_worth_it(node: Node) -> bool:
    """Whether the result is not much larger than what it is computed from."""
    made = _elements(node.meta.get("val"))
    given = sum(_elements(one.meta.get("val")) for one in node.all_input_nodes)
    return made <= max(given, _SMALL)


def _elements(value: Any) -> int:
    values = value if isinstance(value, tuple | list) else [value]
    return sum(one.numel() for one in values if isinstance(one, torch.Tensor))
