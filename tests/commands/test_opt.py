"""`tilewright opt` and `check`: what a person sees before and while a schedule runs."""

from __future__ import annotations

import json
import re
import resource
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import FloatAttr, f32

from support.command_line import Cli, cli_in
from support.mlir_opt import needs_mlir
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import by_real_mlir
from tilewright.commands.terminal.output_files import replace_text
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module
from tilewright.transforms.cleanup.apply_cse import ApplyCseOp
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.table import schedule_context

PAYLOAD = """\
func.func @f(%a: tensor<24x16xf32>, %b: tensor<16x20xf32>) -> tensor<24x20xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x20xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<24x20xf32>) -> tensor<24x20xf32>
  %r = linalg.matmul ins(%a, %b : tensor<24x16xf32>, tensor<16x20xf32>)
    outs(%i : tensor<24x20xf32>) -> tensor<24x20xf32>
  return %r : tensor<24x20xf32>
}
"""

TW = """\
schedule s(root) {
  mm = match "linalg.matmul" in root
  fill = match "linalg.fill" in root
  mm, grid = tile mm by [8] onto [block.x]
  fill, grid = fuse fill into grid
  cse root
}
sequence only_cse(root) {
  cse root
}
"""

OP = "!transform.any_op"
SCRIPT = f"""\
transform.named_sequence @__transform_main(%root: {OP} {{transform.readonly}}) {{
  %mm = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({OP}) -> {OP}
  %t, %l = transform.structured.tile_using_for %mm tile_sizes [8]
    : ({OP}) -> ({OP}, {OP})
  transform.yield
}}
transform.named_sequence @by_four(%root: {OP} {{transform.readonly}}) {{
  %mm = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({OP}) -> {OP}
  %t, %l = transform.structured.tile_using_for %mm tile_sizes [4]
    : ({OP}) -> ({OP}, {OP})
  transform.yield
}}
"""


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    """Run a command in a folder with the files above."""
    both = (
        f"module attributes {{transform.with_named_sequence}} {{\n{PAYLOAD}{SCRIPT}}}"
    )
    (tmp_path / "p.mlir").write_text(PAYLOAD)
    (tmp_path / "s.tw").write_text(TW)
    (tmp_path / "both.mlir").write_text(both)
    return cli_in(tmp_path, monkeypatch, capsys)


# -- what runs -------------------------------------------------------------------


def test_the_embedded_script_runs_and_is_not_printed(cli: Cli) -> None:
    done = cli("opt", "both.mlir")
    assert "step %" in done.out and "scf.for" in done.out
    assert "transform" not in done.out
    assert done.err == ""


@needs_mlir
def test_the_embedded_script_gives_what_mlir_gives(cli: Cli) -> None:
    assert_same_program(cli("opt", "both.mlir").out, by_real_mlir(PAYLOAD, SCRIPT))


def test_another_entry(cli: Cli) -> None:
    main_ = cli("opt", "both.mlir").out
    other = cli("opt", "both.mlir", "--entry", "by_four").out
    assert "tensor<8x16xf32>" in main_ and "tensor<4x16xf32>" in other
    assert cli("opt", "both.mlir", "--entry", "@by_four").out == other
    script = f"module attributes {{transform.with_named_sequence}} {{\n{SCRIPT}}}"
    Path("script.mlir").write_text(script)
    assert cli("opt", "p.mlir", "-s", "script.mlir", "--entry", "by_four").out == other


def test_an_entry_of_a_tw_file(cli: Cli) -> None:
    whole = cli("opt", "p.mlir", "-s", "s.tw").out
    assert cli("opt", "p.mlir", "-s", "s.tw", "--entry", "s").out == whole
    alone = cli("opt", "p.mlir", "-s", "s.tw", "--entry", "only_cse").out
    assert "scf.forall" in whole and "scf.forall" not in alone


def test_an_entry_that_is_not_there(cli: Cli) -> None:
    done = cli("opt", "both.mlir", "--entry", "by_five", code=1)
    assert "both.mlir has no sequence @by_five; it has @__transform_main, @by_four" in (
        done.err
    )
    done = cli("opt", "p.mlir", "--entry", "by_five", code=1)
    assert "p.mlir has no sequence @by_five" in done.err


