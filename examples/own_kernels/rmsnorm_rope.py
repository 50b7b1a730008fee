"""RMS normalization and rotary position embedding in one kernel, tuned.

    python examples/own_kernels/rmsnorm_rope.py

A row of `x` is normalized and scaled; then the two halves of each head are rotated by
the angle of the row's position.
"""

from __future__ import annotations

import sys

import torch
import triton
import triton.language as tl

from tilewright.autotuner import RMSNORM_ROPE_CONFIGS, get_default_config, tune_triton

SPACE = {**RMSNORM_ROPE_CONFIGS, "BLOCK_SIZE": [128, 256, 512, 1024, 2048, 4096]}


@triton.jit
def rmsnorm_rope_kernel(
    x_ptr,
    weight_ptr,
    cos_ptr,
    sin_ptr,
    out_ptr,
    hidden,
    positions,
    eps,
    HEAD_DIM: tl.constexpr,
    BLOCK_SIZE: tl.constexpr,
):
    """One program a row: a pass for the mean of squares, and one that writes."""
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * hidden
    out_ptr += row * hidden
    half: tl.constexpr = HEAD_DIM // 2

    squares = tl.zeros([BLOCK_SIZE], tl.float32)
    for start in range(0, hidden, BLOCK_SIZE):
        columns = start + tl.arange(0, BLOCK_SIZE)
        x = tl.load(x_ptr + columns, mask=columns < hidden, other=0.0).to(tl.float32)
        squares += x * x
    scale = tl.rsqrt(tl.sum(squares) / hidden + eps)

    position = row % positions
    for start in range(0, hidden, BLOCK_SIZE):
        columns = start + tl.arange(0, BLOCK_SIZE)
        mask = columns < hidden
        # The partner of a column is the same column of the head's other half.
        inside = columns % HEAD_DIM
        first = inside < half
        partner = tl.where(first, columns + half, columns - half)
        x = tl.load(x_ptr + columns, mask=mask, other=0.0).to(tl.float32)
        other = tl.load(x_ptr + partner, mask=mask, other=0.0).to(tl.float32)
        x *= tl.load(weight_ptr + columns, mask=mask, other=0.0).to(tl.float32)
        other *= tl.load(weight_ptr + partner, mask=mask, other=0.0).to(tl.float32)
        angle = position * half + inside % half
        cos = tl.load(cos_ptr + angle, mask=mask, other=0.0).to(tl.float32)
        sin = tl.load(sin_ptr + angle, mask=mask, other=0.0).to(tl.float32)
        rotated = x * cos + tl.where(first, -other, other) * sin
        tl.store(
            out_ptr + columns, (rotated * scale).to(out_ptr.dtype.element_ty), mask
        )


def grid(meta):
    """A program for each row."""
    x = meta["x_ptr"]
    return (x.numel() // x.shape[-1],)


def expected(x, weight, cos, sin, out, hidden, positions, eps, HEAD_DIM):
    """The same in eager torch, in f32."""
    wide = x.float()
    y = wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + eps) * weight.float()
    heads = y.view(-1, positions, hidden // HEAD_DIM, HEAD_DIM)
    one, two = heads.chunk(2, dim=-1)
    c, s = cos.float()[None, :, None, :], sin.float()[None, :, None, :]
    rotated = torch.cat([one * c - two * s, two * c + one * s], dim=-1)
    return rotated.view(x.shape).to(out.dtype)


def arguments(device: str, batch: int, positions: int, hidden: int, head_dim: int):
    """Tensors of a call, and its numbers."""
    torch.manual_seed(0)
    kind = torch.bfloat16
    x = torch.randn(batch * positions, hidden, device=device, dtype=kind)
    weight = torch.rand(hidden, device=device, dtype=kind) + 0.5
    half = torch.arange(head_dim // 2, device=device)
    angles = torch.arange(positions, device=device)[:, None] / 10000 ** (
        2 * half / head_dim
    )
    cos, sin = angles.cos().to(kind), angles.sin().to(kind)
    out = torch.empty_like(x)
    return x, weight, cos, sin, out, hidden, positions, 1e-6, head_dim


def tuned(**options):
    """The kernel, which tunes itself at its first call."""
    return tune_triton(
        rmsnorm_rope_kernel,
        grid,
        SPACE,
        key=["x_ptr", "hidden"],
        reference=expected,
        default=get_default_config("rmsnorm_rope"),
        **options,
    )


def main() -> None:
    """Tune at the size of a model's layer; at a small one where there is no GPU."""
    on_gpu = torch.cuda.is_available()
    size = (4, 2048, 4096, 128) if on_gpu else (1, 4, 256, 64)
    call = arguments("cuda" if on_gpu else "cpu", *size)
    kernel = tuned(budget=30.0, trials=None if on_gpu else 6)
    kernel(*call)
    print(kernel.report())


if __name__ == "__main__":
    sys.exit(main())
