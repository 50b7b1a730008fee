"""Ops that become payload only where they have to: on a GPU, torch has faster ones.

A convolution of torch is one call of cuDNN, which takes padding, groups and bias. As
payload, padding is a kernel of its own, and sums over groups are kernels without matrix
units. Large windows of poolings are reductions that gather. A kernel of ours scans a
row in one program: a few long rows leave the GPU idle, which torch scans in parts.
Attention that no kernel of ours streams is one kernel of torch's.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch.fx import Node

from tilewright.planning.grouping.streams import WIDEST_HELD
from tilewright.torch_backend.lowering.node_call import op_name
from tilewright.torch_backend.ops.result import BY_WINDOWS
from tilewright.torch_backend.options import Options

_CONVOLUTION = "aten.convolution.default"
_POOLINGS = {
    "aten.max_pool2d_with_indices.default": 2,
    "aten.max_pool3d_with_indices.default": 3,
    "aten.avg_pool1d.default": 1,
    "aten.avg_pool2d.default": 2,
    "aten.avg_pool3d.default": 3,
}
"""The dimensions of their windows."""
_LARGE_WINDOW = 64
"""The most elements of a window of a pooling that a kernel of ours reduces."""
_SCANS = tuple(f"aten.{name}.default" for name in ("cumsum", "cumprod"))
_SUMS_AT_INDICES = (
    "aten.index_add.default",
    "aten.scatter_add.default",
    "aten.scatter_reduce.two",
)
_FEW_ROWS, _LONG_ROW = 64, 65536
"""Fewer rows than this, of at least so many elements, leave the GPU idle if a program
scans each."""
_ATTENTION = (
    "aten.scaled_dot_product_attention.default",
    "aten._scaled_dot_product_efficient_attention.default",
)
_FEW_QUERIES, _WIDEST_HEAD = 32, 128
"""Attention with fewer queries, or wider heads, has no kernel on the tensor cores."""


def placed(device: torch.device, options: Options) -> torch.device:
    """The device to decide for: that of the tensors, or the one the options name."""
    return torch.device("cuda") if options.placement == "gpu" else device


def keeps_convolutions(device: torch.device) -> bool:
    """Whether the convolutions on a device stay in torch."""
    return device.type == "cuda"


def faster_in_torch(node: Node, device: torch.device, options: Options) -> str | None:
    """Why a node had better stay in torch; None if it had not."""
    name = op_name(node)
    is_convolution = name == _CONVOLUTION and BY_WINDOWS not in node.meta
    if name in _SUMS_AT_INDICES and torch.are_deterministic_algorithms_enabled():
        return "its sums need an order, which atomics do not have"
    if is_convolution and keeps_convolutions(device):
        return "cuDNN computes it in one call"
    if device.type != "cuda":
        return None
    if name in _POOLINGS:
        kernel: Any = node.args[1]
        sizes = [kernel] if isinstance(kernel, int) else list(kernel)
        sizes = sizes * _POOLINGS[name] if len(sizes) == 1 else sizes
        if math.prod(sizes) > _LARGE_WINDOW and not _is_whole(node, sizes):
            return "torch has a kernel for large windows"
    if name in _SCANS and _scans_few_rows(node):
        return "torch scans a few long rows in parts"
    if name in _ATTENTION and not _is_streamed(node, options):
        return "torch computes it in one kernel"
    return None


def _is_streamed(node: Node, options: Options) -> bool:
    """Whether a kernel of ours streams attention: see `planning/sketches`.

    Where none does, scores are stored: 470 us for the head of 512 features of
    `AutoencoderKL` on an H200, and 365 us in torch's kernel (benchmarks/zoo).
    """
    given: list[Any] = list(node.args[:3])
    query, key, value = (arg.meta.get("val") for arg in given)
    if query is None or value is None:
        return True
    sizes = (query.shape[-2], query.shape[-1], value.shape[-1])
    are_known = all(isinstance(size, int) for size in sizes)
    if query.dtype != torch.float32:
        is_wide = are_known and max(sizes[1:]) > WIDEST_HELD
        return not (is_wide and _has_kernel(node, query, key))
    if not are_known:
        return False
    is_fit = sizes[0] > _FEW_QUERIES and max(sizes[1:]) <= _WIDEST_HEAD
    return is_fit and options.f32_products == "tf32x3"


def _has_kernel(node: Node, query: torch.Tensor, key: torch.Tensor) -> bool:
    """Whether torch certainly has a kernel: heads are equal, and there is no mask."""
    mask = node.args[3] if len(node.args) > 3 else node.kwargs.get("attn_mask")
    return mask is None and query.ndim == 4 and query.shape[:2] == key.shape[:2]


def _is_whole(node: Node, sizes: list[int]) -> bool:
    """Whether a pooling's window is the whole image, without padding."""
    image: Any = node.args[0]
    padding: Any = node.args[3] if len(node.args) > 3 else 0
    pads = [padding] if isinstance(padding, int) else padding
    return sizes == list(image.meta["val"].shape[-len(sizes) :]) and not any(pads)


def _scans_few_rows(node: Node) -> bool:
    """Whether a scan has fewer rows than keep a GPU busy, and long ones."""
    source: Any = node.args[0]
    value = source.meta.get("val")
    if value is None or value.dim() == 0:
        return False
    length = value.shape[int(node.args[1])]  # pyright: ignore[reportArgumentType]
    if not all(isinstance(size, int) for size in value.shape):
        return False
    return length >= _LONG_ROW and value.numel() // length < _FEW_ROWS
