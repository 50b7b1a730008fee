"""quantize_matmul: what it refuses."""

from __future__ import annotations

import pytest

from support.transforms.quantized import NAMES, R, other, product, quantize, step
from support.transforms.schedules import match, on, refusal, schedule_of
from tilewright.ir.errors import DefiniteFailure, SilenceableFailure

INTEGERS = other("linalg.matmul", "tensor<4x4xi8>", "tensor<4x4xi8>", "tensor<4x4xi32>")
REFUSED = {
    "'linalg.add' is not a sum of products of two factors": (
        other("linalg.add", R, R, R),
        step("i8", op="linalg.add"),
    ),
    "the lhs has elements of i8: integers are not quantized": (INTEGERS, step("i8")),
    "the lhs has elements of f64; it takes f16, bf16 and f32": (
        product(4, 4, 4, "f64", "f64"),
        step("i8"),
    ),
    "the lhs has elements of f8E4M3FN; it takes": (
        product(4, 4, 4, "f8E4M3FN"),
        step("f8E4M3FN"),
    ),
    "a sum of 200000 products of i8 may not fit i32; split the reduction into parts "
    "of at most 133144": (product(1, 1, 200000), step("i8")),
    "the op works on buffers; quantize, then bufferize": (
        "func.func @f(%a: memref<4x4xf32>, %c: memref<4x4xf32>) {\n"
        "  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) "
        "outs(%c : memref<4x4xf32>)\n  return\n}\n",
        step("i8"),
    ),
}


@pytest.mark.parametrize("fact", REFUSED)
def test_refusals(fact) -> None:
    payload, schedule = REFUSED[fact]
    error = refusal(payload, schedule)
    assert isinstance(error, SilenceableFailure)
    assert fact in str(error) and "quantize_matmul: " in str(error)
    assert error.place is not None and error.notes


@pytest.mark.parametrize("form", ["f16", "i4", "i32", "tensor<4xi8>"])
def test_formats_that_there_are_not(form) -> None:
    error = refusal(product(4, 4, 4), step(form))
    assert isinstance(error, DefiniteFailure)
    assert f"there is no way to quantize to {form}" in str(error)
    assert "choose one of f8E4M3FN, f8E5M2, i8" in str(error)


@pytest.mark.parametrize("scale", ["0.0", "-1.0", "0x7F800000", "0x7FC00000"])
def test_scales_that_are_none(scale) -> None:
    error = refusal(product(4, 4, 4), step("i8", f"lhs_scale = {scale} : f32"))
    assert isinstance(error, DefiniteFailure)
    assert "is not a positive number of f32; leave it out" in str(error)


def test_a_second_application_is_refused() -> None:
    schedule = schedule_of(
        match("%mm", "linalg.matmul"),
        quantize("f8E4M3FN"),
        match("%again", "linalg.matmul"),
        quantize("i8", target="%again").replace(NAMES, "%s, %t, %u, %v"),
    )
    error = refusal(product(4, 4, 4), schedule)
    assert "the lhs has elements of f8E4M3FN" in str(error)


def test_the_handle_is_consumed() -> None:
    schedule = schedule_of(
        match("%mm", "linalg.matmul"), quantize("i8"), on("apply_cse", "%mm")
    )
    assert "uses %mm after it was invalidated" in str(
        refusal(product(4, 4, 4), schedule)
    )
