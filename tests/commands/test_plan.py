"""`tilewright plan`, and the commands that plan where they are given no schedule."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from support.command_line import Cli, cli_in
from support.paths import EXAMPLES
from support.structure_works import WORKS
from tilewright.payloads import Payload
from tilewright.schedules.schedule import Schedule

PAYLOAD = """\
func.func @f(%a: tensor<24x40xf32>, %b: tensor<40x56xf32>) -> tensor<24x56xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x56xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<24x56xf32>) -> tensor<24x56xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<24x40xf32>, tensor<40x56xf32>)
                      outs(%init : tensor<24x56xf32>) -> tensor<24x56xf32>
  return %mm : tensor<24x56xf32>
}
"""
TILE = """\
schedule tile(root) {
  mm   = match "linalg.matmul" in root
  fill = match "linalg.fill" in root
  mm, grid   = tile mm by [8, 8] onto [block.y, block.x]
  fill, grid = fuse fill into grid
}
"""
OPEN = EXAMPLES / "any_rows/payload.mlir"


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "p.mlir").write_text(PAYLOAD)
    return cli_in(tmp_path, monkeypatch, capsys)


def test_the_output_is_a_schedule_and_nothing_else(cli: Cli) -> None:
    done = cli("plan", "p.mlir")
    assert done.out.startswith("// Planned for ")
    assert Schedule.from_text(done.out).open_choices()
    cli("plan", "p.mlir", "-o", "s.tw")
    assert Path("s.tw").read_text() == done.out


def test_explain_has_ops_fusions_and_kernels(cli: Cli) -> None:
    done = cli("plan", "p.mlir", "--explain", "-o", "s.tw")
    assert not done.out
    for title in ("Ops ", "Fusions", "Kernels "):
        assert f"\n{title}" in f"\n{done.err}"


@pytest.mark.slow
def test_a_plan_can_be_piped_into_run(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = cli("plan", "p.mlir").out
    pipe = io.TextIOWrapper(io.BytesIO(text.encode()))
    monkeypatch.setattr(sys, "stdin", pipe)
    done = cli("run", "p.mlir", "-s", "-", "--target", "h200")
    assert "correct in " in done.out
    assert "schedule: planned" not in done.out


@pytest.mark.slow
def test_run_without_a_schedule_says_how_to_see_the_plan(cli: Cli) -> None:
    done = cli("run", "p.mlir", "--target", "h200")
    line = "schedule: planned for h200, 1 kernel; to see it: tilewright plan p.mlir"
    assert f"{line} --target h200" in done.out
    assert "correct in " in done.out


def test_a_results_file_that_nobody_named_may_be_foreign(cli: Cli) -> None:
    Path("results.db").write_text("another program's")
    assert cli("plan", "p.mlir").out.startswith("// Planned for ")
    Path("results.db").rename("named.db")
    done = cli("plan", "p.mlir", "--db", "named.db", code=1)
    assert "not a tilewright results file" in done.err


def test_choices_of_a_plan_can_be_set(cli: Cli) -> None:
    schedule = Schedule.from_text(cli("plan", "p.mlir").out)
    name, default = next(iter(schedule.defaults({}).items()))
    done = cli("opt", "p.mlir", "--emit", "kernel", "--set", f"{name}={default}")
    assert f"defaults: {name} =" not in done.err
    done = cli("opt", "p.mlir", "--emit", "kernel", "--set", "nothing=3", code=1)
    assert "nothing" in done.err


@pytest.mark.slow
def test_opt_plans_where_steps_or_kernels_are_asked_for(cli: Cli) -> None:
    assert "scf.forall" not in cli("opt", "p.mlir").out
    assert "planned" in cli("opt", "p.mlir", "--emit", "kernel").err
    assert "planned" not in cli("opt", "p.mlir", "--emit", "kernel", "--no-plan").err
    assert "knob" in cli("opt", "p.mlir", "--emit", "tw-schedule").out
    assert "verified: @f" in cli("opt", "p.mlir", "--verify-each").err


def test_a_schedule_is_planned_for_the_sizes_that_are_given(cli: Cli) -> None:
    few = cli("plan", str(OPEN), "--size", "M=3").out
    many = cli("plan", str(OPEN), "--size", "M=5000").out
    assert few != many
    # The largest of several sizes counts.
    assert cli("plan", str(OPEN), "--size", "M=5000,3").out == many


def test_check_of_a_plan(cli: Cli) -> None:
    done = cli("check", "p.mlir", "--limit", "2")
    assert "the planned schedule: ok" in done.out
    assert "points tried" in done.out


@pytest.mark.slow
def test_tune_starts_at_the_defaults_of_a_plan(cli: Cli) -> None:
    tune = ("tune", "p.mlir", "--target", "h200", "--trials", "1", "--jobs", "1")
    done = cli(*tune)
    assert "schedule: planned for h200" in done.out
    winner = Schedule.from_path("p.best.tw")
    assert not winner.open_choices()
    defaults = Schedule.from_text(cli("plan", "p.mlir").out).defaults({})
    for name, value in defaults.items():
        assert f"{name} = {value}" in Path("p.best.tw").read_text()


CONVOLUTION = """\
#image   = affine_map<(n, f, y, x, c, p, q) -> (n, c, y + p, x + q)>
#filters = affine_map<(n, f, y, x, c, p, q) -> (f, c, p, q)>
#out     = affine_map<(n, f, y, x, c, p, q) -> (n, f, y, x)>
func.func @f(%x: tensor<2x8x9x11xf16>, %w: tensor<16x8x3x3xf16>,
             %init: tensor<2x16x7x9xf32>) -> tensor<2x16x7x9xf32> {
  %conv = linalg.generic {
      indexing_maps = [#image, #filters, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel",
                        "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x8x9x11xf16>, tensor<16x8x3x3xf16>)
      outs(%init : tensor<2x16x7x9xf32>) {
  ^bb0(%a: f16, %b: f16, %sum: f32):
    %1 = arith.extf %a : f16 to f32
    %2 = arith.extf %b : f16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %sum, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<2x16x7x9xf32>
  return %conv : tensor<2x16x7x9xf32>
}
"""


def test_a_convolution_that_no_library_computes_is_a_matmul(cli: Cli) -> None:
    Path("conv.mlir").write_text(CONVOLUTION)
    done = cli("plan", "conv.mlir")
    assert "window_columns, window = unfold window" in done.out
    assert "op_columns, k = fuse op_columns into k" in done.out
    assert "library" not in done.out


@pytest.mark.slow
def test_equal_kernels_count_in_both_heads(cli: Cli) -> None:
    p = Payload("twice")
    x = p.input("x", (64, 64), "f32")
    p.output(x @ p.input("v", (64, 64), "f32") @ p.input("w", (64, 64), "f32"))
    Path("twice.mlir").write_text(p.text())
    done = cli("opt", "twice.mlir", "--emit", "kernel")
    assert "planned for h200, 2 kernels;" in done.err
    assert "// Planned for h200: 2 kernels. //? about " in cli("plan", "twice.mlir").out


def test_a_plan_without_kernels_says_why(cli: Cli) -> None:
    Path("p.mlir").write_text(PAYLOAD.replace("24x", "0x"))
    out = cli("plan", "p.mlir").out
    assert "no kernels; no op has anything to compute at these sizes." in out
    assert "default`" not in out


def test_a_schedule_is_no_payload(cli: Cli) -> None:
    cli("plan", "p.mlir", "-o", "s.tw")
    done = cli("plan", "s.tw", code=2)
    assert "s.tw is a schedule" in done.err and "-s" not in done.err
    script = cli("opt", "p.mlir", "--emit", "mlir-schedule", "-s", "s.tw").out
    Path("script.mlir").write_text(script)
    assert "script.mlir is a schedule" in cli("plan", "script.mlir", code=2).err
    assert "script.mlir is a schedule" in cli("run", "script.mlir", code=2).err


def test_two_files_from_one_pipe(cli: Cli) -> None:
    assert "cannot both come from" in cli("run", "-", "-s", "-", code=2).err


def test_a_payload_that_is_tiled_already(cli: Cli) -> None:
    Path("tile.tw").write_text(TILE)
    cli("opt", "p.mlir", "-s", "tile.tw", "-o", "tiled.mlir")
    assert (
        "no kernels; every structured op is in a loop" in cli("plan", "tiled.mlir").out
    )


@pytest.mark.slow
def test_structure_leaves_near_decisions_open(cli: Cli) -> None:
    Path("layers.mlir").write_text(WORKS["two_layers"]().text())
    plain = cli("plan", "layers.mlir", "--target", "h200").out
    done = cli("plan", "layers.mlir", "--target", "h200", "--structure")
    assert "choose structure default planned {" in done.out
    assert "\n    product_apart {" in done.out
    wider = cli("plan", "layers.mlir", "--target", "h200", "--margin", "1.6")
    assert wider.out.count("_apart {") > done.out.count("_apart {")
    assert "choose structure" not in plain
    assert cli("plan", "layers.mlir", "--margin", "0.5", code=2)
