"""Inputs from a seed: repeatable, independent of each other, exact through torch."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.codegen.program import TensorSpec
from tilewright.ir.dtypes import numpy_dtype
from tilewright.ir.errors import UserError
from tilewright.tuning.measure.inputs import from_torch, random_inputs, to_torch

DTYPES = ["f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2"] + [
    "i1",
    "i8",
    "i16",
    "i32",
    "i64",
    "index",
]


def bits(array: np.ndarray) -> bytes:
    return array.tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (1,), (7, 127), (0, 4)])
def test_round_trip_through_torch(dtype: str, shape: tuple[int, ...]) -> None:
    (array,) = random_inputs([TensorSpec("a", shape, dtype)], seed=1)
    assert array.shape == shape
    assert array.dtype == numpy_dtype(dtype)
    tensor = to_torch(array, dtype)
    assert tuple(tensor.shape) == shape
    back = from_torch(tensor, dtype)
    assert back.dtype == array.dtype
    assert bits(back) == bits(array)
    if dtype.startswith(("f", "bf")):
        assert np.array_equal(tensor.double().numpy(), array.astype(np.float64))


def test_seed_and_position_decide() -> None:
    a, b = TensorSpec("a", (64,), "f32"), TensorSpec("b", (64,), "bf16")
    first = random_inputs([a, b], seed=5)
    assert bits(first[0]) == bits(random_inputs([a, b], seed=5)[0])
    assert bits(first[0]) != bits(random_inputs([a, b], seed=6)[0])
    assert bits(first[0]) != bits(random_inputs([a, a], seed=5)[1])
    # Another shape in front does not move the numbers of what follows.
    longer = random_inputs([TensorSpec("a", (9,), "f16"), b], seed=5)
    assert bits(longer[1]) == bits(first[1])


def test_non_contiguous_array() -> None:
    array = np.arange(12, dtype=np.float32).reshape(3, 4).T
    assert np.array_equal(to_torch(array, "f32").numpy(), array)


def test_unknown_dtype() -> None:
    with pytest.raises(UserError, match="'f5' is not supported|'f5' are not supported"):
        random_inputs([TensorSpec("a", (1,), "f5")])
