"""arith and math: rounding, NaN, signs, widths; judged by real MLIR's folder."""

from __future__ import annotations

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from support.ir.interpreter import apply, interpret
from support.mlir_opt import mlir_opt, needs_mlir
from tilewright.ir.context import payload_context
from tilewright.ir.dtypes import numpy_dtype
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import run
from tilewright.ir.text import parse_module

# Each is (ops that end in %r, the type of %r); real MLIR folds every one of them.
FOLDED = [
    ("%x = arith.constant -7 : i32", "%y = arith.constant 2 : i32", "divsi", "i32"),
    (
        "%x = arith.constant -7 : i32",
        "%y = arith.constant 2 : i32",
        "floordivsi",
        "i32",
    ),
    ("%x = arith.constant -7 : i32", "%y = arith.constant 2 : i32", "ceildivsi", "i32"),
    ("%x = arith.constant 7 : i32", "%y = arith.constant 2 : i32", "ceildivsi", "i32"),
    ("%x = arith.constant -7 : i32", "%y = arith.constant 2 : i32", "remsi", "i32"),
    ("%x = arith.constant -7 : i32", "%y = arith.constant 2 : i32", "divui", "i32"),
    ("%x = arith.constant -7 : i32", "%y = arith.constant 2 : i32", "remui", "i32"),
    ("%x = arith.constant -7 : i32", "%y = arith.constant 2 : i32", "ceildivui", "i32"),
    ("%x = arith.constant -7 : i8", "%y = arith.constant 2 : i8", "shrsi", "i8"),
    ("%x = arith.constant -7 : i8", "%y = arith.constant 2 : i8", "shrui", "i8"),
    ("%x = arith.constant 100 : i8", "%y = arith.constant 3 : i8", "shli", "i8"),
    ("%x = arith.constant 100 : i8", "%y = arith.constant 100 : i8", "addi", "i8"),
    ("%x = arith.constant 100 : i8", "%y = arith.constant 100 : i8", "muli", "i8"),
    ("%x = arith.constant true", "%y = arith.constant true", "addi", "i1"),
    ("%x = arith.constant true", "%y = arith.constant false", "maxsi", "i1"),
    ("%x = arith.constant true", "%y = arith.constant false", "maxui", "i1"),
    ("%x = arith.constant -1 : i16", "%y = arith.constant 1 : i16", "maxui", "i16"),
    ("%x = arith.constant -1 : i16", "%y = arith.constant 1 : i16", "minsi", "i16"),
    ("%x = arith.constant 3.0 : f16", "%y = arith.constant 7.0 : f16", "divf", "f16"),
    (
        "%x = arith.constant 3.0 : bf16",
        "%y = arith.constant 7.0 : bf16",
        "divf",
        "bf16",
    ),
    ("%x = arith.constant 0.1 : f16", "%y = arith.constant 7.0 : f16", "addf", "f16"),
    (
        "%x = arith.constant 0x7FC00000 : f32",
        "%y = arith.constant 1.0 : f32",
        "maximumf",
        "f32",
    ),
    (
        "%x = arith.constant 0x7FC00000 : f32",
        "%y = arith.constant 1.0 : f32",
        "maxnumf",
        "f32",
    ),
    (
        "%x = arith.constant 0x7FC00000 : f32",
        "%y = arith.constant 1.0 : f32",
        "minnumf",
        "f32",
    ),
]

CASTS = [
    ("arith.constant true", "arith.extsi %x : i1 to i32", "i32"),
    ("arith.constant true", "arith.extui %x : i1 to i32", "i32"),
    ("arith.constant -5 : i8", "arith.extui %x : i8 to i32", "i32"),
    ("arith.constant 1000 : i32", "arith.trunci %x : i32 to i8", "i8"),
    ("arith.constant 3 : i32", "arith.trunci %x : i32 to i1", "i1"),
    ("arith.constant true", "arith.sitofp %x : i1 to f32", "f32"),
    ("arith.constant -1 : i8", "arith.uitofp %x : i8 to f16", "f16"),
    ("arith.constant 2049 : i32", "arith.sitofp %x : i32 to f16", "f16"),
    ("arith.constant -2.75 : f32", "arith.fptosi %x : f32 to i32", "i32"),
    ("arith.constant 200.5 : f32", "arith.fptoui %x : f32 to i8", "i8"),
    ("arith.constant 1.5 : f16", "arith.extf %x : f16 to f32", "f32"),
    ("arith.constant 1.5 : f32", "arith.bitcast %x : f32 to i32", "i32"),
    ("arith.constant 1.5 : f32", "math.exp2 %x : f32", "f32"),
    ("arith.constant -1.5 : f32", "math.absf %x : f32", "f32"),
    ("arith.constant 2.5 : f32", "math.roundeven %x : f32", "f32"),
    ("arith.constant 2.5 : f32", "math.round %x : f32", "f32"),
    ("arith.constant 40 : i32", "math.ctlz %x : i32", "i32"),
    ("arith.constant 40 : i32", "math.cttz %x : i32", "i32"),
    ("arith.constant 41 : i32", "math.ctpop %x : i32", "i32"),
]

