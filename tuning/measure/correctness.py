"""Checking a program's results on the device against a reference.

Inputs and expected results stay on the device from one job to the next. A kernel that
writes out of bounds could change them for the next candidate, so their checksums are
compared after each job.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tilewright.codegen.runtime.compile import torch_dtype
from tilewright.ir.tolerance import (
    Comparison,
    Worst,
    absolute_tolerance,
    compare,
    describe_equal,
    tolerances,
)
from tilewright.tuning.measure.inputs import from_torch, random_inputs, to_torch

if TYPE_CHECKING:
    import torch

    from tilewright.tuning.measure.references import Reference


@dataclass
class LoadedReference:
    """Inputs and expected results on a device, with the inputs' first checksums."""

    reference: Reference
    inputs: list[Any]
    """Tensors, and Python numbers for scalars."""
    checksums: list[int]
    expected: list[np.ndarray]
    uploaded: list[torch.Tensor]
    limits: list[tuple[float, float]]
    """`(relative, absolute)` tolerance of each result."""

    def dtype(self, position: int) -> str:
        """The dtype whose tolerance applies to a result."""
        own = self.reference.results[position].dtype
        if self.reference.precision is None or own != "f32":
            return own
        return self.reference.precision


_current: dict[tuple[Reference, str], LoadedReference] = {}
"""The references of the last call: one tuning run uploads its inputs once."""


def load_references(
    references: Sequence[Reference], device: str
) -> list[LoadedReference]:
    """The references on a device; those of the last call are loaded once."""
    wanted = {(reference, device) for reference in references}
    if not wanted <= set(_current):
        # The others belong to another run, or to other candidates.
        for key in set(_current) - wanted:
            del _current[key]
    for reference in references:
        if (reference, device) not in _current:
            _current[reference, device] = _load_reference(reference, device)
    return [_current[reference, device] for reference in references]


def _load_reference(reference: Reference, device: str) -> LoadedReference:
    arrays = random_inputs(reference.arguments, reference.seed)
    inputs: list[Any] = [
        array.item() if spec.is_scalar else to_torch(array, spec.dtype, device)
        for array, spec in zip(arrays, reference.arguments, strict=True)
    ]
    expected = [np.load(file) for file in reference.files]
    uploaded: list[torch.Tensor] = []
    loaded = LoadedReference(
        reference, inputs, [_checksum(tensor) for tensor in inputs], expected, [], []
    )
    for position, array in enumerate(expected):
        dtype = loaded.dtype(position)
        bounds = reference.reduction, reference.slack
        relative, _ = tolerances(dtype, *bounds)
        absolute = absolute_tolerance(array, dtype, *bounds)
        loaded.limits.append((relative, absolute))
        uploaded.append(_upload(array, device))
    loaded.uploaded = uploaded
    return loaded


def _upload(array: np.ndarray, device: str) -> torch.Tensor:
    import torch

    return torch.from_numpy(np.ascontiguousarray(array).reshape(array.shape)).to(device)


def _checksum(tensor: torch.Tensor | float) -> int:
    """A sum of the tensor's bits; differs if a kernel wrote to the tensor."""
    import torch

    if not isinstance(tensor, torch.Tensor):
        return 0
    if tensor.numel() == 0:
        return 0
    width = tensor.element_size()
    as_integer = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
    return int(tensor.view(as_integer[width]).sum(dtype=torch.int64).item())


def check_all(
    calls: Sequence[Callable[[], Any]],
    references: Sequence[LoadedReference],
    finish: Callable[[], None],
) -> Comparison:
    """Call and compare at every reference: the first failure, else the worst match."""
    found: list[Comparison] = []
    for call, loaded in zip(calls, references, strict=True):
        comparison = _check(call, loaded, finish)
        if not comparison.ok:
            title = loaded.reference.title
            where = f"at {title}: " if title else ""
            return replace(comparison, message=f"{where}{comparison.message}")
        found.append(comparison)
    # Of equal errors the last: sizes are most often given in rising order.
    return max(reversed(found), key=lambda comparison: comparison.relative_error)


