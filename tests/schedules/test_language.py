"""The schedule language: text to IR and back, and real MLIR on what comes out."""

from __future__ import annotations

import itertools
import sys
from datetime import datetime
from pathlib import Path

import pytest
from xdsl.dialects.builtin import FileLineColLoc, ModuleOp
from xdsl.rewriter import Rewriter

from support.mlir_opt import mlir_opt, needs_mlir
from support.paths import DATA, EXAMPLES
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module, place_of, to_text
from tilewright.schedules.language.lowering.lower import lower
from tilewright.schedules.language.parsing.parser import parse
from tilewright.schedules.language.printing.printer import print_schedule
from tilewright.schedules.language.verbs.table import VERBS
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.control.choices.constrain import ConstrainParamsOp
from tilewright.transforms.control.choices.tune_alternatives import LABELS
from tilewright.transforms.interpreter import run_schedule
from tilewright.transforms.table import schedule_context

EXAMPLE = EXAMPLES / "matmul_relu"
LINEAR = DATA / "linear.tw"
UPSTREAM = DATA / "linear.mlir"
NAMES = ("tile", "tile_fuse", "tile_fuse_vectorize", "tuned")
SCHEDULES = [LINEAR, *(EXAMPLE / f"{name}.tw" for name in NAMES)]

POINT = {
    "BM": 128,
    "BN": 128,
    "BK": 64,
    "warps": 8,
    "stages": 3,
    "tail_placement": "fused",
    "loads": "descriptors",
}


def same(a: ModuleOp, b: ModuleOp) -> bool:
    return a.is_structurally_equivalent(b)


def with_payload(schedule: str, payload: str) -> str:
    """One text with schedule and payload, as mlir-opt takes it."""
    body = schedule[: schedule.rstrip().rindex("}")]
    return f"{body}\n{payload}\n}}\n"


def run_upstream(schedule: Schedule, payload: str) -> str:
    """The payload that real MLIR makes of it."""
    text = schedule.to_mlir().replace(f"@{schedule.name} attributes", "attributes")
    return mlir_opt(
        with_payload(text, payload),
        "--transform-interpreter",
        "--test-transform-dialect-erase-schedule",
        "--canonicalize",
        "--cse",
    )


def ids(path: Path) -> str:
    return path.stem


# -- round trips -----------------------------------------------------------------


@pytest.mark.parametrize("path", SCHEDULES, ids=ids)
def test_written_and_read_again_it_is_the_same_ir(path: Path) -> None:
    schedule = Schedule.from_path(path)
    text = schedule.to_tw()
    again = Schedule.from_text(text, "again.tw")
    assert same(schedule.module, again.module)
    assert again.to_tw() == text


@pytest.mark.parametrize("path", SCHEDULES, ids=ids)
def test_upstream_form_reads_back(path: Path) -> None:
    schedule = Schedule.from_path(path)
    text = schedule.to_mlir(resolved=False)
    again = Schedule.from_text(text, "again.mlir")
    assert same(schedule.module, again.module)
    assert again.name == schedule.name
    assert same(Schedule.from_text(again.to_tw()).module, schedule.module)


@pytest.mark.parametrize("path", SCHEDULES, ids=ids)
def test_every_op_points_at_its_statement(path: Path) -> None:
    schedule = Schedule.from_path(path)
    lines = path.read_text().splitlines()
    for op in schedule.module.walk():
        if isinstance(op, ModuleOp):
            continue
        place = place_of(op)
        assert isinstance(op.location, FileLineColLoc) and place is not None, op.name
        if place.file == str(path):
            assert place.text == lines[place.line - 1]
            assert place.text[place.column - 1] not in " \t"


