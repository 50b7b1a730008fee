"""The first half of a gated MLP in one kernel, tuned: silu(x Wg^T) * (x Wu^T).

    python examples/own_kernels/gated_mlp.py

Both products read the same rows of `x`, so a program computes the same tile of both.
"""

from __future__ import annotations

import sys

import torch
import triton
import triton.language as tl

from tilewright.autotuner import GATED_MLP_CONFIGS, get_default_config, tune_triton

SPACE = {**GATED_MLP_CONFIGS, "BLOCK_N": [32, 64, 128], "BLOCK_K": [32, 64, 128]}


@triton.jit
def silu(x):
    """The gate's activation."""
    return x * tl.sigmoid(x)


@triton.jit
def gated_mlp_kernel(
    x_ptr,
    gate_ptr,
    up_ptr,
    out_ptr,
    M,
    N,
    K,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    """A tile of the result; neighbouring programs share columns of the weights."""
    tiles_m = tl.cdiv(M, BLOCK_M)
    tile = tl.program_id(0)
    rows = (tile % tiles_m) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = (tile // tiles_m) * BLOCK_N + tl.arange(0, BLOCK_N)
    steps = tl.arange(0, BLOCK_K)
    # Rows and columns beyond the end read others; the store leaves them out.
    x_tile = x_ptr + (rows % M)[:, None] * K + steps[None, :]
    gate_tile = gate_ptr + (columns % N)[None, :] * K + steps[:, None]
    up_tile = up_ptr + (columns % N)[None, :] * K + steps[:, None]
    gate = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    up = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, K, BLOCK_K):
        inside = steps < K - start
        x = tl.load(x_tile, mask=inside[None, :], other=0.0)
        gate = tl.dot(x, tl.load(gate_tile, mask=inside[:, None], other=0.0), gate)
        up = tl.dot(x, tl.load(up_tile, mask=inside[:, None], other=0.0), up)
        x_tile += BLOCK_K
        gate_tile += BLOCK_K
        up_tile += BLOCK_K
    result = (silu(gate) * up).to(out_ptr.dtype.element_ty)
    mask = (rows < M)[:, None] & (columns < N)[None, :]
    tl.store(out_ptr + rows[:, None] * N + columns[None, :], result, mask=mask)


def grid(meta):
    """A program for each tile."""
    return (
        triton.cdiv(meta["M"], meta["BLOCK_M"])
        * triton.cdiv(meta["N"], meta["BLOCK_N"]),
    )


def expected(x, gate, up, out, M, N, K):
    """The same in eager torch, in f32."""
    x, gate, up = x.float(), gate.float(), up.float()
    return torch.nn.functional.silu(x @ gate.T) * (x @ up.T)


def arguments(device: str, M: int, N: int, K: int):
    """Tensors of a call, and its numbers."""
    torch.manual_seed(0)
    kind = torch.bfloat16
    x = torch.randn(M, K, device=device, dtype=kind)
    gate = torch.randn(N, K, device=device, dtype=kind) / K**0.5
    up = torch.randn(N, K, device=device, dtype=kind) / K**0.5
    return x, gate, up, torch.empty(M, N, device=device, dtype=kind), M, N, K


def tuned(**options):
    """The kernel, which tunes itself at its first call."""
    return tune_triton(
        gated_mlp_kernel,
        grid,
        SPACE,
        key=["M", "N", "K"],
        reference=expected,
        # Two accumulators: a tile of 128 x 128 leaves four warps no registers.
        prune="BLOCK_M * BLOCK_N > 64 * 128 and num_warps < 8",
        default=get_default_config("gated_mlp"),
        **options,
    )


def main() -> None:
    """Tune at the size of a model's layer; at a small one where there is no GPU."""
    on_gpu = torch.cuda.is_available()
    size = (4096, 11008, 4096) if on_gpu else (48, 96, 64)
    call = arguments("cuda" if on_gpu else "cpu", *size)
    kernel = tuned(budget=30.0, trials=None if on_gpu else 6)
    kernel(*call)
    print(kernel.report())


if __name__ == "__main__":
    sys.exit(main())
