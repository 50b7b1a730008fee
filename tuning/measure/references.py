"""Expected results: what a worker checks a program against.

They are in files, computed by the numpy interpreter, or the worker computes them on its
device, by a torch function in float64 (`device_reference.py`). The inputs are not
stored. A worker draws them from the seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tilewright.codegen.program import TensorSpec


@dataclass(frozen=True)
class Reference:
    """The expected results for the inputs that a seed gives."""

    arguments: tuple[TensorSpec, ...]
    results: tuple[TensorSpec, ...]
    seed: int
    files: tuple[Path, ...]
    """One `.npy` file for each result; narrow floats are saved as f32. Empty where the
    device computes the results."""
    reduction: int
    """Length of the longest reduction behind a result; sets the tolerance."""
    precision: str | None = None
    """The dtype whose tolerance f32 results get instead of their own: `tf32`."""
    timed: bool = True
    """Whether the program is timed at these sizes, or only checked."""
    title: str = ""
    """The sizes in words, where there are several."""
    slack: float = 0.0
    """Error that coarse rounding adds to the tolerance, relative to the results."""
    source: str = ""
    """The text of the torch function that computes the results on the device."""
    inputs: tuple[Path, ...] = ()
    """One `.npy` file for each argument, where they are not drawn from the seed; types
    that numpy's format lacks are saved as integers of the same width."""


def with_shapes(
    specs: Sequence[TensorSpec], shapes: Sequence[Sequence[int]]
) -> tuple[TensorSpec, ...]:
    """Specs with the shapes of actual arrays."""
    return tuple(
        replace(spec, shape=tuple(shape))
        for spec, shape in zip(specs, shapes, strict=True)
    )


def save_inputs(arrays: Sequence[np.ndarray], folder: Path) -> tuple[Path, ...]:
    """Save arguments that are not drawn from a seed."""
    files: list[Path] = []
    for position, array in enumerate(arrays):
        files.append(folder / f"argument{position}.npy")
        np.save(files[-1], array)
    return tuple(files)


def save_results(arrays: Sequence[np.ndarray], folder: Path) -> tuple[Path, ...]:
    """Save expected results; numpy's format lacks bf16, which f32 holds exactly."""
    files: list[Path] = []
    for position, array in enumerate(arrays):
        plain = np.asarray(array)
        narrow = plain.dtype.itemsize < 4 and plain.dtype.kind not in "iub"
        path = folder / f"result{position}.npy"
        np.save(path, plain.astype(np.float32) if narrow else plain)
        files.append(path)
    return tuple(files)
