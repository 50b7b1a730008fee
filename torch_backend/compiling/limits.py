"""When a payload whose plan is refused is left to others: it is cut, or torch keeps it.

A plan may leave out kernels that were refused, and one kernel an op is the last resort.
Whether that is worth it is a question of time: torch runs the same nodes by a kernel
each, as it does without a compiler.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import torch
from torch.fx import Node
from torch.utils import _pytree as pytree
from torch.utils.flop_counter import flop_registry

from tilewright.codegen.targets import Target
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.planned_build import Limits
from tilewright.torch_backend.lowering.dtypes import dtype_name
from tilewright.torch_backend.lowering.lower import Lowered

SLOWEST = 1.05
"""How many times as long as torch's a plan's estimate may be after a refusal."""
_SECONDS = 60.0
"""No further plan of a payload is made after this time."""


def limits_of(lowered: Lowered, gpu: Target) -> Limits:
    """The limits of a payload's plan.

    A payload of several nodes is cut where it is refused, so that the rest keeps its
    plan; only that of one node may have a kernel for each op.
    """
    nodes = dict.fromkeys(
        node for op, node in lowered.origins.items() if isinstance(op, StructuredOp)
    )
    return Limits(_SECONDS, SLOWEST * torch_seconds(nodes, gpu), len(nodes) <= 1)


def torch_seconds(nodes: Iterable[Node], gpu: Target) -> float:
    """The least time that torch needs for nodes: a kernel each, at the GPU's rates.

    It is infinite where sizes are known only at run time.
    """
    return sum(_seconds(node, gpu) for node in nodes)


def _seconds(node: Node, gpu: Target) -> float:
    values = [one.meta.get("val") for one in (node, *node.all_input_nodes)]
    tensors = [
        one for one in pytree.tree_leaves(values) if isinstance(one, torch.Tensor)
    ]
    if any(isinstance(size, torch.SymInt) for one in tensors for size in one.shape):
        return math.inf
    moved = sum(one.numel() * one.element_size() for one in tensors)
    arithmetic = _arithmetic(node, tensors[-1].dtype, gpu) if tensors else 0.0
    return gpu.calibration.launch + max(moved / gpu.hbm_bandwidth, arithmetic)


def _arithmetic(node: Node, dtype: torch.dtype, gpu: Target) -> float:
    """The time of a matmul, a convolution or attention; other ops wait for memory."""
    packet = getattr(node.target, "overloadpacket", None)
    flops_of: Any = flop_registry.get(packet)
    if flops_of is None:
        return 0.0

    def value_of(given: Node) -> Any:
        return given.meta.get("val")

    args, kwargs = torch.fx.map_arg((node.args, node.kwargs), value_of)
    flops = flops_of(*args, **kwargs, out_val=node.meta["val"])
    return flops / gpu.flops(dtype_name(dtype))
