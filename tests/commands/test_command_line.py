"""The command line as people use it: output, exit codes, errors with a caret."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.paths import DATA, EXAMPLES, ROOT

MATMUL_RELU = EXAMPLES / "matmul_relu"
PAYLOAD = str(MATMUL_RELU / "payload.mlir")


def tilewright(
    *arguments: str, cwd: Path, code: int = 0
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "tilewright", *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"},
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


def schedule(name: str) -> str:
    return str(MATMUL_RELU / f"{name}.tw")


def test_opt_prints_the_transformed_module(tmp_path: Path) -> None:
    done = tilewright("opt", PAYLOAD, "-s", schedule("tile_fuse"), cwd=tmp_path)
    assert "scf.forall" in done.stdout
    assert "transform." not in done.stdout


def test_opt_prints_after_each_step(tmp_path: Path) -> None:
    done = tilewright(
        "opt", PAYLOAD, "-s", schedule("tile"), "--print-after-each", cwd=tmp_path
    )
    assert "00 payload" in done.stderr
    assert "01 structured.tile_using_forall" in done.stderr
    assert "tile.tw:" in done.stderr


def test_opt_dumps_verifies_and_emits(tmp_path: Path) -> None:
    done = tilewright(
        "opt",
        PAYLOAD,
        "-s",
        schedule("tile_fuse_vectorize"),
        "--emit",
        "triton",
        "--verify-each",
        "--dump",
        "dumps",
        "-o",
        "kernel.py",
        cwd=tmp_path,
    )
    assert "gives the same numbers after" in done.stderr
    assert (tmp_path / "dumps" / "00-payload.mlir").exists()
    assert len(list((tmp_path / "dumps").iterdir())) >= 10
    compile((tmp_path / "kernel.py").read_text(), "kernel.py", "exec")


def test_opt_takes_payload_and_schedule_in_one_file(tmp_path: Path) -> None:
    upstream = tilewright(
        "opt", PAYLOAD, "-s", schedule("tile"), "--emit", "mlir-schedule", cwd=tmp_path
    ).stdout
    inner = "\n".join(upstream.strip().splitlines()[1:-1])
    both = (
        "module attributes {transform.with_named_sequence} {\n"
        + inner
        + "\n"
        + Path(PAYLOAD).read_text()
        + "\n}\n"
    )
    (tmp_path / "both.mlir").write_text(both)
    apart = tilewright("opt", PAYLOAD, "-s", schedule("tile"), cwd=tmp_path).stdout
    assert tilewright("opt", "both.mlir", cwd=tmp_path).stdout == apart


def test_an_error_in_a_schedule_shows_line_and_caret(tmp_path: Path) -> None:
    (tmp_path / "bad.tw").write_text(
        'schedule bad(root) {\n  mm = match "linalg.matmul" in root\n'
        "  mm, g = tiel mm by [64, 64] onto [block.y, block.x]\n}\n"
    )
    done = tilewright("opt", PAYLOAD, "-s", "bad.tw", cwd=tmp_path, code=1)
    assert "bad.tw:3:" in done.stderr
    assert "tile" in done.stderr and "^" in done.stderr


def test_a_refusal_names_schedule_and_payload(tmp_path: Path) -> None:
    (tmp_path / "bad.tw").write_text(
        'schedule bad(root) {\n  mm = match "linalg.matmul" in root\n'
        "  vectorize mm to [16, 16, 16]\n}\n"
    )
    done = tilewright("opt", PAYLOAD, "-s", "bad.tw", cwd=tmp_path, code=1)
    assert "bad.tw:3:" in done.stderr
    assert "vector size 16 does not cover loop 0 of extent 512" in done.stderr
    assert "payload.mlir:5:" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("opt", "nowhere.mlir"), "no such file"),
        (("opt", PAYLOAD, "-s", schedule("tuned")), "BM"),
        (("opt", PAYLOAD, "-s", schedule("tuned"), "--set", "BMM=64"), "BM"),
        (("opt", PAYLOAD, "-s", schedule("tuned"), "--set", "BM=65"), "64, 128, 256"),
        (("tune", PAYLOAD), "holds no schedule"),
        (("results", "list", "--db", "nowhere.db"), "no such file"),
    ],
)
def test_mistakes_exit_1_with_a_remedy(
    arguments: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    done = tilewright(*arguments, cwd=tmp_path, code=1)
    assert message in done.stderr
    assert not list(tmp_path.glob("tilewright-bug-*"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("opt",), "Missing argument"),
        (("opt", PAYLOAD, "--emit", "trition"), "did you mean triton"),
        (("opt", PAYLOAD, "-s", schedule("tuned"), "--set", "BM"), "NAME=VALUE"),
        (("tune", PAYLOAD, "-s", schedule("tuned"), "--budget", "soon"), "not a time"),
        (("run", PAYLOAD, "--target", "h2000"), "h200"),
        (("tune", PAYLOAD, "-s", schedule("tuned"), "--strategy", "luck"), "tpe"),
    ],
)
def test_usage_errors_exit_2(
    arguments: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    assert message in tilewright(*arguments, cwd=tmp_path, code=2).stderr


def test_check_and_space(tmp_path: Path) -> None:
    assert "ok" in tilewright("check", schedule("tuned"), cwd=tmp_path).stdout
    assert (
        "BM in [64, 128, 256]"
        in tilewright("space", schedule("tuned"), cwd=tmp_path).stdout
    )


def test_interpret_saves_results(tmp_path: Path) -> None:
    done = tilewright("interpret", PAYLOAD, "-o", "out.npz", cwd=tmp_path)
    assert "512x512xf16" in done.stdout
    assert (tmp_path / "out.npz").exists()


def test_doctor_says_what_works(tmp_path: Path) -> None:
    done = tilewright("doctor", cwd=tmp_path)
    assert "xdsl" in done.stdout
    assert "run and tune" in done.stdout


def test_run_without_a_gpu_checks_and_estimates(tmp_path: Path) -> None:
    done = tilewright(
        "run",
        PAYLOAD,
        "-s",
        schedule("tile_fuse_vectorize"),
        "--target",
        "h200",
        cwd=tmp_path,
    )
    assert "correct in Triton's interpreter" in done.stdout
    assert "estimated, not measured" in done.stdout


OPEN_SIZES = str(DATA / "dynamic" / "add.mlir")


def test_run_with_sizes_that_are_open(tmp_path: Path) -> None:
    done = tilewright("run", OPEN_SIZES, "--size", "1000", cwd=tmp_path)
    assert "correct in Triton's interpreter" in done.stdout
    done = tilewright("run", OPEN_SIZES, cwd=tmp_path, code=1)
    assert "known only when it runs" in done.stderr
    assert "--size" in done.stderr


def test_run_at_several_sizes(tmp_path: Path) -> None:
    sizes = ("--size", "N=0,1,1000", "--target", "h200")
    done = tilewright("run", OPEN_SIZES, *sizes, cwd=tmp_path)
    for size in ("N=0", "N=1", "N=1000"):
        assert f"at {size}: correct in Triton's interpreter" in done.stdout
        assert f"at {size}: estimated, not measured" in done.stdout


ANY_ROWS = EXAMPLES / "any_rows"


def test_tune_at_sizes_that_are_open(tmp_path: Path) -> None:
    """What the example's README says, without a GPU."""
    payload = str(ANY_ROWS / "payload.mlir")
    both = ("-s", str(ANY_ROWS / "linear.tw"), "--target", "h200")
    arguments = ("tune", payload, *both)
    done = tilewright(*arguments, cwd=tmp_path, code=1)
    assert "the sizes of argument x: ?x1024xf16 are known only" in done.stderr
    fixed = [
        word
        for setting in ("BM=64", "BN=64", "BK=64", "warps=4", "group=8", "stages=3")
        for word in ("--set", setting)
    ]
    done = tilewright(
        *arguments,
        *fixed,
        *("--size", "M=64,500", "--trials", "2", "--strategy", "grid"),
        *("--summary", "summary.json", "-o", "best.tw"),
        cwd=tmp_path,
    )
    assert "tuned at M=64 and at M=500" in done.stdout
    assert "checked at M=131 and at M=144" in done.stdout
    for size in ("M=64", "M=500", "M=131", "M=144"):
        assert f"the winner is correct at {size} in Triton's" in done.stdout
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["sizes"] == "M=64; M=500"
    each = summary["best"]["ms_at_each_size"]
    assert summary["best"]["ms"] == pytest.approx((each[0] * each[1]) ** 0.5)
    listed = tilewright("results", "list", cwd=tmp_path).stdout
    assert "M=64; M=500" in listed
    emit = ("--emit", "triton", "-o", "linear.py")
    tilewright("opt", payload, "-s", "best.tw", *emit, cwd=tmp_path)
    done = subprocess.run(
        [sys.executable, "linear.py", "--m", "70"],
        env={**os.environ, "TRITON_INTERPRET": "1"},
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert "as torch in float64" in done.stdout, done.stderr


def test_tune_without_a_gpu_writes_a_winner_that_runs(tmp_path: Path) -> None:
    arguments = (
        "tune",
        PAYLOAD,
        "-s",
        schedule("tuned"),
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
    done = tilewright(*arguments, cwd=tmp_path)
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert len(summary["trials"]) == 3 and summary["measured"] is False
    assert "ranked by the cost model" in done.stdout
    assert "winner is correct" in done.stdout
    best = (tmp_path / "best.tw").read_text()
    assert "knob" not in best and "choose" not in best
    tilewright("opt", PAYLOAD, "-s", "best.tw", "--emit", "triton", cwd=tmp_path)
    again = tilewright(*arguments, cwd=tmp_path)
    assert "3 database" in again.stdout
    assert "h200 (cost model)" in tilewright("results", "list", cwd=tmp_path).stdout


def test_a_bug_of_ours_says_so_and_leaves_a_reproducer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tilewright.commands.terminal.failure import guarded

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tilewright", "opt", PAYLOAD])

    def broken() -> None:
        raise RuntimeError("a promise was broken")

    with pytest.raises(SystemExit) as ending:
        guarded(broken)
    assert ending.value.code == 3
    assert "This is a bug in tilewright" in capsys.readouterr().err
    (reproducer,) = tmp_path.glob("tilewright-bug-*.txt")
    assert "linalg.matmul" in reproducer.read_text()


def test_a_match_that_finds_nothing_is_warned_about(tmp_path: Path) -> None:
    (tmp_path / "typo.tw").write_text(
        'schedule typo(root) {\n  mm = match "linalg.matmull" in root\n'
        "  mm, g = tile mm by [64, 64] onto [block.y, block.x]\n}\n"
    )
    done = tilewright("opt", PAYLOAD, "-s", "typo.tw", cwd=tmp_path)
    assert "typo.tw:2:" in done.stderr and "warning:" in done.stderr
    assert "did you mean 'linalg.matmul'?" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("opt", PAYLOAD, "-o", "."),
        ("opt", PAYLOAD, "-o", f"{PAYLOAD}/x.mlir"),
        ("opt", PAYLOAD, "-s", schedule("tile"), "--dump", PAYLOAD),
        ("tune", PAYLOAD, "-s", schedule("tuned"), "-o", "."),
        ("tune", PAYLOAD, "-s", schedule("tuned"), "--summary", "no/such/folder.json"),
    ],
)
def test_what_cannot_be_written_is_said_at_once(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    done = tilewright(*arguments, cwd=tmp_path, code=1)
    assert "cannot write" in done.stderr
    assert not list(tmp_path.glob("tilewright-bug-*"))


def test_one_error_names_every_open_choice(tmp_path: Path) -> None:
    done = tilewright("opt", PAYLOAD, "-s", schedule("tuned"), cwd=tmp_path, code=1)
    for name in ("BM", "BN", "BK", "warps", "stages", "group", "loads"):
        assert name in done.stderr


def test_a_program_that_spills_is_noted_not_refused(tmp_path: Path) -> None:
    generate = [sys.executable, str(MATMUL_RELU / "generate.py"), "--dtype", "f32"]
    sizes = ["--m", "64", "--n", "64", "--k", "8", "-o", str(tmp_path / "tiny.mlir")]
    subprocess.run([*generate, *sizes], check=True)
    done = tilewright(
        "run",
        "tiny.mlir",
        "-s",
        schedule("tile_fuse_vectorize"),
        "--target",
        "h200",
        cwd=tmp_path,
    )
    assert "correct in Triton's interpreter" in done.stdout
    assert "run badly" in done.stdout and "spills" in done.stdout
    assert "estimated, not measured" in done.stdout


REFUSED_FIRST = """schedule refused_first(root) {
  gone = match "linalg.softmax" in root
  mm = match "linalg.matmul" in root
  how = knob [16, 512]
  vectorize mm to [how, how, how]
}
"""


def test_tune_goes_on_where_the_first_point_is_refused(tmp_path: Path) -> None:
    (tmp_path / "s.tw").write_text(REFUSED_FIRST)
    done = tilewright(
        "tune", PAYLOAD, "-s", "s.tw", "--target", "h200", cwd=tmp_path, code=1
    )
    # Neither point works in the end, but it is the search that says so.
    assert "none of 2 configurations works" in done.stderr
    assert "invalid" in done.stderr


def test_tune_says_that_no_point_is_valid(tmp_path: Path) -> None:
    text = "schedule none(root) {\n  BM = knob [16, 32]\n  require BM > 64\n}\n"
    (tmp_path / "s.tw").write_text(text)
    done = tilewright(
        "tune", PAYLOAD, "-s", "s.tw", "--target", "h200", cwd=tmp_path, code=1
    )
    assert not list(tmp_path.glob("tilewright-bug-*"))
    assert "BM > 64" in done.stderr
