"""Each op of a kernel alone: the buffer level, the kernel level and Triton agree."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from support.codegen.buffer_level import elementwise, generated, parse
from support.codegen.compiled_apart import compiled_apart
from support.sampling import run_with
from tilewright.codegen.runtime.interpret import Job, interpret_all
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.interpreter import run

V, B, N = "vector<16xf32>", "vector<16xi1>", "vector<16xi32>"

FLOATS = (
    "math.exp math.exp2 math.expm1 math.log math.log2 math.log10 math.log1p math.sqrt "
    "math.rsqrt math.tanh math.sinh math.cosh math.erf math.absf math.sin math.cos "
    "math.tan math.floor math.ceil math.trunc math.round math.roundeven arith.negf"
    " math.asin math.acos math.atan math.asinh math.acosh math.atanh math.erfc "
    "math.cbrt"
).split()
TWO = "math.powf math.atan2 math.copysign".split()
TESTS = "math.isnan math.isinf math.isfinite".split()
ORDERS = ("false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true").split()
SIGNS = "eq ne slt sle sgt sge ult ule ugt uge".split()
INTEGERS = (
    "addi subi muli divsi divui remsi remui andi ori xori maxsi minsi maxui minui"
).split()
SHIFTS = "shli shrsi shrui".split()

TO_INTEGERS = (
    f"%ten = arith.constant dense<10.0> : {V}",
    f"%scaled = arith.mulf %v, %ten : {V}",
    f"%n = arith.fptosi %scaled : {V} to {N}",
    f"%three = arith.constant dense<3> : {N}",
    f"%minus = arith.constant dense<-7> : {N}",
)
FROM_BITS = (
    f"%one = arith.constant dense<1.0> : {V}",
    f"%two = arith.constant dense<2.0> : {V}",
    f"%r = arith.select %b, %one, %two : {B}, {V}",
)
FROM_INTEGERS = f"%r = arith.sitofp %m : {N} to {V}"
SECOND = (
    f"%zero = arith.constant dense<0.5> : {V}",
    f"%w = arith.mulf %v, %zero : {V}",
)


def _programs() -> dict[str, str]:
    found = {op: elementwise(f"%r = {op} %v : {V}") for op in FLOATS}
    found |= {op: elementwise(f"%b = {op} %v : {V}", *FROM_BITS) for op in TESTS}
    for order in ORDERS:
        line = f"%b = arith.cmpf {order}, %v, %w : {V}"
        found[f"cmpf {order}"] = elementwise(*SECOND, line, *FROM_BITS)
    for sign in SIGNS:
        line = f"%b = arith.cmpi {sign}, %n, %minus : {N}"
        found[f"cmpi {sign}"] = elementwise(*TO_INTEGERS, line, *FROM_BITS)
    for op in INTEGERS:
        for other in ("three", "minus"):
            line = f"%m = arith.{op} %n, %{other} : {N}"
            name = f"arith.{op} {other}"
            found[name] = elementwise(*TO_INTEGERS, line, FROM_INTEGERS)
    for op in SHIFTS:
        line = f"%m = arith.{op} %n, %three : {N}"
        found[f"arith.{op}"] = elementwise(*TO_INTEGERS, line, FROM_INTEGERS)
    found["absi"] = elementwise(*TO_INTEGERS, f"%m = math.absi %n : {N}", FROM_INTEGERS)
    found["uitofp of bits"] = elementwise(
        *SECOND,
        f"%b = arith.cmpf olt, %v, %w : {V}",
        f"%r = arith.uitofp %b : {B} to {V}",
    )
    found["extui of bits"] = elementwise(
        *SECOND,
        f"%b = arith.cmpf olt, %v, %w : {V}",
        f"%m = arith.extui %b : {B} to {N}",
        FROM_INTEGERS,
    )
    found["extui of i8"] = elementwise(
        *TO_INTEGERS,
        f"%t = arith.trunci %n : {N} to vector<16xi8>",
        f"%m = arith.extui %t : vector<16xi8> to {N}",
        FROM_INTEGERS,
    )
    found["uitofp"] = elementwise(
        *TO_INTEGERS,
        f"%t = arith.trunci %n : {N} to vector<16xi8>",
        f"%r = arith.uitofp %t : vector<16xi8> to {V}",
    )
    found["fptoui"] = elementwise(
        f"%p = math.absf %v : {V}",
        f"%t = arith.fptoui %p : {V} to vector<16xi8>",
        f"%r = arith.uitofp %t : vector<16xi8> to {V}",
    )
    found["bitcast"] = elementwise(
        f"%n = arith.bitcast %v : {V} to {N}",
        f"%mask = arith.constant dense<0x7fffffff> : {N}",
        f"%m = arith.andi %n, %mask : {N}",
        f"%r = arith.bitcast %m : {N} to {V}",
    )
    found["remf"] = elementwise(
        f"%c = arith.constant dense<0.7> : {V}", f"%r = arith.remf %v, %c : {V}"
    )
    found["remf of large numbers"] = elementwise(
        f"%far = arith.constant dense<1.0e30> : {V}",
        f"%w = arith.mulf %v, %far : {V}",
        f"%c = arith.constant dense<0.7> : {V}",
        f"%r = arith.remf %w, %c : {V}",
    )
    found["remf near multiples"] = elementwise(
        f"%far = arith.constant dense<30.0> : {V}",
        f"%w = arith.mulf %v, %far : {V}",
        f"%n = math.roundeven %w : {V}",
        f"%c = arith.constant dense<0.7> : {V}",
        f"%m = arith.mulf %n, %c : {V}",
        f"%r = arith.remf %m, %c : {V}",
    )
    found["not"] = elementwise(
        *SECOND,
        f"%c = arith.cmpf olt, %v, %w : {V}",
        f"%true = arith.constant dense<true> : {B}",
        f"%b = arith.xori %c, %true : {B}",
        *FROM_BITS,
    )
    for op in TWO:
        found[op] = elementwise(*SECOND, f"%r = {op} %v, %w : {V}")
    found["inverse atan2"] = elementwise(*SECOND, f"%r = math.atan2 %w, %v : {V}")
    found["powf of sizes"] = elementwise(
        f"%p = math.absf %v : {V}", f"%r = math.powf %p, %v : {V}"
    )
    found["powf of many digits"] = elementwise(
        f"%p = math.absf %v : {V}",
        f"%c = arith.constant dense<40.0> : {V}",
        f"%w = arith.mulf %v, %c : {V}",
        f"%r = math.powf %p, %w : {V}",
    )
    for power in ("2.0", "3.0", "4.0", "0.5", "2.5", "-1.0", "-3.0", "17.0"):
        found[f"power {power}"] = elementwise(
            f"%c = arith.constant dense<{power}> : {V}",
            f"%r = math.powf %v, %c : {V}",
        )
    found["places"] = elementwise(
        "%s = vector.step : vector<16xindex>",
        "%c = vector.broadcast %o : index to vector<16xindex>",
        "%p = arith.addi %c, %s : vector<16xindex>",
        "%q = arith.muli %p, %p : vector<16xindex>",
        f"%m = arith.index_cast %q : vector<16xindex> to {N}",
        FROM_INTEGERS,
    )
    wide = "vector<4x16xf32>"
    found["a row read before and after its double"] = elementwise(
        f"%w = vector.broadcast %v : {V} to {wide}",
        "%s = vector.step : vector<4xindex>",
        "%n = arith.index_cast %s : vector<4xindex> to vector<4xi32>",
        "%f = arith.sitofp %n : vector<4xi32> to vector<4xf32>",
        "%g = vector.shape_cast %f : vector<4xf32> to vector<4x1xf32>",
        f"%c = vector.broadcast %g : vector<4x1xf32> to {wide}",
        f"%p = arith.mulf %w, %c : {wide}",
        f"%1 = arith.addf %v, %v : {V}",
        f"%2 = vector.broadcast %1 : {V} to {wide}",
        f"%q = arith.mulf %w, %2 : {wide}",
        f"%u = arith.addf %q, %2 : {wide}",
        f"%y = arith.mulf %p, %u : {wide}",
        f"%t = arith.addf %p, %y : {wide}",
        f"%z = arith.constant dense<0.0> : {V}",
        f"%r = vector.multi_reduction <add>, %t, %z [0] : {wide} to {V}",
    )
    found["a scalar choice"] = elementwise(
        "%first = arith.cmpi eq, %i, %c0 : index",
        f"%n = arith.negf %v : {V}",
        f"%r = arith.select %first, %v, %n : {V}",
    )
    return found


PROGRAMS = _programs()
ODD = np.array(
    [0.0, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5, 1e-4, -1e-4, 3e-2, 20.0, -20.0, 1.0, 2.0]
    + [np.inf, -np.inf, np.nan, 0.75, 2.1, -4.9, 1e20],
    dtype=np.float32,
)


@pytest.fixture(scope="module")
def values() -> NDArray[np.float32]:
    random = np.random.default_rng(3).standard_normal(64).astype(np.float32)
    random[: len(ODD)] = ODD
    return random


@pytest.fixture(scope="module")
def interpreted(
    request: pytest.FixtureRequest, values: NDArray[np.float32]
) -> dict[str, NDArray[np.float32]]:
    names = run_with(request, "name")
    jobs = [Job(generated(PROGRAMS[name]).program, [values]) for name in names]
    return {
        name: results[0]
        for name, results in zip(names, interpret_all(jobs), strict=True)
    }


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", PROGRAMS)
def test_numbers(
    name: str,
    values: NDArray[np.float32],
    interpreted: dict[str, NDArray[np.float32]],
) -> None:
    inputs = [values]
    (expected,) = run(parse(PROGRAMS[name]), inputs)
    (kernel,) = run(generated(PROGRAMS[name]).kernel_module, inputs)
    np.testing.assert_allclose(kernel, expected, rtol=3e-7)
    np.testing.assert_allclose(interpreted[name], expected, rtol=2e-6, atol=1e-7)


@pytest.mark.slow
def test_helpers_compile_for_a_gpu(tmp_path: Path) -> None:
    # Python runs what Triton refuses, such as a constant that is set twice.
    programs = [generated(text).program for text in PROGRAMS.values()]
    with_helpers = [one for one in programs if one.text.count("@triton.jit") > 1]
    assert len(compiled_apart(with_helpers, tmp_path)) > 20


@pytest.mark.parametrize("name", ["math.round", "math.roundeven", "math.trunc"])
def test_rounding_to_zero_keeps_the_sign(
    name: str, values: NDArray[np.float32], interpreted: dict[str, NDArray[np.float32]]
) -> None:
    (expected,) = run(parse(PROGRAMS[name]), [values])
    zeros = expected == 0
    assert np.signbit(expected[zeros]).any()
    assert (np.signbit(interpreted[name]) == np.signbit(expected))[zeros].all()


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        (f"%s, %r = math.sincos %v : {V}", "no Triton construct"),
    ],
)
def test_refused(line: str, fact: str) -> None:
    with pytest.raises(SilenceableFailure, match=fact):
        generated(elementwise(line))
