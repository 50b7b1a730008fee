"""The table of work: what is computed at which sizes."""

from __future__ import annotations

from contenders.codegen_works.products import (
    batch_gemm,
    fused_linear,
    gemm,
    gemm_fp8,
    gemm_i8,
    two_layers,
)
from contenders.codegen_works.rows import layernorm, rmsnorm, softmax, summed
from contenders.codegen_works.work import Work


def table() -> list[Work]:
    """The whole table, at full size."""
    fused = [(4096, 4096, 4096), (256, 1024, 1024)]
    return [
        *(gemm(size, size, size) for size in (8192, 4096, 2048, 1024, 512)),
        gemm(256, 4096, 4096),
        gemm(4096, 256, 4096),
        gemm(16, 4096, 4096),
        gemm(4096, 4096, 4096, "f32"),
        gemm(4096, 4096, 4096, "f32", "tf32"),
        gemm(4096, 4096, 4096, "f32", "tf32x3"),
        gemm_fp8(4096, 4096, 4096, "bf16"),
        gemm_i8(4096, 4096, 4096),
        batch_gemm(64, 1024, 1024, 64, "bf16"),
        *(
            fused_linear(*size, "bf16", added)
            for added in (False, True)
            for size in fused
        ),
        *(softmax(4096, n, t) for n in (1024, 4096, 32768) for t in ("f32", "bf16")),
        *(layernorm(4096, n, "bf16") for n in (1024, 4096, 16384)),
        *(rmsnorm(4096, n, "bf16") for n in (1024, 4096, 16384)),
        *(layernorm(4096, n, "bf16", True) for n in (1024, 4096, 16384)),
        summed(1 << 26, "bf16", gelu=True),
        summed(1 << 20, "bf16", gelu=False),
        summed(1 << 20, "f32", gelu=False),
        two_layers(256, 1024, "f16"),
        two_layers(256, 1024, "f32"),
    ]


def tiny_table() -> list[Work]:
    """Every kind of work at a size for Triton's interpreter, which cannot do bf16."""
    return [
        gemm(128, 256, 128, "f16"),
        gemm(16, 128, 512, "f16"),
        gemm(128, 128, 64, "f32"),
        gemm(128, 128, 64, "f32", "tf32"),
        gemm(128, 128, 64, "f32", "tf32x3"),
        gemm_fp8(128, 256, 256, "f16"),
        gemm_i8(128, 256, 256),
        batch_gemm(2, 128, 256, 64, "f16"),
        fused_linear(128, 256, 128, "f16", residual=False),
        fused_linear(128, 256, 128, "f16", residual=True),
        softmax(8, 1024, "f32"),
        softmax(8, 4096, "f16"),
        layernorm(8, 4096, "f16"),
        rmsnorm(8, 1024, "f16"),
        layernorm(8, 1024, "f16", residual=True),
        summed(1 << 13, "f16", gelu=True),
        summed(1 << 13, "f32", gelu=False),
        two_layers(64, 128, "f16"),
        two_layers(64, 64, "f32"),
    ]
