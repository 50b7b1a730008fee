"""Tensors that are written while they are read, and parts that no grid computes.

Each payload is built as one kernel an op, and as it is planned. MLIR does not wrap its
lines, so neither do the texts here.
"""

# ruff: noqa: E501

from __future__ import annotations

import numpy as np
import pytest

from tilewright.codegen.runtime.interpret import Job, interpret_all
from tilewright.codegen.targets import target_named
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.pipeline import Built, build, parse_payload
from tilewright.planned_build import build_planned
from tilewright.schedules.schedule import Schedule

MAPS = """
#rows = affine_map<(i, j) -> (i, j)>
#columns = affine_map<(i, j) -> (j, i)>
"""

TRANSPOSED = """
func.func @transposed(%x: tensor<17x17xf32>) -> tensor<17x17xf32> {
  %r = linalg.generic {indexing_maps = [#columns, #columns], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<17x17xf32>) outs(%x : tensor<17x17xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<17x17xf32>
  return %r : tensor<17x17xf32>
}
"""

OWN_INPUT_TRANSPOSED = """
func.func @own_input(%x: tensor<24x24xf32>) -> tensor<24x24xf32> {
  %e = tensor.empty() : tensor<24x24xf32>
  %y = linalg.abs ins(%x : tensor<24x24xf32>) outs(%e : tensor<24x24xf32>) -> tensor<24x24xf32>
  %r = linalg.generic {indexing_maps = [#columns, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<24x24xf32>) outs(%y : tensor<24x24xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<24x24xf32>
  return %r : tensor<24x24xf32>
}
"""

ONE_FILL_TWICE = """
func.func @one_fill(%x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %c = arith.constant 3.0 : f32
  %f = linalg.fill ins(%c : f32) outs(%x : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r:2 = linalg.generic {indexing_maps = [#columns, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%f : tensor<8x8xf32>) outs(%f, %f : tensor<8x8xf32>, tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s, %d : f32, f32
  } -> (tensor<8x8xf32>, tensor<8x8xf32>)
  return %r#0, %r#1 : tensor<8x8xf32>, tensor<8x8xf32>
}
"""

IN_STEPS = """
func.func @in_steps(%x: tensor<40x9xf32>, %y: tensor<11x4xf32>) -> tensor<40x9xf32> {
  %r = tensor.insert_slice %y into %x[17, 1] [11, 4] [2, 2] : tensor<11x4xf32> into tensor<40x9xf32>
  return %r : tensor<40x9xf32>
}
"""

A_COLUMN = """
func.func @column(%x: tensor<12x9xf32>, %y: tensor<12xf32>) -> (tensor<12x9xf32>, tensor<12xf32>) {
  %r = tensor.insert_slice %y into %x[0, 4] [12, 1] [1, 1] : tensor<12xf32> into tensor<12x9xf32>
  %c = tensor.extract_slice %r[0, 7] [12, 1] [1, 1] : tensor<12x9xf32> to tensor<12xf32>
  return %r, %c : tensor<12x9xf32>, tensor<12xf32>
}
"""

A_PART_OF_ITSELF = """
func.func @itself(%x: tensor<20xf32>) -> tensor<20xf32> {
  %e = tensor.empty() : tensor<20xf32>
  %y = linalg.abs ins(%x : tensor<20xf32>) outs(%e : tensor<20xf32>) -> tensor<20xf32>
  %even = tensor.extract_slice %y[0] [10] [2] : tensor<20xf32> to tensor<10xf32>
  %r = tensor.insert_slice %even into %y[1] [10] [2] : tensor<10xf32> into tensor<20xf32>
  return %r : tensor<20xf32>
}
"""

RETURNED_PARTS = """
func.func @parts(%x: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<2x3xf32>, tensor<2x2xf32>) {
  %all = tensor.extract_slice %x[0, 0] [4, 3] [1, 1] : tensor<4x3xf32> to tensor<4x3xf32>
  %first = tensor.extract_slice %x[0, 0] [2, 3] [1, 1] : tensor<4x3xf32> to tensor<2x3xf32>
  %some = tensor.extract_slice %x[1, 1] [2, 2] [2, 1] : tensor<4x3xf32> to tensor<2x2xf32>
  return %all, %first, %some : tensor<4x3xf32>, tensor<2x3xf32>, tensor<2x2xf32>
}
"""

