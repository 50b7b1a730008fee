"""A product of 8-bit floats with a scale for each row and column, tuned.

    python examples/own_kernels/fp8_gemm.py

`b` is stored with its columns one after another, as the matrix units read 8-bit
operands: b[k, n] is at n * K + k.
"""

from __future__ import annotations

import sys

import torch
import triton
import triton.language as tl

from tilewright.autotuner import FP8_GEMM_CONFIGS, get_default_config, tune_triton

SPACE = {**FP8_GEMM_CONFIGS, "BLOCK_K": [32, 64, 128]}


@triton.jit
def fp8_gemm_kernel(
    a_ptr,
    b_ptr,
    a_scale_ptr,
    b_scale_ptr,
    out_ptr,
    M,
    N,
    K,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP_SIZE_M: tl.constexpr,
):
    """A tile of the result; tiles go in groups of rows, which share parts of b."""
    tiles_m, tiles_n = tl.cdiv(M, BLOCK_M), tl.cdiv(N, BLOCK_N)
    tile = tl.program_id(0)
    group = tile // (GROUP_SIZE_M * tiles_n)
    first = group * GROUP_SIZE_M
    height = min(tiles_m - first, GROUP_SIZE_M)
    inside = tile % (GROUP_SIZE_M * tiles_n)
    rows = (first + inside % height) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = (inside // height) * BLOCK_N + tl.arange(0, BLOCK_N)
    steps = tl.arange(0, BLOCK_K)
    a_tile = a_ptr + (rows % M)[:, None] * K + steps[None, :]
    b_tile = b_ptr + (columns % N)[None, :] * K + steps[:, None]
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, K, BLOCK_K):
        left = steps < K - start
        a = tl.load(a_tile, mask=left[None, :], other=0.0)
        b = tl.load(b_tile, mask=left[:, None], other=0.0)
        total = tl.dot(a, b, total)
        a_tile += BLOCK_K
        b_tile += BLOCK_K
    total *= tl.load(a_scale_ptr + rows, mask=rows < M, other=0.0)[:, None]
    total *= tl.load(b_scale_ptr + columns, mask=columns < N, other=0.0)[None, :]
    mask = (rows < M)[:, None] & (columns < N)[None, :]
    out_tile = out_ptr + rows[:, None] * N + columns[None, :]
    tl.store(out_tile, total.to(out_ptr.dtype.element_ty), mask=mask)


def grid(meta):
    """A program for each tile."""
    return (
        triton.cdiv(meta["M"], meta["BLOCK_M"])
        * triton.cdiv(meta["N"], meta["BLOCK_N"]),
    )


def expected(a, b, a_scale, b_scale, out, M, N, K):
    """The same in eager torch, in f32."""
    return (a.float() @ b.float().T) * a_scale[:, None] * b_scale[None, :]


def quantized(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """A matrix in 8 bits with a scale for each row."""
    scale = x.abs().amax(-1).float().clamp(min=1e-12) / 448.0
    return (x / scale[:, None]).to(torch.float8_e4m3fn), scale


def arguments(device: str, M: int, N: int, K: int):
    """Tensors of a call, and its numbers."""
    torch.manual_seed(0)
    a, a_scale = quantized(torch.randn(M, K, device=device))
    b, b_scale = quantized(torch.randn(N, K, device=device))
    out = torch.empty(M, N, device=device, dtype=torch.bfloat16)
    return a, b, a_scale, b_scale, out, M, N, K


def tuned(**options):
    """The kernel, which tunes itself at its first call."""
    return tune_triton(
        fp8_gemm_kernel,
        grid,
        SPACE,
        key=["M", "N", "K"],
        reference=expected,
        prune=["BLOCK_M * BLOCK_N > 32768", "BLOCK_M > 2 * M or BLOCK_N > 2 * N"],
        default=get_default_config("fp8_gemm"),
        **options,
    )


def main() -> None:
    """Tune at the size of a model's layer; at a small one where there is no GPU."""
    on_gpu = torch.cuda.is_available()
    size = (4096, 4096, 4096) if on_gpu else (96, 80, 64)
    call = arguments("cuda" if on_gpu else "cpu", *size)
    kernel = tuned(budget=30.0, trials=None if on_gpu else 6)
    kernel(*call)
    print(kernel.report())


if __name__ == "__main__":
    sys.exit(main())
