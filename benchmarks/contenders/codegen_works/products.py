"""Work with products: plain, batched, 8-bit, fused layers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import torch
import torch.nn.functional as F

from contenders.codegen_works.work import (
    TOLERANCES,
    TORCH_TYPES,
    Tensors,
    Work,
    bytes_of,
    random_tensors,
    size_text,
    widened,
)
from contenders.points import points_for

# It takes half a minute a size.
AUTOTUNED = ((4096, 4096, 4096), (256, 4096, 4096), (4096, 256, 4096))


def gemm(m: int, n: int, k: int, dtype: str = "bf16", precision: str = "ieee") -> Work:
    """a b; with tf32x3, torch's product is the one in full precision."""
    from rivals.gemm import candidates as rivals
    from rivals.gemm import configurations as known

    few = m < 64
    choices = {"f32": known.IEEE}.get(dtype, known.FEW_ROWS if few else known.BF16)
    choices = {"tf32": known.TF32, "tf32x3": known.TF32X3}.get(precision, choices)
    if m * n > 1024 * 4096:  # as many tiles as SMs: nothing to split
        choices = {key: c for key, c in choices.items() if key != "split_k"}

    def hand(tensors: Tensors, programs: int) -> Iterator[Any]:
        a, b = tensors
        out = a.new_empty((m, n))
        product = rivals.Product(a, b, out, precision=precision)
        return rivals.candidates(product, choices, programs)

    def payload() -> str:
        from contenders import payloads

        return payloads.product(m, n, k, dtype)

    kind = dtype if precision == "ieee" else precision
    name = f"gemm {size_text(m, n, k)} {kind}" + (
        " ieee" if dtype == kind == "f32" else ""
    )
    return Work(
        name,
        "gemm",
        lambda device: random_tensors(device, (m, k), (k, n), dtype=dtype),
        lambda a, b: torch.matmul(*widened(a, b)),
        _matmul_tf32 if precision == "tf32" else _matmul,
        hand,
        payload,
        2.0 * m * n * k,
        bytes_of(dtype, m * k, k * n, m * n),
        TOLERANCES[kind],
        points_for("gemm", kind, m, n, k),
        compiled=False,
        autotuned=(m, n, k) in AUTOTUNED and dtype == "bf16",
        graph=m * n <= 1024 * 4096,
        matrix=dtype != "f32",
    )


