"""Ops that become payload only where they have to: on a GPU, torch has faster ones.

A convolution of torch is one call of cuDNN, which takes padding, groups and bias. As
payload, padding is a kernel of its own, and sums over groups are kernels without matrix
units. Large windows of poolings are reductions that gather. A kernel of ours scans a
row in one program: a few long rows leave the GPU idle, which torch scans in parts. The
device model estimates both.
Attention that no kernel of ours streams is one kernel of torch's.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import torch
from torch.fx import Node

from tilewright.payloads import Payload, scan
from tilewright.pipeline import parse_payload
from tilewright.planning.plan import CLOSE, plan
from tilewright.planning.sketches.streams.shape import FEW_ROWS
from tilewright.program import find_target
from tilewright.torch_backend.lowering.node_call import op_name
from tilewright.torch_backend.ops.result import is_own
from tilewright.torch_backend.options import Options
from tilewright.transforms.cleanup.patterns.linalg.sums_order import WIDEST_HELD

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
_NEEDS_ORDER = {
    **dict.fromkeys(
        (
            "aten.index_add.default",
            "aten.scatter_add.default",
            "aten.scatter_reduce.two",
        ),
        "its sums need an order, which atomics do not have",
    ),
    **dict.fromkeys(
        (
            "aten.index_copy.default",
            "aten.index_copy_.default",
            "aten.index_put.default",
            "aten.index_put_.default",
            "aten.scatter.src",
            "aten.scatter_.src",
        ),
        "its stores need an order, which a kernel's do not have",
    ),
}
"""Why ops at computed indices stay in torch under its deterministic algorithms."""
_LAUNCHES = 2
"""The kernels of a scan in parts: the totals of the parts, and their elements."""
_NUMBERS = {1: "i8", 2: "f16", 4: "f32", 8: "i64"}
"""A type of numbers that can be added, by its bytes."""
_ATTENTION = (
    "aten.scaled_dot_product_attention.default",
    "aten._scaled_dot_product_efficient_attention.default",
)
_WIDEST_HEAD = 128
"""Attention in f32 with wider heads has no kernel on the tensor cores."""


def placed(device: torch.device, options: Options) -> torch.device:
    """The device to decide for: that of the tensors, or the one the options name."""
    return torch.device("cuda") if options.placement == "gpu" else device


def keeps_convolutions(device: torch.device) -> bool:
    """Whether the convolutions on a device stay in torch."""
    return device.type == "cuda"


def faster_in_torch(node: Node, device: torch.device, options: Options) -> str | None:
    """Why a node had better stay in torch; None if it had not."""
    name = op_name(node)
    is_convolution = name == _CONVOLUTION and not is_own(node)
    if name in _NEEDS_ORDER and torch.are_deterministic_algorithms_enabled():
        return _NEEDS_ORDER[name]
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
    if name in _SCANS and _scans_few_rows(node, options):
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
    is_fit = sizes[0] > FEW_ROWS and max(sizes[1:]) <= _WIDEST_HEAD
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


def _scans_few_rows(node: Node, options: Options) -> bool:
    """Whether a scan takes much longer than one whose rows are scanned in parts."""
    source: Any = node.args[0]
    value = source.meta.get("val")
    if value is None or value.dim() == 0 or value.element_size() not in _NUMBERS:
        return False
    if not all(isinstance(size, int) and size > 0 for size in value.shape):
        return False
    axis = int(node.args[1]) % value.dim()  # pyright: ignore[reportArgumentType]
    number = _NUMBERS[value.element_size()]
    ours = _scan_seconds(tuple(value.shape), axis, number, options.target)
    target, _ = find_target(options.target)
    moved = 2 * value.numel() * value.element_size()
    moving = moved / (target.hbm_bandwidth * target.calibration.memory.share)
    return ours > CLOSE * (_LAUNCHES * target.calibration.launch + moving)


@cache
def _scan_seconds(shape: tuple[int, ...], axis: int, number: str, target: str) -> float:
    """The planner's estimate of a scan."""
    payload = Payload("scan")
    x = payload.input("x", shape, number)
    payload.output(scan("sum", x, axis=axis, dtype=number))
    return plan(parse_payload(payload.text()), find_target(target)[0]).seconds