def test_sequences_but_no_main_one(cli: Cli) -> None:
    Path("named.mlir").write_text(
        Path("both.mlir").read_text().replace("@__transform_main", "@mine")
    )
    done = cli("opt", "named.mlir", code=1)
    assert "has no sequence @__transform_main, only @mine" in done.err
    assert "choose where to begin with --entry mine" in done.err


@pytest.mark.parametrize("mode", ["propagate", "suppress"])
def test_a_bare_sequence_as_tutorials_have_it(cli: Cli, mode: str) -> None:
    body = SCRIPT.split("{\n", 1)[1].split("  transform.yield", 1)[0]
    Path("bare.mlir").write_text(
        f"{PAYLOAD}\ntransform.sequence failures({mode}) {{\n^bb0(%root: {OP}):\n"
        f"{body}}}\n"
    )
    assert cli("opt", "bare.mlir").out == cli("opt", "both.mlir").out
    kept = cli("opt", "bare.mlir", "--keep-schedule").out
    assert ("failures(suppress)" in kept) == (mode == "suppress")


def test_arguments_after_the_root_stand_for_what_their_types_name(cli: Cli) -> None:
    typed = SCRIPT.replace(
        f"(%root: {OP} {{transform.readonly}}) {{\n  %mm = transform.structured.match "
        f'ops{{["linalg.matmul"]}} in %root : ({OP}) -> {OP}\n',
        f"(%root: {OP} {{transform.readonly}}, "
        '%mm: !transform.op<"linalg.matmul"> {transform.consumed}) {\n',
    ).replace(f"    : ({OP}) ->", '    : (!transform.op<"linalg.matmul">) ->')
    Path("typed.mlir").write_text(
        f"module attributes {{transform.with_named_sequence}} {{\n{PAYLOAD}{typed}}}"
    )
    assert cli("opt", "typed.mlir").out == cli("opt", "both.mlir").out
    untyped = typed.replace('!transform.op<"linalg.matmul">', OP)
    Path("untyped.mlir").write_text(
        f"module attributes {{transform.with_named_sequence}} {{\n{PAYLOAD}{untyped}}}"
    )
    done = cli("opt", "untyped.mlir", code=1)
    assert "nothing says what argument 1 of @__transform_main stands for" in done.err


def test_two_bare_sequences_are_one_too_many(cli: Cli) -> None:
    bare = f"transform.sequence failures(propagate) {{\n^bb0(%root: {OP}):\n}}\n"
    Path("two.mlir").write_text(PAYLOAD + bare + bare)
    done = cli("opt", "two.mlir", code=1)
    assert "two.mlir:12:1: error: two sequences without a name" in done.err
    assert "two.mlir:9:1: note: the first is here" in done.err


def test_keep_schedule_prints_a_module_that_runs_again(cli: Cli) -> None:
    kept = cli("opt", "both.mlir", "--keep-schedule").out
    assert kept.count("transform.named_sequence") == 2
    Path("kept.mlir").write_text(kept)
    again = cli("opt", "kept.mlir").out
    assert again.count("scf.for") == 2
    done = cli("opt", "both.mlir", "--keep-schedule", "--emit", "triton", code=2)
    assert "--keep-schedule cannot be used with --emit triton" in done.err


@pytest.mark.slow
def test_stats_of_what_was_compiled_for_a_card(cli: Cli) -> None:
    own = ("--target", "a40", "--set", "kernel=tiles")
    done = cli("opt", "p.mlir", "--emit", "triton", "--stats", *own, "-o", "k.py")
    assert "for a40:" in done.err
    assert re.search(r"compiled f_\w*kernel: \d+ registers, 0 bytes spilled", done.err)
    written = Path("k.py").read_text()
    assert "Made from p.mlir under a planned schedule with" in written
    assert "def launch(a, b):" in written
    done = cli("opt", "p.mlir", "--stats", code=2)
    assert "--stats cannot be used with --emit mlir" in done.err
    command = ("opt", "p.mlir", "-s", "s.tw", "--emit", "triton", "--target", "a40")
    done = cli(*command, code=2)
    assert "--target works only with --stats" in done.err


