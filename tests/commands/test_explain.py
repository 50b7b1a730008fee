"""`tilewright explain`: the report at 100 columns, JSON, pictures, small files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command_line import Cli, cli_in
from support.tuning.logs import planted
from support.tuning.records import record
from tilewright.tuning.results.database import Database

SPACES = Path(__file__).parents[2] / "benchmarks" / "spaces"
DECODING = str(SPACES / "decoding.space.xz")


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    return cli_in(tmp_path, monkeypatch, capsys)


@pytest.mark.slow
def test_the_report(cli: Cli) -> None:
    report = cli("explain", DECODING).out
    for part in (
        "345 trials of 384 valid points: 275 ok, 24 invalid, 46 pruned",
        "0.04622 ms: BN=32 chunks=8 warps=1 stages=3 merge=joined",
        "0 other programs within 1% of it",
        "2906 GB/s of arguments and results (61% of 4800)",
        "which choice earned what",
        "BN x chunks",
        "merge=apart: 0.04819 ms (+4.3%): BN=",
        "7% (24) invalid at transform, memref.alloc, decoding_split.tw:14: a buffer is",
        "remedy: keep the tile in registers",
        "where the time went",
        "speed against tuning time",
        "`require` against BN = 256, chunks = 32: all 24 trials there fail",
    ):
        assert part in report
    assert max(len(line.rstrip()) for line in report.splitlines()) <= 100


@pytest.mark.slow
def test_json_and_pictures(cli: Cli, tmp_path: Path) -> None:
    data = json.loads(cli("explain", DECODING, "--json").out)
    assert data["best"]["ms"] == pytest.approx(0.0462, abs=1e-4)
    cli("explain", DECODING, "--json", "-o", "explained.json")
    assert json.loads((tmp_path / "explained.json").read_text()) == data
    pytest.importorskip("matplotlib")
    cli("explain", DECODING, "--plot", "heatmap:BN,chunks", "-o", "plot.svg")
    assert "<svg" in (tmp_path / "plot.svg").read_text()


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("arguments", "fact"),
    [
        (("--plot", "parallel"), "a plot needs a file"),
        (("--plot", "pie", "-o", "p.svg"), "there is no plot 'pie'"),
        (("-o", "report.txt"), "-o goes with --json or --plot"),
        (("other",), "has one run"),
    ],
)
def test_wrong_requests(cli: Cli, arguments: tuple[str, ...], fact: str) -> None:
    assert fact in cli("explain", DECODING, *arguments, code=1).err


def test_a_missing_file(cli: Cli) -> None:
    assert "no such file: results.db" in cli("explain", "results.db", code=1).err


def test_small_files(cli: Cli) -> None:
    with Database(Path("three.db")) as database:
        for one in planted(3).trials:
            database.record(record(one.milliseconds, point=one.point, program=""))
    report = cli("explain", "three.db").out
    assert "3 trials: 3 ok" in report and "No model of the times: 3 programs" in report
    assert "failures: none" in report and "does not have the schedule" in report
    assert "what to try next" not in report
    with Database(Path("failed.db")) as database:
        for size in (1, 2):
            database.record(record(None, point={"A[b]": size}, program=str(size)))
    report = cli("explain", "failed.db").out
    assert "2 trials: 2 crash" in report and "No trial worked" in report
    assert "100% (2) crash" in report and "such as: A[b]=1" in report
    with Database(Path("fixed.db")) as database:
        database.record(record(1.0, point={}, program="p"))
    report = cli("explain", "fixed.db").out
    assert "the schedule has no open choices" in report
    assert "1 trial: 1 ok" in report
