"""Numbers of the emitted source in Triton's interpreter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from support.codegen.buffer_level import (
    CASES,
    elementwise,
    generated,
    in_a_grid,
    inputs_for,
    matmul_relu,
    parse,
    text_of,
    with_descriptors,
)
from support.codegen.kernel_cases import by_numpy, relu_of_product
from tilewright.codegen.runtime.interpret import Job, interpret, interpret_all
from tilewright.ir.interpreter import run

SMALL = [case for case in CASES if case not in ("ragged", "two_kernels")]

FUNCTIONS = {
    "math.exp": np.exp,
    "math.exp2": np.exp2,
    "math.sqrt": lambda x: np.sqrt(x),
    "math.rsqrt": lambda x: 1 / np.sqrt(x),
    "math.log": np.log,
    "math.tanh": np.tanh,
    "math.absf": np.abs,
    "math.sin": np.sin,
    "math.floor": np.floor,
    "arith.negf": np.negative,
}

NEGATIVE_DIVIDENDS = {
    "((d0 - 1) mod 4) * 16": [3, 0, 1, 2],
    "((d0 * 2 - 3) floordiv 4 + 1) * 16": [0, 0, 1, 1],
    "((d0 - 9) ceildiv 4 + 2) * 16": [0, 0, 1, 1],
}
"""Which tile each of four programs reads, for an index whose dividend is negative."""


I8 = (
    "%ten = arith.constant dense<10.0> : vector<16xf32>",
    "%p = arith.mulf %v, %ten : vector<16xf32>",
    "%h = arith.fptosi %p : vector<16xf32> to vector<16xi8>",
    "%c = arith.constant dense<100> : vector<16xi8>",
)
BACK = "%r = arith.sitofp %q : vector<16xi8> to vector<16xf32>"
TYPES = {
    "sum of i8": elementwise(
        *I8,
        "%x = arith.muli %h, %c : vector<16xi8>",
        "%start = arith.constant 100 : i8",
        "%s = vector.multi_reduction <add>, %x, %start [0] : vector<16xi8> to i8",
        "%q = vector.broadcast %s : i8 to vector<16xi8>",
        BACK,
    ),
    "maximum of i8": elementwise(
        *I8,
        "%s = vector.reduction <maxsi>, %h : vector<16xi8> into i8",
        "%b = vector.broadcast %s : i8 to vector<16xi8>",
        "%q = arith.muli %b, %c : vector<16xi8>",
        BACK,
    ),
    "i8 and a literal": elementwise(
        *I8,
        "%x = arith.maxsi %h, %c : vector<16xi8>",
        "%q = arith.addi %x, %c : vector<16xi8>",
        BACK,
    ),
    "maximum of f16": elementwise(
        "%h = arith.truncf %v : vector<16xf32> to vector<16xf16>",
        "%s = vector.reduction <maxnumf>, %h : vector<16xf16> into f16",
        "%t = arith.mulf %s, %s : f16",
        "%w = arith.extf %t : f16 to f32",
        "%r = vector.broadcast %w : f32 to vector<16xf32>",
    ),
    "f64 and a literal": elementwise(
        "%c = arith.constant dense<0.1> : vector<16xf32>",
        "%r = arith.maximumf %v, %c : vector<16xf32>",
    ).replace("f32", "f64"),
    "f64, one of two literals": elementwise(
        "%c = arith.constant dense<0.1> : vector<16xf32>",
        "%d = arith.constant dense<0.7> : vector<16xf32>",
        "%t = arith.cmpf ogt, %v, %zeros : vector<16xf32>",
        "%r = arith.select %t, %c, %d : vector<16xi1>, vector<16xf32>",
    ).replace("f32", "f64"),
    "f64, a literal stored": elementwise(
        "%r = arith.constant dense<0.1> : vector<16xf32>"
    ).replace("f32", "f64"),
    "zero by zero": elementwise(
        "%n = arith.divf %zeros, %zeros : vector<16xf32>",
        "%r = arith.addf %v, %n : vector<16xf32>",
    ),
    "two literals that wrap": elementwise(
        "%c = arith.constant dense<2147483647> : vector<16xi32>",
        "%s = arith.addi %c, %c : vector<16xi32>",
        "%r = arith.sitofp %s : vector<16xi32> to vector<16xf32>",
    ),
    "a scalar i1": elementwise(
        "%true = arith.constant true",
        "%s = vector.reduction <add>, %v : vector<16xf32> into f32",
        "%t = arith.cmpf ogt, %s, %pad : f32",
        "%n = arith.xori %t, %true : i1",
        "%r = arith.select %n, %v, %zeros : vector<16xf32>",
    ),
}
"""Programs that go wrong where Triton's types are not the kernel's."""


@pytest.fixture(scope="module")
def interpreted() -> dict[str, tuple[Job, list[NDArray]]]:
    """Everything that goes through Triton's interpreter, in one process."""
    programs = {case: generated(text_of(case)) for case in SMALL}
    ragged = {
        "ragged pointers": "triton.num_warps = 8 : i64",
        "ragged grouped": "triton.group = 2 : i64",
        "ragged descriptors": "triton.descriptors, triton.group = 4 : i64",
    }
    for name, attributes in ragged.items():
        programs[name] = generated(matmul_relu(200, 136, 104, attributes=attributes))
    for case in ("batched", "transposed"):
        programs[f"{case} descriptors"] = generated(with_descriptors(case))
    for name in FUNCTIONS:
        programs[name] = generated(elementwise(f"%r = {name} %v : vector<16xf32>"))
    for name, text in TYPES.items():
        programs[name] = generated(text)
    for name in NEGATIVE_DIVIDENDS:
        programs[name] = generated(
            in_a_grid(
                f"%k = affine.apply affine_map<(d0) -> ({name})>(%i)\n"
                "%r = vector.transfer_read %a[%k], %pad {in_bounds = [true]} "
                ": memref<64xf32>, vector<16xf32>\n"
                "vector.transfer_write %r, %alloc[%o] {in_bounds = [true]} "
                ": vector<16xf32>, memref<64xf32>"
            )
        )
    programs["nan"] = generated(
        elementwise("%r = arith.maximumf %v, %zeros : vector<16xf32>")
    )
    programs["halves"] = generated(
        elementwise(
            "%h = arith.truncf %v : vector<16xf32> to vector<16xf16>",
            "%z = arith.constant dense<0.333> : vector<16xf16>",
            "%a0 = arith.maximumf %h, %z : vector<16xf16>",
            "%b0 = math.exp %a0 : vector<16xf16>",
            "%d0 = arith.divf %b0, %a0 : vector<16xf16>",
            "%r = arith.extf %d0 : vector<16xf16> to vector<16xf32>",
        )
    )
    jobs: dict[str, Job] = {}
    for name, program in programs.items():
        inputs = inputs_for(program.program)
        if name in ("math.sqrt", "math.rsqrt", "math.log"):
            inputs = [np.abs(array) + 0.1 for array in inputs]
        if name == "nan":
            inputs[0][::3] = np.nan
        jobs[name] = Job(program.program, inputs)
    results = interpret_all(list(jobs.values()))
    return {
        name: (job, out) for (name, job), out in zip(jobs.items(), results, strict=True)
    }


