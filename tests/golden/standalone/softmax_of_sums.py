"""softmax_of_sums: Triton kernels, written by tilewright.

`launch(a, bias)` checks its arguments and runs the kernels. As a program this file
checks them against torch and times them; with TRITON_INTERPRET=1 in the environment it
checks them without a GPU.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def _maximum(x, y):
    """Combine for a maximum that is NaN where an element is; `tl.max` drops NaNs."""
    return tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def softmax_of_sums_pointwise_kernel(
    a_ptr,
    bias_ptr,
    shifted_ptr,
    M: tl.constexpr,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    # payload.mlir:6
    offs_m = tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs = offs_m[:, None] * N + offs_n[None, :]
    mask_m = offs_m < M
    mask_n = offs_n < N
    mask = mask_m[:, None] & mask_n[None, :]
    a = tl.load(a_ptr + offs, mask=mask, other=0.0)
    bias = tl.load(bias_ptr + offs_n, mask=mask_n, other=0.0)
    tl.store(shifted_ptr + offs, a + bias[None, :], mask=mask)


@triton.jit
def softmax_of_sums_reduce_kernel(
    shifted_ptr,
    r_ptr,
    M: tl.constexpr,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    # payload.mlir:13
    offs_m = tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    mask_m = offs_m < M
    mask_n = offs_n < N
    shifted = tl.load(
        shifted_ptr + offs_m[:, None] * N + offs_n[None, :],
        mask=mask_m[:, None] & mask_n[None, :],
        other=float("-inf"),
    )
    largest = tl.reduce(shifted, 1, _maximum)
    tl.store(r_ptr + offs_m, largest, mask=mask_m)


@triton.jit
def softmax_of_sums_pointwise2_kernel(
    shifted_ptr,
    r_ptr,
    e_ptr,
    M: tl.constexpr,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    # payload.mlir:18
    offs_m = tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs = offs_m[:, None] * N + offs_n[None, :]
    mask_m = offs_m < M
    mask_n = offs_n < N
    mask = mask_m[:, None] & mask_n[None, :]
    shifted = tl.load(shifted_ptr + offs, mask=mask, other=0.0)
    r = tl.load(r_ptr + offs_m, mask=mask_m, other=0.0)
    tl.store(e_ptr + offs, tl.exp(shifted - r[:, None]), mask=mask)


def softmax_of_sums(a, bias):
    """softmax_of_sums, on contiguous tensors.

    Args:
        a: float32 [33, 48]
        bias: float32 [48]

    Returns:
        e: float32 [33, 48]
        r: float32 [33]
    """
    e = torch.empty(33, 48, dtype=torch.float32, device=a.device)
    shifted = torch.empty(33, 48, dtype=torch.float32, device=a.device)
    softmax_of_sums_pointwise_kernel[(1, 1)](
        a,
        bias,
        shifted,
        M=33,
        N=48,
        BLOCK_M=64,
        BLOCK_N=64,
        num_warps=4,
        num_stages=1,
    )
    r = torch.empty(33, dtype=torch.float32, device=a.device)
    softmax_of_sums_reduce_kernel[(1,)](
        shifted,
        r,
        M=33,
        N=48,
        BLOCK_M=64,
        BLOCK_N=64,
        num_warps=4,
        num_stages=1,
    )
    softmax_of_sums_pointwise2_kernel[(1, 1)](
        shifted,
        r,
        e,
        M=33,
        N=48,
        BLOCK_M=64,
        BLOCK_N=64,
        num_warps=4,
        num_stages=1,
    )
    return e, r


def expect(name, tensor, shape, dtype):
    """Refuse a tensor that the kernels were not made for."""
    if tuple(tensor.shape) != shape or tensor.dtype != dtype:
        raise ValueError(
            f"{name} is {tensor.dtype} {list(tensor.shape)}, "
            f"the kernels are for {dtype} {list(shape)}"
        )


def launch(a, bias):
    """softmax_of_sums, with its arguments checked."""
    expect("a", a, (33, 48), torch.float32)
    expect("bias", bias, (48,), torch.float32)
    with torch.cuda.device_of(a):
        return softmax_of_sums(a.contiguous(), bias.contiguous())


def reference(a, bias):
    """softmax_of_sums by torch, in float64."""
    a = a.double()
    bias = bias.double()
    shifted = a + bias
    largest = shifted.amax(1)
    powers = torch.exp(shifted - largest[:, None])
    return powers, largest


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


def check_and_time():
    """On random inputs: the kernels beside torch, and their time."""
    interpreted = triton.knobs.runtime.interpret
    if not (interpreted or torch.cuda.is_available()):
        raise SystemExit("no CUDA device; TRITON_INTERPRET=1 checks without one")
    device = "cpu" if interpreted else "cuda"
    torch.manual_seed(0)
    a = torch.randn((33, 48), device=device)
    bias = torch.randn((48,), device=device)
    actual = launch_poisoned(a, bias)
    expected = reference(a, bias)
    check("e", actual[0], expected[0], 5.2e-06)
    check("r", actual[1], expected[1], 5.2e-06)
    if interpreted:
        print("not timed: this is Triton's interpreter")
        return
    ms = triton.testing.do_bench(lambda: launch(a, bias))
    print(f"softmax_of_sums: {ms:.4f} ms, {12996 / ms * 1e-6:.1f} GB/s")


if __name__ == "__main__":
    check_and_time()
