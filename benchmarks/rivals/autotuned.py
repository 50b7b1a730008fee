"""Hand-written Triton kernels under `triton.autotune`, over the lists that people use.

The lists are those of Triton's tutorials: matrix products (03), fused attention (06),
and for rows the number of warps. `autotuned` gives a callable for a work, or None where
no such kernel is written here. Its first call searches the list.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable
from typing import Any

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from rivals import rows
from rivals.attention_kernels import attention_kernel
from rivals.gemm import pointer_kernels

Call = Callable[[], torch.Tensor]

PRODUCTS = (
    (128, 256, 64, 3, 8),
    (64, 256, 32, 4, 4),
    (128, 128, 32, 4, 4),
    (128, 64, 32, 4, 4),
    (64, 128, 32, 4, 4),
    (128, 32, 32, 4, 4),
    (64, 32, 32, 5, 2),
    (32, 64, 32, 5, 2),
    (128, 256, 128, 3, 8),
    (256, 128, 128, 3, 8),
    (256, 64, 128, 4, 4),
    (64, 256, 128, 4, 4),
    (128, 128, 128, 4, 4),
    (128, 64, 64, 4, 4),
    (64, 128, 64, 4, 4),
    (128, 32, 64, 4, 4),
)
"""Tiles along m, n and k, stages and warps."""
GROUP = 8
MOST_ELEMENTS = 256
"""Elements of a row that a thread may hold: it has 255 registers. With 65536 elements
for one or two warps, the compiler does not end."""


def autotuned(name: str, tensors: tuple[torch.Tensor, ...]) -> Call | None:
    """The kernel for a work of that name, bound to its tensors."""
    for pattern, make in _KERNELS:
        if re.search(pattern, name):
            return make(*tensors)
    return None


@functools.cache
def _product_kernel() -> Any:
    configs = [
        triton.Config(
            {"BLOCK_M": m, "BLOCK_N": n, "BLOCK_K": k, "GROUP": GROUP},
            num_stages=stages,
            num_warps=warps,
        )
        for m, n, k, stages, warps in PRODUCTS
    ]
    even = {
        "EVEN_MN": lambda a: a["m"] % a["BLOCK_M"] == 0 and a["n"] % a["BLOCK_N"] == 0,
        "EVEN_K": lambda a: a["k"] % a["BLOCK_K"] == 0,
    }
    kernel = triton.heuristics(even)(pointer_kernels.pointer_kernel)
    return triton.autotune(configs, key=["m", "n", "k"])(kernel)


def _product(
    a: torch.Tensor, b: torch.Tensor, *tail: Any, activation: str = ""
) -> Call:
    """a b, with a bias, an activation and a residual behind it where they are given."""
    batches = a.shape[0] if a.dim() == 3 else 1
    (m, k), n = a.shape[-2:], b.shape[-1]
    out = torch.empty((*a.shape[:-1], n), dtype=a.dtype, device=a.device)
    bias, residual = (*tail, None, None)[:2]

    def grid(meta: dict[str, Any]) -> tuple[int, int]:
        tiles = math.ceil(m / meta["BLOCK_M"]) * math.ceil(n / meta["BLOCK_N"])
        return tiles, batches

    def call() -> torch.Tensor:
        _product_kernel()[grid](
            *(a, b, out, bias, residual, None, None, m, n, k),
            TRANSPOSED=False,
            PRECISION="ieee",
            ACC=tl.float32,
            ACTIVATION=activation,
            BATCHED=a.dim() == 3,
        )
        return out

    return call


def _linear_gelu(x: torch.Tensor, w: torch.Tensor, *tail: Any) -> Call:
    return _product(x, w, *tail, activation="gelu")


@functools.cache
def _row_kernel(kernel: Any) -> Any:
    configs = [
        triton.Config({"ROWS": 1}, num_warps=warps) for warps in (1, 2, 4, 8, 16, 32)
    ]
    even = {"EVEN": lambda a: a["n"] == a["BLOCK"]}
    return triton.autotune(
        configs,
        key=["count", "n"],
        prune_configs_by={"early_config_prune": rows_that_fit},
    )(triton.heuristics(even)(kernel))


def rows_that_fit(
    configs: list[triton.Config], arguments: dict[str, Any], **given: Any
) -> list[triton.Config]:
    """The configurations whose threads can hold a row of `BLOCK` elements."""
    block = given["BLOCK"]
    return [c for c in configs if block <= MOST_ELEMENTS * 32 * c.num_warps]


def _softmax(x: torch.Tensor) -> Call:
    out = torch.empty_like(x)
    count, n = x.shape
    block = triton.next_power_of_2(n)

    def call() -> torch.Tensor:
        _row_kernel(rows.softmax_rows)[(count,)](x, out, count, n, BLOCK=block)
        return out

    return call


def _norm(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None
) -> Call:
    out = torch.empty_like(x)
    count, n = x.shape
    block = triton.next_power_of_2(n)

    def call() -> torch.Tensor:
        _row_kernel(rows.norm_rows)[(count,)](
            *(x, None, weight, bias, out, count, n, rows.EPSILON),
            CENTRED=bias is not None,
            BLOCK=block,
        )
        return out

    return call


def _described(arguments: dict[str, Any]) -> None:
    """Give the descriptors of a launch the tiles of its configuration."""
    features = arguments["FEATURES"]
    for name in ("query", "out"):
        arguments[name].block_shape = [arguments["BM"], features]
    for name in ("key", "value"):
        arguments[name].block_shape = [arguments["BN"], features]


@functools.cache
def _attention_kernel() -> Any:
    configs = [
        triton.Config(
            {"BM": m, "BN": n}, num_stages=stages, num_warps=warps, pre_hook=_described
        )
        for m in (64, 128)
        for n in (32, 64, 128)
        for stages in (2, 3, 4)
        for warps in (4, 8)
        if not (m * n < 128 * 128 and warps == 8 and m == 64)
    ]
    return triton.autotune(configs, key=["length", "FEATURES"])(attention_kernel)


def _causal(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> Call:
    out = torch.empty_like(query)
    batch, heads, length, features = query.shape

    def matrix(tensor: torch.Tensor) -> TensorDescriptor:
        return TensorDescriptor.from_tensor(tensor.view(-1, features), [64, features])

    given = tuple(matrix(tensor) for tensor in (query, key, value, out))

    def call() -> torch.Tensor:
        _attention_kernel()[lambda meta: (length // meta["BM"], batch * heads)](
            *given,
            *(None, None, None, length, 1.0 / math.sqrt(features), None),
            HEADS=heads,
            GROUP=heads // key.shape[1],
            CAUSAL=True,
            WINDOW=0,
            APPROXIMATE=False,
            FEATURES=features,
            DESCRIPTORS=True,
            REGISTERS=False,
        )
        return out

    return call


_KERNELS: tuple[tuple[str, Callable[..., Call]], ...] = (
    (r"^(gemm|batched) (?!nt|tn).*(bf16|f16)$", _product),
    (r"^linear\+gelu \d", _linear_gelu),
    (r"^softmax ", _softmax),
    (r"^(layernorm|rmsnorm) ", _norm),
    (r"^causal attention ", _causal),
)
"""The works that have such a kernel, by a pattern of their names."""