COMPARISONS = [
    (f"arith.cmpf {predicate}, %x, %y : f32", values)
    for predicate in ("oeq", "ogt", "ole", "one", "ord", "ueq", "ult", "une", "uno")
    for values in (("1.0", "2.0"), ("1.0", "1.0"), ("0x7FC00000", "1.0"))
] + [
    (f"arith.cmpi {predicate}, %x, %y : i32", values)
    for predicate in (
        "eq",
        "ne",
        "slt",
        "sle",
        "sgt",
        "sge",
        "ult",
        "ule",
        "ugt",
        "uge",
    )
    for values in (("-1", "1"), ("3", "3"))
]


def functions() -> list[str]:
    bodies = [
        (f"{x}\n {y}\n %r = arith.{name} %x, %y : {kind}", kind)
        for x, y, name, kind in FOLDED
    ]
    bodies += [(f"%x = {x}\n %r = {op}", kind) for x, op, kind in CASTS]
    for op, (x, y) in COMPARISONS:
        kind = op.split(" : ")[1]
        constants = (
            f"%x = arith.constant {x} : {kind}\n %y = arith.constant {y} : {kind}"
        )
        bodies.append((f"{constants}\n %r = {op}", "i1"))
    return [
        f"func.func @f{i}() -> {kind} {{\n {body}\n return %r : {kind}\n}}"
        for i, (body, kind) in enumerate(bodies)
    ]


@needs_mlir
def test_constants_fold_to_the_same_bits() -> None:
    texts = functions()
    text = "\n".join(texts)
    context = payload_context()
    ours = parse_module(text, "ours.mlir", context)
    theirs = parse_module(mlir_opt(text, "--canonicalize"), "folded.mlir", context)
    left = {op.name for op in theirs.walk()}
    assert left == {"builtin.module", "func.func", "arith.constant", "func.return"}
    for position, source in enumerate(texts):
        (got,) = run(ours, [], entry=f"f{position}")
        (want,) = run(theirs, [], entry=f"f{position}")
        assert got.tobytes() == want.tobytes() or (got != got and want != want), source


TRUNCATIONS = [
    # Ties go to even, in both directions.
    ("f32", "f16", 1 + 2**-11, 1.0),
    ("f32", "f16", 1 + 3 * 2**-11, 1 + 2**-9),
    ("f32", "bf16", 1 + 2**-8, 1.0),
    ("f32", "bf16", 1 + 3 * 2**-8, 1 + 2**-6),
    # Just past a tie: rounding twice, through f32, would lose the difference.
    ("f64", "f16", 1 + 2**-11 + 2**-40, 1 + 2**-10),
    ("f64", "bf16", 1 + 2**-8 + 2**-40, 1 + 2**-7),
    ("f64", "bf16", -1 - 2**-8 - 2**-40, -1 - 2**-7),
    ("f64", "bf16", 1 + 3 * 2**-8 - 2**-40, 1 + 2**-7),
    ("f64", "f8E5M2", 1 + 2**-3 + 2**-40, 1.25),
    ("f64", "f32", 1 + 2**-24 + 2**-50, 1 + 2**-23),
    ("f32", "f16", 65520.0, np.inf),
    ("f32", "f16", np.nan, np.nan),
    ("f64", "bf16", -np.inf, -np.inf),
    ("f32", "f8E4M3FN", 0.3, 0.3125),
]


