"""Checks of indices before the ops that read or write there (`check_indices=True`).

Kernels do not check indices. With the option, each tensor of indices goes through a
call that looks at its smallest and largest one, and raises an `IndexError` with the
model's line before a kernel sees it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.fx import Graph, Node

from tilewright.torch_backend.lowering.model_lines import model_place
from tilewright.torch_backend.lowering.node_call import op_name, short_name


@dataclass(frozen=True)
class _Indexed:
    """Where an op has its indices."""

    index: int
    """The argument with the indices."""
    table: int = 0
    """The argument that they point into."""
    dim: int | None = None
    """The argument that has the dimension; the first dimension without one."""
    ignored: int | None = None
    """The argument with an index that stands for nothing, such as `ignore_index`."""
    from_end: bool = False
    """Whether indices may count from the end."""
    classes: bool = False
    """Whether the dimension is that of classes: the second, or the only one."""


_INDEXED = {
    "aten.embedding.default": _Indexed(1),
    "aten.index_select.default": _Indexed(2, dim=1),
    "aten.gather.default": _Indexed(2, dim=1),
    "aten.scatter.src": _Indexed(2, dim=1),
    "aten.scatter_.src": _Indexed(2, dim=1),
    "aten.scatter.value": _Indexed(2, dim=1),
    "aten.scatter_.value": _Indexed(2, dim=1),
    "aten.index_copy.default": _Indexed(2, dim=1),
    "aten.index_copy_.default": _Indexed(2, dim=1),
    "aten.index_fill.int_Scalar": _Indexed(2, dim=1, from_end=True),
    "aten.index_fill_.int_Scalar": _Indexed(2, dim=1, from_end=True),
    "aten.index_fill.int_Tensor": _Indexed(2, dim=1, from_end=True),
    "aten.index_fill_.int_Tensor": _Indexed(2, dim=1, from_end=True),
    "aten.scatter_add.default": _Indexed(2, dim=1),
    "aten.scatter_reduce.two": _Indexed(2, dim=1),
    "aten.index_add.default": _Indexed(2, dim=1),
    "aten.nll_loss_forward.default": _Indexed(1, ignored=4, classes=True),
    "aten.nll_loss2d_forward.default": _Indexed(1, ignored=4, classes=True),
}
_LISTS = tuple(
    f"aten.{name}"
    for name in ("index.Tensor", "index_put.default", "index_put_.default")
)
"""Ops with a tensor of indices for each dimension, which may count from the end."""


def check_indices(graph: Graph) -> None:
    """Let every tensor of indices of a graph go through a check."""
    for node in list(graph.nodes):
        name = op_name(node) if node.op == "call_function" else ""
        if name in _INDEXED:
            _check_argument(graph, node, _INDEXED[name])
        elif name in _LISTS:
            _check_list(graph, node)


def is_check(node: Node) -> bool:
    """Whether a node checks indices."""
    return node.target is checked_indices


def checked_indices(
    index: torch.Tensor,
    table: torch.Tensor,
    dim: int,
    from_end: bool,
    ignored: int | None,
    where: str,
) -> torch.Tensor:
    """The indices; raises if one is outside of a dimension of the table.

    The host waits for the device. Fake tensors have no numbers to check.
    """
    if isinstance(index, FakeTensor) or index.numel() == 0:
        return index
    looked = index if ignored is None else index[index != ignored]
    if looked.numel() == 0:
        return index
    size = table.shape[dim] if table.dim() else 1
    least, most = torch.stack(torch.aminmax(looked.reshape(-1))).tolist()
    low = -size if from_end else 0
    if least < low or most >= size:
        wrong = least if least < low else most
        raise IndexError(f"{where}: index {wrong} is outside of {low} .. {size - 1}")
    return index


def _check_argument(graph: Graph, node: Node, of: _Indexed) -> None:
    index, table = node.args[of.index], node.args[of.table]
    if not (isinstance(index, Node) and isinstance(table, Node)):
        return
    dim: Any = 0 if of.dim is None else node.args[of.dim]
    if of.classes:
        dim = 1 if table.meta["val"].dim() > 1 else 0
    ignored = None if of.ignored is None else node.args[of.ignored]
    from_end = of.from_end
    check = _check(graph, node, index, table, dim, from_end=from_end, ignored=ignored)
    node.update_arg(of.index, check)


def _check_list(graph: Graph, node: Node) -> None:
    table: Any = node.args[0]
    indices: Any = list(node.args[1])  # pyright: ignore[reportArgumentType]
    for place, dim in _dimensions(indices):
        indices[place] = _check(graph, node, indices[place], table, dim, from_end=True)
    node.update_arg(1, indices)


def _dimensions(indices: list[Any]) -> Iterator[tuple[int, int]]:
    """The places of integer indices in a list, with the dimensions they point along."""
    dim = 0
    for place, index in enumerate(indices):
        if index is None:
            dim += 1
        elif (value := index.meta["val"]).dtype in (torch.bool, torch.uint8):
            dim += value.dim()
        else:
            yield place, dim
            dim += 1


def _check(
    graph: Graph,
    node: Node,
    index: Node,
    table: Node,
    dim: int,
    *,
    from_end: bool,
    ignored: Any = None,
) -> Node:
    place = model_place(node)
    where = f"{'' if place is None else f'{place}: '}{short_name(op_name(node))}"
    with graph.inserting_before(node):
        made = graph.call_function(
            checked_indices, (index, table, dim, from_end, ignored, where)
        )
    made.meta = {**node.meta, "val": index.meta["val"]}
    return made
