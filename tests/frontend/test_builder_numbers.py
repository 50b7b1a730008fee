"""Payloads built from Python: the numbers that they compute."""

from __future__ import annotations

import numpy as np
import pytest

from support.built_payloads import count, one
from support.mlir_opt import mlir_opt, needs_mlir
from support.payload_results import assert_close, random_arrays, results_of, wide
from tilewright.frontend.builder import (
    Payload,
    Scalar,
    absolute,
    cast,
    elementwise,
    exp,
    index,
    maximum,
    minimum,
    pointwise,
    reduce,
    sigmoid,
    softmax,
    where,
)
from tilewright.ir.errors import UserError

FLOATS = ("f32", "f16", "bf16")
SIZES = (1, 7, 127)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(("m", "n", "k"), [(1, 1, 1), (7, 127, 33), (127, 1, 7)])
def test_matmul(m: int, n: int, k: int, dtype: str) -> None:
    p = Payload("p")
    a, b = p.input("a", (m, k), dtype), p.input("b", (n, k), dtype)
    p.output(a @ b.T)
    arrays = random_arrays(p)
    u, v = wide(arrays)
    assert_close(results_of(p, arrays)[0], u @ v.T, "f32", k)


@pytest.mark.parametrize("dtype", ["f64", *FLOATS, "f8E4M3FN", "f8E5M2"])
@pytest.mark.parametrize("n", SIZES)
def test_a_chain_is_rounded_once(n: int, dtype: str) -> None:
    p, x = one(shape=(3, n), dtype=dtype)
    p.output(elementwise(lambda x: sigmoid(x) * x + 0.5, x))
    arrays = random_arrays(p)
    (u,) = wide(arrays)
    assert_close(results_of(p, arrays)[0], u / (1 + np.exp(-u)) + 0.5, dtype)