@pytest.mark.parametrize(("wide", "narrow", "value", "expected"), TRUNCATIONS)
def test_truncf_rounds_once_to_nearest_even(
    wide: str, narrow: str, value: float, expected: float
) -> None:
    given = np.full(3, value, numpy_dtype(wide))
    kinds = {"types": f"vector<3x{wide}>", "result": f"vector<3x{narrow}>"}
    op = f"arith.truncf %a0 : vector<3x{wide}> to vector<3x{narrow}>"
    got = apply(op, given, **kinds)
    assert got.dtype == numpy_dtype(narrow)
    np.testing.assert_array_equal(got.astype(np.float64), np.full(3, expected))


def test_maximumf_keeps_a_nan_and_maxnumf_drops_it() -> None:
    x = np.array([np.nan, 1, np.nan, -1], np.float32)
    y = np.array([1, np.nan, np.nan, -2], np.float32)
    kinds = {"types": "vector<4xf32>, vector<4xf32>", "result": "vector<4xf32>"}
    kept = apply("arith.maximumf %a0, %a1 : vector<4xf32>", x, y, **kinds)
    dropped = apply("arith.maxnumf %a0, %a1 : vector<4xf32>", x, y, **kinds)
    np.testing.assert_array_equal(kept, np.float32([np.nan, np.nan, np.nan, -1]))
    np.testing.assert_array_equal(dropped, np.float32([1, 1, np.nan, -1]))


@pytest.mark.parametrize("dtype", ["f16", "bf16"])
def test_narrow_math_rounds_once(dtype: str) -> None:
    kind = {"f16": np.float16, "bf16": ml_dtypes.bfloat16}[dtype]
    x = np.linspace(0.1, 4, 64).astype(kind)
    for name, function in {"exp": np.exp, "rsqrt": lambda v: 1 / np.sqrt(v)}.items():
        op = f"math.{name} %a0 : vector<64x{dtype}>"
        got = apply(op, x, types=f"vector<64x{dtype}>", result=f"vector<64x{dtype}>")
        want = function(x.astype(np.float32)).astype(kind)
        assert got.dtype == kind
        np.testing.assert_array_equal(got, want)


def test_erf_and_tanh() -> None:
    x = np.linspace(-3, 3, 33).astype(np.float32)
    kinds = {"types": "vector<33xf32>", "result": "vector<33xf32>"}
    want = [math.erf(v) for v in x]
    np.testing.assert_allclose(apply("math.erf %a0 : vector<33xf32>", x, **kinds), want)
    got = apply("math.tanh %a0 : vector<33xf32>", x, **kinds)
    np.testing.assert_allclose(got, np.tanh(x.astype(np.float64)), rtol=1e-6)


def test_select_takes_lanes_or_all() -> None:
    x, y = np.float32([1, 2]), np.float32([3, 4])
    kinds = {
        "types": "vector<2xi1>, vector<2xf32>, vector<2xf32>",
        "result": "vector<2xf32>",
    }
    op = "arith.select %a0, %a1, %a2 : vector<2xi1>, vector<2xf32>"
    np.testing.assert_array_equal(apply(op, [True, False], x, y, **kinds), [1, 4])
    text = """
    func.func @f(%c: i1, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
      %r = arith.select %c, %x, %y : tensor<2xf32>
      return %r : tensor<2xf32>
    }"""
    np.testing.assert_array_equal(interpret(text, False, x, y), y)


def test_dense_constants() -> None:
    text = """func.func @f() -> (vector<2x2xf16>, vector<3xi1>, tensor<2xi64>, index) {
      %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : vector<2x2xf16>
      %b = arith.constant dense<true> : vector<3xi1>
      %c = arith.constant dense<[-1, 5]> : tensor<2xi64>
      %d = arith.constant 9 : index
      return %a, %b, %c, %d : vector<2x2xf16>, vector<3xi1>, tensor<2xi64>, index
    }"""
    a, b, c, d = interpret(text)
    np.testing.assert_array_equal(a, np.float16([[1, 2], [3, 4]]))
    assert b.dtype == np.bool_ and b.all() and b.shape == (3,)
    np.testing.assert_array_equal(c, [-1, 5])
    assert d == 9


@pytest.mark.parametrize("op", ["divsi", "remsi", "ceildivsi", "floordivsi", "divui"])
@pytest.mark.parametrize("of", ["i32", "tensor<2xi32>"])
def test_division_by_zero_has_a_place(op: str, of: str) -> None:
    values = (1, 0) if of == "i32" else (np.int32([1, 2]), np.int32([1, 0]))
    with pytest.raises(UserError, match=r"test.mlir:2:\d+: .*division by zero"):
        apply(f"arith.{op} %a0, %a1 : {of}", *values, types=f"{of}, {of}", result=of)


