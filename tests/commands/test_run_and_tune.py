"""`run` and `tune` without a GPU, on the examples."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest

from support import warm_python
from support.command_line import Cli, cli_in
from support.paths import DATA, EXAMPLES

MATMUL_RELU = EXAMPLES / "matmul_relu"
PAYLOAD = str(MATMUL_RELU / "payload.mlir")


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    monkeypatch.setenv("COLUMNS", "200")
    return cli_in(tmp_path, monkeypatch, capsys)


def schedule(name: str) -> str:
    return str(MATMUL_RELU / f"{name}.tw")


@pytest.mark.slow
def test_run_without_a_gpu_checks_and_estimates(cli: Cli) -> None:
    done = cli(
        "run",
        PAYLOAD,
        "-s",
        schedule("tile_fuse_vectorize"),
        "--target",
        "h200",
    )
    assert "correct in Triton's interpreter" in done.out
    assert "estimated, not measured" in done.out


OPEN_SIZES = str(DATA / "dynamic" / "add.mlir")


@pytest.mark.slow
def test_run_with_sizes_that_are_open(cli: Cli) -> None:
    done = cli("run", OPEN_SIZES, "--size", "1000")
    assert "correct in Triton's interpreter" in done.out
    done = cli("run", OPEN_SIZES, code=1)
    assert "known only when it runs" in done.err
    assert "--size" in done.err


@pytest.mark.slow
def test_run_at_several_sizes(cli: Cli) -> None:
    sizes = ("--size", "N=0,1,1000", "--target", "h200")
    done = cli("run", OPEN_SIZES, *sizes)
    for size in ("N=0", "N=1", "N=1000"):
        assert f"at {size}: correct in Triton's interpreter" in done.out
        assert f"at {size}: estimated, not measured" in done.out


ANY_ROWS = EXAMPLES / "any_rows"


@pytest.mark.slow
def test_tune_at_sizes_that_are_open(cli: Cli, tmp_path: Path) -> None:
    """What the example's README says, without a GPU."""
    payload = str(ANY_ROWS / "payload.mlir")
    both = ("-s", str(ANY_ROWS / "linear.tw"), "--target", "h200")
    arguments = ("tune", payload, *both)
    done = cli(*arguments, code=1)
    assert "the sizes of argument x: ?x1024xf16 are known only" in done.err
    fixed = [
        word
        for setting in ("BM=64", "BN=64", "BK=64", "warps=4", "group=8", "stages=3")
        for word in ("--set", setting)
    ]
    done = cli(
        *arguments,
        *fixed,
        *("--size", "M=64,500", "--trials", "2", "--strategy", "grid"),
        *("--summary", "summary.json", "-o", "best.tw"),
    )
    assert "tuned at M=64 and at M=500" in done.out
    assert "checked at M=131 and at M=144" in done.out
    for size in ("M=64", "M=500", "M=131", "M=144"):
        assert f"the winner is correct at {size} in Triton's" in done.out
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["sizes"] == "M=64; M=500"
    each = summary["best"]["ms_at_each_size"]
    assert summary["best"]["ms"] == pytest.approx((each[0] * each[1]) ** 0.5)
    listed = cli("results", "list").out
    assert "M=64; M=500" in listed
    emit = ("--emit", "triton", "-o", "linear.py")
    cli("opt", payload, "-s", "best.tw", *emit)
    ran = warm_python.run(tmp_path / "linear.py", ["--m", "70"])
    assert "as torch in float64" in ran.stdout, ran.stderr


DEFAULTS = {
    "BK = knob [32, 64, 128]": 64,
    "warps = knob [4, 8]": 8,
    "stages = knob [2, 3, 4, 5]": 3,
    "group = knob [1, 4, 8, 16]": 8,
    "choose tail_placement": "fused",
    "choose loads": "pointers",
}


@pytest.mark.slow
def test_tune_without_a_gpu_writes_a_winner_that_runs(cli: Cli, tmp_path: Path) -> None:
    text = Path(schedule("tuned")).read_text()
    for choice, default in DEFAULTS.items():
        assert text.count(choice) == 1
        text = text.replace(choice, f"{choice} default {default}")
    (tmp_path / "tuned.tw").write_text(text)
    arguments = (
        "tune",
        PAYLOAD,
        "-s",
        "tuned.tw",
        "--target",
        "h200",
        "--trials",
        "3",
        "--strategy",
        "random",
        "--set",
        "BM=128",
        "--set",
        "BN=128",
        "-o",
        "best.tw",
        "--summary",
        "summary.json",
    )
    done = cli(*arguments)
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert len(summary["trials"]) == 3 and summary["measured"] is False
    assert "ranked by the cost model" in done.out
    default = {"BK": 64, "warps": 8, "stages": 3, "group": 8}
    default |= {"tail_placement": "fused", "loads": "pointers"}
    assert summary["trials"][0]["point"] == summary["default"]["point"] == default
    assert summary["default"]["gain"] >= 1 and "default point (trial 1): " in done.out
    assert "winner is correct" in done.out
    best = (tmp_path / "best.tw").read_text()
    statements = re.sub("//.*", "", best)
    assert "knob" not in statements and "choose" not in statements
    cli("opt", PAYLOAD, "-s", "best.tw", "--emit", "triton")
    again = cli(*arguments)
    assert "3 database" in again.out
    assert "h200 (cost model)" in cli("results", "list").out


@pytest.mark.slow
def test_a_program_that_spills_is_noted_not_refused(cli: Cli, tmp_path: Path) -> None:
    generate = runpy.run_path(str(MATMUL_RELU / "generate.py"))["payload_text"]
    (tmp_path / "tiny.mlir").write_text(generate(64, 64, 8, "f32", False))
    done = cli(
        "run",
        "tiny.mlir",
        "-s",
        schedule("tile_fuse_vectorize"),
        "--target",
        "h200",
    )
    assert "correct in Triton's interpreter" in done.out
    assert "run badly" in done.out and "spills" in done.out
    assert "estimated, not measured" in done.out


REFUSED_FIRST = """schedule refused_first(root) {
  gone = match "linalg.softmax" in root
  mm = match "linalg.matmul" in root
  how = knob [16, 512]
  vectorize mm to [how, how, how]
}
"""


def test_tune_goes_on_where_the_first_point_is_refused(
    cli: Cli, tmp_path: Path
) -> None:
    (tmp_path / "s.tw").write_text(REFUSED_FIRST)
    done = cli("tune", PAYLOAD, "-s", "s.tw", "--target", "h200", code=1)
    # Neither point works in the end, but it is the search that says so.
    assert "none of 2 configurations works" in done.err
    assert "invalid" in done.err


def test_tune_says_that_no_point_is_valid(cli: Cli, tmp_path: Path) -> None:
    text = "schedule none(root) {\n  BM = knob [16, 32]\n  require BM > 64\n}\n"
    (tmp_path / "s.tw").write_text(text)
    done = cli("tune", PAYLOAD, "-s", "s.tw", "--target", "h200", code=1)
    assert "BM > 64" in done.err
