"""Whether a node can become payload: it is in the table, and lowers by itself."""

from __future__ import annotations

import logging
import operator
from dataclasses import dataclass
from typing import Any

import torch
from torch.fx import Node
from torch.utils import _pytree as pytree

from tilewright.ir.errors import CompilerBug, UserError
from tilewright.torch_backend.capture.graph_edits import may_be_view
from tilewright.torch_backend.lowering.lower import lower
from tilewright.torch_backend.lowering.node_call import op_name
from tilewright.torch_backend.lowering.owned_writes import OWNED, writes_unowned
from tilewright.torch_backend.lowering.sizes import hinted
from tilewright.torch_backend.ops.table import OPS

_log = logging.getLogger("tilewright.torch")


@dataclass(frozen=True)
class Support:
    """Whether a node becomes payload, or why it stays a call of torch."""

    reason: str | None = None

    @property
    def is_payload(self) -> bool:
        """Whether the node becomes payload."""
        return self.reason is None


YES = Support()
UNKNOWN = "tilewright has no kernel for it"
VIEW = "a view that torch makes, which moves nothing"
"""Reasons of ops that are not in the table."""


def is_number(node: Node) -> bool:
    """Whether a node gives a number or sizes, which torch computes on the host."""
    value = node.meta.get("val")
    return isinstance(
        value, torch.SymInt | torch.SymFloat | torch.SymBool | int | float
    )


def is_on_meta(node: Node) -> bool:
    """Whether a node gives or reads a tensor on `meta`, which has no elements."""
    values = [node.meta.get("val"), *(n.meta.get("val") for n in node.all_input_nodes)]
    return any(
        isinstance(one, torch.Tensor) and one.device.type == "meta"
        for one in pytree.tree_leaves(values)
    )


def why_not(node: Node, device: torch.device, *, strict: bool = False) -> Support:
    """Decide for a node of ATen ops; `strict` raises errors of our own."""
    name = op_name(node)
    if name not in OPS:
        if OWNED in node.meta:
            return Support("it writes an input in its place")
        is_op = isinstance(node.target, torch._ops.OpOverload)
        return Support(VIEW if is_op and may_be_view(node) else UNKNOWN)
    if writes_unowned(node):
        return Support("it writes to a tensor that is read elsewhere")
    operands = node.all_input_nodes
    values = [*_read_results(node), *(one.meta.get("val") for one in operands)]
    tensors = [
        one
        for value in values
        for one in (value if isinstance(value, tuple | list) else [value])
        if isinstance(one, torch.Tensor)
    ]
    if any(one.device != device for one in tensors):
        return Support(f"tensors on another device than {device}")
    if any(one.layout is not torch.strided for one in tensors):
        return Support("a sparse tensor")
    if any(size == 0 for one in tensors for size in one.shape if isinstance(size, int)):
        return Support("an empty tensor")
    inputs = [one for one in operands if isinstance(one.meta.get("val"), torch.Tensor)]
    lists = [one for one in operands if isinstance(one.meta.get("val"), tuple | list)]
    if lists:
        return Support("an operand that is a list of tensors")
    try:
        lower([node], inputs, [], sizes=hinted(values))
    except UserError as error:
        return Support(error.fact)
    except (CompilerBug, Exception) as error:
        if strict:
            raise
        _log.warning("%s: %s: %s", name, type(error).__name__, error)
        return Support(f"an error of tilewright: {error}")
    return YES


def _read_results(node: Node) -> list[Any]:
    """The results of a node that are read; of several, others may be empty tensors."""
    made = node.meta.get("val")
    if not isinstance(made, tuple | list):
        return [made]
    read = [user.args[1] for user in node.users if is_item(user)]
    return [one for place, one in enumerate(made) if place in read]


def signature(node: Node) -> Any:
    """What decides on a call of an op: nodes of equal signatures are treated alike."""

    def shown(given: Node) -> Any:
        value = given.meta.get("val")
        if isinstance(value, torch.Tensor) and value.layout is torch.strided:
            shape, strides = tuple(value.shape), value.stride()
            return f"{value.dtype}{shape}{strides}{value.device}"
        return str(value)

    used = tuple(user.args[1] for user in node.users if is_item(user))
    given = torch.fx.map_arg((node.args, node.kwargs), shown)
    return op_name(node), used, shown(node), repr(given)


def main_device(nodes: list[Node]) -> torch.device:
    """The device of the most tensors of a graph: a GPU, if one is on a GPU.

    On a CPU an interpreter would run kernels, and on `meta` nothing runs.
    """
    counts: dict[torch.device, int] = {}
    for node in nodes:
        value = node.meta.get("val")
        if isinstance(value, torch.Tensor):
            counts[value.device] = counts.get(value.device, 0) + 1
    for few in (("cpu", "meta"), ("meta",)):
        counts = {d: n for d, n in counts.items() if d.type not in few} or counts
    return max(counts, key=counts.__getitem__, default=torch.device("cpu"))


def is_item(node: Node) -> bool:
    """Whether a node picks one of several results."""
    return node.target is operator.getitem
