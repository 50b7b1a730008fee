"""Floats as integers: each level, Triton and the torch reference know one definition.

The expected numbers are Python's own integers and fractions: numpy leaves a float that
does not fit to the processor.
"""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import tilewright
from support.codegen.buffer_level import elementwise, generated
from support.codegen.compiled_apart import compiled_apart
from support.sampling import run_with
from tilewright.codegen.runtime.interpret import Job, interpret_all
from tilewright.codegen.standalone.reference.function import torch_reference
from tilewright.codegen.standalone.templates import REFERENCE_HELPERS
from tilewright.ir.dtypes import numpy_dtype
from tilewright.ir.interpreter import run
from tilewright.ir.saturation import nearest_integer
from tilewright.pipeline import build, parse_payload
from tilewright.tuning.measure.inputs import to_torch

FLOATS = ("f32", "f64", "f16", "bf16", "f8E4M3FN", "f8E5M2")
WIDTHS = (8, 16, 32, 64)
SIGNS = ("si", "ui")
CASES = [f"{kind} {sign}" for kind in FLOATS for sign in SIGNS]


def payload_text(case: str) -> str:
    """One loop that makes an integer of each width, and widens that of 8 bits."""
    kind, sign = case.split()
    count = len(values_of(case))
    results = [f"tensor<{count}xi{width}>" for width in (*WIDTHS, 64)]
    types, of = ", ".join(results), ", ".join(["affine_map<(d0) -> (d0)>"] * 6)
    outputs = [f"%o{n} = tensor.empty() : {result}" for n, result in enumerate(results)]
    names = ", ".join(f"%o{n}" for n in range(5))
    arguments = ", ".join(f"%w{n}: i{w}" for n, w in enumerate((*WIDTHS, 64)))
    casts = [f"%y{w} = arith.fpto{sign} %x : {kind} to i{w}" for w in WIDTHS]
    yielded = ", ".join([*(f"%y{w}" for w in WIDTHS), "%again"])
    numbers = ", ".join([*(f"i{w}" for w in WIDTHS), "i64"])
    newline = "\n  "
    return f"""
func.func @f(%a: tensor<{count}x{kind}>) -> ({types}) {{
  {newline.join(outputs)}
  %r:5 = linalg.generic {{indexing_maps = [{of}], iterator_types = ["parallel"]}}
      ins(%a : tensor<{count}x{kind}>) outs({names} : {types}) {{
  ^bb0(%x: {kind}, {arguments}):
    {newline.join(casts)}
    %again = arith.ext{sign} %y8 : i8 to i64
    linalg.yield {yielded} : {numbers}
  }} -> ({types})
  return %r#0, %r#1, %r#2, %r#3, %r#4 : {types}
}}
"""


def values_of(case: str) -> NDArray[Any]:
    """Floats around the ends of every range, and of random bits."""
    dtype = numpy_dtype(case.split()[0])
    ends = [sign * 2.0**width for width in (7, 8, 15, 16, 31, 32, 63, 64)
            for sign in (1, -1)]  # fmt: skip
    with np.errstate(over="ignore"):
        near = np.array([end + step for end in ends for step in (-1.5, -1, -0.5, 0, 1)])
        special = np.array([0.0, -0.0, 0.9, -0.9, np.nan, np.inf, -np.inf, 300.0, 1e30])
        chosen = np.concatenate([near, special]).astype(dtype)
        bits = np.dtype(f"u{dtype.itemsize}")
        around = chosen.view(bits)[:, None] + np.array([-1, 0, 1]).astype(bits)
    random = np.random.default_rng(5).bytes(128 * dtype.itemsize)
    drawn = np.frombuffer(random, bits)
    return np.concatenate([around.ravel(), drawn]).view(dtype)


def expected(value: float, width: int, sign: str) -> int:
    """The bits of the nearest integer, read as a signed one."""
    low, high = (-(2 ** (width - 1)), 2 ** (width - 1) - 1)
    if sign == "ui":
        low, high = 0, 2**width - 1
    if math.isnan(value):
        whole = 0
    elif math.isinf(value):
        whole = high if value > 0 else low
    else:
        whole = min(max(math.trunc(Fraction(value)), low), high)
    return whole - 2**width if whole >= 2 ** (width - 1) else whole


def check(results: Any, case: str) -> None:
    sign = case.split()[1]
    numbers = [float(value) for value in values_of(case)]
    for width, got in zip(WIDTHS, results, strict=False):
        want = [expected(number, width, sign) for number in numbers]
        assert got.tolist() == want, width
    narrow = [expected(number, 8, sign) for number in numbers]
    wide = [number % 256 for number in narrow] if sign == "ui" else narrow
    assert results[4].tolist() == wide