A_GATHER_FROM_A_PART = """
#id = affine_map<(i) -> (i)>
func.func @part(%given: tensor<65x8xf32>, %other: tensor<24x8xf32>, %at: tensor<16xi32>) -> (tensor<16xf32>, tensor<65x8xf32>) {
  %new = tensor.empty() : tensor<65x8xf32>
  %x = linalg.exp ins(%given : tensor<65x8xf32>) outs(%new : tensor<65x8xf32>) -> tensor<65x8xf32>
  %part = tensor.extract_slice %x[35, 0] [24, 8] [1, 1] : tensor<65x8xf32> to tensor<24x8xf32>
  %y = linalg.negf ins(%other : tensor<24x8xf32>) outs(%part : tensor<24x8xf32>) -> tensor<24x8xf32>
  %whole = tensor.insert_slice %y into %x[35, 0] [24, 8] [1, 1] : tensor<24x8xf32> into tensor<65x8xf32>
  %e = tensor.empty() : tensor<16xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%at : tensor<16xi32>) outs(%e : tensor<16xf32>) {
  ^bb0(%a: i32, %b: f32):
    %zero = arith.constant 0 : i32
    %seven = arith.constant 7 : i32
    %low = arith.maxsi %a, %zero : i32
    %high = arith.minsi %low, %seven : i32
    %i = arith.index_cast %high : i32 to index
    %v = tensor.extract %y[%i, %i] : tensor<24x8xf32>
    linalg.yield %v : f32
  } -> tensor<16xf32>
  return %r, %whole : tensor<16xf32>, tensor<65x8xf32>
}
"""

AT_A_SINGLE_NUMBER = """
#none = affine_map<() -> ()>
func.func @single(%x: tensor<8x5xf32>, %at: tensor<i64>, %y: tensor<f32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<f32>
  %r = linalg.generic {indexing_maps = [#none, #none, #none], iterator_types = []}
      ins(%at, %y : tensor<i64>, tensor<f32>) outs(%e : tensor<f32>) {
  ^bb0(%a: i64, %b: f32, %o: f32):
    %three = arith.constant 3 : i64
    %low = arith.andi %a, %three : i64
    %i = arith.index_cast %low : i64 to index
    %v = tensor.extract %x[%i, %i] : tensor<8x5xf32>
    %w = tensor.extract %x[%i, %i] : tensor<8x5xf32>
    %p = arith.mulf %v, %w : f32
    %s = arith.addf %p, %b : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
"""

PAYLOADS = (
    TRANSPOSED,
    OWN_INPUT_TRANSPOSED,
    ONE_FILL_TWICE,
    IN_STEPS,
    A_COLUMN,
    A_PART_OF_ITSELF,
    RETURNED_PARTS,
    A_GATHER_FROM_A_PART,
    AT_A_SINGLE_NUMBER,
)
NAMES = [text.split("@")[1].split("(")[0] for text in PAYLOADS]


def assert_right(built: Built, text: str, *, by_triton: bool = False) -> None:
    question = make_case(parse_payload(text), 0)
    outcome = check_kernel_ir(built, question)
    assert outcome.ok, outcome.message
    if by_triton:
        (found,) = interpret_all([Job(built.program, question.inputs)])
        for one, expected in zip(found, question.expected, strict=True):
            np.testing.assert_allclose(one, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("payload", PAYLOADS, ids=NAMES)
def test_one_kernel_an_op(payload: str) -> None:
    text = MAPS + payload
    built = build(parse_payload(text), Schedule.empty())
    assert_right(built, text, by_triton=payload in (IN_STEPS, TRANSPOSED))


@pytest.mark.parametrize("payload", PAYLOADS, ids=NAMES)
def test_planned(payload: str) -> None:
    text = MAPS + payload
    done = build_planned(
        parse_payload(text),
        target_named("h200"),
        lambda schedule: build(parse_payload(text), schedule),
    )
    assert_right(done.built, text)


def test_copies_that_the_launcher_can_do_are_no_kernels() -> None:
    text = IN_STEPS.replace("[2, 2]", "[1, 1]")
    program = build(parse_payload(text), Schedule.empty()).program
    assert not program.kernels
    assert ".copy_(" in program.text


def test_a_tile_that_is_stored_again_is_loaded_as_it_is_stored() -> None:
    """Each thread then loads the elements that it stores."""
    program = build(parse_payload(MAPS + TRANSPOSED), Schedule.empty()).program
    assert "tl.trans(" in program.text
