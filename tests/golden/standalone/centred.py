"""centred: Triton kernels, written by tilewright.

`launch(x, scale)` checks its arguments and runs the kernels. As a program this file
checks them against torch and times them; with TRITON_INTERPRET=1 in the environment it
checks them without a GPU. --help lists the sizes to choose.
"""

import argparse

import torch
import triton
import triton.language as tl


@triton.jit
def centred_reduce_kernel(
    x_ptr,
    r_ptr,
    N: tl.int32,
    BLOCK_N: tl.constexpr,
):
    tile_m = tl.program_id(0)
    offs_n = tl.arange(0, BLOCK_N)
    x_tile = x_ptr + tile_m * N + offs_n
    total = tl.zeros((), dtype=tl.float32)
    # payload.mlir:12
    for n in tl.range(0, N, BLOCK_N):
        x = tl.load(x_tile + n, mask=offs_n < N - n, other=0.0)
        total += tl.sum(x, axis=0)

    tl.store(r_ptr + tile_m, total)


@triton.jit
def centred_pointwise_kernel(
    x_ptr,
    r_ptr,
    scale_ptr,
    e_ptr,
    M: tl.int32,
    N: tl.int32,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    # payload.mlir:18
    pid = tl.program_id(0)
    tiles_n = tl.cdiv(N, BLOCK_N)
    tile_n = pid % tiles_n
    tile_m = pid // tiles_n
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    offs = offs_m[:, None] * N + offs_n[None, :]
    mask_m = offs_m < M
    mask_n = offs_n < N
    mask = mask_m[:, None] & mask_n[None, :]
    x = tl.load(x_ptr + offs, mask=mask, other=0.0)
    r = tl.load(r_ptr + offs_m, mask=mask_m, other=0.0)
    scale = tl.load(scale_ptr + offs_n, mask=mask_n, other=0.0)
    count = tl.cast(N, tl.float32)
    mean = r[:, None] / count
    tl.store(e_ptr + offs, (x - mean) * scale[None, :], mask=mask)


@triton.jit
def centred_pointwise2_kernel(
    r_ptr,
    N: tl.int32,
    BLOCK_N: tl.constexpr,
):
    # payload.mlir:26
    tile_n = tl.program_id(0)
    offs_n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    tl.store(r_ptr + offs_n, offs_n.to(tl.float32), mask=offs_n < N)


def centred(x, scale):
    """centred, on contiguous tensors.

    Args:
        x: float32 [M, N]
        scale: float32 [N]

    Returns:
        e: float32 [M, N]
        r: float32 [M]
    """
    N = x.shape[1]
    M = x.shape[0]
    if scale.shape[0] != N:
        raise ValueError(
            f"scale.shape[0] is {scale.shape[0]}, x.shape[1] is {N}: they must agree"
        )
    if max(M * N, M, N) > 2146435072:
        raise ValueError(
            "one of x, r, scale, e has more than 2146435072 elements, as many as "
            "these kernels number; 'triton.wide_offsets' makes kernels that number "
            "more"
        )
    r = torch.empty(M, dtype=torch.float32, device=x.device)
    centred_reduce_kernel[(M,)](x, r, N, BLOCK_N=4096, num_warps=4, num_stages=1)
    e = torch.empty(M, N, dtype=torch.float32, device=x.device)
    centred_pointwise_kernel[((M + 63) // 64 * ((N + 63) // 64),)](
        x,
        r,
        scale,
        e,
        M,
        N,
        BLOCK_M=64,
        BLOCK_N=64,
        num_warps=4,
        num_stages=1,
    )
    centred_pointwise2_kernel[((M + 1023) // 1024,)](
        r,
        M,
        BLOCK_N=1024,
        num_warps=4,
        num_stages=1,
    )
    return e, r


def fits(actual, shape):
    """Whether a shape is as expected, where None may be any size."""
    wanted = zip(actual, shape, strict=False)
    return len(actual) == len(shape) and all(n in (None, size) for size, n in wanted)


def expect(name, tensor, shape, dtype):
    """Refuse a tensor that the kernels were not made for."""
    if not fits(tensor.shape, shape) or tensor.dtype != dtype:
        raise ValueError(
            f"{name} is {tensor.dtype} {list(tensor.shape)}, "
            f"the kernels are for {dtype} {list(shape)}"
        )


def launch(x, scale):
    """centred, with its arguments checked."""
    expect("x", x, (None, None), torch.float32)
    expect("scale", scale, (None,), torch.float32)
    with torch.cuda.device_of(x):
        return centred(x.contiguous(), scale.contiguous())


def reference(x, scale):
    """centred by torch, in float64."""
    x = x.double()
    scale = scale.double()
    long = torch.tensor(x.shape[1]).to(torch.int64)
    count = long.double()
    total = x.sum(1)
    out = (x - total[:, None] / count) * scale
    numbers = torch.arange(x.shape[0], device=x.device).to(torch.int64).double()
    return out, numbers


def launch_poisoned(*arguments):
    """Launch on copies; new memory is all NaN, so that a missing store shows."""
    copies = [a.clone() if torch.is_tensor(a) else a for a in arguments]
    torch.set_deterministic_debug_mode("warn")
    try:
        return launch(*copies)
    finally:
        torch.set_deterministic_debug_mode("default")


def check(name, actual, expected, tolerance):
    """Stop where an element is off by more than its rounding explains."""
    actual, expected = actual.double(), expected.double()
    finite = expected[expected.isfinite()]
    size = finite.square().mean().sqrt() if finite.numel() else 0.0
    error = (actual - expected).abs()
    right = (error <= tolerance * (expected.abs() + size)) | (actual == expected)
    right |= actual.isnan() & expected.isnan()
    wrong = right.numel() - int(right.sum())
    if wrong:
        raise SystemExit(f"{name}: {wrong} of {right.numel()} elements are wrong")
    error = torch.where(right & error.isnan(), 0.0, error)
    largest = error.max().item() if error.numel() else 0.0
    print(f"{name}: as torch in float64, largest error {largest:.3g}")


def check_and_time(M, N):
    """On random inputs: the kernels beside torch, and their time."""
    interpreted = triton.knobs.runtime.interpret
    if not (interpreted or torch.cuda.is_available()):
        raise SystemExit("no CUDA device; TRITON_INTERPRET=1 checks without one")
    device = "cpu" if interpreted else "cuda"
    torch.manual_seed(0)
    x = torch.randn((M, N), device=device)
    scale = torch.randn((N,), device=device)
    actual = launch_poisoned(x, scale)
    expected = reference(x, scale)
    check("e", actual[0], expected[0], 2.4e-06 + 4.8e-07 * N**0.5)
    check("r", actual[1], expected[1], 2.4e-06 + 4.8e-07 * N**0.5)
    if interpreted:
        print("not timed: this is Triton's interpreter")
        return
    ms = triton.testing.do_bench(lambda: launch(x, scale))
    print(f"centred: {ms:.4f} ms, {(8 * M * N + 4 * N + 4 * M) / ms * 1e-6:.1f} GB/s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description="Check centred beside torch, and time it."
    )
    parser.add_argument(
        "--m",
        type=int,
        default=1024,
        metavar="M",
        help="x.shape[0]; %(default)s where not given",
    )
    parser.add_argument(
        "--n",
        type=int,
        default=1024,
        metavar="N",
        help="x.shape[1], scale.shape[0]; %(default)s where not given",
    )
    options = parser.parse_args()
    if min(vars(options).values()) < 0:
        parser.error("a size cannot be negative")
    check_and_time(options.m, options.n)
