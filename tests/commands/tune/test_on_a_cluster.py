"""`tilewright tune --cluster`: the command with a real scheduler and a worker."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from support.command_line import Cli, cli_in
from support.paths import EXAMPLES
from support.tuning.dask_processes import dask_processes

pytestmark = pytest.mark.slow

FOLDER = EXAMPLES / "matmul_relu"


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    monkeypatch.setenv("COLUMNS", "200")
    # The worker inherits it: what it compiles, it compiles for this test.
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "triton"))
    return cli_in(tmp_path, monkeypatch, capsys)


def test_the_winner_is_that_of_one_machine(cli: Cli, tmp_path: Path) -> None:
    tune = ["tune", str(FOLDER / "payload.mlir"), "-s", str(FOLDER / "tuned.tw")]
    tune += ["--target", "h200", "--trials", "4", "--strategy", "random"]
    cli(*tune, "--jobs", "1", "--db", "here.db", "-o", "h.tw", "--summary", "h.json")
    with dask_processes(tmp_path / "dask") as dask:
        dask.add_worker(threads=2)
        done = cli(
            *tune,
            *("--cluster", dask.wait(), "--db", "there.db"),
            *("-o", "t.tw", "--summary", "t.json"),
        )
    assert "cluster: 2 compilations at a time on 1 workers" in done.out
    assert "0 kernels were compiled again" in done.out
    here, there = (json.loads(Path(name).read_text()) for name in ("h.json", "t.json"))
    assert here["best"] == there["best"]
    assert here["outcomes"] == there["outcomes"] == {"ok": 4}
    points = [[t["point"] for t in told["trials"]] for told in (here, there)]
    assert points[0] == points[1]


def test_no_scheduler_answers(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    from tilewright.tuning.cluster import connection

    monkeypatch.setattr(connection, "CONNECT_SECONDS", 0.5)
    payload, schedule = str(FOLDER / "payload.mlir"), str(FOLDER / "tuned.tw")
    for address, told in {
        "tcp://127.0.0.1:9": "no Dask scheduler answers at tcp://127.0.0.1:9",
        "no such host:1": "no Dask scheduler answers at no such host:1",
        "nowhere.json": "nowhere.json: no such file",
    }.items():
        done = cli("tune", payload, "-s", schedule, "--cluster", address, code=1)
        assert told in done.err
        assert "Traceback" not in done.err
