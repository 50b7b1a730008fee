"""Run a payload that was built in Python, and compare it with expected results."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tilewright.frontend.builder import Payload
from tilewright.ir.context import payload_context
from tilewright.ir.dtypes import numpy_dtype
from tilewright.ir.interpreter import run
from tilewright.ir.text import parse_module
from tilewright.ir.tolerance import compare


def random_arrays(
    payload: Payload, seed: int = 0, sizes: dict[str, int] | None = None
) -> list[np.ndarray]:
    """An array for each input; `sizes` gives values for the named sizes."""
    rng = np.random.default_rng(seed)
    arrays: list[np.ndarray] = []
    for given in payload.inputs:
        shape = [s if isinstance(s, int) else (sizes or {})[s] for s in given.shape]
        kind = numpy_dtype(given.dtype)
        if given.dtype == "i1":
            arrays.append(rng.integers(0, 2, shape).astype(kind))
        elif given.dtype.startswith("i"):
            arrays.append(rng.integers(-8, 8, shape).astype(kind))
        else:
            arrays.append(rng.standard_normal(shape).astype(kind))
    return arrays


def results_of(payload: Payload, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The results of the payload: its text is parsed and run by the interpreter."""
    module = parse_module(payload.text(), "payload.mlir", payload_context())
    return run(module, arrays)


def wide(arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Floats in f64, for references; the rest as it is."""
    return [
        a
        if a.dtype.kind in "iub"
        else a.astype(np.float32).astype(np.float64)
        if a.dtype.itemsize < 4
        else a.astype(np.float64)
        for a in arrays
    ]


def assert_close(
    actual: np.ndarray, expected: object, dtype: str, reduction: int = 1
) -> None:
    """Check the dtype of a result, and its numbers within the dtype's tolerance."""
    assert actual.dtype == numpy_dtype(dtype)
    outcome = compare(actual, np.asarray(expected), dtype, reduction)
    assert outcome.ok, outcome.message
