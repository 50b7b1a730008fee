"""Inputs made from a seed: the same numbers in the parent and in every worker.

The parent computes the reference from them, a worker runs the kernel on them; sending a
seed is cheaper than sending the arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

from tilewright.codegen.compile import torch_dtype
from tilewright.ir.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch

    from tilewright.codegen.program import TensorSpec

_FLOATS: dict[str, Any] = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
}

_INTEGERS: dict[str, Any] = {
    "i8": np.int8,
    "ui8": np.uint8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "index": np.int64,
}

# numpy types that carry the bits where numpy and torch share no type of their own.
_CARRIERS: dict[str, Any] = {
    "bf16": np.int16,
    "f8E4M3FN": np.uint8,
    "f8E5M2": np.uint8,
}


def numpy_dtype(dtype: str) -> np.dtype[Any]:
    """The numpy dtype (ml_dtypes' for bf16 and f8) of an MLIR element type."""
    if dtype == "i1":
        return np.dtype(np.bool_)
    found = _FLOATS.get(dtype) or _INTEGERS.get(dtype)
    if found is None:
        raise UserError(f"tensors of dtype '{dtype}' are not supported")
    return np.dtype(found)


def random_inputs(specs: Sequence[TensorSpec], seed: int = 0) -> list[np.ndarray]:
    """One array a spec: floats standard normal, integers in [-8, 8), i1 fair coins.

    Each array has its own stream, from the seed and its position, so that changing one
    argument leaves the others as they were.
    """
    return [
        _random_array(spec, np.random.default_rng([seed, position]))
        for position, spec in enumerate(specs)
    ]


def _random_array(spec: TensorSpec, rng: np.random.Generator) -> np.ndarray:
    dtype = numpy_dtype(spec.dtype)
    if spec.dtype in _FLOATS:
        wide = np.float64 if spec.dtype == "f64" else np.float32
        return np.asarray(rng.standard_normal(spec.shape, dtype=wide)).astype(dtype)
    if spec.dtype == "i1":
        return np.asarray(rng.integers(0, 2, spec.shape)).astype(dtype)
    low = 0 if spec.dtype in ("ui8", "index") else -8
    return np.asarray(rng.integers(low, 8, spec.shape)).astype(dtype)


def to_torch(array: np.ndarray, dtype: str, device: str = "cpu") -> torch.Tensor:
    """A tensor with the array's numbers, on a device."""
    import torch

    wanted = torch_dtype(dtype)
    carrier = _CARRIERS.get(dtype)
    # ascontiguousarray makes a scalar one-dimensional, hence the reshape.
    plain = np.ascontiguousarray(array).reshape(array.shape)
    if carrier is None:
        return torch.from_numpy(plain).to(device)
    bits = torch.from_numpy(plain.view(carrier))
    return bits.to(device).view(wanted)


def from_torch(tensor: torch.Tensor, dtype: str) -> np.ndarray:
    """An array with the tensor's numbers; bf16 and f8 keep their type."""
    import torch

    carrier = _CARRIERS.get(dtype)
    host = tensor.detach().to("cpu").contiguous()
    if carrier is None:
        return host.numpy()
    name = np.dtype(carrier).name
    return host.view(getattr(torch, name)).numpy().view(numpy_dtype(dtype))
