"""matmul_any: Triton kernels, written by tilewright.

`launch(a, b)` checks its arguments and runs the kernels. As a program this file checks
them against torch and times them; with TRITON_INTERPRET=1 in the environment it checks
them without a GPU. --help lists the sizes to choose.
"""

import argparse

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_any_dot_kernel(
    a_ptr,
    b_ptr,
    e_ptr,
    M: tl.int32,
    N: tl.int32,
    K: tl.int32,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    pid = tl.program_id(0)
    tiles_n = tl.cdiv(N, BLOCK_N)
    tile_n = pid % tiles_n
    tile_m = pid // tiles_n
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    a_tile = a_ptr + offs_m[:, None] * K + offs_k[None, :]
    mask_m = offs_m < M
    b_tile = b_ptr + offs_k[:, None] * N + offs_n[None, :]
    mask_n = offs_n < N
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    # payload.mlir:9
    for k in tl.range(0, K, BLOCK_K, num_stages=3):
        mask_k = offs_k < K - k
        a = tl.load(a_tile + k, mask=mask_m[:, None] & mask_k[None, :], other=0.0)
        b = tl.load(b_tile + k * N, mask=mask_k[:, None] & mask_n[None, :], other=0.0)
        acc = tl.dot(a, b, acc)

    tl.store(
        e_ptr + offs_m[:, None] * N + offs_n[None, :],
        acc,
        mask=mask_m[:, None] & mask_n[None, :],
    )


@triton.jit
def matmul_any_pointwise_kernel(
    e_ptr,
    o_ptr,
    M: tl.int32,
    N: tl.int32,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    # payload.mlir:11
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
    e = tl.load(e_ptr + offs, mask=mask, other=0.0)
    r = tl.maximum(e, 0.0, propagate_nan=tl.PropagateNan.ALL).to(tl.float16)
    tl.store(o_ptr + offs, r, mask=mask)


def matmul_any(a, b):
    """matmul_any, on contiguous tensors.

    Args:
        a: float16 [M, K]
        b: float16 [K, N]

    Returns:
        o: float16 [M, N]
    """
    M = a.shape[0]
    N = b.shape[1]
    K = a.shape[1]
    if b.shape[0] != K:
        raise ValueError(
            f"b.shape[0] is {b.shape[0]}, a.shape[1] is {K}: they must agree"
        )
    if max(M * K, K * N, M * N) > 2146435072:
        raise ValueError(
            "one of a, b, e, o has more than 2146435072 elements, as many as these "
            "kernels number; 'triton.wide_offsets' makes kernels that number more"
        )
    e = torch.empty(M, N, dtype=torch.float32, device=a.device)
    matmul_any_dot_kernel[((M + 63) // 64 * ((N + 63) // 64),)](
        a,
        b,
        e,
        M,
        N,
        K,
        BLOCK_M=64,
        BLOCK_N=64,
        BLOCK_K=64,
        num_warps=4,
        num_stages=3,
    )
    o = torch.empty(M, N, dtype=torch.float16, device=a.device)
    matmul_any_pointwise_kernel[((M + 63) // 64 * ((N + 63) // 64),)](
        e,
        o,
        M,
        N,
        BLOCK_M=64,
        BLOCK_N=64,
        num_warps=4,
        num_stages=1,
    )
    return o


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


def launch(a, b):
    """matmul_any, with its arguments checked."""
    expect("a", a, (None, None), torch.float16)
    expect("b", b, (None, None), torch.float16)
    with torch.cuda.device_of(a):
        return matmul_any(a.contiguous(), b.contiguous())


def rounded(x, dtype):
    """The numbers of x as a tensor of that type holds them."""
    return x.to(dtype).double()


def reference(a, b):
    """matmul_any by torch, in float64."""
    a = a.double()
    b = b.double()
    p = torch.einsum("mk,kn->mn", a, b)
    r = rounded(torch.clamp(p, min=0.0), torch.float16)
    return r


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


def check_and_time(M, N, K):
    """On random inputs: the kernels beside torch, and their time."""
    interpreted = triton.knobs.runtime.interpret
    if not (interpreted or torch.cuda.is_available()):
        raise SystemExit("no CUDA device; TRITON_INTERPRET=1 checks without one")
    device = "cpu" if interpreted else "cuda"
    torch.manual_seed(0)
    a = torch.randn((M, K), device=device).to(torch.float16)
    b = torch.randn((K, N), device=device).to(torch.float16)
    actual = launch_poisoned(a, b)
    expected = reference(a, b)
    check("o", actual, expected, 0.0039 + 4.8e-07 * K**0.5)
    if interpreted:
        print("not timed: this is Triton's interpreter")
        return
    ms = triton.testing.do_bench(lambda: launch(a, b))
    print(f"matmul_any: {ms:.4f} ms, {2 * M * N * K / ms * 1e-9:.1f} TFLOP/s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description="Check matmul_any beside torch, and time it."
    )
    parser.add_argument(
        "--m",
        type=int,
        default=1024,
        metavar="M",
        help="a.shape[0]; %(default)s where not given",
    )
    parser.add_argument(
        "--n",
        type=int,
        default=1024,
        metavar="N",
        help="b.shape[1]; %(default)s where not given",
    )
    parser.add_argument(
        "--k",
        type=int,
        default=1024,
        metavar="K",
        help="a.shape[1], b.shape[0]; %(default)s where not given",
    )
    options = parser.parse_args()
    if min(vars(options).values()) < 0:
        parser.error("a size cannot be negative")
    check_and_time(options.m, options.n, options.k)
