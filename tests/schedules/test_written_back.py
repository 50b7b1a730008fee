"""Schedules that are written back, split and bound."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from support.mlir_opt import needs_mlir
from support.paths import EXAMPLES
from support.schedule_files import (
    EXAMPLE,
    LINEAR,
    POINT,
    UPSTREAM,
    example_payload,
    run_upstream,
    same,
)
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module, to_text
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import run_schedule


def test_a_resolved_schedule_has_no_choices_left() -> None:
    point = {**POINT, "tail_placement": "separate", "loads": "pointers"}
    schedule = Schedule.from_path(LINEAR).with_point(point)
    moment = datetime(2026, 11, 15, 12, 30)
    text = schedule.to_tw(device="NVIDIA H200", time=moment)
    assert (
        text
        == """\
// from the schedule 'linear'
// point: BM = 128, BN = 128, BK = 64, warps = 8, stages = 3, \
tail_placement = separate, loads = pointers
// device: NVIDIA H200
// time: 2026-11-15 12:30:00

// linear.tw -- matmul with its element-wise tail fused into each tile
schedule linear(root) {
  func = match "func.func" in root  // structured.match, likewise below
  mm = match "linalg.matmul" in root
  fill = match "linalg.fill" in root
  tail = match "linalg.generic" in root
  BM = 128  // tune.knob<"BM">; the others alike
  BN = 128
  BK = 64
  warps = 8
  stages = 3

  // tune.alternatives
  mm, g = tile mm by [BM, BN] onto [block.y, block.x]
  fill, g = fuse fill into g
  tail, h = tile tail by [BM, BN] onto [block.y, block.x]
  grids = merge(g, h)  // merge_handles
  mm, k = tile mm by [0, 0, BK]  // tile_using_for
  launch grids warps = warps  // annotate "triton.num_warps"
  pipeline k stages = stages  // annotate "triton.num_stages"
  vectorize mm to [BM, BN, BK]  // structured.vectorize vector_sizes
  vectorize fill to [BM, BN]
  vectorize tail to [BM, BN]
  include to_vectors(func)  // patterns, cse, licm, hoist
  root = bufferize root  // one_shot_bufferize
}
"""
    )
    again = Schedule.from_text(text)
    assert again.open_choices() == []
    assert again.to_tw() == text


def test_what_is_not_picked_stays_open() -> None:
    schedule = Schedule.from_path(LINEAR).with_point({"BM": 64, "loads": "pointers"})
    text = schedule.to_tw()
    assert "BM = 64  // tune.knob" in text
    assert "BN = knob [64, 128]\n" in text
    assert "choose tail_placement {" in text
    assert "choose loads" not in text
    assert "require BM * BN <= 128 * 128" in text
    names = [choice.name for choice in Schedule.from_text(text).open_choices()]
    assert names == ["BN", "BK", "warps", "stages", "tail_placement"]


def test_names_are_changed_where_they_would_hide_a_handle() -> None:
    text = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.fill"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %knob = transform.tune.knob<"size"> options = [4, 8] -> !transform.param<i64>
    transform.annotate %0 "a" = %knob : !transform.any_op, !transform.param<i64>
    transform.annotate %1 "b" : !transform.any_op
    transform.yield
  }
}
"""
    schedule = Schedule.from_text(text, "names.mlir")
    assert (
        schedule.to_tw()
        == """\
schedule names(root) {
  h = match "linalg.fill" in root
  h2 = match "linalg.matmul" in root
  knob_ = knob "size" [4, 8]
  annotate h "a" = knob_
  annotate h2 "b"
}
"""
    )


def test_an_op_without_a_verb_is_written_by_its_name() -> None:
    text = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.fill"]} filter_result_type = f32
      in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
"""
    schedule = Schedule.from_text(text, "odd.mlir")
    written = schedule.to_tw()
    assert (
        'h = structured.match root ops = ["linalg.fill"] filter_result_type = `f32`'
        in written
    )
    again = Schedule.from_text(written, "odd.tw")
    again.module.sym_name = None
    assert same(again.module, schedule.module)


def test_what_the_language_cannot_say_is_refused() -> None:
    text = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.readonly}) {
    transform.sequence %root : !transform.any_op failures(propagate) {
    ^bb0(%inner: !transform.any_op):
      transform.apply_cse to %inner : !transform.any_op
      transform.apply_cse to %root : !transform.any_op
    }
    transform.yield
  }
}
"""
    with pytest.raises(UserError, match="has no form in the schedule language"):
        Schedule.from_text(text, "odd.mlir").to_tw()