def test_nothing_is_finished_unless_a_kernel_is_asked_for(cli: Cli) -> None:
    assert "linalg.matmul" in cli("opt", "p.mlir", "-s", "s.tw").out
    done = cli("opt", "p.mlir", "-s", "s.tw", "--emit", "buffer")
    assert "linalg" not in done.out
    assert "default: " in done.err


# -- steps -----------------------------------------------------------------------


def test_print_after_each_names_step_and_place(cli: Cli) -> None:
    done = cli("opt", "p.mlir", "-s", "s.tw", "--print-after-each")
    titles = re.findall(r"^──── (.*)$", done.err, re.M)
    assert [title.rstrip() for title in titles] == [
        "00 payload",
        "01 structured.tile_using_forall  s.tw:4:14",
        "02 structured.fuse_into_containing_op  s.tw:5:16",
        "03 apply_cse  s.tw:6:3",
    ]
    texts = re.split(r"^──── .*$", done.err, flags=re.M)
    assert texts[-1].strip() == done.out.strip()


def test_dumps_and_their_index(cli: Cli) -> None:
    cli("opt", "p.mlir", "-s", "s.tw", "--dump", "steps")
    names = [
        "00-payload.mlir",
        "01-structured.tile_using_forall.mlir",
        "02-structured.fuse_into_containing_op.mlir",
        "03-apply_cse.mlir",
        "index.json",
    ]
    assert sorted(path.name for path in Path("steps").iterdir()) == names
    for name in names[:-1]:
        parse_module(Path("steps", name).read_text(), name, schedule_context())
    index = json.loads(Path("steps/index.json").read_text())
    assert index["failure"] is None and index["payload"] == names[0]
    assert [step["file"] for step in index["steps"]] == names[1:-1]
    first = index["steps"][0]
    assert first["op"] == "transform.structured.tile_using_forall"
    assert first["place"] == {"file": "s.tw", "line": 4, "column": 14}
    assert first["label"] == "s.tw:4"
    assert first["changed"] == ["f"]
    assert first["ms"] > 0


PERSISTENT = """\
schedule s(root) {
  op = match "linalg.matmul" in root
  tiled, grid = tile op by [16, 16] onto [block.y, block.x]
  annotate grid "triton.persistent" = 1
}
"""


@pytest.mark.slow
def test_dumps_of_code_generation_go_on_to_the_source(cli: Cli) -> None:
    Path("p.tw").write_text(PERSISTENT)
    done = cli("opt", "p.mlir", "-s", "p.tw", "--emit", "triton", "--dump", "steps")
    index = json.loads(Path("steps/index.json").read_text())
    files = [made["file"] for made in index["passes"]]
    names = [made["pass"] for made in index["passes"]]
    assert names[0] == "codegen.lower" and "codegen.loop-over-tiles" in names
    first = len(index["steps"]) + 1
    assert [made["index"] for made in index["passes"]] == list(
        range(first, first + len(files))
    )
    for name in files:
        parse_module(Path("steps", name).read_text(), name, schedule_context())
    source = Path("steps", index["source"]).read_text()
    assert "@triton.jit" in source and "@triton.jit" in done.out
    assert index["source"] == f"{first + len(files):02}-triton.py"
    assert len(list(Path("steps").iterdir())) == first + len(files) + 2
    cli("opt", "both.mlir", "--dump", "steps")
    left = sorted(path.name for path in Path("steps").iterdir())
    assert left == [
        "00-payload.mlir",
        "01-structured.tile_using_for.mlir",
        "index.json",
    ]


