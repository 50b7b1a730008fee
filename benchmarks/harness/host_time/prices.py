"""What single operations take on this host, in microseconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch

from harness.host_time.watched import synchronize

_ROUNDS, _CALLS = 60, 40
_Timed = dict[str, Callable[[], Any]]


def prices(device: str) -> dict[str, float]:
    """The least time of each operation, among rounds that go through all in turn."""
    with torch.no_grad():
        timed = _operations(device)
        best = _least(timed)
        with torch._C._AutoDispatchBelowAutograd():
            for name, taken in _least(timed).items():
                best[f"{name}, below autograd"] = taken
    return best


def _least(timed: _Timed) -> dict[str, float]:
    best = dict.fromkeys(timed, float("inf"))
    for _ in range(_ROUNDS):
        for name, call in timed.items():
            synchronize()
            started = time.perf_counter()
            for _ in range(_CALLS):
                call()
            taken = (time.perf_counter() - started) / _CALLS * 1e6
            best[name] = min(best[name], taken)
    return best


def _operations(device: str) -> _Timed:
    from torch._C._dynamo import guards

    last = torch.channels_last
    image = torch.randn(1, 16, 4, 4, device=device, dtype=torch.bfloat16)
    image = image.contiguous(memory_format=last)
    filters = torch.randn(16, 16, 3, 3, device=device, dtype=torch.bfloat16)
    filters = filters.contiguous(memory_format=last)
    matrix = torch.randn(16, 16, device=device, dtype=torch.bfloat16)
    made = torch.empty_like(matrix)
    turned = image.permute(0, 2, 3, 1)
    empty = getattr(guards, f"_empty_strided_{device}")
    reinterpreted = getattr(guards, "_reinterpret_tensor")  # noqa: B009
    one, none = (1, 1), (0, 0)
    found: _Timed = {
        "permute": lambda: image.permute((0, 2, 3, 1)),
        "view as other sizes (_reinterpret_tensor)": lambda: reinterpreted(
            image, (1, 4, 4, 16), (256, 64, 16, 1), 0
        ),
        "contiguous": lambda: turned.contiguous(),
        "contiguous, channels last": lambda: image.contiguous(memory_format=last),
        "strides compared": lambda: image.stride() == (256, 1, 64, 16),
        "data_ptr": lambda: image.data_ptr(),
        "allocation and release": lambda: empty(
            (1, 4, 4, 16), (256, 64, 16, 1), torch.bfloat16
        ),
        "copy_": lambda: made.copy_(matrix),
        "mm": lambda: torch.mm(matrix, matrix),
        "mm into a tensor": lambda: torch.mm(matrix, matrix, out=made),
        "convolution": lambda: torch.convolution(
            image, filters, None, one, one, one, False, none, 1
        ),
        "convolution by its op": lambda: torch.ops.aten.convolution.default(
            image, filters, None, one, one, one, False, none, 1
        ),
    }
    if device == "cuda":
        cudnn: Any = torch.cudnn_convolution
        out = torch.convolution(image, filters, None, one, one, one, False, none, 1)
        given = (image, filters, one, one, one, 1, False, False, True)
        found["cudnn_convolution"] = lambda: cudnn(*given)
        found["cudnn_convolution into a tensor"] = lambda: cudnn(*given, out=out)
        found["current stream"] = lambda: torch._C._cuda_getCurrentRawStream(0)
    return found
