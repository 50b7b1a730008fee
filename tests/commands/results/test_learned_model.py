"""`results describe` and `results model`: features of old records, and their worth."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from support.command_line import Cli, cli_in
from support.paths import EXAMPLES
from support.tuning.records import SETTING, record
from tilewright.ir.text import to_text
from tilewright.pipeline import build, read_payload
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.learning.features import ESTIMATE, VERSION
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.records import text_hash

PAYLOAD = EXAMPLES / "matmul_relu" / "payload.mlir"
SCHEDULE = EXAMPLES / "matmul_relu" / "tuned.tw"
POINT = {
    "BM": 64,
    "BN": 64,
    "BK": 64,
    "warps": 4,
    "stages": 3,
    "group": 4,
    "tail_placement": "fused",
    "loads": "descriptors",
}


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    return cli_in(tmp_path, monkeypatch, capsys)


def test_old_records_are_described_again(cli: Cli) -> None:
    payload, schedule = read_payload(PAYLOAD), Schedule.from_path(SCHEDULE)
    setting = replace(
        SETTING,
        payload=text_hash(to_text(payload)),
        schedule=text_hash(to_text(schedule.module)),
    )
    key = build(payload, schedule, POINT).program.key
    with Database(Path("results.db")) as database:
        database.record(record(setting=setting, point=POINT, program=key))
        other = {**POINT, "BM": 128}
        database.record(record(setting=setting, point=other, program="as it was"))
        database.record(record(setting=SETTING))
    done = cli("results", "describe", str(PAYLOAD), "-s", str(SCHEDULE))
    assert "1 of 2 results without features are described now" in done.out
    assert "left out: 1 whose point gives another program now" in done.out
    with Database(Path("results.db"), read_only=True) as database:
        found = {r.program: r.features for r in database.list()}
    assert found[key][ESTIMATE] > 0
    assert found["as it was"] == found["key"] == {}


def test_the_report_needs_measured_results(cli: Cli) -> None:
    with Database(Path("results.db")) as database:
        database.record(record())
    done = cli("results", "model", code=1)
    assert "has no measured results with features" in done.err
    assert "no such file" in cli("results", "model", "--db", "x.db", code=1).err


@pytest.mark.slow
def test_the_report_says_what_it_cannot_judge(cli: Cli) -> None:
    with Database(Path("results.db")) as database:
        for number in range(40):
            features = {
                "version": float(VERSION),
                ESTIMATE: 1.0,
                "dot.m": float(number % 8),
            }
            point = {"BM": number}
            time = 1.0 + number % 8
            made = record(time, point=point, program=str(number), features=features)
            database.record(made)
    printed = cli("results", "model").out
    assert "40 programs of 1 spaces on 1 devices" in printed
    assert "all results are of one device" in printed
    data = json.loads(cli("results", "model", "--json").out)
    (before, after) = data["folds"]
    assert (before["held_out"], before["programs"]) == ("most", 20)
    assert before["learned"]["correlation"] > 0.9
    assert before["analytic"]["correlation"] == 0
    assert after["compiled"] is True
