"""The same program at every level computes numpy's own numbers."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from support.paths import DATA
from tilewright.ir.context import payload_context
from tilewright.ir.interpreter import Options, run
from tilewright.ir.text import read_module
from tilewright.ir.tolerance import compare

LEVELS = sorted((DATA / "levels").glob("*.mlir"))
DTYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32}


def inputs_for(name: str) -> list[np.ndarray]:
    case, dtype, *_ = name.split("_")
    m, n, k = (128, 192, 64) if case == "dividing" else (200, 104, 136)
    rng = np.random.default_rng(7)
    return [
        rng.standard_normal(shape).astype(DTYPES[dtype]) for shape in ((m, k), (k, n))
    ]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("path", LEVELS, ids=lambda path: path.stem)
def test_level_agrees_with_numpy(path: Path) -> None:
    a, b = inputs_for(path.stem)
    expected = np.maximum(a.astype(np.float64) @ b.astype(np.float64), 0)
    module = read_module(path, payload_context())
    # Reading what was never written, or a race between tiles, would show.
    options = Options(poison_uninitialized=True, shuffle_forall_seed=3)
    (actual,) = run(module, [a, b], options=options)
    assert actual.dtype == np.float32
    outcome = compare(actual, expected.astype(np.float32), "f32", a.shape[1])
    assert outcome.ok, outcome.message


@pytest.mark.sampled(6)
@pytest.mark.parametrize("path", LEVELS, ids=lambda path: path.stem)
def test_a_nan_reaches_its_row_only(path: Path) -> None:
    a, b = inputs_for(path.stem)
    a[5, 3] = np.nan
    (actual,) = run(read_module(path, payload_context()), [a, b])
    assert np.isnan(actual[5]).all()
    assert not np.isnan(np.delete(actual, 5, axis=0)).any()


@pytest.mark.slow
def test_inputs_are_left_alone() -> None:
    for path in LEVELS:
        given = inputs_for(path.stem)
        before = [array.copy() for array in given]
        run(read_module(path, payload_context()), given)
        for array, kept in zip(given, before, strict=True):
            assert np.array_equal(array, kept)
