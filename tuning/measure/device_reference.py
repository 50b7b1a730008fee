"""The reference on the device: random inputs and expected results by torch, in float64.

The numpy interpreter takes seconds for a payload of a hundred million elements, and the
random numbers take as long again. A device takes milliseconds for both. The torch
function is a translation of the payload (`codegen/standalone/reference`). A *witness*
keeps it honest: the same payload at small sizes, with the numpy interpreter's results.
A payload that has no small sizes has no witness. A wrong translation then refuses every
candidate, and the default stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tilewright.codegen.runtime.compile import torch_dtype
from tilewright.ir.dtypes import element
from tilewright.ir.tolerance import compare
from tilewright.tuning.measure.inputs import random_inputs, to_torch

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import torch

    from tilewright.codegen.program import TensorSpec

FUNCTION = "reference"
"""The name of the function in a reference's source."""


@dataclass(frozen=True)
class Witness:
    """The payload at small sizes, and what the numpy interpreter computes there."""

    source: str
    arguments: tuple[TensorSpec, ...]
    results: tuple[TensorSpec, ...]
    arrays: tuple[np.ndarray, ...]
    seed: int
    reduction: int

    def disagreement(self, device: str) -> str | None:
        """Where torch on a device computes other results; None if it agrees."""
        arrays = random_inputs(self.arguments, self.seed)
        inputs = [
            array.item() if spec.is_scalar else to_torch(array, spec.dtype, device)
            for array, spec in zip(arrays, self.arguments, strict=True)
        ]
        computed = expected_tensors(self.source, inputs, self.results)
        for got, want, spec in zip(computed, self.arrays, self.results, strict=True):
            found = compare(got.cpu().numpy(), want, spec.dtype, self.reduction)
            if not found.ok:
                return f"result '{spec.name}': {found.message}"
        return None


@dataclass(frozen=True)
class DeviceReference:
    """The payload as a torch function in float64, and its witness, if it has one."""

    source: str
    arguments: tuple[TensorSpec, ...]
    results: tuple[TensorSpec, ...]
    witness: Witness | None = None


def random_tensors(specs: Sequence[TensorSpec], seed: int, device: str) -> list[Any]:
    """A tensor for each spec, drawn on the device; Python numbers for scalars.

    The numbers are distributed as those of `inputs.random_inputs`.
    """
    return [
        _random_tensor(spec, 1000 * seed + position, device)
        for position, spec in enumerate(specs)
    ]


def _random_tensor(spec: TensorSpec, seed: int, device: str) -> Any:
    import torch

    generator = torch.Generator(device).manual_seed(seed)
    options: dict[str, Any] = {"generator": generator, "device": device}
    wanted = torch_dtype(spec.dtype)
    if element(spec.dtype).is_float:
        wide = torch.float64 if spec.dtype == "f64" else torch.float32
        drawn = torch.randn(spec.shape, dtype=wide, **options)
    elif spec.dtype == "i1":
        drawn = torch.randint(0, 2, spec.shape, **options)
    elif spec.below is not None:
        drawn = torch.randint(0, spec.below, spec.shape, **options)
    else:
        lowest = 0 if spec.dtype == "index" else -8
        drawn = torch.randint(lowest, 8, spec.shape, **options)
    return drawn.to(wanted).item() if spec.is_scalar else drawn.to(wanted)


def expected_tensors(
    source: str, inputs: Sequence[Any], results: Sequence[TensorSpec]
) -> list[torch.Tensor]:
    """The expected results of inputs; narrow floats as f32, which holds them."""
    import torch

    namespace: dict[str, Any] = {"torch": torch}
    exec(compile(source, "<reference>", "exec", dont_inherit=True), namespace)
    with torch.no_grad():
        computed = namespace[FUNCTION](*inputs)
    if not isinstance(computed, tuple):
        computed = (computed,)
    return [
        _stored(tensor, spec) for tensor, spec in zip(computed, results, strict=True)
    ]


def _stored(tensor: torch.Tensor, spec: TensorSpec) -> torch.Tensor:
    """A result, rounded to its type, as a comparison reads it."""

    rounded = tensor.to(torch_dtype(spec.dtype)).expand(spec.shape).contiguous()
    narrow = rounded.dtype.is_floating_point and rounded.element_size() < 4
    return rounded.float() if narrow else rounded
