"""structured.pad: what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.padded import HOW, padded
from support.transforms.payloads import generic, matmul
from support.transforms.schedules import (
    evaluate,
    inputs_of,
    parse_schedule,
    refusal,
    transform,
)
from tilewright.ir.errors import DefiniteFailure, SilenceableFailure, UserError
from tilewright.ir.text import to_text

WINDOW = generic(
    ["(d0, d1) -> (d0 + d1)", "(d0, d1) -> (d1)", "(d0, d1) -> (d0)"],
    ["parallel", "reduction"],
    [("tensor<12xf32>", "f32"), ("tensor<3xf32>", "f32"), ("tensor<10xf32>", "f32")],
    """%p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %x2, %p : f32
    linalg.yield %s : f32""",
)
BUFFERS = """\
func.func @f(%v: f32, %o: memref<10xf32>) {
  linalg.fill ins(%v : f32) outs(%o : memref<10xf32>)
  return
}
"""

REFUSALS = {
    "nothing bounds it": (
        matmul("?", 6, 7),  # type: ignore[arg-type]
        padded("pad_to_multiple_of [4] {padding_dimensions = [0]}"),
        "nothing bounds dimension 0 of operand 0",
    ),
    "too few values": (
        matmul(10, 6, 7),
        padded(
            "pad_to_multiple_of [4] {padding_values = [0.0 : f32, 0.0 : f32], "
            "padding_dimensions = [0]}"
        ),
        "there is no padding value for operand 2",
    ),
    "no such loop": (
        matmul(10, 6, 7),
        padded("pad_to_multiple_of [4] {padding_dimensions = [3]}"),
        "names loop 3 of an op with 3 loops",
    ),
    "a sum of loops": (
        WINDOW,
        padded("pad_to_multiple_of [4] {padding_dimensions = [0]}", "linalg.generic"),
        "dimension 0 of operand 0 is not indexed by loop 0 alone",
    ),
    "buffers": (
        BUFFERS,
        padded("pad_to_multiple_of [4] {padding_dimensions = [0]}", "linalg.fill"),
        "pad, then bufferize",
    ),
    "not structured": (
        matmul(10, 6, 7),
        padded("{padding_dimensions = [0]}", "func.return"),
        "is not a structured op",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(name) -> None:
    payload, schedule, words = REFUSALS[name]
    error = refusal(payload, schedule)
    assert isinstance(error, SilenceableFailure)
    assert words in str(error)


def test_a_value_of_another_type_is_an_error() -> None:
    schedule = padded(
        "pad_to_multiple_of [4] {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f64], "
        "padding_dimensions = [0]}"
    )
    error = refusal(matmul(10, 6, 7), schedule)
    assert isinstance(error, DefiniteFailure)
    assert "expected a padding value of type f32 for operand 2" in str(error)


REJECTED = {
    "pad_to_multiple_of [4] {padding_dimensions = [0, 1]}": "as many multiples",
    "{padding_dimensions = [-1]}": "numbers of loops",
    "{nofold_flags = [2]}": "0 and 1",
    "{transpose_paddings = [[0, 0]]}": "permutations",
    '{copy_back_op = "memcpy"}': "copy_back_op",
}


@needs_mlir
@pytest.mark.parametrize("how", REJECTED)
def test_wrong_attributes_are_rejected_where_they_stand(how) -> None:
    with pytest.raises(UserError, match=REJECTED[how]) as caught:
        transform(matmul(4, 4, 4), padded(how))
    assert caught.value.place is not None


@pytest.mark.slow
@needs_mlir
def test_real_mlir_reads_the_op() -> None:
    for how in HOW.values():
        printed = mlir_opt(to_text(parse_schedule(padded(how))))
        again = mlir_opt(printed, "--mlir-print-op-generic")
        twice = mlir_opt(to_text(parse_schedule(again)))
        line = next(row for row in printed.splitlines() if "structured.pad" in row)
        assert line.strip() in [row.strip() for row in twice.splitlines()]


def test_nan_in_what_is_not_padded_stays() -> None:
    ran = transform(matmul(3, 3, 3), padded(HOW["all"]))
    inputs = inputs_of(ran.before)
    inputs[0][1, 1] = np.nan
    (got,) = evaluate(ran.module, inputs)
    (want,) = evaluate(ran.before, inputs)
    assert (np.isnan(got) == np.isnan(want)).all()