def _check(
    call: Callable[[], Any], loaded: LoadedReference, finish: Callable[[], None]
) -> Comparison:
    with empty_is_nan():
        outputs = call()
        finish()
    changed = _changed_argument(loaded)
    if changed is not None:
        _current.clear()
        message = f"the program wrote to its argument '{changed}'"
        return Comparison(False, float("inf"), float("inf"), message)
    if not isinstance(outputs, tuple):
        outputs = (outputs,)
    if len(outputs) != len(loaded.expected):
        message = f"{len(outputs)} results, expected {len(loaded.expected)}"
        return Comparison(False, float("inf"), float("inf"), message)
    worst = Comparison(True, 0.0, 0.0, "there are no results")
    for position, output in enumerate(outputs):
        comparison = _compare(output, position, loaded)
        if not comparison.ok:
            name = loaded.reference.results[position].name
            text = f"result '{name}': {comparison.message}"
            return replace(comparison, message=text)
        if comparison.relative_error >= worst.relative_error:
            worst = comparison
    return worst


def _compare(
    output: torch.Tensor, position: int, loaded: LoadedReference
) -> Comparison:
    """Compare on the device, and on the host only where that finds a difference.

    Comparing some million elements takes numpy longer than timing the kernel takes.
    """
    spec = loaded.reference.results[position]
    expected = loaded.uploaded[position]
    if tuple(output.shape) != spec.shape:
        text = f"shape is {tuple(output.shape)}, expected {spec.shape}"
        return Comparison(False, float("inf"), float("inf"), text)
    if output.dtype != torch_dtype(spec.dtype):
        text = f"dtype is {output.dtype}, expected {spec.dtype}"
        return Comparison(False, float("inf"), float("inf"), text)
    if output.numel() and output.dtype.is_floating_point:
        relative, absolute = loaded.limits[position]
        error = (output.to(expected.dtype) - expected).abs()
        allowed = expected.abs() * relative + absolute
        # NaN compares false, so it never passes here.
        if bool((error <= allowed).all()):
            largest = float(error.max())
            magnitude = max(absolute / relative if relative else 1.0, 1e-300)
            worst = _worst(output, expected, error / allowed)
            text = describe_equal(largest, largest / magnitude, worst)
            return Comparison(True, largest, largest / magnitude, text)
    host = from_torch(output, spec.dtype)
    return compare(
        host,
        loaded.expected[position],
        loaded.dtype(position),
        loaded.reference.reduction,
        loaded.reference.slack,
    )


def _worst(output: torch.Tensor, expected: torch.Tensor, share: torch.Tensor) -> Worst:
    """The element that uses most of its tolerance."""
    at = int(share.nan_to_num(0.0).argmax())  # 0 / 0 is NaN
    return Worst(
        [int(index) for index in np.unravel_index(at, tuple(output.shape))],
        output.flatten()[at].item(),
        expected.flatten()[at].item(),
        float(share.nan_to_num(0.0).flatten()[at]),
    )


def _changed_argument(loaded: LoadedReference) -> str | None:
    for spec, tensor, checksum in zip(
        loaded.reference.arguments, loaded.inputs, loaded.checksums, strict=True
    ):
        if _checksum(tensor) != checksum:
            return spec.name
    return None


@contextlib.contextmanager
def empty_is_nan() -> Iterator[None]:
    """Make torch.empty fill floats with NaN and integers with the largest number.

    The allocator reuses the memory of an earlier result, which still holds the right
    numbers. Without the filling, a kernel that leaves a tile unwritten would pass.
    """
    import torch

    # Filling is part of torch's deterministic mode. `use_deterministic_algorithms`
    # would set that too, but it imports all of Inductor, which takes 1.7 seconds.
    settings: Any = torch.utils.deterministic
    mode, filling = (
        torch.get_deterministic_debug_mode(),
        settings.fill_uninitialized_memory,
    )
    torch.set_deterministic_debug_mode("warn")
    settings.fill_uninitialized_memory = True
    try:
        yield
    finally:
        torch.set_deterministic_debug_mode(mode)
        settings.fill_uninitialized_memory = filling