def test_golden() -> None:
    """Statement by statement: what each verb becomes."""
    text = """
schedule all(root) {
  f = match "func.func" in root
  l = match ["scf.for", "scf.forall"] with [n = 4, on, tag = "x"] in f
  s = match implementing [LinalgOp] in f
  BM = knob [64, 128]  C = 32
  t, g = tile s by [BM, 0, 16] onto [block.y, block.x]
  t, i, j = tile t by [C, 0, BM] interchange [1, 0]
  u, g = fuse s into g
  vectorize t to [BM, 8]; vectorize u
  launch g warps = 4 group = BM
  pipeline merge(i, j) stages = 2
  descriptors g; last_arriver g; library s by "cublas"
  annotate g "note" = "text"; annotate g "mark"
  canonicalize f; patterns f [vector.reduction_to_contract, canonicalization]
  cse f; dce f; licm l; hoist l
  print; print f; print f "after"
  both = merge_unique(f, l)
  eliminate_empty_tensors f
  root = bufferize root
}
"""
    # The check objects (rightly) to some of this; what matters here is the lowering.
    lowered = lower(parse(text, "all.tw"))
    assert lowered.errors == ()
    any_op = "!transform.any_op"
    param = "!transform.param<i64>"
    wanted = f"""
%f = transform.structured.match ops{{["func.func"]}} in %root : ({any_op}) -> {any_op}
%l = transform.structured.match ops{{["scf.for", "scf.forall"]}} attributes \
{{n = 4 : i64, on, tag = "x"}} in %f : ({any_op}) -> {any_op}
%s = transform.structured.match interface{{LinalgOp}} in %f : ({any_op}) -> {any_op}
%BM = transform.tune.knob<"BM"> options = [64, 128] -> {param}
%C = transform.param.constant 32 : i64 -> {param}
%t, %g = transform.structured.tile_using_forall %s tile_sizes [%BM, 0, 16] (mapping = \
[#gpu.block<y>, #gpu.block<x>]) : ({any_op}, {param}) -> ({any_op}, {any_op})
%t_1, %i, %j = transform.structured.tile_using_for %t tile_sizes [%C, 0, %BM] \
interchange = [1, 0] : ({any_op}, {param}, {param}) -> ({any_op}, {any_op}, {any_op})
%u, %g_1 = transform.structured.fuse_into_containing_op %s into %g : \
({any_op}, {any_op}) -> ({any_op}, {any_op})
transform.structured.vectorize %t_1 vector_sizes [%BM, 8] : {any_op}, {param}
transform.structured.vectorize %u : {any_op}
%0 = transform.param.constant 4 : i64 -> {param}
transform.annotate %g_1 "triton.num_warps" = %0 : {any_op}, {param}
transform.annotate %g_1 "triton.group" = %BM : {any_op}, {param}
%1 = transform.merge_handles %i, %j : {any_op}
%2 = transform.param.constant 2 : i64 -> {param}
transform.annotate %1 "triton.num_stages" = %2 : {any_op}, {param}
transform.annotate %g_1 "triton.descriptors" : {any_op}
transform.annotate %g_1 "triton.last_arriver" : {any_op}
%3 = transform.param.constant "cublas" -> !transform.any_param
transform.annotate %s "triton.library" = %3 : {any_op}, !transform.any_param
%4 = transform.param.constant "text" -> !transform.any_param
transform.annotate %g_1 "note" = %4 : {any_op}, !transform.any_param
transform.annotate %g_1 "mark" : {any_op}
transform.apply_patterns to %f {{
  transform.apply_patterns.canonicalization
}} : {any_op}
transform.apply_patterns to %f {{
  transform.apply_patterns.vector.reduction_to_contract
  transform.apply_patterns.canonicalization
}} : {any_op}
transform.apply_cse to %f : {any_op}
transform.apply_dce to %f : {any_op}
transform.apply_licm to %l : {any_op}
transform.loop.hoist_loop_invariant_subsets %l : {any_op}
transform.print
transform.print %f : {any_op}
transform.print %f {{name = "after"}} : {any_op}
%both = transform.merge_handles deduplicate %f, %l : {any_op}
transform.structured.eliminate_empty_tensors %f : {any_op}
transform.structured.eliminate_empty_tensors %root : {any_op}
%root_1 = transform.bufferization.one_shot_bufferize layout{{IdentityLayoutMap}} %root \
{{allow_return_allocs_from_loops = true, bufferize_function_boundaries = true}} : \
({any_op}) -> {any_op}
transform.yield
"""
    printed = to_text(lowered.module).splitlines()
    body = "\n".join(line[4:] for line in printed[2:-2])
    assert body.strip() == wanted.strip()
    again = lower(parse(print_schedule(lowered.module, "all", {}), "again.tw"))
    assert again.errors == ()
    assert same(lowered.module, again.module)


