"""Checking a program's results on the device against a reference.

Inputs and expected results stay on the device from one job to the next. A kernel that
writes out of bounds could change them for the next candidate, so their checksums are
compared after each job.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tilewright.codegen.runtime.compile import torch_dtype
from tilewright.ir.tolerance import (
    Comparison,
    Worst,
    compare,
    describe_equal,
    magnitude_of,
    tolerances,
)
from tilewright.tuning.measure.device_reference import expected_tensors, random_tensors
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
    expected: list[torch.Tensor]
    allowed: list[torch.Tensor | None]
    """The error that each element of each result may have; None for exact types."""
    magnitudes: list[float]
    """The root mean square of each result."""

    def dtype(self, position: int) -> str:
        """The dtype whose tolerance applies to a result."""
        own = self.reference.results[position].dtype
        if self.reference.precision is None or own != "f32":
            return own
        return self.reference.precision


@dataclass
class _Data:
    """Inputs and expected results on a device; programs that round apart share them."""

    inputs: list[Any]
    checksums: list[int]
    expected: list[torch.Tensor]
    loaded: dict[Reference, LoadedReference] = field(default_factory=dict)

    @property
    def bytes(self) -> int:
        """What its tensors take on the device."""
        import torch

        allowed = [each for one in self.loaded.values() for each in one.allowed]
        held = [*self.inputs, *self.expected, *allowed]
        return sum(each.nbytes for each in held if isinstance(each, torch.Tensor))


_kept: dict[object, _Data] = {}
"""The data of references, those of the last call at the end."""

_HOST_ELEMENTS = 1 << 24
"""Largest result that numpy compares where the device has found a difference."""

_KEPT_BYTES = 4 << 30
"""Bytes of data that stay on the device: a run that tunes several kernels in turn loads
each of their references once."""


def load_references(
    references: Sequence[Reference], device: str
) -> list[LoadedReference]:
    """The references on a device; those of earlier calls stay while there is room."""
    wanted = [_key(reference, device) for reference in references]
    for key in wanted:
        if key in _kept:
            _kept[key] = _kept.pop(key)
    size = sum(data.bytes for data in _kept.values())
    for key in [key for key in _kept if key not in wanted]:
        if size > _KEPT_BYTES:
            size -= _kept.pop(key).bytes
    return [_load_reference(reference, device) for reference in references]


def ready_inputs(references: Sequence[Reference], device: str) -> list[list[Any]]:
    """The inputs of the references that are loaded already."""
    keys = [_key(reference, device) for reference in references]
    return [_kept[key].inputs for key in keys if key in _kept]


def _key(reference: Reference, device: str) -> object:
    """What inputs and expected results depend on."""
    of = reference
    return of.arguments, of.results, of.seed, of.files, of.source, of.inputs, device


def _load_reference(reference: Reference, device: str) -> LoadedReference:
    key = _key(reference, device)
    if key not in _kept:
        _kept[key] = _load_data(reference, device)
    data = _kept[key]
    if reference in data.loaded:
        return data.loaded[reference]
    loaded = LoadedReference(
        reference, data.inputs, data.checksums, data.expected, [], []
    )
    for position, tensor in enumerate(data.expected):
        dtype = loaded.dtype(position)
        relative, scale = tolerances(dtype, reference.reduction, reference.slack)
        magnitude = _magnitude(tensor, dtype)
        loaded.magnitudes.append(magnitude)
        if not (tensor.is_floating_point() and tensor.numel()):
            loaded.allowed.append(None)
            continue
        allowed = tensor.abs().mul_(relative).add_(scale * magnitude)
        if reference.slack and tensor.dim():
            allowed += reference.slack * above_all(tensor, magnitude)
        loaded.allowed.append(allowed)
    data.loaded[reference] = loaded
    return loaded


def _load_data(reference: Reference, device: str) -> _Data:
    if reference.source:
        inputs = random_tensors(reference.arguments, reference.seed, device)
        expected = expected_tensors(reference.source, inputs, reference.results)
        _release(device)
    else:
        arrays = [np.load(file) for file in reference.inputs] or random_inputs(
            reference.arguments, reference.seed
        )
        inputs = [
            array.item() if spec.is_scalar else to_torch(array, spec.dtype, device)
            for array, spec in zip(arrays, reference.arguments, strict=True)
        ]
        expected = [_upload(np.load(file), device) for file in reference.files]
    return _Data(inputs, _checksums(inputs), expected)


def _upload(array: np.ndarray, device: str) -> torch.Tensor:
    import torch

    return torch.from_numpy(np.ascontiguousarray(array).reshape(array.shape)).to(device)


def _release(device: str) -> None:
    """Give back the memory that computing the reference took."""
    import torch

    if device == "cuda":
        torch.cuda.empty_cache()


def _magnitude(expected: torch.Tensor, dtype: str) -> float:
    """The root mean square that the tolerance refers to."""
    if not expected.is_floating_point():
        return 0.0
    squares, count = 0.0, 0
    for part in expected.flatten().split(1 << 26):
        finite = part.isfinite()
        squares += float(part.double().square().where(finite, 0.0).sum())
        count += int(finite.sum())
    return magnitude_of(squares, count, dtype)


def above_all(expected: torch.Tensor, magnitude: float) -> torch.Tensor:
    """How far the root mean square of each row is above that of all elements."""
    finite = expected.where(expected.isfinite(), 0.0)
    return (finite.square().mean(-1, keepdim=True).sqrt() - magnitude).clamp_(min=0.0)


def _checksums(inputs: Sequence[torch.Tensor | float]) -> list[int]:
    """A sum of the bits of each tensor; differs if a kernel wrote to the tensor."""
    import torch

    as_integer = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
    sums = [
        tensor.view(as_integer[tensor.element_size()]).sum(dtype=torch.int64)
        if isinstance(tensor, torch.Tensor) and tensor.numel()
        else None
        for tensor in inputs
    ]
    # One transfer for all sums: each would wait for the device.
    found = [each for each in sums if each is not None]
    values = iter(torch.stack(found).tolist() if found else ())
    return [0 if each is None else next(values) for each in sums]


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
        _kept.clear()
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
    expected, allowed = loaded.expected[position], loaded.allowed[position]
    if tuple(output.shape) != spec.shape:
        text = f"shape is {tuple(output.shape)}, expected {spec.shape}"
        return Comparison(False, float("inf"), float("inf"), text)
    if output.dtype != torch_dtype(spec.dtype):
        text = f"dtype is {output.dtype}, expected {spec.dtype}"
        return Comparison(False, float("inf"), float("inf"), text)
    if allowed is not None:
        error = (output.to(expected.dtype) - expected).abs_()
        largest = error.max()
        share, at = error.div_(allowed).flatten().max(0)
        # Of NaN, and of 0 / 0, the maximum is NaN, which is not at most 1.
        used, largest, place = _numbers(share, largest, at)
        if used <= 1.0:
            worst = _worst(output, expected, int(place), used)
            relative = largest / max(loaded.magnitudes[position], 1e-300)
            text = describe_equal(largest, relative, worst)
            return Comparison(True, largest, relative, text)
        if output.numel() > _HOST_ELEMENTS:
            return _differences(output, expected, allowed)
    host = from_torch(output, spec.dtype)
    return compare(
        host,
        expected.cpu().numpy(),
        loaded.dtype(position),
        loaded.reference.reduction,
        loaded.reference.slack,
    )


def _differences(
    output: torch.Tensor, expected: torch.Tensor, allowed: torch.Tensor
) -> Comparison:
    """Compare as numpy does, on the device: NaN equals NaN, infinity itself."""
    import torch

    got = output.to(expected.dtype)
    same = (got == expected) | (got.isnan() & expected.isnan())
    finite = got.isfinite() & expected.isfinite()
    error = torch.where(finite, (got - expected).abs(), torch.inf).masked_fill(same, 0)
    bad = int((error > allowed).sum())
    largest = float(error.max())
    share, at = (error / allowed).nan_to_num(0.0, torch.inf).flatten().max(0)
    worst = _worst(output, expected, int(at), float(share))
    if not bad:
        return Comparison(True, largest, largest, describe_equal(largest, 0.0, worst))
    text = f"{bad} of {output.numel()} elements differ; worst at {worst.values()}"
    return Comparison(False, largest, largest, text)


def _numbers(*values: torch.Tensor) -> list[float]:
    """The numbers of tensors without dimensions, by one transfer."""
    import torch

    return torch.stack([value.double() for value in values]).tolist()


def _worst(
    output: torch.Tensor, expected: torch.Tensor, at: int, share: float
) -> Worst:
    """The element that uses most of its tolerance."""
    pair = _numbers(output.flatten()[at], expected.flatten()[at])
    index = [int(i) for i in np.unravel_index(at, tuple(output.shape))]
    return Worst(index, pair[0], pair[1], share)


def _changed_argument(loaded: LoadedReference) -> str | None:
    for spec, before, now in zip(
        loaded.reference.arguments,
        loaded.checksums,
        _checksums(loaded.inputs),
        strict=True,
    ):
        if now != before:
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
