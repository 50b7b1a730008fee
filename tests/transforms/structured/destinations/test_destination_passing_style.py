"""rewrite_in_destination_passing_style."""

from __future__ import annotations

import numpy as np
import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    by_real_mlir,
    evaluate,
    inputs_of,
    match,
    on,
    parse_payload,
    parse_schedule,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.text import to_text

VERB = "transform.structured.rewrite_in_destination_passing_style"


def rewritten(op: str) -> str:
    return schedule_of(
        match("%h", op),
        f"%r = {VERB} %h : ({OP}) -> {OP}",
        f'transform.annotate %r "made" : {OP}',
    )


def elements(values: str, shape: str) -> str:
    kind = f"tensor<{shape}f32>"
    return f"""\
func.func @f(%a: f32, %b: f32) -> {kind} {{
  %r = tensor.from_elements {values}: {kind}
  return %r : {kind}
}}
"""


def padded(x: str, made: str, amounts: str, body: str = "", value: str = "%c") -> str:
    """A pad of x by amounts, with %n among the sizes; %c is a constant."""
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


COMPUTED = """%s = arith.addi %i, %j : index
    %k = arith.index_cast %s : index to i32
    %w = arith.sitofp %k : i32 to f32"""

GENERATE = """\
func.func @f(%n: index) -> tensor<?x4xindex> {
  %r = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %s = arith.muli %i, %n : index
    %t = arith.addi %s, %j : index
    tensor.yield %t : index
  } : tensor<?x4xindex>
  return %r : tensor<?x4xindex>
}
"""

PAYLOADS = {
    "elements": ("tensor.from_elements", elements("%a, %b, %a, %b ", "2x1x2x")),
    "one_element": ("tensor.from_elements", elements("%a ", "")),
    "no_elements": ("tensor.from_elements", elements("", "0x")),
    "generate": ("tensor.generate", GENERATE),
    "pad": ("tensor.pad", padded("5x7", "9x12", "low[2, 1] high[2, 4]")),
    "pad_by_a_value": (
        "tensor.pad",
        padded("5x7", "9x12", "low[2, 1] high[2, 4]", value="%v"),
    ),
    "pad_by_indices": (
        "tensor.pad",
        padded("5x7", "9x12", "low[2, 1] high[2, 4]", COMPUTED, "%w"),
    ),
    "pad_by_a_constant_inside": (
        "tensor.pad",
        padded(
            "5x7", "6x7", "low[0, 0] high[1, 0]", "%w = arith.constant 1.0 : f32", "%w"
        ),
    ),
    "nothing_added": ("tensor.pad", padded("5x7", "5x7", "low[0, 0] high[0, 0]")),
    "a_copy": ("tensor.pad", padded("5x7", "5x7", "nofold low[0, 0] high[0, 0]")),
}


@pytest.mark.parametrize("name", ["elements", "generate", "pad", "a_copy"])
def test_golden(name, golden) -> None:
    op, payload = PAYLOADS[name]
    golden(
        f"transforms/destination_{name}.mlir", transform(payload, rewritten(op)).text
    )


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("name", PAYLOADS)
def test_real_mlir_gives_the_same_program(name) -> None:
    op, payload = PAYLOADS[name]
    ran = transform(payload, rewritten(op))
    inputs = [
        3 if value.dtype == np.int64 else value for value in inputs_of(ran.before)
    ]
    assert (evaluate(ran.before, inputs)[0] == evaluate(ran.module, inputs)[0]).all()
    assert_same_program(ran.text, by_real_mlir(payload, rewritten(op)))


@pytest.mark.sampled(6)
@needs_mlir
@pytest.mark.parametrize(
    ("x", "made", "amounts"),
    [
        ("?x7", "?x12", "low[2, 1] high[%n, 4]"),
        ("?x7", "16x12", "low[2, 1] high[%n, 4]"),
        ("?x?", "?x?", "low[%n, 0] high[%n, %n]"),
        ("?x7", "?x7", "nofold low[0, 0] high[0, 0]"),
    ],
)
def test_sizes_of_the_run_time(x, made, amounts) -> None:
    payload = padded(x, made, amounts)
    ran = transform(payload, rewritten("tensor.pad"))
    given = inputs_of(parse_payload(padded("5x7", "5x7", "low[0, 0] high[0, 0]")))
    given[1] = 16 - 5 - 2 if made == "16x12" else 3
    assert (evaluate(ran.before, given)[0] == evaluate(ran.module, given)[0]).all()
    assert_same_program(ran.text, by_real_mlir(payload, rewritten("tensor.pad")))


def test_a_slice_says_how_large_its_partial_tile_is() -> None:
    payload = """\
func.func @f(%x: tensor<20xf32>, %i: index) -> tensor<8xf32> {
  %c = arith.constant 0.0 : f32
  %n = affine.min affine_map<(d0) -> (-d0 + 20, 8)>(%i)
  %m = affine.apply affine_map<(d0) -> (-d0 + 8)>(%n)
  %s = tensor.extract_slice %x[%i] [%n] [1] : tensor<20xf32> to tensor<?xf32>
  %r = tensor.pad %s low[0] high[%m] {
  ^bb0(%j: index):
    tensor.yield %c : f32
  } : tensor<?xf32> to tensor<8xf32>
  return %r : tensor<8xf32>
}
"""
    assert "tensor.dim" not in transform(payload, rewritten("tensor.pad")).text


def test_the_new_tensor_can_be_one_that_is_there() -> None:
    payload = """\
func.func @f(%x: tensor<5xf32>, %o: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %c = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0] high[3] {
  ^bb0(%j: index):
    tensor.yield %c : f32
  } : tensor<5xf32> to tensor<8xf32>
  %r = tensor.insert_slice %p into %o[1, 0] [1, 8] [1, 1]
      : tensor<8xf32> into tensor<3x8xf32>
  return %r : tensor<3x8xf32>
}
"""
    schedule = schedule_of(
        match("%h", "tensor.pad"),
        f"%r = {VERB} %h : ({OP}) -> {OP}",
        on("structured.eliminate_empty_tensors"),
    )
    ran = transform(payload, schedule)
    assert_same_numbers(ran)
    assert "tensor.empty" not in ran.text


def test_a_second_application_is_refused() -> None:
    schedule = schedule_of(
        match("%h", "tensor.pad"),
        f"%r = {VERB} %h : ({OP}) -> {OP}",
        f"%s = {VERB} %r : ({OP}) -> {OP}",
    )
    error = refusal(PAYLOADS["pad"][1], schedule)
    assert "'tensor.insert_slice' is not one of tensor.from_elements" in str(error)


@pytest.mark.parametrize("op", ["arith.constant", "func.return"])
def test_refusals(op) -> None:
    assert f"'{op}' is not one of" in str(refusal(PAYLOADS["pad"][1], rewritten(op)))


def test_nothing_to_do_is_done() -> None:
    schedule = schedule_of(
        match("%h", "tensor.generate"), f"%r = {VERB} %h : ({OP}) -> {OP}"
    )
    assert not transform(PAYLOADS["pad"][1], schedule).dumps


@needs_mlir
def test_real_mlir_reads_the_op() -> None:
    schedule = rewritten("tensor.pad")
    printed = mlir_opt(to_text(parse_schedule(schedule)))
    assert f"{VERB} %0 : ({OP}) -> {OP}" in printed
    again = mlir_opt(printed, "--mlir-print-op-generic")
    assert VERB in to_text(parse_schedule(again))