@pytest.fixture(scope="module")
def built(request: pytest.FixtureRequest) -> dict[str, Any]:
    return {
        case: build(parse_payload(payload_text(case)), None)
        for case in run_with(request, "compiled")
    }


@pytest.fixture(scope="module")
def interpreted(built: dict[str, Any]) -> dict[str, Any]:
    jobs = [Job(made.program, [values_of(case)]) for case, made in built.items()]
    return dict(zip(built, interpret_all(jobs), strict=True))


@pytest.mark.parametrize("case", CASES)
def test_the_payload(case: str) -> None:
    check(run(parse_payload(payload_text(case)), [values_of(case)]), case)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("compiled", CASES)
def test_the_kernel_and_triton(
    compiled: str, built: dict[str, Any], interpreted: dict[str, Any]
) -> None:
    check(run(built[compiled].kernel, [values_of(compiled)]), compiled)
    check(interpreted[compiled], compiled)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("case", CASES)
def test_on_the_device(case: str) -> None:
    given = to_torch(values_of(case), case.split()[0], "cuda")
    results = tilewright.compile(payload_text(case), inherit=False)(given)
    check([tensor.cpu().numpy() for tensor in results], case)


@pytest.mark.parametrize("case", [case for case in CASES if case.endswith("si")])
def test_the_torch_reference(case: str) -> None:
    module = parse_payload(payload_text(case))
    space: dict[str, Any] = {"torch": torch}
    lines = torch_reference(module, "reference", set(REFERENCE_HELPERS))
    for text in (*REFERENCE_HELPERS.values(), "\n".join(lines)):
        exec(text, space)
    given = torch.tensor(
        [float(value) for value in values_of(case)], dtype=torch.float64
    )
    check(space["reference"](given), case)


def test_one_number() -> None:
    for number in map(float, values_of("f64")):
        for width in WIDTHS:
            got = nearest_integer(number, width, is_signed=True)
            assert got == expected(number, width, "si")


def cast_of(*lines: str, kind: str = "i8") -> str:
    """The emitted file of a cast of %f to an integer, after some lines on %v."""
    tile, floats = f"vector<16x{kind}>", "vector<16xf32>"
    lines = tuple(line.replace("TILE", floats) for line in lines)
    cast = f"%n = arith.fptosi %f : {floats} to {tile}"
    back = f"%r = arith.sitofp %n : {tile} to {floats}"
    return generated(elementwise(*lines, cast, back)).program.text


LOW = "%low = arith.constant dense<-128.0> : TILE"
HIGH = "%high = arith.constant dense<127.0> : TILE"
ROUND = "%f = math.roundeven %b : TILE"
ABOVE = "%over = arith.maxnumf %v, %low : TILE"


def test_a_clamped_float_is_not_clamped_again() -> None:
    below = "%b = arith.minnumf %over, %high : TILE"
    clamped = cast_of(LOW, HIGH, ABOVE, "%f = arith.minimumf %high, %over : TILE")
    assert "_whole" not in clamped
    assert "_whole" not in cast_of(LOW, HIGH, ABOVE, below, ROUND)
    for lines in (
        (LOW, "%f = arith.maxnumf %v, %low : TILE"),
        (LOW, HIGH.replace("127.0", "127.5"), ABOVE, below, ROUND),
        (LOW, ABOVE, "%f = arith.minnumf %over, %v : TILE"),
        # Where %b is NaN, this is %v.
        (LOW, HIGH, ABOVE, below, "%f = arith.maxnumf %b, %v : TILE"),
    ):
        assert "_whole" in cast_of(*lines), lines


def test_integers_of_the_gpu_need_no_clamp() -> None:
    for kind in ("i16", "i32"):
        text = cast_of("%f = arith.negf %v : TILE", kind=kind)
        assert "_whole" not in text and "_zero_for_nan" not in text
    assert "_zero_for_nan" in cast_of("%f = arith.negf %v : TILE", kind="i64")


@pytest.mark.parametrize(
    ("number", "tile"),
    [
        ("1.0e10", "full((BLOCK_N,), 127, dtype=tl.int8)"),
        ("0x7FC00000", "zeros((BLOCK_N,), dtype=tl.int8)"),
        ("-3.5", "full((BLOCK_N,), -3, dtype=tl.int8)"),
    ],
)
def test_constants_are_converted_here(number: str, tile: str) -> None:
    # LLVM makes anything of a constant that does not fit.
    assert tile in cast_of(f"%f = arith.constant dense<{number}> : TILE")


@pytest.mark.slow
def test_the_conversions_compile_for_a_gpu(tmp_path: Path) -> None:
    programs = [
        build(parse_payload(payload_text(case)), None).program for case in CASES
    ]
    assert len(compiled_apart(programs, tmp_path)) == len(CASES)