def test_passes_of_code_generation_are_printed_compared_and_timed(cli: Cli) -> None:
    Path("p.tw").write_text(PERSISTENT)
    options = ("p.mlir", "-s", "p.tw", "--emit", "kernel")
    done = cli("opt", *options, "--print-after-each")
    _, _, printed = done.err.partition("codegen.loop-over-tiles")
    assert "kernel.num_programs" in printed and "kernel.each_tile" in done.err
    assert "@triton.jit" in printed.rpartition(" triton")[2]
    done = cli("opt", *options, "--diff", "--time")
    _, _, shown = done.err.partition("codegen.loop-over-tiles")
    assert re.search(r"^\+ .*kernel.num_programs 0", shown, re.M)
    assert re.search(r"^- .*kernel.each_tile", shown, re.M)
    before, table = re.split(r"ms +share", done.err)
    assert "codegen.store-parts" in table and "codegen.store-parts" not in before


def test_only_the_changed_function_is_listed(cli: Cli) -> None:
    twice = PAYLOAD + PAYLOAD.replace("@f", "@g").replace("linalg.matmul", "linalg.add")
    twice = twice.replace(
        "tensor<16x20xf32>)\n    outs", "tensor<16x20xf32>)\n    outs"
    )
    Path("two.mlir").write_text(
        PAYLOAD + "func.func @g(%x: f32) -> f32 { return %x : f32 }\n"
    )
    cli("opt", "two.mlir", "-s", "s.tw", "--dump", "steps")
    index = json.loads(Path("steps/index.json").read_text())
    assert index["steps"][0]["changed"] == ["f"]


def test_dumping_again_takes_the_old_dumps_away(cli: Cli) -> None:
    cli("opt", "p.mlir", "-s", "s.tw", "--dump", "steps")
    Path("steps/mine.txt").write_text("mine")
    cli("opt", "both.mlir", "--dump", "steps")
    left = sorted(path.name for path in Path("steps").iterdir())
    assert left == [
        "00-payload.mlir",
        "01-structured.tile_using_for.mlir",
        "index.json",
        "mine.txt",
    ]


REFUSED = """\
schedule s(root) {
  mm = match "linalg.matmul" in root
  mm, loop = tile mm by [8]
  vectorize mm to [2, 2, 2]
}
"""


def test_a_failure_keeps_the_ir_before_it(cli: Cli) -> None:
    Path("bad.tw").write_text(REFUSED)
    done = cli("opt", "p.mlir", "-s", "bad.tw", "--dump", "steps", "--time", code=1)
    assert done.out == ""
    index = json.loads(Path("steps/index.json").read_text())
    failure = index["failure"]
    assert failure["op"] == "transform.structured.vectorize"
    assert failure["place"] == {"file": "bad.tw", "line": 4, "column": 3}
    assert failure["label"] == "bad.tw:4"
    assert failure["before"] == "01-structured.tile_using_for.mlir"
    assert failure["remedy"] and failure["message"] in done.err
    assert failure["notes"][0]["place"]["file"] == "p.mlir"
    assert "structured.tile_using_for" in done.err.split("share")[1]


def test_diff_shows_only_what_changed(cli: Cli) -> None:
    done = cli("opt", "p.mlir", "-s", "s.tw", "--diff")
    first = done.err.split("────")[1]
    assert "-    %r = linalg.matmul" in first
    assert "+    %r = scf.forall" in first
    assert "builtin.module" not in first, "a line far from the change is shown"
    assert done.err.count("────") == 3


def test_a_diff_does_not_renumber(cli: Cli) -> None:
    Path("p.mlir").write_text(
        "func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
        "  %0 = arith.constant 1 : index\n  %1 = arith.constant 2 : index\n"
        "  %2 = math.exp %a : tensor<8xf32>\n  %3 = math.exp %2 : tensor<8xf32>\n"
        "  return %3 : tensor<8xf32>\n}\n"
    )
    Path("s.tw").write_text("schedule s(root) { dce root }")
    done = cli("opt", "p.mlir", "-s", "s.tw", "--diff")
    changed = [line for line in done.err.splitlines() if line[:1] in "+-"]
    assert len(changed) == 2 and all("arith.constant" in line for line in changed)


