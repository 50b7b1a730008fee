"""`tilewright opt`: dumps, differences, stops and times of steps."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from support.command_line import Cli
from support.mlir_opt import SPLIT, SPLITTING, mlir_opt, needs_mlir
from support.opt_files import PAYLOAD, REFUSED, TW
from tilewright.ir.text import parse_module
from tilewright.transforms.dialect import schedule_context


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


def test_an_outline_is_that_of_the_last_step(cli: Cli) -> None:
    both = ("opt", "p.mlir", "-s", "s.tw", "--emit", "outline")
    tiled = "grid of 3\n  r  matmul(a, b)  8x20xf32\n"
    assert cli(*both).out == cli(*both, "--stop-after", "1").out == tiled
    assert cli("opt", "p.mlir", "--no-plan", "--emit", "outline").out == (
        "r  matmul(a, b)  24x20xf32\n"
    )


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


@pytest.mark.slow
def test_passes_of_code_generation_are_printed_compared_and_timed(cli: Cli) -> None:
    Path("p.tw").write_text(PERSISTENT)
    options = ("p.mlir", "-s", "p.tw", "--emit", "kernel")
    done = cli("opt", *options, "--print-after-each")
    _, _, printed = done.err.partition("codegen.loop-over-tiles")
    assert "kernel.num_programs" in printed and "kernel.each_tile" in done.err
    assert "@triton.jit" in printed.rpartition(" triton")[2]
    done = cli("opt", *options, "--diff", "--time")
    _, _, shown = done.out.partition("codegen.loop-over-tiles")
    assert re.search(r"^\+ .*kernel.num_programs 0", shown, re.M)
    assert re.search(r"^- .*kernel.each_tile", shown, re.M)
    _, table = re.split(r"ms +share", done.err)
    assert "codegen.store-parts" in table and "codegen.store-parts" not in done.out


@needs_mlir
def test_real_mlir_reads_the_dumps_down_to_the_buffer_level(cli: Cli) -> None:
    """README says so. The kernel dialect is our own."""
    Path("p.tw").write_text(PERSISTENT)
    cli("opt", "p.mlir", "-s", "p.tw", "--emit", "kernel", "--dump", "steps")
    index = json.loads(Path("steps/index.json").read_text())
    names = [index["payload"], *(step["file"] for step in index["steps"])]
    mlir_opt(SPLIT.join(Path("steps", n).read_text() for n in names), SPLITTING)
    kernels = [Path("steps", each["file"]).read_text() for each in index["passes"]]
    assert kernels and all("kernel.func" in text for text in kernels)


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
    first = done.out.split("────")[1]
    assert "-    %r = linalg.matmul" in first
    assert "+    %r = scf.forall" in first
    assert "builtin.module" not in first, "a line far from the change is shown"
    assert done.out.count("────") == 3


def test_the_diff_is_the_output_and_can_be_paged(cli: Cli) -> None:
    """The result would be mixed with it; a file gets it where one is named."""
    done = cli("opt", "p.mlir", "-s", "s.tw", "--diff")
    assert done.out.startswith("──── 01 structured.tile_using_forall  s.tw:")
    assert "\033" not in done.out and done.err == ""
    assert cli("opt", "p.mlir", "-s", "s.tw", "--diff", "-o", "r.mlir").out == done.out
    assert Path("r.mlir").read_text() == cli("opt", "p.mlir", "-s", "s.tw").out


def test_a_diff_has_colours_on_a_terminal(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\033[32m+    %r = scf.forall" in (
        cli("opt", "p.mlir", "-s", "s.tw", "--diff").out
    )


def test_a_diff_does_not_renumber(cli: Cli) -> None:
    Path("p.mlir").write_text(
        "func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
        "  %0 = arith.constant 1 : index\n  %1 = arith.constant 2 : index\n"
        "  %2 = math.exp %a : tensor<8xf32>\n  %3 = math.exp %2 : tensor<8xf32>\n"
        "  return %3 : tensor<8xf32>\n}\n"
    )
    Path("s.tw").write_text("schedule s(root) { dce root }")
    done = cli("opt", "p.mlir", "-s", "s.tw", "--diff")
    changed = [line for line in done.out.splitlines() if line[:1] in "+-"]
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