@pytest.mark.slow
@pytest.mark.sampled(12)
@pytest.mark.parametrize("case", SMALL)
def test_source_in_tritons_interpreter(
    case: str, interpreted: dict[str, tuple[Job, list[NDArray]]]
) -> None:
    job, results = interpreted[case]
    expected = run(parse(text_of(case)), list(job.inputs))
    for got, want in zip(results, expected, strict=True):
        tolerance = 2e-3 if got.dtype == np.float16 else 1e-5
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance * 10)


@pytest.mark.parametrize(
    "case", ["ragged pointers", "ragged grouped", "ragged descriptors"]
)
def test_ragged_tiles_in_tritons_interpreter(
    case: str, interpreted: dict[str, tuple[Job, list[NDArray]]]
) -> None:
    job, (out,) = interpreted[case]
    want = relu_of_product(*job.inputs)
    np.testing.assert_allclose(out, want, rtol=2e-3, atol=2e-2)


@pytest.mark.parametrize("case", ["batched", "transposed"])
def test_descriptors_of_other_rank_and_order(
    case: str, interpreted: dict[str, tuple[Job, list[NDArray]]]
) -> None:
    job, (out,) = interpreted[f"{case} descriptors"]
    assert "_desc.load" in job.program.text
    (want,) = run(parse(text_of(case)), list(job.inputs))
    np.testing.assert_allclose(out, want, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_in_tritons_interpreter(
    name: str, interpreted: dict[str, tuple[Job, list[NDArray]]]
) -> None:
    job, (out,) = interpreted[name]
    want = FUNCTIONS[name](job.inputs[0].astype(np.float64))
    np.testing.assert_allclose(out, want, rtol=3e-6, atol=1e-7)


@pytest.mark.parametrize("name", NEGATIVE_DIVIDENDS)
def test_indices_divide_and_wrap_below_zero(
    name: str, interpreted: dict[str, tuple[Job, list[NDArray]]]
) -> None:
    job, (out,) = interpreted[name]
    tiles = job.inputs[0].reshape(4, 16)
    want = np.concatenate([tiles[k] for k in NEGATIVE_DIVIDENDS[name]])
    np.testing.assert_array_equal(out, want)


@pytest.mark.parametrize("name", TYPES)
def test_types_are_the_payloads(
    name: str, interpreted: dict[str, tuple[Job, list[NDArray]]]
) -> None:
    job, (out,) = interpreted[name]
    (want,) = run(parse(TYPES[name]), list(job.inputs))
    np.testing.assert_array_equal(out, want)


def test_maximumf_keeps_nan(
    interpreted: dict[str, tuple[Job, list[NDArray]]],
) -> None:
    job, (out,) = interpreted["nan"]
    np.testing.assert_array_equal(out, np.maximum(job.inputs[0], 0))
    assert np.isnan(out[::3]).all()


def test_maxnumf_drops_nan() -> None:
    text = elementwise("%r = arith.maxnumf %v, %zeros : vector<16xf32>")
    program = generated(text).program
    assert "tl.maximum(a, 0.0)" in program.text
    (array,) = inputs_for(program)
    array[3] = np.nan
    (got,) = interpret(program, [array])
    np.testing.assert_array_equal(got, np.fmax(array, 0))


def test_halves_stay_halves(
    interpreted: dict[str, tuple[Job, list[NDArray]]],
) -> None:
    job, (out,) = interpreted["halves"]
    x = np.maximum(job.inputs[0].astype(np.float16), np.float16(0.333))
    e = np.exp(x.astype(np.float32)).astype(np.float16)
    want = (e.astype(np.float32) / x.astype(np.float32)).astype(np.float16)
    np.testing.assert_allclose(out, want.astype(np.float32), rtol=2e-3)


@pytest.mark.parametrize("dtype", ["bf16", "f8E4M3FN", "f8E5M2"])
def test_narrow_types_are_right_in_tritons_interpreter(dtype: str) -> None:
    result = generated(matmul_relu(20, 24, 40, (16, 16, 32), dtype=dtype))
    inputs = inputs_for(result.program)
    (got,) = interpret(result.program, inputs)
    (want,) = by_numpy(result, inputs)
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)


