"""vectorize of tensor.pad."""

from __future__ import annotations

import pytest

from support.mlir_opt import needs_mlir
from support.transforms.payloads import matmul
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    by_real_mlir,
    evaluate,
    for_loops,
    inputs_of,
    match,
    parse_payload,
    refusal,
    schedule_of,
    transform,
    vectorize,
)


def padded(x: str, made: str, amounts: str, body: str = "", value: str = "%c") -> str:
    return f"""\
func.func @f(%x: tensor<{x}xf32>, %n: index, %v: f32) -> tensor<{made}xf32> {{
  %c = arith.constant 3.0 : f32
  %r = tensor.pad %x {amounts} {{
  ^bb0(%i: index, %j: index):
    {body}
    tensor.yield {value} : f32
  }} : tensor<{x}xf32> to tensor<{made}xf32>
  return %r : tensor<{made}xf32>
}}
"""


def vectorized(sizes: str | None) -> str:
    return schedule_of(match("%p", "tensor.pad"), vectorize("%p", sizes))


ALL_STATIC = padded("3x7", "4x8", "low[0, 0] high[1, 1]")


@needs_mlir
@pytest.mark.parametrize("value", ["%c", "%v"])
@pytest.mark.parametrize("sizes", ["4, 8", "8, 16"])
def test_a_masked_read(sizes, value, golden) -> None:
    payload = padded("3x7", "4x8", "low[0, 0] high[1, 1]", value=value)
    ran = transform(payload, vectorized(sizes))
    assert_same_numbers(ran)
    if sizes == "4, 8":  # where a vector is larger, its mask does not outlive folding
        assert_same_program(ran.text, by_real_mlir(payload, vectorized(sizes)))
    if (sizes, value) == ("8, 16", "%c"):
        golden("transforms/vectorize_pad.mlir", ran.text)


@needs_mlir
def test_a_size_of_the_run_time() -> None:
    payload = padded("?x7", "4x8", "low[0, 0] high[%n, 1]")
    ran = transform(payload, vectorized("4, 8"))
    for rows in (0, 1, 4):
        given = inputs_of(parse_payload(padded("4x7", "4x8", "low[0, 0] high[0, 1]")))
        given[0], given[1] = given[0][:rows], 4 - rows
        assert (evaluate(ran.before, given)[0] == evaluate(ran.module, given)[0]).all()
    assert_same_program(ran.text, by_real_mlir(payload, vectorized("4, 8")))


def test_without_sizes_the_result_says_them() -> None:
    ran = transform(ALL_STATIC, vectorized(None))
    assert_same_numbers(ran)
    assert "vector<4x8xf32>" in ran.text


def test_the_pads_of_a_padded_tile() -> None:
    schedule = schedule_of(
        match("%mm", "linalg.matmul"),
        for_loops("%h, %i, %j, %k", "%mm", "4, 4, 4"),
        "%a, %b, %c = transform.structured.pad %h {padding_dimensions = [0, 1, 2], "
        f'copy_back_op = "none"}} : ({OP}) -> ({OP}, {OP}, {OP})',
        vectorize("%b", "4, 4"),
        vectorize("%a", "4, 4, 4"),
    )
    ran = transform(matmul(10, 6, 7), schedule)
    assert_same_numbers(ran, reduction=7)
    assert "tensor.pad" not in ran.text and "linalg" not in ran.text


REFUSALS = {
    "too small": (ALL_STATIC, "4, 4", "does not cover dimension 1 of extent 8"),
    "too few": (ALL_STATIC, "4", "1 vector sizes for a tensor of 2 dimensions"),
    "in front": (
        padded("3x7", "4x8", "low[1, 0] high[0, 1]"),
        "4, 8",
        "padding before the first element",
    ),
    "by index": (
        padded(
            "3x7",
            "4x8",
            "low[0, 0] high[1, 1]",
            "%k = arith.index_cast %i : index to i32\n"
            "    %w = arith.sitofp %k : i32 to f32",
            "%w",
        ),
        "4, 8",
        "the padding depends on the index",
    ),
    "no bound": (
        padded("?x7", "?x8", "low[0, 0] high[%n, 1]"),
        "4, 8",
        "vector size 4 does not cover dimension 0",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(name) -> None:
    payload, sizes, words = REFUSALS[name]
    assert words in str(refusal(payload, vectorized(sizes)))
