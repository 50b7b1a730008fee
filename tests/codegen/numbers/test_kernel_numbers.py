"""Numbers of kernels at the kernel level, against the buffer level."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.codegen.buffer_level import (
    CASES,
    elementwise,
    generated,
    in_a_grid,
    inputs_for,
    matmul_relu,
    parse,
    text_of,
)
from support.codegen.kernel_cases import by_numpy, relu_of_product
from support.examples import examples
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import Options, run


@pytest.mark.sampled(12)
@pytest.mark.parametrize("case", CASES)
def test_kernel_level_computes_what_the_buffer_level_does(case: str) -> None:
    result = generated(text_of(case))
    inputs = inputs_for(result.program)
    expected = run(parse(text_of(case)), inputs)
    shuffled = run(
        result.kernel_module,
        inputs,
        options=Options(poison_uninitialized=True, shuffle_forall_seed=1),
    )
    for got, want in zip(shuffled, expected, strict=True):
        np.testing.assert_array_equal(got, want)


@settings(max_examples=examples(25), deadline=None)
@given(
    m=st.sampled_from([1, 7, 16, 40, 127]),
    n=st.sampled_from([1, 7, 16, 33, 64]),
    k=st.sampled_from([1, 16, 31, 127]),
    group=st.sampled_from([1, 2, 3]),
    dtype=st.sampled_from(["f16", "f32", "bf16"]),
)
def test_odd_shapes_at_kernel_level(
    m: int, n: int, k: int, group: int, dtype: str
) -> None:
    text = matmul_relu(
        m, n, k, (16, 16, 16), dtype=dtype, attributes=f"triton.group = {group} : i64"
    )
    result = generated(text)
    a, b = inputs_for(result.program)
    (out,) = by_numpy(result, [a, b])
    want = relu_of_product(a, b).astype(out.dtype).astype(np.float32)
    error = {"f16": 2e-2, "f32": 1e-4, "bf16": 2e-1}[dtype]
    np.testing.assert_allclose(out.astype(np.float32), want, atol=error, rtol=1e-2)


def test_descriptors_compute_the_same_as_pointers() -> None:
    sizes = (200, 136, 104)
    pointers = generated(matmul_relu(*sizes, (64, 64, 32)))
    descriptors = generated(
        matmul_relu(*sizes, (64, 64, 32), attributes="triton.descriptors")
    )
    inputs = inputs_for(pointers.program)
    np.testing.assert_array_equal(
        by_numpy(pointers, inputs)[0], by_numpy(descriptors, inputs)[0]
    )


def test_empty_reduction_and_empty_grid() -> None:
    result = generated(matmul_relu(32, 32, 0, (16, 16, 16)))
    (out,) = by_numpy(result, inputs_for(result.program))
    np.testing.assert_array_equal(out, np.zeros((32, 32), np.float16))
    result = generated(matmul_relu(0, 32, 16, (16, 16, 16)))
    (out,) = by_numpy(result, inputs_for(result.program))
    assert out.shape == (0, 32)


def test_a_wild_read_is_an_error() -> None:
    text = elementwise("%r = arith.addf %v, %v : vector<16xf32>").replace(
        "(d0 * 16)", "(d0 * 16 + 60)"
    )
    result = generated(text)
    with pytest.raises(UserError, match="of a buffer of 64 elements"):
        by_numpy(result, inputs_for(result.program))


@pytest.mark.parametrize("length", [1, 128])
def test_masks_of_tiles_with_one_start_and_different_lengths(length: int) -> None:
    read = (
        "vector.transfer_read %a[%o], %pad, {} {{in_bounds = [true]}} : memref<192xf32>"
    )
    lines = [
        "%n = affine.apply affine_map<(d0) -> (d0 * -64 + 100)>(%i)",
        f"%m = vector.create_mask %n : vector<{length}xi1>",
        f"%x = {read.format('%m')}, vector<{length}xf32>",
        "%s = vector.multi_reduction <add>, %x, %pad [0] "
        f": vector<{length}xf32> to f32",
        "%b = vector.broadcast %s : f32 to vector<64xf32>",
        "%m64 = vector.create_mask %n : vector<64xi1>",
        f"%y = {read.format('%m64')}, vector<64xf32>",
        "%w = arith.addf %y, %b : vector<64xf32>",
        "vector.transfer_write %w, %alloc[%o], %m64 {in_bounds = [true]} "
        ": vector<64xf32>, memref<192xf32>",
    ]
    text = in_a_grid("\n".join(lines)).replace("memref<64xf32>", "memref<192xf32>")
    text = text.replace("in (4)", "in (3)").replace("(d0 * 16)", "(d0 * 64)")
    result = generated(text)
    inputs = inputs_for(result.program)
    poison = Options(poison_uninitialized=True)
    (want,) = run(parse(text), inputs, options=poison)
    (got,) = run(result.kernel_module, inputs, options=poison)
    np.testing.assert_array_equal(got, want)


def test_nothing_but_nan_under_maxnumf_gives_the_start() -> None:
    text = elementwise(
        "%start = arith.constant 0xFF800000 : f32",
        "%s = vector.multi_reduction <maxnumf>, %v, %start [0] : vector<16xf32> to f32",
        "%r = vector.broadcast %s : f32 to vector<16xf32>",
    )
    result = generated(text)
    (out,) = by_numpy(result, [np.full(64, np.nan, np.float32)])
    np.testing.assert_array_equal(out, np.full(64, -np.inf, np.float32))
    assert 'tl.maximum(float("-inf"), ' in result.program.text
