"""Ops that become payload only where they have to: on a GPU, torch has faster ones.

A convolution of torch is one call of cuDNN, which takes padding, groups and bias. As
payload, padding is a kernel of its own, and sums over groups are kernels without matrix
units.
"""

from __future__ import annotations

import torch
from torch.fx import Node

from tilewright.torch_backend.lowering.node_call import op_name

_FASTER_IN_TORCH = {
    "aten.convolution.default": "cuDNN computes it in one call",
}


def faster_in_torch(node: Node, device: torch.device) -> str | None:
    """Why a node had better stay in torch; None if it had not."""
    return _FASTER_IN_TORCH.get(op_name(node)) if device.type == "cuda" else None
