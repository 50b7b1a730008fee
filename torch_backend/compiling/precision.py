"""How torch multiplies matrices of f32: exactly, or rounded to TF32.

`torch.set_float32_matmul_precision("high")` lets cuBLAS round the factors, which makes
its matmuls several times faster. Matmuls that go to the library follow the setting.
Kernels of ours multiply as exactly as f32 does: by three matmuls of TF32, or by
multiply-adds (option `f32_products`). Dynamo guards on the setting, so that a graph is
compiled again when it changes.
"""

from __future__ import annotations

from dataclasses import replace

import torch

from tilewright.codegen.targets import Target
from tilewright.torch_backend.options import Options


def library_f32() -> str:
    """The type that torch's matmuls of f32 are computed in: "f32" or "tf32"."""
    try:
        is_rounded = torch.backends.cuda.matmul.allow_tf32
    except RuntimeError:  # the user has set it by `fp32_precision` instead
        is_rounded = torch.backends.cuda.matmul.fp32_precision == "tf32"
    return "tf32" if is_rounded else "f32"


def as_torch_multiplies(gpu: Target, options: Options) -> Target:
    """A GPU that multiplies f32 as torch is told to, in libraries and in kernels."""
    gpu = replace(gpu, own_f32=options.f32_products)
    kind = library_f32()
    return replace(gpu, library_f32=kind) if kind in gpu.tensor_flops else gpu