def test_every_verb_is_in_the_golden() -> None:
    golden = test_golden.__code__.co_consts
    text = next(c for c in golden if isinstance(c, str) and "schedule all" in c)
    text += (DATA / "forms.tw").read_text()
    untested = {"fuse_sibling", "promote", "unroll_and_jam"}
    for verb in VERBS:
        used = f"{verb.name} " in text or f"{verb.name};" in text
        assert used or verb.name in untested, verb.name


def test_statements_may_break_over_lines_and_share_one() -> None:
    spread = Schedule.from_text("""
// a comment
schedule s(root) {
  A = knob [1,
            2]   B = knob [3, 4]  m = match "linalg.matmul" in root
  require (A
           + B) * 2 <=
          12 and
          A != B    // and another
          or A == 1

  choose c { a { cse root; dce root } b { } }
}
""")
    dense = Schedule.from_text(
        'schedule s(root) { A = knob [1, 2]; B = knob [3, 4]; m = match "linalg.matmul"'
        " in root; require (A + B) * 2 <= 12 and A != B or A == 1; choose c { a { cse "
        "root\n dce root\n } b { } } }"
    )
    assert same(spread.module, dense.module)


# -- the upstream schedule -------------------------------------------------------


def test_linear_is_the_upstream_schedule() -> None:
    ours = Schedule.from_path(LINEAR).with_point(POINT)
    module = parse_module(UPSTREAM.read_text(), "linear.mlir", schedule_context())
    _, theirs = Schedule.split(module)
    assert theirs is not None

    def shape(schedule: Schedule) -> list[tuple[str, int, int, dict[str, object]]]:
        return [
            (
                op.name,
                len(op.operands),
                len(op.results),
                {k: v for k, v in op.properties.items() if k != "sym_name"},
            )
            for op in schedule.module.walk()
            if not isinstance(op, ModuleOp)
        ]

    constrained = [o for o in ours.module.walk() if isinstance(o, ConstrainParamsOp)]
    assert len(constrained) == 1
    Rewriter.erase_op(constrained[0])
    for op in ours.module.walk():
        op.attributes.pop(LABELS, None)
    assert shape(ours) == shape(theirs)


@needs_mlir
@pytest.mark.parametrize("placement", ["fused", "separate"])
def test_linear_runs_upstream_like_the_upstream_schedule(placement: str) -> None:
    module = parse_module(UPSTREAM.read_text(), "linear.mlir", schedule_context())
    payload_module, theirs = Schedule.split(module)
    assert theirs is not None
    payload = to_text(payload_module).split("{", 1)[1].rsplit("}", 1)[0]
    point = {**POINT, "tail_placement": placement}
    ours = Schedule.from_path(LINEAR).with_point(point)
    upstream_point = dict(point)
    upstream_point["tail_placement"] = {"fused": "0", "separate": "1"}[placement]
    upstream_point["loads"] = "1"
    expected = run_upstream(theirs.with_point(upstream_point), payload)
    assert run_upstream(ours, payload) == expected
    written_back = Schedule.from_text(ours.to_tw())
    assert run_upstream(written_back, payload) == expected


# -- the example -----------------------------------------------------------------


def example_payload(m: int, n: int, k: int, dtype: str, bias: bool) -> str:
    sys.path.insert(0, str(EXAMPLE))
    try:
        import generate
    finally:
        sys.path.remove(str(EXAMPLE))
    return generate.payload_text(m, n, k, dtype, bias)


