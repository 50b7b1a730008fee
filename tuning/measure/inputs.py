"""Random inputs from a seed: the same numbers in the parent and in every worker.

The parent computes the reference from them, and a worker runs the kernels on them.
Sending a seed is cheaper than sending the arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tilewright.codegen.runtime.compile import torch_dtype
from tilewright.ir.dtypes import element, numpy_dtype
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter.core.memory_limit import lack_of_room

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch

    from tilewright.codegen.program import TensorSpec


def random_inputs(specs: Sequence[TensorSpec], seed: int = 0) -> list[np.ndarray]:
    """An array for each spec: normal floats, integers in [-8, 8), fair i1 values.

    Indices into another tensor stay below its extent.

    Each array has its own random stream, from the seed and its position, so that a
    change of one argument does not change the others.
    """
    for spec in specs:
        if (
            lack := lack_of_room(spec.shape, element(spec.dtype).byte_width)
        ) is not None:
            raise UserError(f"argument '{spec.name}' needs {lack}")
    return [
        _random_array(spec, np.random.default_rng([seed, position]))
        for position, spec in enumerate(specs)
    ]


def _random_array(spec: TensorSpec, rng: np.random.Generator) -> np.ndarray:
    kind = element(spec.dtype)
    if kind.is_float:
        wide = np.float64 if spec.dtype == "f64" else np.float32
        drawn = rng.standard_normal(spec.shape, dtype=wide)
    elif spec.dtype == "i1":
        drawn = rng.integers(0, 2, spec.shape)
    elif spec.below is not None:
        drawn = rng.integers(0, spec.below, spec.shape)
    else:
        # Small, so that sums of products stay exact; an index is never negative.
        drawn = rng.integers(0 if spec.dtype == "index" else -8, 8, spec.shape)
    return np.asarray(drawn).astype(kind.numpy)


def to_torch(array: np.ndarray, dtype: str, device: str = "cpu") -> torch.Tensor:
    """Copy an array to a tensor on a device."""
    import torch

    wanted = torch_dtype(dtype)
    carrier = element(dtype).carrier
    # ascontiguousarray makes a scalar one-dimensional, hence the reshape.
    plain = np.ascontiguousarray(array).reshape(array.shape)
    if carrier is None:
        return torch.from_numpy(plain).to(device)
    bits = torch.from_numpy(plain.view(carrier))
    return bits.to(device).view(wanted)


def from_torch(tensor: torch.Tensor, dtype: str) -> np.ndarray:
    """Copy a tensor to an array; bf16 and f8 keep their type."""
    import torch

    carrier = element(dtype).carrier
    host = tensor.detach().to("cpu").contiguous()
    if carrier is None:
        return host.numpy()
    return host.view(getattr(torch, carrier)).numpy().view(numpy_dtype(dtype))