@pytest.mark.parametrize(
    ("label", "has", "lacks"),
    [
        ("1", "scf.for", "linalg.fill ins(%zero : f32) outs(%4"),
        ("tile", "scf.for", "outs(%i_1"),
        ("transform.structured.tile_using_forall", "scf.for", "outs(%i_1"),
        ("tile_using_forall", "scf.for", "outs(%i_1"),
        ("match", "linalg.matmul", "scf.for"),
        ("s.tw:3", "linalg.matmul", "scf.for"),
        (":4", "scf.for", "outs(%i_1"),
        ("s.tw:5", "outs(%i_1", "nothing"),
    ],
)
def test_stop_after(cli: Cli, label: str, has: str, lacks: str) -> None:
    done = cli("opt", "p.mlir", "-s", "s.tw", "--stop-after", label)
    assert has in done.out and lacks not in done.out


def test_stopping_early_emits_nothing_that_is_not_there(cli: Cli) -> None:
    arguments = ("opt", "p.mlir", "-s", "s.tw", "--stop-after", "tile")
    assert cli(*arguments, "--emit", "triton").out == cli(*arguments).out


def test_a_stop_that_never_comes(cli: Cli) -> None:
    done = cli("opt", "p.mlir", "-s", "s.tw", "--stop-after", "unroll", code=2)
    assert "--stop-after unroll: no step of the run matches" in done.err
    assert "1 structured.tile_using_forall, 2 structured.fuse_into" in done.err


def test_time_has_a_row_for_each_step(cli: Cli) -> None:
    done = cli("opt", "p.mlir", "-s", "s.tw", "--time", "--verify-each")
    for words in (
        "s.tw:4:14",
        "s.tw:5:16",
        "parse and check",
        "verify the IR",
        "total",
    ):
        assert words in done.err
    assert re.search(r"2 ops that changed nothing", done.err)
    assert re.search(r"interpret +\d+\.\d", done.err)


def test_long_names_are_not_cut_where_there_is_no_terminal(cli: Cli) -> None:
    name = "a_schedule_with_a_name_that_is_much_longer_than_a_terminal_is_wide" * 2
    Path(f"{name}.tw").write_text(TW)
    done = cli("opt", "p.mlir", "-s", f"{name}.tw", "--time")
    assert f"{name}.tw:4:14" in done.err


# -- failures --------------------------------------------------------------------


def test_a_refusal_names_script_op_payload_reason_and_remedy(cli: Cli) -> None:
    Path("bad.tw").write_text(REFUSED)
    done = cli("opt", "p.mlir", "-s", "bad.tw", code=1)
    lines = done.err.splitlines()
    assert lines[0].startswith("bad.tw:4:3: error: vectorize: vector size 2 does not")
    assert "; " in lines[0]
    assert lines[1:3] == ["    vectorize mm to [2, 2, 2]", "    ^"]
    assert lines[3] == "p.mlir:5:3: note: the payload op is 'linalg.matmul'"
    assert lines[4].strip().startswith("%r = linalg.matmul")


def test_a_refusal_in_an_included_sequence_says_who_included_it(cli: Cli) -> None:
    Path("bad.tw").write_text(
        "sequence inner(f) {\n"
        '  mm = match "linalg.matmul" in f\n  vectorize mm to [2, 2, 2]\n}\n'
        "schedule s(root) {\n  include inner(root)\n}\n"
    )
    done = cli("opt", "p.mlir", "-s", "bad.tw", code=1)
    assert "bad.tw:3:3: error: vectorize:" in done.err
    assert "bad.tw:6:3: note: in 'inner', included here" in done.err


def test_every_mistake_in_a_schedule_is_said(cli: Cli) -> None:
    Path("bad.tw").write_text("schedule s(root) {\n  tiel root\n  fuse root\n}\n")
    done = cli("opt", "p.mlir", "-s", "bad.tw", code=1)
    assert "bad.tw:2:3: error: unknown verb 'tiel'" in done.err
    assert "bad.tw:3:3: error: fuse:" in done.err or "bad.tw:3:8" in done.err


def test_the_embedded_script_is_checked_before_it_runs(cli: Cli) -> None:
    twice = SCRIPT.replace(
        "  transform.yield",
        f"  transform.structured.vectorize %mm : {OP}\n  transform.yield",
        1,
    )
    Path("both.mlir").write_text(
        f"module attributes {{transform.with_named_sequence}} {{\n{PAYLOAD}{twice}}}"
    )
    done = cli("opt", "both.mlir", "--print-after-each", code=1)
    assert "'mm' was consumed by 'tile'" in done.err
    assert "00 payload" not in done.err, "it ran"


