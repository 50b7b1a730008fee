"""The schedule language: round trips, and the schedule that upstream has."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.dialects.builtin import FileLineColLoc, ModuleOp
from xdsl.rewriter import Rewriter

from support.mlir_opt import needs_mlir
from support.paths import DATA
from support.schedule_files import EXAMPLE, LINEAR, POINT, UPSTREAM, run_upstream, same
from tilewright.ir.text import parse_module, place_of, to_text
from tilewright.schedules.language.lowering.lower import lower
from tilewright.schedules.language.parsing.parser import parse
from tilewright.schedules.language.printing.printer import print_schedule
from tilewright.schedules.language.verbs.vocabulary import VERBS
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.control.choices.constrain import ConstrainParamsOp
from tilewright.transforms.control.choices.tune_alternatives import LABELS
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.op_sources import op_sources

NAMES = ("tile", "tile_fuse", "tile_fuse_vectorize", "tuned")
SCHEDULES = [LINEAR, *(EXAMPLE / f"{name}.tw" for name in NAMES)]


def ids(path: Path) -> str:
    return path.stem


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
  precision g "tf32"; swizzle g by 2; evict g [x = "first"]; cache g [x = "cg"]
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
%5 = transform.param.constant "tf32" -> !transform.any_param
transform.annotate %g_1 "triton.dot_precision" = %5 : {any_op}, !transform.any_param
%6 = transform.param.constant 2 : i64 -> {param}
transform.annotate %g_1 "triton.group" = %6 : {any_op}, {param}
%7 = transform.param.constant {{x = "evict_first"}} -> !transform.any_param
transform.annotate %g_1 "triton.eviction" = %7 : {any_op}, !transform.any_param
%8 = transform.param.constant {{x = "cg"}} -> !transform.any_param
transform.annotate %g_1 "triton.cache" = %8 : {any_op}, !transform.any_param
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


def test_every_verb_that_is_no_single_op_is_in_the_golden() -> None:
    golden = test_golden.__code__.co_consts
    text = next(c for c in golden if isinstance(c, str) and "schedule all" in c)
    text += (DATA / "forms.tw").read_text()
    own = {source.form.partition(" ")[0] for source in op_sources().values()}
    for verb in VERBS:
        used = f"{verb.name} " in text or f"{verb.name};" in text
        assert used or verb.name in own, verb.name


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