def test_split_takes_a_combined_file_apart() -> None:
    module = parse_module(UPSTREAM.read_text(), "linear.mlir", schedule_context())
    payload, schedule = Schedule.split(module)
    assert [op.name for op in payload.ops] == ["func.func"]
    assert "transform" not in to_text(payload)
    assert schedule is not None
    assert [choice.name for choice in schedule.open_choices()] == []
    plain, nothing = Schedule.split(payload)
    assert nothing is None and same(plain, payload)


def test_binding_leaves_the_schedule_as_it_was() -> None:
    schedule = Schedule.from_path(LINEAR)
    before = to_text(schedule.module)
    bound = schedule.with_point({"BM": 64}).with_point({"BN": 128})
    assert to_text(schedule.module) == before
    assert bound.point == {"BM": 64, "BN": 128}
    assert "BM = 64, BN = 128" in bound.to_tw()


def test_the_empty_schedule_does_nothing() -> None:
    payload = parse_module(
        (EXAMPLE / "payload.mlir").read_text(), "p.mlir", schedule_context()
    )
    before = to_text(payload)
    run_schedule(Schedule.empty().module, payload)
    assert to_text(payload) == before


@pytest.mark.parametrize("path", ["nowhere.tw", "nowhere.mlir"])
def test_a_missing_file_is_said(path: str) -> None:
    with pytest.raises(UserError, match=f"no such file: {path}"):
        Schedule.from_path(path)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "schedule.txt"
    path.write_text("")
    with pytest.raises(UserError, match="not a schedule; give a .tw or a .mlir file"):
        Schedule.from_path(path)


def test_sequences_yield_and_take_parameters() -> None:
    schedule = Schedule.from_text("""
sequence grid_of(op, size: param) {
  op, grid = tile op by [size, 64] onto [block.y, block.x]
  yield op, grid
}
schedule s(root) {
  mm = match "linalg.matmul" in root
  B = knob [32, 64]
  mm, g = include grid_of(mm, B)
  launch g warps = 4
}
""")
    assert same(Schedule.from_text(schedule.to_tw()).module, schedule.module)
    payload = parse_module(
        example_payload(128, 128, 64, "f32", False), "p.mlir", schedule_context()
    )
    run_schedule(schedule.bound({"B": 32}), payload)
    assert "triton.num_warps = 4 : i64" in to_text(payload)


@needs_mlir
def test_sequences_run_upstream() -> None:
    schedule = Schedule.from_text("""
sequence grid_of(op, size: param) {
  op, grid = tile op by [size, 64] onto [block.y, block.x]
  yield op, grid
}
schedule s(root) {
  mm = match "linalg.matmul" in root
  mm, g = include grid_of(mm, 32)
  launch g warps = 4
}
""")
    text = run_upstream(schedule, example_payload(128, 128, 64, "f32", False))
    assert "triton.num_warps = 4 : i64" in text


def test_loops_are_pipelined_and_grids_launched_when_written_back() -> None:
    """Both have stages; a loop that something was fused into stays a loop."""
    path = EXAMPLES / "gemm" / "batch_walk.tw"
    point = {"BM": 64, "BN": 64, "warps": 4, "stages": 2}
    text = Schedule.from_path(path).with_point(point).to_tw()
    assert "launch grid warps = warps\n" in text
    assert "pipeline walk stages = stages\n" in text


def test_a_match_and_its_pick_are_one_statement() -> None:
    text = """schedule s(root) {
  last = match reduction in root at [-1]
  fills = match "linalg.fill" in root
  one = pick fills at [0]
  last = generalize last
  cse one
  cse fills
}
"""
    read = Schedule.from_text(text, "s.tw")
    again = Schedule.from_text(read.to_mlir(resolved=False), "s.mlir").to_tw()
    assert "last = match reduction in root at [-1]\n" in again
    # Another statement uses what the match found, so it keeps its name.
    assert 'fills = match "linalg.fill" in root\n' in again
    assert "one = pick fills at [0]\n" in again
