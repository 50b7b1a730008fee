"""The builder: what the ops look like, what they compute, what is refused."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tilewright
import tilewright.payloads
from support.mlir_opt import mlir_opt, needs_mlir
from support.paths import DOCS
from support.payload_results import assert_close, random_arrays, results_of, wide
from tilewright.frontend.builder import (
    Payload,
    Scalar,
    Tensor,
    absolute,
    attention,
    cast,
    concatenate,
    elementwise,
    erf,
    exp,
    index,
    layernorm,
    linear,
    matmul,
    maximum,
    minimum,
    pointwise,
    reduce,
    relu,
    rope,
    scaled_matmul,
    sigmoid,
    softmax,
    where,
)
from tilewright.ir.context import payload_context
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module, place_of, to_text

FLOATS = ("f32", "f16", "bf16")
SIZES = (1, 7, 127)


def one(name: str = "p", shape: tuple[int | str | None, ...] = (4, 8), dtype="f32"):
    payload = Payload(name)
    return payload, payload.input("x", shape, dtype)


def count(text: str, op: str) -> int:
    return text.count(op)


# What the text looks like.


def linear_relu() -> Payload:
    p = Payload("linear_relu")
    a = p.input("a", (16, 32), "f16")
    b = p.input("b", (32, 8), "f16")
    bias = p.input("bias", (8,), "f16")

    def tail(acc: Scalar, v: Scalar) -> Scalar:
        return relu(acc + v)

    p.output(elementwise(tail, a @ b, bias, dtype="f16"))
    return p


def test_a_linear_layer_is_fill_matmul_and_one_generic() -> None:
    assert (
        linear_relu().text()
        == """\
func.func @linear_relu(%a: tensor<16x32xf16>, %b: tensor<32x8xf16>, \
%bias: tensor<8xf16>) -> tensor<16x8xf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %empty = tensor.empty() : tensor<16x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x8xf32>) -> \
tensor<16x8xf32>
  %product = linalg.matmul ins(%a, %b : tensor<16x32xf16>, tensor<32x8xf16>) \
outs(%init : tensor<16x8xf32>) -> tensor<16x8xf32>
  %empty_1 = tensor.empty() : tensor<16x8xf16>
  %tail = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, \
affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], \
iterator_types = ["parallel", "parallel"]} ins(%product, %bias : tensor<16x8xf32>, \
tensor<8xf16>) outs(%empty_1 : tensor<16x8xf16>) {
  ^bb0(%acc: f32, %v: f16, %out: f16):
    %0 = arith.extf %v : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.maximumf %1, %zero : f32
    %3 = arith.truncf %2 : f32 to f16
    linalg.yield %3 : f16
  } -> tensor<16x8xf16>
  func.return %tail : tensor<16x8xf16>
}
"""
    )


def test_a_module_may_be_taken_at_any_time_and_is_a_fresh_one() -> None:
    p, x = one()
    p.output(x + 1)
    before = p.text()
    first = p.module
    p.output(x * 2)
    assert to_text(first) != to_text(p.module)
    assert before in to_text(first).replace("\n  ", "\n")


def test_ops_carry_the_place_of_the_call() -> None:
    p, x = one()
    p.output(relu(x))  # here
    generic = next(op for op in p.module.walk() if op.name == "linalg.generic")
    place = place_of(generic)
    assert place is not None and place.file == __file__
    assert place.text is not None and place.text.endswith("# here")
    assert place.text[place.column - 1 :].startswith("relu(x)")


def test_numbers_are_kept_once_at_the_top() -> None:
    p, x = one()
    p.output(x * 2 + 2.0 + (x * 2))
    assert count(p.text(), "arith.constant") == 1


def test_a_view_is_only_a_map() -> None:
    p, x = one(shape=(4, 8))
    y = p.input("y", (8, 4), "f32")
    p.output(x + y.T)
    text = p.text()
    assert "affine_map<(d0, d1) -> (d1, d0)>" in text
    assert "linalg.transpose" not in text


def test_a_row_statistic_spreads_by_a_map() -> None:
    p, x = one()
    p.output(x - x.max(-1, keepdims=True))
    text = p.text()
    assert "affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>]" in text
    assert "expand_shape" not in text


def test_what_is_exact_stays_narrow() -> None:
    p, x = one(dtype="f16")
    p.output(relu(x), where_positive(x))
    assert "f32" not in p.text()


def where_positive(x: Tensor) -> Tensor:
    return elementwise(lambda x: where(x > 0, x, 0), x)


def test_arguments_are_never_destinations() -> None:
    p, x = one()
    p.output((x @ x.T).sum(0) + 1)
    inputs = set(p.module.body.block.first_op.body.block.args)  # type: ignore
    for op in p.module.walk():
        for output in getattr(op, "outputs", ()):
            assert output not in inputs


@needs_mlir
def test_real_mlir_takes_every_kind_of_op() -> None:
    p = Payload("kinds")
    x = p.input("x", (4, 6), "f16")
    c = p.input("c", (4, 1), "f32")
    s = p.input("s", (), "f32")
    i = p.input("i", (6,), "i8")
    p.output(
        x.T,
        x[:, None],
        x[1:3, ..., None],
        x.reshape(2, 2, 6),
        x.reshape(8, 3),
        x + c * s,
        i.max(0),
        i.sum(0),
        x.sum((0, 1), keepdims=True),
        elementwise(lambda i: i.cast("f32") + index(0).cast("f32"), i),
        elementwise(lambda x: x > 0, x),
    )
    text = p.text()
    mlir_opt(text)
    assert to_text(parse_module(to_text(p.module), "p", payload_context())) == to_text(
        p.module
    )


# What it computes.


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


# What is refused.


def refused(fact: str, remedy: str = "") -> object:
    return pytest.raises(UserError, match=f"(?s){fact}.*{remedy}")


def test_errors_point_at_the_call() -> None:
    p, x = one()
    with pytest.raises(UserError) as caught:
        x @ x
    place = caught.value.place
    assert place is not None and place.text is not None
    assert place.file == __file__
    assert place.text[place.column - 1 :] == "x @ x"
    assert "'x' (4, 8) f32" in caught.value.fact


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda p, x: x @ x.cast("f16").T, "operands of two types"),
        (lambda p, x: x + p.input("y", (3,), "f32"), "do not broadcast.*'y' \\(3,\\)"),
        (lambda p, x: x + p.input("y", (4, "N"), "f32"), "do not broadcast.*N"),
        (lambda p, x: x + p.input("y", (4, 8), "i32"), "f32 and i32 do not mix"),
        (lambda p, x: x.sum(2), "no axis 2.*-2 to 1"),
        (lambda p, x: x.sum((0, 0)), "none twice"),
        (lambda p, x: x.transpose(0, 0), "no order of the 2 dimensions"),
        (lambda p, x: x.reshape(5, 7), "does not hold the elements of \\(5, 7\\)"),
        (lambda p, x: x[:, :, :], "too many subscripts"),
        (lambda p, x: x[0], "0 is not a subscript"),
        (lambda p, x: x[5:], "is empty"),
        (lambda p, x: x[::-1], "in steps of 1 or more"),
        (lambda p, x: p.input("x", (1,), "f32"), "has an input 'x' already"),
        (lambda p, x: p.input("1x", (1,), "f32"), "cannot be the name of an input"),
        (lambda p, x: p.input("w_1", (1,), "f32"), "the printer's.*write w1"),
        (lambda p, x: p.input("w", (0,), "f32"), "less than 1"),
        (lambda p, x: p.input("w", (1,), "float16"), "the types are f64, f32"),
        (lambda p, x: erf(x.cast("i32")), "erf: not defined for i32"),
        (lambda p, x: x.cast("i32") / 2, "div: not defined for i32.*//"),
        (lambda p, x: x.cast("i32").mean(0), "mean: not defined for i32"),
        (lambda p, x: reduce("avg", x, axis=0), "there is no 'avg'"),
        (lambda p, x: elementwise(lambda x: x, x, x), "takes 1 operands"),
        (lambda p, x: elementwise(lambda x: None, x), "gave None"),
        (lambda p, x: elementwise(lambda x: x if x > 0 else 0, x), "neither true"),
        (lambda p, x: elementwise(lambda x: where(x, x, 0), x), "condition is f32"),
        (lambda p, x: where(x > 0, 1.0, 0.0), "two plain numbers.*cast"),
        (lambda p, x: x if x else x, "neither true"),
        (lambda p, x: index(0), "there is no element here"),
        (lambda p, x: elementwise(lambda x: index(2), x), "no axis 2"),
        (lambda p, x: relu(x, dtype="f7"), "no element type 'f7'"),
        (lambda p, x: Payload("q").output(x), "belongs to payload 'p'"),
        (lambda p, x: x + one("q")[1], "'p'.*'q'"),
        (lambda p, x: Payload("empty").text(), "returns nothing"),
        (lambda p, x: p.input("y", 5, "f32"), "5 is not a shape.*write a tuple"),
        (lambda p, x: p.input("y", (2.5,), "f32"), "2.5 is not a size"),
        (
            lambda p, x: x @ np.ones((8, 8)),
            "b is not a tensor of a payload but a nd",
        ),
        (lambda p, x: x @ 2, "b is not a tensor of a payload but a number"),
        (lambda p, x: x + None, "y is not a tensor of a payload but a NoneType"),
        (lambda p, x: reduce("sum", [1], axis=0), "no tensor of a payload but a list"),
        (lambda p, x: p.output(1), "result is not a tensor"),
        (lambda p, x: softmax("x"), "softmax: x is not a tensor"),
        (lambda p, x: linear(x, x.T, bias=1), "linear: bias is not a tensor"),
        (lambda p, x: linear(x, x.T, bias=x), "does not fit the weight"),
        (lambda p, x: linear(x, x.T, residual=x), "does not fit the product"),
        (lambda p, x: linear(x, x.T, activation="elu"), "no activation 'elu'"),
        (lambda p, x: layernorm(x, x), "does not fit the rows.*\\(8,\\)"),
        (lambda p, x: rope(x, x, x), "must broadcast to \\(4, 4\\)"),
        (lambda p, x: rope(x[:, :5], x, x), "no even number"),
        (lambda p, x: attention(x[0:1, 0:1].reshape(1), x, x), "no sequence"),
        (lambda p, x: scaled_matmul(x, x.T, x, x), "scales do not fit"),
        (lambda p, x: concatenate([x, x.T], 0), "do not fit along axis 0"),
        (lambda p, x: concatenate([], 0), "there are no tensors"),
        (lambda p, x: x.cast("i8") + 200, "200 does not fit an i8"),
        (lambda p, x: x.cast("i8") + 0.5, "0.5 is not an i8"),
        (lambda p, x: (x > 0) + (x > 0), "not defined for i1"),
        (lambda p, x: x.cast("i1"), "no truth value"),
        (lambda p, x: x.cast("f7"), "no element type 'f7'"),
        (lambda p, x: x.named("1"), "no name for a value"),
        (lambda p, x: elementwise(lambda e: e + x, x), "a Tensor among the elements"),
        (lambda p, x: where(x == 0, x, x), "condition is False, not an i1"),
        (lambda p, x: matmul(x[0:1].reshape(8), x[0:1].reshape(8)), "needs a matrix"),
        (lambda p, x: matmul(x.reshape(2, 2, 8), x.reshape(4, 8, 1)), "batches differ"),
    ],
)
def test_mistakes_are_told_at_the_call(make, words: str) -> None:  # type: ignore
    p, x = one()
    with pytest.raises(UserError, match=f"(?s){words}") as caught:
        make(p, x)
    assert caught.value.place is not None
    assert caught.value.place.file == __file__


def test_compile_takes_a_payload() -> None:
    p = linear_relu()
    program = tilewright.compile(p, target="h200")
    assert program.built.program.entry == "linear_relu"
    assert program.steps[0].text() == to_text(p.module)
    assert tilewright.Payload is Payload
    assert tilewright.payloads.relu is relu


def test_the_code_of_the_page_runs() -> None:
    page = DOCS / "payloads.md"
    code = "".join(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
    space: dict[str, object] = {}
    exec(compile(code, str(page), "exec"), space)
    p = space["p"]
    assert isinstance(p, Payload)
    text = p.text()
    assert count(text, "linalg.fill") == count(text, "linalg.matmul") == 2
    assert count(text, "linalg.generic") == 4