@pytest.mark.slow
@pytest.mark.usefixtures("cold_interpreter")
def test_a_read_outside_all_tensors_is_an_error() -> None:
    program = generated(matmul_relu(20, 24, 40, (16, 16, 32))).program
    text = program.text.replace("mask_k[:, None] & ", "")
    assert text != program.text
    with pytest.raises(RuntimeError, match="outside all tensors are read"):
        interpret(replace(program, text=text), inputs_for(program))


@pytest.mark.slow
@pytest.mark.usefixtures("cold_interpreter")
def test_what_is_not_written_is_nan_in_tritons_interpreter() -> None:
    program = generated(elementwise("%r = arith.negf %v : vector<16xf32>")).program
    fewer = program.text.replace("[(4,)]", "[(3,)]")
    assert fewer != program.text
    (got,) = interpret(replace(program, text=fewer), inputs_for(program))
    assert np.isnan(got[48:]).all() and not np.isnan(got[:48]).any()


SERIES = {"math.tanh": np.tanh, "math.sinh": np.sinh, "math.expm1": np.expm1}


def test_functions_that_are_series_are_right_in_64_bits() -> None:
    """As many terms as f32 needs leave an error of 1e-8, which is wrong for f64."""
    x = np.concatenate([np.linspace(-1, 1, 60), [-0.2999, 0.2999, 0.4999, 1e-9]])
    programs = [
        generated(
            elementwise(f"%r = {name} %v : vector<16xf32>").replace("f32", "f64")
        ).program
        for name in SERIES
    ]
    jobs = [Job(program, [x]) for program in programs]
    for function, found in zip(SERIES.values(), interpret_all(jobs), strict=True):
        np.testing.assert_allclose(found[0], function(x), rtol=2e-15)
