"""Structured ops: every way of running them against numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.ir.interpreter import interpret
from tilewright.ir.dtypes import numpy_dtype
from tilewright.ir.errors import UserError
from tilewright.ir.tolerance import compare

SIZES = st.sampled_from([0, 1, 2, 3, 7, 16, 33])


def generic(
    maps: str, iterators: str, operands: dict[str, str], outs: int, body: str
) -> str:
    """A function of one linalg.generic; the last `outs` operands are outputs."""
    names = list(operands)
    arguments = ", ".join(f"%{name}: {kind}" for name, kind in operands.items())
    elements = {n: kind.rstrip(">").split("x")[-1] for n, kind in operands.items()}
    args = ", ".join(f"%{name}_: {kind}" for name, kind in elements.items())

    def group(chosen: list[str]) -> str:
        values = ", ".join(f"%{name}" for name in chosen)
        return f"{values} : {', '.join(operands[name] for name in chosen)}"

    result = operands[names[-1]]
    on_buffers = result.startswith("memref")
    arrow = "" if on_buffers else f"-> {result}"
    return f"""
    func.func @f({arguments}) {arrow} {{
      {"" if on_buffers else "%r ="} linalg.generic {{
        indexing_maps = [{maps}], iterator_types = [{iterators}]}}
        ins({group(names[:-outs])}) outs({group(names[-outs:])}) {{
      ^bb0({args}):
        {body}
      }} {arrow}
      return {"" if on_buffers else f"%r : {result}"}
    }}"""


def maps(*texts: str) -> str:
    return ", ".join(f"affine_map<{text}>" for text in texts)


P, R = '"parallel"', '"reduction"'


def random(shape: tuple[int, ...], dtype: str, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    if dtype.startswith("i"):
        return rng.integers(-8, 8, shape).astype(numpy_dtype(dtype))
    return rng.standard_normal(shape).astype(numpy_dtype(dtype))


@settings(deadline=None, max_examples=examples(40))
@given(m=SIZES, n=SIZES, k=SIZES, dtype=st.sampled_from(["f16", "bf16", "f32"]))
def test_matmul(m: int, n: int, k: int, dtype: str) -> None:
    text = f"""
    func.func @f(%a: tensor<{m}x{k}x{dtype}>, %b: tensor<{k}x{n}x{dtype}>,
                 %c: tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
      %r = linalg.matmul ins(%a, %b : tensor<{m}x{k}x{dtype}>, tensor<{k}x{n}x{dtype}>)
        outs(%c : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
      return %r : tensor<{m}x{n}xf32>
    }}"""
    a, b, c = random((m, k), dtype), random((k, n), dtype, 1), random((m, n), "f32", 2)
    want = c + a.astype(np.float32) @ b.astype(np.float32)
    outcome = compare(interpret(text, a, b, c), want, "f32", max(k, 1))
    assert outcome.ok, outcome.message


@settings(deadline=None, max_examples=examples(40))
@given(
    shape=st.lists(SIZES, min_size=1, max_size=3),
    dtype=st.sampled_from(["f16", "bf16", "f32", "f64"]),
    transposed=st.booleans(),
)
def test_elementwise(shape: list[int], dtype: str, transposed: bool) -> None:
    rank = len(shape)
    loops = ", ".join(f"d{i}" for i in range(rank))
    order = list(reversed(range(rank))) if transposed else list(range(rank))
    first = ", ".join(f"d{i}" for i in order)

    def tensor(sizes: list[int]) -> str:
        return f"tensor<{''.join(f'{size}x' for size in sizes)}{dtype}>"

    text = generic(
        maps(
            f"({loops}) -> ({first})",
            f"({loops}) -> (d{rank - 1})",
            f"({loops}) -> ({loops})",
        ),
        ", ".join([P] * rank),
        {
            "x": tensor([shape[i] for i in order]),
            "bias": tensor(shape[-1:]),
            "out": tensor(shape),
        },
        1,
        f"""%s = arith.addf %x_, %bias_ : {dtype}
        %p = arith.mulf %s, %x_ : {dtype}
        linalg.yield %p : {dtype}""",
    )
    x = random(tuple(shape[i] for i in order), dtype)
    bias = random(tuple(shape[-1:]), dtype, 1)
    view = x.transpose(order)
    got = interpret(text, x, bias, np.full(shape, np.nan, numpy_dtype(dtype)))
    assert got.dtype == numpy_dtype(dtype)
    np.testing.assert_array_equal(got, (view + bias) * view)


@pytest.mark.parametrize(
    ("combiner", "dtype", "function"),
    [
        ("arith.addf", "f32", np.add),
        ("arith.maximumf", "f16", np.maximum),
        ("arith.minimumf", "bf16", np.minimum),
        ("arith.mulf", "f32", np.multiply),
        ("arith.addi", "i32", np.add),
        ("arith.maxsi", "i8", np.maximum),
        ("arith.xori", "i16", np.bitwise_xor),
    ],
)
def test_reduction_by_a_combiner(combiner: str, dtype: str, function: np.ufunc) -> None:
    text = generic(
        maps("(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"),
        f"{P}, {R}",
        {"x": f"tensor<5x9x{dtype}>", "acc": f"tensor<5x{dtype}>"},
        1,
        f"""%s = {combiner} %acc_, %x_ : {dtype}
        linalg.yield %s : {dtype}""",
    )
    x, start = random((5, 9), dtype), random((5,), dtype, 1)
    wide = np.float32 if x.dtype.itemsize == 2 and dtype != "i16" else x.dtype
    total = function.reduce(x.astype(wide), axis=1, dtype=wide)
    want = function(start.astype(wide), total).astype(x.dtype)
    np.testing.assert_allclose(
        interpret(text, x, start).astype(np.float64), want.astype(np.float64), rtol=1e-5
    )


def test_max_reduction_keeps_nan() -> None:
    text = generic(
        maps("(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"),
        f"{P}, {R}",
        {"x": "tensor<2x3xf32>", "acc": "tensor<2xf32>"},
        1,
        "%s = arith.maximumf %x_, %acc_ : f32\n linalg.yield %s : f32",
    )
    x = np.float32([[1, np.nan, 2], [1, 5, 2]])
    start = np.full(2, -np.inf, np.float32)
    np.testing.assert_array_equal(interpret(text, x, start), np.float32([np.nan, 5]))


def test_two_reductions_at_once() -> None:
    text = generic(
        maps("(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)", "(d0, d1) -> (d0)"),
        f"{P}, {R}",
        {"x": "memref<4x6xf32>", "sum": "memref<4xf32>", "squares": "memref<4xf32>"},
        2,
        """%s = arith.addf %x_, %sum_ : f32
        %q = arith.mulf %x_, %x_ : f32
        %t = arith.addf %q, %squares_ : f32
        linalg.yield %s, %t : f32, f32""",
    )
    x = random((4, 6), "f32")
    total, squares = np.zeros(4, np.float32), np.zeros(4, np.float32)
    interpret(text, x, total, squares)
    np.testing.assert_allclose(total, x.sum(1), rtol=1e-5)
    np.testing.assert_allclose(squares, (x * x).sum(1), rtol=1e-5)


def test_argmax_runs_over_the_reduction() -> None:
    text = generic(
        maps("(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)", "(d0, d1) -> (d0)"),
        f"{P}, {R}",
        {"x": "memref<4x6xf32>", "best": "memref<4xf32>", "at": "memref<4xi64>"},
        2,
        """%i = linalg.index 1 : index
        %j = arith.index_cast %i : index to i64
        %c = arith.cmpf ogt, %x_, %best_ : f32
        %b = arith.select %c, %x_, %best_ : f32
        %a = arith.select %c, %j, %at_ : i64
        linalg.yield %b, %a : f32, i64""",
    )
    x = random((4, 6), "f32")
    best, at = np.full(4, -np.inf, np.float32), np.zeros(4, np.int64)
    interpret(text, x, best, at)
    np.testing.assert_array_equal(best, x.max(1))
    np.testing.assert_array_equal(at, x.argmax(1))


def test_batch_contraction_with_scale() -> None:
    text = generic(
        maps(
            "(b, m, n, k) -> (b, m, k)",
            "(b, m, n, k) -> (n, k, b)",
            "(b, m, n, k) -> (k)",
            "(b, m, n, k) -> (n, b, m)",
        ),
        f"{P}, {P}, {P}, {R}",
        {
            "a": "tensor<2x3x5xf16>",
            "b": "tensor<4x5x2xf16>",
            "s": "tensor<5xf32>",
            "c": "tensor<4x2x3xf32>",
        },
        1,
        """%x = arith.extf %a_ : f16 to f32
        %y = arith.extf %b_ : f16 to f32
        %z = arith.mulf %y, %s_ : f32
        %p = arith.mulf %x, %z : f32
        %r_ = arith.addf %p, %c_ : f32
        linalg.yield %r_ : f32""",
    )
    a, b = random((2, 3, 5), "f16"), random((4, 5, 2), "f16", 1)
    s, c = random((5,), "f32", 2), random((4, 2, 3), "f32", 3)
    wide = [v.astype(np.float32) for v in (a, b)]
    want = c + np.einsum("bmk,nkb,k->nbm", *wide, s)
    np.testing.assert_allclose(interpret(text, a, b, s, c), want, rtol=1e-4, atol=1e-5)


def test_integer_contraction_wraps() -> None:
    text = """
    func.func @f(%a: tensor<2x3xi8>, %b: tensor<3x2xi8>, %c: tensor<2x2xi32>)
        -> tensor<2x2xi32> {
      %r = linalg.matmul ins(%a, %b : tensor<2x3xi8>, tensor<3x2xi8>)
        outs(%c : tensor<2x2xi32>) -> tensor<2x2xi32>
      return %r : tensor<2x2xi32>
    }"""
    a = np.full((2, 3), -128, np.int8)
    b = np.full((3, 2), -128, np.int8)
    c = np.full((2, 2), 2**31 - 1, np.int32)
    want = np.full((2, 2), 2**31 - 1 + 3 * 2**14 - 2**32)
    np.testing.assert_array_equal(interpret(text, a, b, c), want)


def test_windowed_maps_gather() -> None:
    text = generic(
        maps("(i, w) -> (i * 2 + w)", "(i, w) -> (w)", "(i, w) -> (i)"),
        f"{P}, {R}",
        {"x": "tensor<9xf32>", "kernel": "tensor<3xf32>", "y": "tensor<4xf32>"},
        1,
        """%p = arith.mulf %x_, %kernel_ : f32
        %s = arith.addf %y_, %p : f32
        linalg.yield %s : f32""",
    )
    x, kernel = random((9,), "f32"), random((3,), "f32", 1)
    want = [x[2 * i : 2 * i + 3] @ kernel for i in range(4)]
    got = interpret(text, x, kernel, np.zeros(4, np.float32))
    np.testing.assert_allclose(got, want, rtol=1e-5)


def test_control_flow_in_the_body_runs_element_by_element() -> None:
    text = generic(
        maps("(i) -> (i)", "(i) -> (i)"),
        P,
        {"x": "tensor<4xf32>", "y": "tensor<4xf32>"},
        1,
        """%zero = arith.constant 0.0 : f32
        %c = arith.cmpf olt, %x_, %zero : f32
        %v = scf.if %c -> (f32) {
          scf.yield %zero : f32
        } else {
          scf.yield %x_ : f32
        }
        linalg.yield %v : f32""",
    )
    x = random((4,), "f32")
    np.testing.assert_array_equal(interpret(text, x, x), np.where(x < 0, 0, x))


def test_gather_by_indices() -> None:
    text = """
    func.func @f(%t: tensor<5x3xf32>, %rows: tensor<4xi64>, %o: tensor<4x3xf32>)
        -> tensor<4x3xf32> {
      %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>,
          affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
          ins(%rows : tensor<4xi64>) outs(%o : tensor<4x3xf32>) {
      ^bb0(%row: i64, %old: f32):
        %i = arith.index_cast %row : i64 to index
        %j = linalg.index 1 : index
        %v = tensor.extract %t[%i, %j] : tensor<5x3xf32>
        linalg.yield %v : f32
      } -> tensor<4x3xf32>
      return %r : tensor<4x3xf32>
    }"""
    t, out = random((5, 3), "f32"), np.zeros((4, 3), np.float32)
    rows = np.array([4, 0, 0, 2])
    np.testing.assert_array_equal(interpret(text, t, rows, out), t[rows])
    with pytest.raises(UserError, match="index 5 is outside dimension 0"):
        interpret(text, t, np.array([5, 0, 0, 0]), out)


def test_on_buffers_it_writes_in_place() -> None:
    text = generic(
        maps("(i) -> (i)", "(i) -> (i)"),
        P,
        {"x": "memref<3xf32>", "y": "memref<3xf32>"},
        1,
        "%s = arith.addf %x_, %y_ : f32\n linalg.yield %s : f32",
    )
    x, y = np.float32([1, 2, 3]), np.float32([10, 20, 30])
    assert interpret(text, x, y) == []
    np.testing.assert_array_equal(y, [11, 22, 33])


def test_named_ops() -> None:
    text = """
    func.func @f(%x: tensor<2x3xf32>, %o: tensor<3x2xf32>, %v: tensor<2xf32>,
                 %w: tensor<2x3xf32>)
        -> (tensor<3x2xf32>, tensor<2xf32>, tensor<2x3xf32>) {
      %t = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%o : tensor<3x2xf32>)
        permutation = [1, 0]
      %s = linalg.reduce ins(%x : tensor<2x3xf32>) outs(%v : tensor<2xf32>)
        dimensions = [1] (%a: f32, %b: f32) {
          %c = arith.addf %a, %b : f32
          linalg.yield %c : f32
        }
      %b = linalg.broadcast ins(%s : tensor<2xf32>) outs(%w : tensor<2x3xf32>)
        dimensions = [1]
      return %t, %s, %b : tensor<3x2xf32>, tensor<2xf32>, tensor<2x3xf32>
    }"""
    x = random((2, 3), "f32")
    zeros = [np.zeros(shape, np.float32) for shape in ((3, 2), (2,), (2, 3))]
    t, s, b = interpret(text, x, *zeros)
    np.testing.assert_array_equal(t, x.T)
    np.testing.assert_allclose(s, x.sum(1), rtol=1e-6)
    np.testing.assert_array_equal(b, np.broadcast_to(s[:, None], (2, 3)))


def test_disagreeing_dynamic_shapes_are_refused() -> None:
    text = generic(
        maps("(i) -> (i)", "(i) -> (i)"),
        P,
        {"x": "tensor<?xf32>", "y": "tensor<?xf32>"},
        1,
        "linalg.yield %x_ : f32",
    )
    with pytest.raises(UserError, match="operand 1 has size 4"):
        interpret(text, np.zeros(3, np.float32), np.zeros(4, np.float32))


def test_a_factor_is_not_pulled_out_of_a_sum_with_infinities() -> None:
    text = """func.func @f(%x: tensor<2x2xf32>, %r: tensor<2xf32>, %i: tensor<2xf32>)
    -> tensor<2xf32> {
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
      affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %r : tensor<2x2xf32>, tensor<2xf32>) outs(%i : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %p, %acc : f32
    linalg.yield %q : f32
  } -> tensor<2xf32>
  return %s : tensor<2xf32>
}"""
    x = np.array([[1.0, -2.0], [-1.0, -2.0]], np.float32)
    r = np.array([np.inf, np.inf], np.float32)
    with np.errstate(invalid="ignore"):
        got = interpret(text, x, r, np.zeros(2, np.float32))
    np.testing.assert_array_equal(got, [np.nan, -np.inf])