@pytest.mark.parametrize("bias", [False, True])
def test_example_payloads_are_up_to_date(bias: bool) -> None:
    path = EXAMPLE / ("payload_bias.mlir" if bias else "payload.mlir")
    assert path.read_text() == example_payload(512, 512, 512, "f16", bias)


@needs_mlir
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32"])
def test_example_payloads_parse(dtype: str, bias: bool) -> None:
    text = example_payload(7, 1000, 127, dtype, bias)
    module = parse_module(text, "payload.mlir", schedule_context())
    assert mlir_opt(text) == mlir_opt(to_text(module))


@needs_mlir
@pytest.mark.parametrize("payload", ["payload.mlir", "payload_bias.mlir"])
@pytest.mark.parametrize("name", ["tile", "tile_fuse", "tile_fuse_vectorize"])
def test_example_schedules_run_upstream(name: str, payload: str) -> None:
    schedule = Schedule.from_path(EXAMPLE / f"{name}.tw")
    assert schedule.open_choices() == []
    text = run_upstream(schedule, (EXAMPLE / payload).read_text())
    assert text.count("scf.forall (") == 1
    assert ("vector.contract" in text) == (name == "tile_fuse_vectorize")


@needs_mlir
@pytest.mark.parametrize(
    "placement, loads",
    list(itertools.product(["fused", "second_kernel"], ["pointers", "descriptors"])),
)
def test_tuned_runs_upstream_at_a_point(placement: str, loads: str) -> None:
    point = {
        "BM": 64,
        "BN": 128,
        "BK": 32,
        "warps": 4,
        "stages": 4,
        "group": 8,
        "tail_placement": placement,
        "loads": loads,
    }
    schedule = Schedule.from_path(EXAMPLE / "tuned.tw").with_point(point)
    assert schedule.open_choices() == []
    payload = (EXAMPLE / "payload.mlir").read_text()
    text = run_upstream(schedule, payload)
    assert text.count("scf.forall (") == (1 if placement == "fused" else 2)
    assert ("triton.descriptors" in text) == (loads == "descriptors")
    assert "triton.num_warps = 4 : i64" in text
    assert run_upstream(Schedule.from_text(schedule.to_tw()), payload) == text


@needs_mlir
def test_open_form_parses_upstream() -> None:
    schedule = Schedule.from_path(EXAMPLE / "tuned.tw")
    mlir_opt(schedule.to_mlir(resolved=False))


@pytest.mark.parametrize("name", ["tile", "tile_fuse", "tile_fuse_vectorize"])
def test_example_schedules_run(name: str) -> None:
    payload = parse_module(
        example_payload(256, 256, 128, "f16", True), "p.mlir", schedule_context()
    )
    run_schedule(Schedule.from_path(EXAMPLE / f"{name}.tw").module, payload)


# -- written back ----------------------------------------------------------------


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

schedule linear(root) {
  func = match "func.func" in root
  mm = match "linalg.matmul" in root
  fill = match "linalg.fill" in root
  tail = match "linalg.generic" in root
  BM = 128
  BN = 128
  BK = 64
  warps = 8
  stages = 3
  mm, g = tile mm by [BM, BN] onto [block.y, block.x]
  fill, g = fuse fill into g
  tail, h = tile tail by [BM, BN] onto [block.y, block.x]
  grids = merge(g, h)
  mm, k = tile mm by [0, 0, BK]
  launch grids warps = warps
  pipeline k stages = stages
  vectorize mm to [BM, BN, BK]
  vectorize fill to [BM, BN]
  vectorize tail to [BM, BN]
  include to_vectors(func)
  root = bufferize root
}
"""
    )
    again = Schedule.from_text(text)
    assert again.open_choices() == []
    assert again.to_tw() == text.split("\n\n", 1)[1]


def test_what_is_not_picked_stays_open() -> None:
    schedule = Schedule.from_path(LINEAR).with_point({"BM": 64, "loads": "pointers"})
    text = schedule.to_tw()
    assert "BM = 64\n" in text
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


# -- Schedule --------------------------------------------------------------------


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