def test_what_is_suppressed_is_said(cli: Cli) -> None:
    Path("bare.mlir").write_text(
        f"{PAYLOAD}\ntransform.sequence failures(suppress) {{\n^bb0(%root: {OP}):\n"
        f'  %mm = transform.structured.match ops{{["linalg.matmul"]}} in %root'
        f" : ({OP}) -> {OP}\n"
        f"  transform.structured.vectorize %mm vector_sizes [2, 2, 2] : {OP}\n}}\n"
    )
    done = cli("opt", "bare.mlir")
    assert "bare.mlir:13:3: remark: suppressed: vectorize: vector size 2" in done.err


# -- numbers ---------------------------------------------------------------------


def test_verify_each_says_what_was_compared(cli: Cli) -> None:
    done = cli("opt", "p.mlir", "-s", "s.tw", "--verify-each")
    assert "verified: @f gives the same numbers after 3 steps" in done.err


SEVERAL = """\
func.func @dynamic(%a: tensor<?x?xf32>, %b: tensor<?x6xf32>, %n: index)
    -> (tensor<?x6xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%m) : tensor<?x6xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x6xf32>)
    outs(%i : tensor<?x6xf32>) -> tensor<?x6xf32>
  %v = tensor.empty(%n) : tensor<?xf32>
  %w = linalg.fill ins(%zero : f32) outs(%v : tensor<?xf32>) -> tensor<?xf32>
  return %r, %w : tensor<?x6xf32>, tensor<?xf32>
}
func.func @integers(%a: tensor<4x4xi32>, %b: tensor<4x4xi32>, %c: tensor<4x4xi32>)
    -> tensor<4x4xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x4xi32>, tensor<4x4xi32>)
    outs(%c : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %r : tensor<4x4xi32>
}
func.func @odd(%a: f32) -> f32 {
  %r = call @elsewhere(%a) : (f32) -> f32
  return %r : f32
}
func.func private @elsewhere(f32) -> f32
"""


def test_verify_each_takes_several_functions_open_sizes_and_integers(cli: Cli) -> None:
    Path("several.mlir").write_text(SEVERAL)
    Path("t.tw").write_text(
        'schedule t(root) {\n  mm = match "linalg.matmul" in root\n'
        "  mm, i, j = tile mm by [3, 4]\n}\n"
    )
    done = cli("opt", "several.mlir", "-s", "t.tw", "--verify-each")
    assert (
        "verified: @dynamic, @integers give the same numbers after 1 step" in done.err
    )
    assert "warning: @odd is not verified: " in done.err


