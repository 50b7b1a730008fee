"""Inputs that only tell a payload its sizes.

A payload takes its open sizes from the shapes of its arguments. One that reads rows of
which torch says that there are `batch * length`, and gives them as `batch` sequences,
as the part of a mixture of experts behind its `topk` does, has no argument with the
length. A tensor that the graph is given has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch.fx import Node

from tilewright.torch_backend.lowering.dtypes import has_name
from tilewright.torch_backend.lowering.sizes import expression_of, symbols_of


def tensors_with_sizes(nodes: Sequence[Node], inputs: Iterable[Node]) -> list[Node]:
    """Tensors of the graph's caller with the sizes that no input of a payload has."""
    read = list(inputs)
    needed = {
        symbol
        for node in (*nodes, *read)
        for symbol in symbols_of(node.meta.get("val"))
    }
    if not needed:
        return []
    missing = needed - {size for node in read for size in _told(node)}
    devices = {_device(node) for node in nodes} - {None}
    found: list[Node] = []
    for node in nodes[0].graph.find_nodes(op="placeholder"):
        if not (_device(node) in devices and _is_argument(node)):
            continue  # A launch reads device and strides of each argument.
        if told := missing & _told(node):
            found.append(node)
            missing -= told
    return found


def _told(node: Node) -> set[Any]:
    """The symbols that are a dimension of a tensor by themselves."""
    value = node.meta.get("val")
    if not isinstance(value, torch.Tensor):
        return set()
    open_sizes = (size for size in value.shape if isinstance(size, torch.SymInt))
    return {expression_of(size) for size in open_sizes if expression_of(size).is_Symbol}


def _device(node: Node) -> torch.device | None:
    value = node.meta.get("val")
    return value.device if isinstance(value, torch.Tensor) else None


def _is_argument(node: Node) -> bool:
    """Whether a payload can have a tensor as an argument."""
    value = node.meta["val"]
    return value.layout is torch.strided and has_name(value.dtype)
