"""structured.pad: what padding may not change in a reduction."""

from __future__ import annotations

import pytest

from support.transforms.padded import padded, rows
from support.transforms.payloads import generic
from support.transforms.schedules import assert_same_numbers, refusal, transform
from tilewright.ir.errors import SilenceableFailure


def combined(op: str, of: str = "f32") -> str:
    return rows(f"%s = {op} %x0, %x1 : {of}\n    linalg.yield %s : {of}", of)


NEUTRAL = {
    ("arith.addf", "f32"): "0.0",
    ("arith.mulf", "f32"): "1.0",
    ("arith.maximumf", "f32"): "0xFF800000",
    ("arith.minimumf", "f32"): "0x7F800000",
    ("arith.maxnumf", "f32"): "0xFF800000",
    ("arith.addi", "i32"): "0",
    ("arith.muli", "i32"): "1",
    ("arith.maxsi", "i32"): "-2147483648",
    ("arith.minui", "i32"): "-1",
    ("arith.andi", "i32"): "-1",
    ("arith.xori", "i32"): "0",
}


def reduction_padded(value: str, of: str = "f32") -> str:
    return padded(
        f"pad_to_multiple_of [4] {{padding_values = [{value} : {of}, {value} : {of}], "
        "padding_dimensions = [1]}",
        "linalg.generic",
    )


@pytest.mark.parametrize(("op", "of"), NEUTRAL)
def test_neutral_values_are_taken_and_others_refused(op, of) -> None:
    value = NEUTRAL[(op, of)]
    ran = transform(combined(op, of), reduction_padded(value, of))
    assert_same_numbers(ran, reduction=8)
    wrong = ("2.0" if of == "f32" else "2") if value not in ("2", "2.0") else "3"
    error = refusal(combined(op, of), reduction_padded(wrong, of))
    assert isinstance(error, SilenceableFailure)
    assert "these padding_values would change result 0" in str(error)
    assert "leave the loop out" in str(error)


def test_zeros_by_default_are_no_good_for_a_maximum() -> None:
    schedule = padded(
        "pad_to_multiple_of [4] {padding_dimensions = [1]}", "linalg.generic"
    )
    error = refusal(combined("arith.maximumf"), schedule)
    assert "reduced over loop 1" in str(error)


def test_a_large_number_is_no_infinity() -> None:
    refusal(combined("arith.maximumf"), reduction_padded("-1.0e30"))


EXPONENTIALS = """%e = math.exp %x0 : f32
    %s = arith.addf %x1, %e : f32
    linalg.yield %s : f32"""


def test_the_body_decides_and_not_the_combiner() -> None:
    refusal(rows(EXPONENTIALS), reduction_padded("0.0"))
    ran = transform(rows(EXPONENTIALS), reduction_padded("0xFF800000"))
    assert_same_numbers(ran, reduction=8)


INDICES = """%k = linalg.index 1 : index
    %n = arith.index_cast %k : index to i64
    %p = arith.muli %x0, %n : i64
    %s = arith.addi %x1, %p : i64
    linalg.yield %s : i64"""


def test_an_index_past_the_end_counts_too() -> None:
    assert_same_numbers(transform(rows(INDICES, "i64"), reduction_padded("0", "i64")))
    added = INDICES.replace("arith.muli", "arith.addi")
    refusal(rows(added, "i64"), reduction_padded("0", "i64"))


def test_a_reduction_that_is_whole_may_be_padded_with_anything() -> None:
    schedule = padded(
        "pad_to_multiple_of [4, 7] {padding_values = [2.0 : f32, 2.0 : f32], "
        "padding_dimensions = [0, 1]}",
        "linalg.generic",
    )
    ran = transform(combined("arith.addf"), schedule)
    assert_same_numbers(ran, reduction=7)


def test_one_factor_of_a_product_is_enough() -> None:
    payload = generic(
        ["(d0, d1) -> (d0)", "(d0, d1) -> (d1)", "(d0, d1) -> (d0)"],
        ["parallel", "reduction"],
        [("tensor<6xf32>", "f32"), ("tensor<7xf32>", "f32"), ("tensor<6xf32>", "f32")],
        """%p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %x2, %p : f32
    linalg.yield %s : f32""",
    )
    ran = transform(
        payload,
        padded("pad_to_multiple_of [4] {padding_dimensions = [1]}", "linalg.generic"),
    )
    assert_same_numbers(ran, reduction=8)