@pytest.fixture
def broken_cse(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step that leaves valid IR and starts the sums from 1."""
    honest = ApplyCseOp.apply

    def apply(self: ApplyCseOp, state: TransformState) -> None:
        honest(self, state)
        for op in state.root.walk():
            if op.name == "arith.constant" and op.results[0].type == f32:
                op.properties["value"] = FloatAttr(1.0, f32)
                state.rewriter.changed(op)

    monkeypatch.setattr(ApplyCseOp, "apply", apply)


def test_a_step_that_changes_a_result_is_named(cli: Cli, broken_cse: None) -> None:
    del broken_cse
    Path("s.tw").write_text(
        'schedule s(root) {\n  mm = match "linalg.matmul" in root\n'
        "  mm, k = tile mm by [8]\n  cse root\n}\n"
    )
    done = cli("opt", "p.mlir", "-s", "s.tw", "--verify-each", code=3)
    lines = done.err.splitlines()
    assert "s.tw:4:3: error: step 2 (apply_cse) changed what @f computes" in lines
    at = lines.index("s.tw:4:3: error: step 2 (apply_cse) changed what @f computes")
    assert lines[at + 1 : at + 3] == ["    cse root", "    ^"]
    found = re.search(
        r"result0: 480 of 480 elements differ; the first at \[0, 0\]: "
        r"got (\S+), expected (\S+)",
        done.err,
    )
    assert found is not None
    got, expected = map(float, found.groups())
    assert got == pytest.approx(expected + 1, abs=1e-4)
    (folder,) = Path().glob("tilewright-wrong-*")
    assert str(folder) in done.err
    kept = np.load(folder / "inputs.npz")
    assert kept["expected0"][0, 0] == pytest.approx(expected)
    assert "scf.for" in (folder / "before.mlir").read_text()
    # What it says to type shows the same again.
    again = re.findall(r"tilewright (opt .*)", (folder / "README.txt").read_text())
    words = [
        str(folder / word) if word.endswith(".mlir") else word
        for word in again[0].split()
    ]
    assert "step 2 (apply_cse) changed" in cli(*words, code=3).err


# -- check -----------------------------------------------------------------------


def test_check_says_how_many_points_there_are(cli: Cli) -> None:
    Path("k.tw").write_text(
        'schedule k(root) {\n  B = knob [4, 8]\n  mm = match "linalg.matmul" in root\n'
        "  tile mm by [B]\n}\n"
    )
    assert cli("check", "k.tw").out == "k.tw: ok; 2 valid points\n"
    done = cli("check", "k.tw", "p.mlir", "--steps-only")
    assert "k.tw: ok; 2 valid points\np.mlir: runs to the last step" in done.out


def test_check_runs_a_file_that_holds_both(cli: Cli) -> None:
    done = cli("check", "both.mlir", "--steps-only")
    assert "both.mlir: runs to the last step" in done.out


def test_check_over_a_payload_tells_what_does_not_apply(cli: Cli) -> None:
    Path("bad.tw").write_text(REFUSED)
    assert cli("check", "bad.tw").code == 0
    done = cli("check", "bad.tw", "p.mlir", code=1)
    assert "bad.tw:4:3: error: vectorize:" in done.err


def test_check_says_everything(cli: Cli) -> None:
    Path("bad.tw").write_text(
        'schedule s(root) {\n  mm = match "linalg.matmul" in root\n'
        "  vectorize mm\n  cse mm\n  tile mm by [4]\n}\n"
    )
    done = cli("check", "bad.tw", code=1)
    assert done.err.count("error: ") == 2
    assert "bad.tw:2:8: note: 'mm' was made here by 'match'" in done.err


def test_check_warns_of_declarations_that_are_not_needed(cli: Cli) -> None:
    Path("c.mlir").write_text(
        "module attributes {transform.with_named_sequence} {\n"
        f"transform.named_sequence @__transform_main(%root: {OP} "
        "{transform.consumed}) {\n  transform.yield\n}\n}\n"
    )
    done = cli("check", "c.mlir")
    assert "c.mlir:2:1: warning: 'root' is declared consumed, and nothing" in done.err


def test_the_library_looks_for_loops_in_silence(cli: Cli) -> None:
    """Kernels without loops are no mistake; a name of the user's own may be one."""
    text = TW.replace("  cse root\n", "  include to_vectors(root)\n", 1)
    Path("p.mlir").write_text(PAYLOAD)
    Path("quiet.tw").write_text(text)
    assert "warning" not in cli("opt", "p.mlir", "-s", "quiet.tw").err
    own = text.replace("  include", '  loops = match "scf.for" in root\n  include')
    Path("own.tw").write_text(own)
    assert "own.tw:6:11: warning: match: the payload has no 'scf.for'" in (
        cli("opt", "p.mlir", "-s", "own.tw").err
    )


def test_a_file_that_cannot_be_written_whole_is_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "out.mlir"
    path.write_text("what was there")
    path.chmod(0o640)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(UserError, match="cannot write .*out.mlir: File too large"):
            replace_text(path, "x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_text() == "what was there"
    assert list(tmp_path.iterdir()) == [path]
    (tmp_path / "link.mlir").symlink_to(path)
    replace_text(tmp_path / "link.mlir", "new")
    assert path.read_text() == "new" and path.stat().st_mode & 0o777 == 0o640
    replace_text(Path("/dev/null"), "new")
    assert not Path("/dev/null").is_file()