@pytest.mark.parametrize("op", ["divsi", "ceildivsi", "floordivsi"])
@pytest.mark.parametrize("kind", ["i1", "i8", "i64"])
def test_a_quotient_that_does_not_fit_has_a_place(op: str, kind: str) -> None:
    lowest = True if kind == "i1" else np.iinfo(numpy_dtype(kind)).min
    minus_one = True if kind == "i1" else -1
    with pytest.raises(UserError, match=r"divided by -1 does not fit"):
        apply(
            f"arith.{op} %a0, %a1 : {kind}",
            *(lowest, minus_one),
            types=f"{kind}, {kind}",
            result=kind,
        )


def test_a_lane_that_may_be_masked_divides_by_zero() -> None:
    x, y = np.int32([7, 7, -(2**31)]), np.int32([2, 0, -1])
    kinds = {"types": "vector<3xi32>, vector<3xi32>", "result": "vector<3xi32>"}
    got = apply("arith.divsi %a0, %a1 : vector<3xi32>", x, y, **kinds)
    np.testing.assert_array_equal(got, [3, 0, 0])


@pytest.mark.parametrize(
    ("op", "kind", "value", "expected"),
    [
        ("fptosi", "i8", 300.5, 127),
        ("fptosi", "i8", -300.5, -128),
        ("fptosi", "i64", 1e30, 2**63 - 1),
        ("fptosi", "i64", -1e30, -(2**63)),
        ("fptosi", "i32", np.nan, 0),
        ("fptosi", "i32", -np.inf, -(2**31)),
        ("fptosi", "i16", -1.99, -1),
        ("fptoui", "i8", 300.5, -1),
        ("fptoui", "i8", 200.9, 200 - 256),
        ("fptoui", "i8", -3.0, 0),
        ("fptoui", "i64", 2.0**63, -(2**63)),
        ("fptoui", "i64", 1e30, -1),
    ],
)
def test_a_float_that_does_not_fit_saturates(
    op: str, kind: str, value: float, expected: int
) -> None:
    got = apply(f"arith.{op} %a0 : f64 to {kind}", value, types="f64", result=kind)
    assert got == expected


@pytest.mark.parametrize(
    ("mode", "value", "expected"),
    [
        ("downward", 1 + 2**-12, 1.0),
        ("downward", -1 - 2**-12, -1 - 2**-10),
        ("upward", 1 + 2**-12, 1 + 2**-10),
        ("upward", -1 - 2**-12, -1.0),
        ("toward_zero", 1 + 2**-10 - 2**-20, 1.0),
        ("toward_zero", -1 - 2**-10 + 2**-20, -1.0),
        ("to_nearest_away", 1 + 2**-11, 1 + 2**-10),
        ("to_nearest_away", -1 - 2**-11, -1 - 2**-10),
        ("to_nearest_away", 1 + 2**-11 - 2**-20, 1.0),
        ("to_nearest_even", 1 + 2**-11, 1.0),
        ("downward", 1e6, 65504.0),
        ("upward", 1e6, np.inf),
        ("toward_zero", -1e6, -65504.0),
        ("upward", 2**-30, 2**-24),
        ("downward", -(2**-30), -(2**-24)),
        ("toward_zero", -(2**-30), -0.0),
        ("upward", np.nan, np.nan),
    ],
)
def test_truncf_rounds_as_it_says(mode: str, value: float, expected: float) -> None:
    given = np.float32([value])
    op = f"arith.truncf %a0 {mode} : vector<1xf32> to vector<1xf16>"
    got = apply(op, given, types="vector<1xf32>", result="vector<1xf16>")
    np.testing.assert_array_equal(got, np.float16([expected]))
    assert np.signbit(got[0]) == np.signbit(np.float16(expected))


@pytest.mark.parametrize("kind", ["f32", "f64", "f16", "bf16"])
def test_zeros_have_signs(kind: str) -> None:
    dtype = numpy_dtype(kind)
    x, y = np.array([-0.0, 0.0, -0.0], dtype), np.array([0.0, -0.0, -0.0], dtype)
    of = f"vector<3x{kind}>"
    kinds = {"types": f"{of}, {of}", "result": of}
    for name, signs in (("max", [False, False, True]), ("min", [True, True, True])):
        for suffix in ("imumf", "numf"):
            got = apply(f"arith.{name}{suffix} %a0, %a1 : {of}", x, y, **kinds)
            np.testing.assert_array_equal(np.signbit(got.astype(np.float64)), signs)


