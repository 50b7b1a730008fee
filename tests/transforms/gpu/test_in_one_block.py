"""`in_one_block`: an op without parallel loops in a grid of one block."""

from __future__ import annotations

import pytest

from support.codegen.programs import assert_right, built
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.text import parse_module, to_text
from tilewright.pipeline import apply_schedule, parse_payload
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.dialect import schedule_context

SUM = """
func.func @f(%a: tensor<100x70xf32>) -> tensor<f32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %s = linalg.reduce { arith.addf } ins(%a : tensor<100x70xf32>)
    outs(%i : tensor<f32>) dimensions = [0, 1]
  return %s : tensor<f32>
}
"""
WRAP = """schedule s(root) {
  op = match "linalg.reduce" in root
  op, grid = tilewright.in_one_block op
}"""
AFTER = """
    %s = scf.forall (%1) in (1) shared_outs(%2 = %i) -> (tensor<f32>) {
      %3 = tensor.extract_slice %2[] [] [] : tensor<f32> to tensor<f32>
      %s_1 = linalg.reduce { arith.addf } ins(%a : tensor<100x70xf32>) \
outs(%3 : tensor<f32>) dimensions = [0, 1]
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s_1 into %2[] [] [] \
: tensor<f32> into tensor<f32>
      }
    } {mapping = [#gpu.block<x>]}
"""


def applied(text: str, schedule: str) -> str:
    made = Schedule.from_text(schedule)
    return to_text(apply_schedule(parse_payload(text), made, complete=False).payload)


def test_an_op_becomes_a_grid() -> None:
    after = " ".join(AFTER.split())
    before = " ".join(applied(SUM, WRAP).split())
    names = {"%1": "%0", "%2": "%1", "%3": "%2"}
    for old, new in names.items():
        after = after.replace(old, new)
    assert after in before, before


def test_a_full_reduction_by_the_default() -> None:
    program = assert_right(SUM)
    assert any("in one block" in line for line in program.added)
    assert "(1,)" in program.program.text


def test_a_schedule_goes_on_with_the_grid() -> None:
    schedule = WRAP.replace("}", "  launch grid warps = 8\n}")
    assert "num_warps=8" in assert_right(SUM, schedule).program.text


def test_an_op_in_a_grid_is_refused() -> None:
    twice = WRAP.replace("}", "  op, again = tilewright.in_one_block op\n}")
    with pytest.raises(SilenceableFailure, match="in a grid already"):
        built(SUM, twice)


def test_a_result_of_unknown_size_is_refused() -> None:
    text = """
func.func @f(%a: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %s = linalg.exp ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}"""
    with pytest.raises(SilenceableFailure, match="known only when it runs"):
        built(text, WRAP.replace("linalg.reduce", "linalg.exp"))


def test_what_is_no_structured_op_is_refused() -> None:
    with pytest.raises(SilenceableFailure, match="no structured op"):
        built(SUM, WRAP.replace("linalg.reduce", "tensor.empty"))


def test_the_op_prints_and_parses_again() -> None:
    text = Schedule.from_text(WRAP).to_mlir()
    again = parse_module(text, "again.mlir", schedule_context())
    assert "tilewright.in_one_block" in text
    assert to_text(again) == to_text(
        parse_module(to_text(again), "twice.mlir", schedule_context())
    )
