"""`loops_to_grid`: parallel loops become a grid, others are refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tilewright.inspect.verify_each import VerifyEach
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.text import parse_module, to_text
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.pipeline import (
    apply_schedule,
    build,
    parse_payload,
)
from tilewright.schedules.schedule import Schedule
from tilewright.snapshots import Recorder
from tilewright.transforms.dialect import schedule_context

PAYLOAD = """
func.func @f(%a: tensor<200x104xf32>, %b: tensor<104x136xf32>,
             %c: tensor<200x136xf32>) -> tensor<200x136xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<200x104xf32>, tensor<104x136xf32>)
                     outs(%c : tensor<200x136xf32>) -> tensor<200x136xf32>
  return %r : tensor<200x136xf32>
}
"""


def tiled(sizes: str, loops: str) -> Schedule:
    return Schedule.from_text(
        'schedule s(root) { mm = match "linalg.matmul" in root\n'
        f"mm, {loops} = tile mm by {sizes} }}"
    )


TO_GRID = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %mm tile_sizes [64, 32]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %g = transform.tilewright.loops_to_grid %l#0
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
"""


def test_a_nest_becomes_a_grid(golden: Callable[[str, str], None]) -> None:
    schedule = Schedule.from_text(TO_GRID, "grid.mlir")
    applied = apply_schedule(parse_payload(PAYLOAD), schedule, complete=False)
    golden("transforms/loops_to_grid.mlir", to_text(applied.payload))


def test_the_op_prints_and_parses_again() -> None:
    module = parse_module(TO_GRID, "grid.mlir", schedule_context())
    text = to_text(module)
    assert to_text(parse_module(text, "again.mlir", schedule_context())) == text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sizes", "loops"),
    [
        ("[64, 64]", "i, j"),
        ("[64, 64, 32]", "i, j, k"),
        ("[64, 0, 32]", "i, k"),
        ("[0, 128]", "j"),
        ("[256, 256, 128]", "i, j, k"),
    ],
)
def test_the_default_turns_loops_into_the_grid(sizes: str, loops: str) -> None:
    payload = parse_payload(PAYLOAD)
    question = make_case(payload, 3)
    verifier = VerifyEach(payload, seed=3)
    assert not verifier.skipped
    schedule = tiled(sizes, loops)
    applied = apply_schedule(payload, schedule, observers=[verifier])
    assert verifier.checked == len(applied.steps)
    outcome = check_kernel_ir(build(payload, schedule), question)
    assert outcome.ok, outcome.message


def test_each_conversion_is_a_step_of_its_own() -> None:
    payload = parse_payload(PAYLOAD)
    recorder = Recorder(payload)
    apply_schedule(payload, tiled("[64, 64, 32]", "i, j, k"), observers=[recorder])
    titles = [snapshot.title for snapshot in recorder.snapshots]
    assert any("loops_to_grid" in title for title in titles)


def test_a_reduction_alone_is_refused() -> None:
    with pytest.raises(SilenceableFailure, match="do not hand back one slice"):
        build(parse_payload(PAYLOAD), tiled("[0, 0, 32]", "k"))


OVERLAPPING = """
func.func @f(%x: tensor<64xf32>, %t: tensor<64xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c16 = arith.constant 16 : index
  %r = scf.for %i = %c0 to %c64 step %c16 iter_args(%o = %t) -> (tensor<64xf32>) {
    %s = tensor.extract_slice %READ[%i] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %n = tensor.insert_slice %s into %o[%WHERE] [16] [1]
      : tensor<16xf32> into tensor<64xf32>
    scf.yield %n : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}
"""


@pytest.mark.parametrize(
    ("read", "where", "reason"),
    [
        ("%x", "%c0", "two iterations may write the same elements"),
        ("%o", "%c0", "two iterations may write the same elements"),
    ],
)
def test_iterations_that_are_not_independent_are_refused(
    read: str, where: str, reason: str
) -> None:
    text = OVERLAPPING.replace("%READ", read).replace("%WHERE", where)
    with pytest.raises(SilenceableFailure, match=reason):
        build(parse_payload(text), None)


def test_reading_what_another_iteration_writes_is_refused() -> None:
    text = OVERLAPPING.replace("%READ[%i]", "%o[0]").replace("%WHERE", "%i")
    with pytest.raises(SilenceableFailure, match="reads what another one writes"):
        build(parse_payload(text), None)


def test_a_grid_is_not_converted_twice() -> None:
    again = TO_GRID.replace(
        "    transform.yield\n",
        "    %h = transform.tilewright.loops_to_grid %g\n"
        "      : (!transform.any_op) -> !transform.any_op\n    transform.yield\n",
        1,
    )
    once = apply_schedule(
        parse_payload(PAYLOAD), Schedule.from_text(TO_GRID, "g.mlir"), complete=False
    )
    twice = apply_schedule(
        parse_payload(PAYLOAD), Schedule.from_text(again, "g.mlir"), complete=False
    )
    assert to_text(once.payload) == to_text(twice.payload)