def _matmul(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return a @ b


def _matmul_tf32(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    torch.backends.cuda.matmul.allow_tf32 = True
    try:
        return torch.matmul(a, b)
    finally:
        torch.backends.cuda.matmul.allow_tf32 = False


def gemm_fp8(m: int, n: int, k: int, out_dtype: str) -> Work:
    """a b^T of fp8, times a scale for each row and each column."""
    from rivals.gemm import candidates as rivals
    from rivals.gemm import configurations as known

    def inputs(device: str) -> Tensors:
        a, b = random_tensors(device, (m, k), (n, k), dtype="fp8")
        scales = random_tensors(device, (m,), (n,), dtype="f32")
        return a, b, *(scale.abs() + 0.1 for scale in scales)

    def reference(a: Any, b: Any, a_scale: Any, b_scale: Any) -> torch.Tensor:
        product = a.float() @ b.float().T
        return product * a_scale[:, None] * b_scale[None, :]

    def function(a: Any, b: Any, a_scale: Any, b_scale: Any) -> torch.Tensor:
        if a.device.type == "cpu":
            return reference(a, b, a_scale, b_scale).to(TORCH_TYPES[out_dtype])
        # Fast accumulation is what Triton's dot does.
        return torch._scaled_mm(
            a,
            b.T,
            scale_a=a_scale[:, None],
            scale_b=b_scale[None, :],
            out_dtype=TORCH_TYPES[out_dtype],
            use_fast_accum=True,
        )

    def hand(tensors: Tensors, programs: int) -> Iterator[Any]:
        a, b, a_scale, b_scale = tensors
        out = a.new_empty((m, n), dtype=TORCH_TYPES[out_dtype])
        product = rivals.Product(
            a, b, out, a_scale=a_scale, b_scale=b_scale, transposed=True
        )
        return rivals.candidates(product, known.BYTES, programs)

    def payload() -> str:
        from contenders import payloads

        return payloads.scaled_product(m, n, k, out_dtype)

    return Work(
        f"gemm {size_text(m, n, k)} fp8 scaled",
        "gemm",
        inputs,
        reference,
        function,
        hand,
        payload,
        2.0 * m * n * k,
        bytes_of("fp8", m * k, k * n) + bytes_of(out_dtype, m * n),
        TOLERANCES["fp8"],
        points_for("gemm", "fp8", m, n, k),
        compiled=False,
        matrix=False,
    )


def gemm_i8(m: int, n: int, k: int) -> Work:
    """a b^T of i8, in i32: exact."""
    from rivals.gemm import candidates as rivals
    from rivals.gemm import configurations as known

    def hand(tensors: Tensors, programs: int) -> Iterator[Any]:
        a, b = tensors
        out = a.new_empty((m, n), dtype=torch.int32)
        product = rivals.Product(a, b, out, transposed=True)
        return rivals.candidates(product, known.BYTES_TO_I32, programs)

    def payload() -> str:
        from contenders import payloads

        return payloads.product_of_bytes(m, n, k)

    return Work(
        f"gemm {size_text(m, n, k)} i8",
        "gemm",
        lambda device: random_tensors(device, (m, k), (n, k), dtype="i8"),
        lambda a, b: a.double() @ b.double().T,
        lambda a, b: torch._int_mm(a, b.T),
        hand,
        payload,
        2.0 * m * n * k,
        bytes_of("i8", m * k, k * n) + 4.0 * m * n,
        0.0,
        points_for("gemm", "i8", m, n, k),
        compiled=False,
        matrix=False,
    )


def batch_gemm(batch: int, m: int, n: int, k: int, dtype: str) -> Work:
    """A batch of products."""
    from rivals.gemm import candidates as rivals
    from rivals.gemm import configurations as known

    def hand(tensors: Tensors, programs: int) -> Iterator[Any]:
        a, b = tensors
        product = rivals.Product(a, b, a.new_empty((batch, m, n)))
        return rivals.candidates(product, known.SHORT_K, programs)

    def payload() -> str:
        from contenders import payloads

        return payloads.batch_product(batch, m, n, k, dtype)

    return Work(
        f"batch gemm {batch}x{m}x{n}x{k} {dtype}",
        "batch gemm",
        lambda device: random_tensors(
            device, (batch, m, k), (batch, k, n), dtype=dtype
        ),
        lambda a, b: torch.bmm(*widened(a, b)),
        torch.bmm,
        hand,
        payload,
        2.0 * batch * m * n * k,
        bytes_of(dtype, batch * m * k, batch * k * n, batch * m * n),
        TOLERANCES[dtype],
        points_for("batch", dtype, m, n, k),
        compiled=False,
    )


def fused_linear(m: int, n: int, k: int, dtype: str, residual: bool) -> Work:
    """gelu(x w + bias), and + residual."""
    from rivals.gemm import candidates as rivals
    from rivals.gemm import configurations as known

    def inputs(device: str) -> Tensors:
        x, bias, added = random_tensors(device, (m, k), (n,), (m, n), dtype=dtype)
        (w,) = random_tensors(device, (k, n), dtype=dtype, scale=1 / math.sqrt(k))
        return (x, w, bias, added) if residual else (x, w, bias)

    def reference(*tensors: torch.Tensor) -> torch.Tensor:
        x, w, bias, *added = widened(*tensors)
        return sum(added, F.gelu(x @ w + bias))

    def with_residual(x: Any, w: Any, bias: Any, added: Any) -> torch.Tensor:
        return F.gelu(torch.addmm(bias, x, w)) + added

    def without(x: Any, w: Any, bias: Any) -> torch.Tensor:
        return F.gelu(torch.addmm(bias, x, w))

    def hand(tensors: Tensors, programs: int) -> Iterator[Any]:
        x, w, bias, *added = tensors
        product = rivals.Product(
            *(x, w, x.new_empty((m, n)), bias, *added), activation="gelu"
        )
        small = m * n <= 1024 * 4096
        choices = {k: c for k, c in known.GELU.items() if k != "split_k" or small}
        return rivals.candidates(product, choices, programs)

    def payload() -> str:
        from contenders import payloads

        return payloads.linear_gelu(m, n, k, dtype, residual)

    what = "matmul+bias+gelu" + ("+residual" if residual else "")
    return Work(
        f"{what} {size_text(m, n, k)} {dtype}",
        "fused linear",
        inputs,
        reference,
        with_residual if residual else without,
        hand,
        payload,
        2.0 * m * n * k,
        bytes_of(dtype, m * k, k * n, n, m * n * (1 + residual)),
        TOLERANCES[dtype],
        points_for("linear", dtype, m, n, k),
        autotuned=(m, n, k) in AUTOTUNED,
        graph=m * n <= 1024 * 4096,
    )


def two_layers(rows: int, features: int, dtype: str) -> Work:
    """relu(x w1 + b1) w2 + b2, by two kernels."""
    from rivals.gemm import candidates as rivals
    from rivals.gemm import configurations as known
    from rivals.launching import Candidate

    def inputs(device: str) -> Tensors:
        (x,) = random_tensors(device, (rows, features), dtype=dtype)
        shape = (features, features)
        scale = 1 / math.sqrt(features)
        w1, w2 = random_tensors(device, shape, shape, dtype=dtype, scale=scale)
        b1, b2 = random_tensors(device, (features,), (features,), dtype=dtype)
        return x, w1, b1, w2, b2

    def mlp(x: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> torch.Tensor:
        return torch.addmm(b2, torch.relu(torch.addmm(b1, x, w1)), w2)

    def hand(tensors: Tensors, programs: int) -> Iterator[Candidate]:
        x, w1, b1, w2, b2 = tensors
        hidden, out = x.new_empty((rows, features)), x.new_empty((rows, features))
        first = rivals.Product(x, w1, hidden, b1, activation="relu")
        second = rivals.Product(hidden, w2, out, b2)
        choices = known.IEEE if dtype == "f32" else known.SMALL
        pairs = zip(
            rivals.candidates(first, choices, programs),
            rivals.candidates(second, choices, programs),
            strict=True,
        )
        for one, two in pairs:
            launches = (*one.launches, *two.launches)
            scratch = (hidden, *one.scratch, *two.scratch)
            yield Candidate(one.structure, one.name, launches, out, scratch)

    def payload() -> str:
        from contenders import payloads

        return payloads.two_layers(rows, features, dtype)

    return Work(
        f"mlp {rows}x{features}-{features}-{features} {dtype}",
        "mlp",
        inputs,
        lambda *tensors: mlp(*widened(*tensors)),
        mlp,
        hand,
        payload,
        4.0 * rows * features * features,
        bytes_of(dtype, 2 * rows * features, 2 * features * features, 2 * features),
        TOLERANCES[dtype],
        points_for("mlp", dtype, rows, features, features),
        graph=True,
        matrix=dtype != "f32",
    )