@pytest.mark.parametrize(
    ("kind", "reference"),
    [("sum", np.sum), ("prod", np.prod), ("max", np.max), ("min", np.min)],
)
@pytest.mark.parametrize("axis", [0, -1, (0, 2), (0, 1, 2)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_reductions(kind, reference, axis, keepdims: bool) -> None:  # type: ignore
    p, x = one(shape=(3, 7, 5))
    p.output(reduce(kind, x, axis=axis, keepdims=keepdims))
    arrays = random_arrays(p)
    want = reference(arrays[0].astype(np.float64), axis=axis, keepdims=keepdims)
    assert_close(results_of(p, arrays)[0], want, "f32", 105)


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f8E4M3FN"])
def test_narrow_sums_are_given_in_f32(dtype: str) -> None:
    p, x = one(shape=(2, 127), dtype=dtype)
    p.output(x.sum(-1), x.mean(-1), x.mean(-1, dtype="f16"))
    arrays = random_arrays(p)
    (u,) = wide(arrays)
    total, mean, rounded = results_of(p, arrays)
    assert_close(total, u.sum(-1), "f32", 127)
    assert_close(mean, u.mean(-1), "f32", 127)
    assert_close(rounded, u.mean(-1), "f16", 127)


@pytest.mark.parametrize("dtype", ["i8", "i32", "i64"])
def test_integers(dtype: str) -> None:
    p, x = one(shape=(3, 7), dtype=dtype)
    p.output(x.sum(-1), x.max(0), x.min(0), x * 2 - x, maximum(x, 0), cast(x, "f32"))
    arrays = random_arrays(p)
    u = arrays[0].astype(np.int64)
    wants = [u.sum(-1), u.max(0), u.min(0), u, np.maximum(u, 0), u]
    for got, want in zip(results_of(p, arrays), wants, strict=True):
        assert np.array_equal(got, want)


def test_a_function_of_several_operands_is_reduced_in_one_op() -> None:
    p, x = one(shape=(5, 9))
    mean = x.mean(-1)
    p.output(
        reduce("sum", x, mean[:, None], axis=-1, of=lambda x, m: (x - m) * (x - m))
    )
    arrays = random_arrays(p)
    (u,) = wide(arrays)
    assert_close(results_of(p, arrays)[0], u.var(-1) * 9, "f32", 9)
    assert count(p.text(), "linalg.generic") == 3


def test_reducing_a_new_axis_changes_nothing() -> None:
    p, x = one(shape=(5,))
    p.output(x[:, None].sum(1))
    arrays = random_arrays(p)
    assert np.array_equal(results_of(p, arrays)[0], arrays[0])


def test_broadcasting_is_numpys() -> None:
    p = Payload("p")
    shapes = [(4, 1, 6), (5, 1), (6,), ()]
    tensors = [p.input(f"x{i}", shape, "f32") for i, shape in enumerate(shapes)]
    p.output(tensors[0] + tensors[1] * tensors[2] - tensors[3])
    arrays = random_arrays(p)
    a, b, c, d = wide(arrays)
    assert_close(results_of(p, arrays)[0], a + b * c - d, "f32")


def test_indices_and_conditions() -> None:
    p, x = one(shape=(5, 7))
    p.output(
        elementwise(lambda x: where((index(-1) <= index(0)) & (x > 0), x, -1.0), x)
    )
    arrays = random_arrays(p)
    lower = np.tril(np.ones((5, 7), bool)) & (arrays[0] > 0)
    assert np.array_equal(results_of(p, arrays)[0], np.where(lower, arrays[0], -1))


def test_comparisons_and_powers() -> None:
    p, x = one(shape=(3, 4))
    y = p.input("y", (4,), "f32")
    p.output(
        x < y,
        x <= y,
        x > y,
        x >= y,
        elementwise(lambda x, y: x == y, x, y),
        elementwise(lambda x, y: x != y, x, y),
        x**2,
        absolute(x) ** 1.5,
        np.float32(2) * x,
    )
    arrays = random_arrays(p)
    arrays[0][0] = arrays[1]
    arrays[0][1, 0] = arrays[1][0] = np.nan
    u, v = arrays
    exact = [u < v, u <= v, u > v, u >= v, u == v, u != v, u**2]
    *got, powers, twice = results_of(p, arrays)
    for one_result, want in zip(got, exact, strict=True):
        assert np.array_equal(one_result, want, equal_nan=want.dtype != np.bool_)
    assert_close(powers, np.abs(u.astype(np.float64)) ** 1.5, "f32")
    assert_close(twice, 2 * u.astype(np.float64), "f32")


def test_an_index_is_given_as_i64() -> None:
    p, x = one(shape=(3, 4), dtype="i8")
    p.output(elementwise(lambda x: index(1) * 100 + index(0), x))
    (got,) = results_of(p, random_arrays(p))
    assert got.dtype == np.int64
    assert np.array_equal(got, np.arange(4) * 100 + np.arange(3)[:, None])


def test_views_parts_and_shapes() -> None:
    p, x = one(shape=(4, 6, 5))
    p.output(
        x.transpose(2, 0, 1),
        x[1:3, :, 2:],
        x.transpose(2, 0, 1)[1:, ..., :3],
        x.reshape(24, 5),
        x.reshape(2, 2, 30),
        x.reshape(8, -1),
        x.T.reshape(4, 30),
        x[:, None, :, :, None],
        x.reshape(1, 120, 1),
        x[:1, :1, :1].reshape(),
        x[1::2, :, ::3],
    )
    arrays = random_arrays(p)
    (u,) = arrays
    wants = [
        u.transpose(2, 0, 1),
        u[1:3, :, 2:],
        u.transpose(2, 0, 1)[1:, ..., :3],
        u.reshape(24, 5),
        u.reshape(2, 2, 30),
        u.reshape(8, -1),
        u.transpose(0, 2, 1).reshape(4, 30),
        u[:, None, :, :, None],
        u.reshape(1, 120, 1),
        u[0, 0, 0],
        u[1::2, :, ::3],
    ]
    for got, want in zip(results_of(p, arrays), wants, strict=True):
        assert np.array_equal(got, want)


@needs_mlir
@pytest.mark.parametrize("rows", SIZES)
def test_open_sizes_collapse_to_products(rows: int) -> None:
    p, x = one(shape=("M", 6, 8))
    b = p.input("b", (8,), "f32")
    flat = x.reshape("6*M", 8) + b
    p.output(flat.reshape("M", 48) * 2)
    mlir_opt(p.text())
    u, v = np.random.default_rng(0).random((rows, 6, 8), np.float32), np.ones(8)
    (made,) = results_of(p, [u, v.astype(np.float32)])
    np.testing.assert_allclose(made, ((u + 1) * 2).reshape(rows, 48), rtol=1e-6)
    with pytest.raises(UserError, match="does not hold the elements"):
        x.reshape("5*M", 8)
    with pytest.raises(UserError, match="no argument tells the size N"):
        p.input("y", ("7*N",), "f32").reshape("N", 7)


def test_several_results_of_one_op() -> None:
    p, x = one(shape=(3, 5))
    low, high = elementwise(lambda x: (minimum(x, 0), maximum(x, 0)), x)
    p.output(low, high)
    arrays = random_arrays(p)
    (got_low, got_high) = results_of(p, arrays)
    assert np.array_equal(got_low, np.minimum(arrays[0], 0))
    assert np.array_equal(got_high, np.maximum(arrays[0], 0))


@pytest.mark.parametrize(
    ("a", "b", "op"),
    [
        ((3, 5), (5, 4), "linalg.matmul "),
        ((2, 3, 5), (2, 5, 4), "linalg.batch_matmul "),
        ((2, 3, 5), (5, 4), "linalg.batch_matmul "),
        ((2, 6, 3, 5), (2, 6, 5, 4), "linalg.contract "),
        ((6, 3, 5), (2, 6, 5, 4), "linalg.contract "),
        ((3, 5), (5,), "linalg.contract "),
        ((5,), (5, 4), "linalg.contract "),
        ((2, 3, 5), (5,), "linalg.contract "),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_products_of_any_rank(
    a: tuple[int, ...], b: tuple[int, ...], op: str, turned: bool
) -> None:
    p = Payload("p")
    left = p.input("a", a, "f16")
    if turned and len(b) > 1:
        right = p.input("b", (*b[:-2], b[-1], b[-2]), "f16").T
    else:
        right = p.input("b", b, "f16")
    p.output(left @ right)
    # A batched matrix against a transposed single one has no op of its own.
    assert (op if (a, turned) != ((2, 3, 5), True) else "linalg.") in p.text()
    arrays = random_arrays(p)
    u, v = wide(arrays)
    v = v.swapaxes(-1, -2) if turned and len(b) > 1 else v
    assert_close(results_of(p, arrays)[0], u @ v, "f32", 5)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmax_along_any_axis(axis: int) -> None:
    p, x = one(shape=(3, 4, 5))
    p.output(softmax(x, axis))
    arrays = random_arrays(p)
    (u,) = wide(arrays)
    powers = np.exp(u)
    want = powers / powers.sum(axis, keepdims=True)
    assert_close(results_of(p, arrays)[0], want, "f32", 5)


@pytest.mark.parametrize("dtype", FLOATS)
@needs_mlir
def test_softmax_by_name(dtype: str) -> None:
    p, x = one(shape=(3, 4, 5), dtype=dtype)
    p.output(softmax(x.T, 1, named=True))
    assert count(p.text(), "linalg.softmax dimension(1) ins(%transposed") == 1
    mlir_opt(p.text())
    arrays = random_arrays(p)
    powers = np.exp(wide(arrays)[0].swapaxes(1, 2))
    want = powers / powers.sum(1, keepdims=True)
    assert_close(results_of(p, arrays)[0], want, dtype, 5)


def test_sizes_known_at_run_time() -> None:
    p = Payload("p")
    x = p.input("x", ("M", "K"), "f16")
    w = p.input("w", ("K", 8), "f16")
    free = p.input("free", (None, 3), "f32")
    p.output(x @ w, x.mean(-1), free + 1, x[:, None].sum((1, 2)))
    arrays = random_arrays(p, sizes={"M": 5, "K": 13, "free.0": 2})
    u, v, f = wide(arrays)
    product, mean, more, total = results_of(p, arrays)
    assert_close(product, u @ v, "f32", 13)
    assert_close(mean, u.mean(-1), "f32", 13)
    assert_close(more, f + 1, "f32")
    assert_close(total, u.sum(-1), "f32", 13)


def test_a_function_of_scalars_takes_tensors() -> None:
    @pointwise
    def shrink(x: Scalar, by: float) -> Scalar:
        return where(absolute(x) > by, x, 0)

    p, x = one()
    p.output(shrink(x, 0.5), exp(shrink(x, 0.5)))
    arrays = random_arrays(p)
    want = np.where(np.abs(arrays[0]) > 0.5, arrays[0], 0)
    assert np.array_equal(results_of(p, arrays)[0], want)
    assert count(p.text(), "linalg.generic") == 3
