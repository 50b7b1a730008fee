"""matmul_relu: Triton kernels, written by tilewright.

`launch(name, device2)` checks its arguments and runs the kernels. As a program this
file checks them against torch and times them; with TRITON_INTERPRET=1 in the
environment it checks them without a GPU.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_relu_dot_kernel(
    name_ptr,
    device_ptr,
    e_ptr,
    N: tl.constexpr,
    K: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    # payload.mlir:6
    offs_m = tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    mask_k = offs_k < K
    name = tl.load(
        name_ptr + offs_m[:, None] * K + offs_k[None, :],
        mask=mask_k[None, :],
        other=0.0,
    )
    device = tl.load(
        device_ptr + offs_k[:, None] * N + offs_n[None, :],
        mask=mask_k[:, None],
        other=0.0,
    )
    product = tl.dot(name, device)
    tl.store(e_ptr + offs_m[:, None] * N + offs_n[None, :], product)


@triton.jit
def matmul_relu_pointwise_kernel(
    e_ptr,
    h_ptr,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    # payload.mlir:8
    offs_m = tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs = offs_m[:, None] * N + offs_n[None, :]
    e = tl.load(e_ptr + offs)
    relu = tl.maximum(e, 0.0, propagate_nan=tl.PropagateNan.ALL).to(tl.float16)
    tl.store(h_ptr + offs, relu)


def matmul_relu(name, device):
    """matmul_relu, on contiguous tensors.

    Args:
        name: float16 [64, 48]
        device: float16 [48, 32]

    Returns:
        h: float16 [64, 32]
    """
    e = torch.empty(64, 32, dtype=torch.float32, device=name.device)
    matmul_relu_dot_kernel[(1, 1)](
        name,
        device,
        e,
        N=32,
        K=48,
        BLOCK_M=64,
        BLOCK_N=32,
        BLOCK_K=64,
        num_warps=4,
        num_stages=1,
    )
    h = torch.empty(64, 32, dtype=torch.float16, device=name.device)
    matmul_relu_pointwise_kernel[(1, 1)](
        e,
        h,
        N=32,
        BLOCK_M=64,
        BLOCK_N=32,
        num_warps=4,
        num_stages=1,
    )
    return h


def expect(name, tensor, shape, dtype):
    """Refuse a tensor that the kernels were not made for."""
    if tuple(tensor.shape) != shape or tensor.dtype != dtype:
        raise ValueError(
            f"{name} is {tensor.dtype} {list(tensor.shape)}, "
            f"the kernels are for {dtype} {list(shape)}"
        )


def launch(name, device2):
    """matmul_relu, with its arguments checked."""
    expect("name", name, (64, 48), torch.float16)
    expect("device2", device2, (48, 32), torch.float16)
    with torch.cuda.device_of(name):
        return matmul_relu(name.contiguous(), device2.contiguous())


def rounded(x, dtype):
    """The numbers of x as a tensor of that type holds them."""
    return x.to(dtype).double()


def reference(name, device):
    """matmul_relu by torch, in float64."""
    name = name.double()
    device = device.double()
    product = torch.einsum("mk,kn->mn", name, device)
    relu = rounded(torch.clamp(product, min=0.0), torch.float16)
    return relu


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
    name = torch.randn((64, 48), device=device).to(torch.float16)
    device2 = torch.randn((48, 32), device=device).to(torch.float16)
    actual = launch_poisoned(name, device2)
    expected = reference(name, device2)
    check("h", actual, expected, 0.0039)
    if interpreted:
        print("not timed: this is Triton's interpreter")
        return
    ms = triton.testing.do_bench(lambda: launch(name, device2))
    print(f"matmul_relu: {ms:.4f} ms, {196608 / ms * 1e-9:.1f} TFLOP/s")


if __name__ == "__main__":
    check_and_time()
