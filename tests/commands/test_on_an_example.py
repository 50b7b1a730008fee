"""The commands on the example matmul_relu: output, exit codes, errors with a caret."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.command_line import Cli, cli_in
from support.paths import EXAMPLES, ROOT

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


def test_as_a_process(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tilewright", "opt", PAYLOAD, "-s", schedule("tile")],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    assert "scf.forall" in done.stdout


def test_opt_prints_the_transformed_module(cli: Cli) -> None:
    done = cli("opt", PAYLOAD, "-s", schedule("tile_fuse"))
    assert "scf.forall" in done.out
    assert "transform." not in done.out


def test_opt_prints_after_each_step(cli: Cli) -> None:
    done = cli("opt", PAYLOAD, "-s", schedule("tile"), "--print-after-each")
    assert "00 payload" in done.err
    assert "01 structured.tile_using_forall" in done.err
    assert "tile.tw:" in done.err


def test_opt_dumps_verifies_and_emits(cli: Cli, tmp_path: Path) -> None:
    done = cli(
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
    )
    assert "gives the same numbers after" in done.err
    assert (tmp_path / "dumps" / "00-payload.mlir").exists()
    assert len(list((tmp_path / "dumps").iterdir())) >= 10
    compile((tmp_path / "kernel.py").read_text(), "kernel.py", "exec")


def test_opt_takes_payload_and_schedule_in_one_file(cli: Cli, tmp_path: Path) -> None:
    upstream = cli(
        "opt", PAYLOAD, "-s", schedule("tile"), "--emit", "mlir-schedule"
    ).out
    inner = "\n".join(upstream.strip().splitlines()[1:-1])
    both = (
        "module attributes {transform.with_named_sequence} {\n"
        + inner
        + "\n"
        + Path(PAYLOAD).read_text()
        + "\n}\n"
    )
    (tmp_path / "both.mlir").write_text(both)
    apart = cli("opt", PAYLOAD, "-s", schedule("tile")).out
    assert cli("opt", "both.mlir").out == apart


def test_an_error_in_a_schedule_shows_line_and_caret(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "bad.tw").write_text(
        'schedule bad(root) {\n  mm = match "linalg.matmul" in root\n'
        "  mm, g = tiel mm by [64, 64] onto [block.y, block.x]\n}\n"
    )
    done = cli("opt", PAYLOAD, "-s", "bad.tw", code=1)
    assert "bad.tw:3:" in done.err
    assert "tile" in done.err and "^" in done.err


def test_a_refusal_names_schedule_and_payload(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "bad.tw").write_text(
        'schedule bad(root) {\n  mm = match "linalg.matmul" in root\n'
        "  vectorize mm to [16, 16, 16]\n}\n"
    )
    done = cli("opt", PAYLOAD, "-s", "bad.tw", code=1)
    assert "bad.tw:3:" in done.err
    assert "vector size 16 does not cover loop 0 of extent 512" in done.err
    assert "payload.mlir:5:" in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("opt", "nowhere.mlir"), "no such file"),
        (("opt", PAYLOAD, "-s", schedule("tuned")), "BM"),
        (("opt", PAYLOAD, "-s", schedule("tuned"), "--set", "BMM=64"), "BM"),
        (("opt", PAYLOAD, "-s", schedule("tuned"), "--set", "BM=65"), "64, 128, 256"),
        (("results", "list", "--db", "nowhere.db"), "no such file"),
    ],
)
def test_mistakes_exit_1_with_a_remedy(
    arguments: tuple[str, ...], message: str, cli: Cli, tmp_path: Path
) -> None:
    done = cli(*arguments, code=1)
    assert message in done.err


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
    arguments: tuple[str, ...], message: str, cli: Cli
) -> None:
    assert message in cli(*arguments, code=2).err


def test_check_and_space(cli: Cli) -> None:
    assert "ok" in cli("check", schedule("tuned")).out
    assert "BM in [64, 128, 256]" in cli("space", schedule("tuned")).out


def test_interpret_saves_results(cli: Cli, tmp_path: Path) -> None:
    done = cli("interpret", PAYLOAD, "-o", "out.npz")
    assert "512x512xf16" in done.out
    assert (tmp_path / "out.npz").exists()


@pytest.mark.slow
def test_doctor_says_what_works(cli: Cli) -> None:
    done = cli("doctor")
    assert "xdsl" in done.out
    assert "run and tune" in done.out


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


def test_a_match_that_finds_nothing_is_warned_about(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "typo.tw").write_text(
        'schedule typo(root) {\n  mm = match "linalg.batch_matmul" in root\n'
        "  mm, g = tile mm by [64, 64] onto [block.y, block.x]\n}\n"
    )
    done = cli("opt", PAYLOAD, "-s", "typo.tw")
    assert "typo.tw:2:" in done.err and "warning:" in done.err
    assert "did you mean 'linalg.matmul'?" in done.err


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
    arguments: tuple[str, ...], cli: Cli, tmp_path: Path
) -> None:
    done = cli(*arguments, code=1)
    assert "cannot write" in done.err


def test_one_error_names_every_open_choice(cli: Cli) -> None:
    done = cli("opt", PAYLOAD, "-s", schedule("tuned"), code=1)
    for name in ("BM", "BN", "BK", "warps", "stages", "group", "loads"):
        assert name in done.err
