"""Functions of rows (log-sum-exp, log-softmax, cross-entropy, argmax) against torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from support.mlir_opt import mlir_opt, needs_mlir
from support.payload_results import assert_close, random_arrays, results_of, wide
from tilewright.frontend.builder import (
    Payload,
    Tensor,
    argmax,
    cross_entropy,
    log_softmax,
    logsumexp,
)
from tilewright.ir.errors import UserError

TYPES = pytest.mark.parametrize("dtype", ["f32", "f16", "bf16"])
SHAPES = pytest.mark.parametrize("shape", [(1, 1), (7, 127), (2, 3, 33)])


def rows(
    shape: tuple[int | str, ...], dtype: str = "f32", name: str = "rows"
) -> tuple[Payload, Tensor]:
    p = Payload(name)
    return p, p.input("x", shape, dtype)


@pytest.mark.sampled(6)
@TYPES
@SHAPES
def test_logsumexp_and_log_softmax(dtype: str, shape: tuple[int, ...]) -> None:
    p, x = rows(shape, dtype)
    p.output(logsumexp(x), log_softmax(x), log_softmax(x, 0, dtype="f32"))
    arrays = random_arrays(p)
    (given,) = map(torch.from_numpy, wide(arrays))
    sums, logs, columns = results_of(p, arrays)
    assert_close(sums, given.logsumexp(-1).numpy(), "f32", shape[-1])
    assert_close(logs, given.log_softmax(-1).numpy(), dtype, shape[-1])
    assert_close(columns, given.log_softmax(0).numpy(), "f32", shape[0])


def test_large_numbers_keep_their_small_differences() -> None:
    p, x = rows((1, 3))
    p.output(log_softmax(x), logsumexp(x, keepdims=True))
    given = np.array([[1e4, 1e4 - 1, -1e4]], np.float32)
    logs, sums = results_of(p, [given])
    expected = torch.from_numpy(given).double().log_softmax(-1)
    assert np.allclose(logs, expected.numpy(), rtol=1e-6, atol=0)
    assert sums.shape == (1, 1) and np.isfinite(sums).all()


@TYPES
@pytest.mark.parametrize("targets", ["i32", "i64"])
def test_cross_entropy(dtype: str, targets: str) -> None:
    p, x = rows((2, 7, 33), dtype)
    classes = p.input("classes", (2, 7), targets)
    p.output(cross_entropy(x, classes))
    p.output(cross_entropy(x, classes, ignore_index=-100))
    arrays = random_arrays(p)
    chosen = np.random.default_rng(1).integers(0, 33, (2, 7))
    whole, some = chosen.copy(), chosen.copy()
    some[0, :3] = -100
    logits = torch.from_numpy(wide(arrays)[0]).transpose(1, 2)
    for at, picked in enumerate((whole, some)):
        arrays[1] = picked.astype(arrays[1].dtype)
        result = results_of(p, arrays)[at]
        expected = F.cross_entropy(logits, torch.from_numpy(picked), reduction="none")
        assert_close(result, expected.numpy(), "f32", 33)


def test_cross_entropy_gathers_one_logit_of_a_row() -> None:
    p, x = rows(("N", 33), "bf16")
    p.output(cross_entropy(x, p.input("classes", ("N",), "i64")))
    text = p.text()
    # The maximum, the exponentials, their sum, the loss.
    assert text.count("linalg.generic") == 4 and text.count("tensor.extract") == 1


@TYPES
@pytest.mark.parametrize("axis", [0, -1])
def test_argmax(dtype: str, axis: int) -> None:
    p, x = rows((7, 127), dtype)
    p.output(*argmax(x, axis=axis), *argmax(x, axis=axis, keepdims=True, dtype="i64"))
    # Few different numbers, so that there are ties: the first index counts.
    arrays = [np.round(random_arrays(p)[0])]
    values, places, _, kept = results_of(p, arrays)
    assert np.array_equal(places, wide(arrays)[0].argmax(axis))
    assert np.array_equal(values, arrays[0].max(axis))
    assert places.dtype == np.int32 and kept.dtype == np.int64
    assert np.array_equal(kept, np.expand_dims(places, axis))


def test_argmax_of_nan_and_infinities_is_that_of_torch() -> None:
    p, x = rows((4, 4))
    p.output(*argmax(x))
    inf, nan = np.inf, np.nan
    given = np.array(
        [[1, nan, 2, nan], [-inf] * 4, [1, inf, 2, inf], [0, 0, 0, 0]], np.float32
    )
    values, places = results_of(p, [given])
    expected, where = torch.from_numpy(given).max(-1)
    assert np.array_equal(places, where.numpy())
    assert np.array_equal(values, expected.numpy(), equal_nan=True)


def test_argmax_of_integers() -> None:
    p = Payload("rows")
    x = p.input("x", (5, 9), "i8")
    p.output(argmax(x)[1])
    arrays = random_arrays(p)
    assert np.array_equal(results_of(p, arrays)[0], arrays[0].argmax(-1))


@needs_mlir
def test_real_mlir_reads_them() -> None:
    p, x = rows(("N", 33), "bf16")
    p.output(logsumexp(x), log_softmax(x), *argmax(x))
    p.output(cross_entropy(x, p.input("classes", ("N",), "i64"), ignore_index=-100))
    mlir_opt(p.text())


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda x: cross_entropy(x, x), "must be integers of shape \\(4,\\)"),
        (lambda x: logsumexp(x.cast("i32")), "logsumexp: not defined for"),
        (lambda x: log_softmax(x, 2), "there is no axis 2"),
        (lambda x: argmax(x, axis=2), "argmax: there is no axis 2"),
    ],
)
def test_mistakes_are_told_at_the_call(make: Any, words: str) -> None:
    _, x = rows((4, 8))
    with pytest.raises(UserError, match=f"(?s){words}") as caught:
        make(x)
    assert caught.value.place is not None
    assert caught.value.place.file == __file__