@pytest.mark.parametrize(
    ("a", "b", "c"),
    [
        (1 + 2**-52, 1 + 2**-52, -1 - 2**-51),
        (1e308, 10.0, -np.inf),
        (1e308, 10.0, -1e308),
        (1e200, 1e200, 0.0),
        (0.0, 5.0, -0.0),
        (-0.0, 5.0, -0.0),
        (np.nan, 1.0, 1.0),
        (np.inf, 0.0, 1.0),
        (3.0, 1 / 3, -1.0),
        (2.0**-1074, 0.5, 2.0**-1074),
    ],
)
def test_fma_in_f64_rounds_once(a: float, b: float, c: float) -> None:
    got = apply(
        "math.fma %a0, %a1, %a2 : f64", a, b, c, types="f64, f64, f64", result="f64"
    )
    if not np.isfinite([a, b, c]).all():
        np.testing.assert_array_equal(got, a * b + c)
        return
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if abs(exact) > Fraction(np.finfo(np.float64).max):
        assert got == np.copysign(np.inf, float(np.sign(a * b)))
    else:
        assert got == float(exact)
        assert np.signbit(got) == np.signbit(a * b + c) or exact != 0


@pytest.mark.parametrize("kind", ["i1", "i8", "i32", "index"])
def test_bits_are_counted_in_the_type(kind: str) -> None:
    width = {"i1": 1, "i8": 8, "i32": 32, "index": 64}[kind]
    for name, expected in (("ctlz", width), ("cttz", width), ("ctpop", 0)):
        got = apply(f"math.{name} %a0 : {kind}", 0, types=kind, result=kind)
        assert got == (expected if kind != "i1" else bool(expected))


def test_questions_about_floats() -> None:
    x = np.float32([1.0, np.inf, np.nan, 1e-45, 0.0, -np.inf, -(2.0**-126)])
    for name, expected in {
        "isnan": [0, 0, 1, 0, 0, 0, 0],
        "isinf": [0, 1, 0, 0, 0, 1, 0],
        "isfinite": [1, 0, 0, 1, 1, 0, 1],
        "isnormal": [1, 0, 0, 0, 0, 0, 1],
    }.items():
        op = f"math.{name} %a0 : vector<7xf32>"
        got = apply(op, x, types="vector<7xf32>", result="vector<7xi1>")
        assert got.dtype == np.bool_
        np.testing.assert_array_equal(got, np.bool_(expected))


def test_two_results_of_sincos_and_a_clamp() -> None:
    x = np.linspace(-3, 3, 7).astype(np.float32)
    text = """func.func @f(%x: vector<7xf32>, %l: vector<7xf32>, %h: vector<7xf32>)
        -> (vector<7xf32>, vector<7xf32>, vector<7xf32>, vector<7xf32>) {
      %s, %c = math.sincos %x : vector<7xf32>
      %k = math.clampf %x to [%l, %h] : vector<7xf32>
      %e = math.erfc %x : vector<7xf32>
      return %s, %c, %k, %e
          : vector<7xf32>, vector<7xf32>, vector<7xf32>, vector<7xf32>
    }"""
    low, high = np.full(7, -1, np.float32), np.full(7, 2, np.float32)
    sine, cosine, clamped, erfc = interpret(text, x, low, high)
    np.testing.assert_allclose(sine, np.sin(x), rtol=1e-6)
    np.testing.assert_allclose(cosine, np.cos(x), rtol=1e-6)
    np.testing.assert_array_equal(clamped, np.clip(x, -1, 2))
    np.testing.assert_allclose(erfc, [math.erfc(v) for v in x], rtol=1e-6)


def test_poison_shows_as_nan() -> None:
    text = """func.func @f() -> (f16, vector<2xf32>, i32) {
      %a = ub.poison : f16
      %b = ub.poison : vector<2xf32>
      %c = ub.poison : i32
      return %a, %b, %c : f16, vector<2xf32>, i32
    }"""
    a, b, c = interpret(text)
    assert np.isnan(a) and np.isnan(b).all() and c == 0
