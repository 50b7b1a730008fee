"""docs/result_formats.md lists every field of `tune --summary` and `results export`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from support.project.documented_formats import assert_documented, section
from tilewright.codegen.runtime.compile import CompiledStats
from tilewright.commands.results.learned_model import as_data
from tilewright.commands.tune.summary import summary_of
from tilewright.schedules.size_table import Condition, Rule
from tilewright.tuning.learning.dataset import Origin
from tilewright.tuning.learning.quality import HELD_OUT, Fold, Ranking
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.exports import EXPORT_FORMAT, export_json
from tilewright.tuning.results.records import (
    CAUSES,
    OUTCOMES,
    Final,
    Record,
    Setting,
    Versions,
)
from tilewright.tuning.results.run_log import RunLog
from tilewright.tuning.results.runs import Run
from tilewright.tuning.results.tuning_result import Finalist, Trial, TuningResult

SUMMARY = section("The summary")
EXPORT = section("The export")
QUALITY = section("The quality of the model")
REPLAY = section("Replays")

RECORD = Record(
    Setting("a", "b", "card", Versions("1", "2", "3", "4"), "", "p.mlir", "s.tw"),
    {"BM": 128, "tail": "fused"},
    "key",
    "ok",
    measured=True,
    p20=1.0,
    p50=2.0,
    p80=3.0,
    each=(2.0,),
    repetitions=3,
    stats=(CompiledStats("kernel", 32, 0, 1024, 4, 1, 1, 0.5),),
    seconds={"time": 1.0},
    features={"dot.m": 7.0},
    final=Final(2.0, 1.9, 2.1),
)


def test_the_summary() -> None:
    trials = (
        Trial(0, RECORD, "new", 2.5),
        Trial(1, replace(RECORD, outcome="wrong", error="off"), "new"),
    )
    finalist = Finalist("first", RECORD.point, Final(2.0, 1.9, 2.1), "key")
    result = TuningResult(
        *(trials[0], trials, True, "card", "tpe", 12, 8, False, False),
        *((finalist, replace(finalist, point=None)), {"time": 1.0}, 2.0, 0),
        default_point=RECORD.point,
    )
    tasks = [
        {
            "name": "1: sums",
            "uses": 2,
            "share": 0.5,
            "bound_ms": 0.1,
            "default_ms": 0.2,
            "ms": 0.15,
            "point": {"BM": 128},
            "trials": 8,
            "rounds": 2,
            "seconds": 3.0,
            "ended": "near its bound",
            "kept": True,
        }
    ]
    rules = [Rule((Condition("M", "<=", 64),), {"BM": 16}), Rule((), {"BM": 128})]
    cover = {
        "label": "planned",
        "kernels": [["product", "relu"]],
        "planner_ms": 0.1,
        "alone_ms": 0.1,
        "whole_ms": None,
        "failure": "",
    }
    structures = [
        {"name": "structure", "picked": "planned", "gain": None, "covers": [cover]}
    ]
    summary = summary_of(result, tasks, rules, structures)
    assert [rule["when"] for rule in summary["table"]] == ["M <= 64", "else"]
    assert_documented(json.loads(json.dumps(summary)), SUMMARY)


def test_the_export(tmp_path: Path) -> None:
    with Database(tmp_path / "results.db") as database:
        run = Run(0, RECORD.setting, True, "guided", 1, "tune", "now", wall_seconds=1.0)
        log = RunLog(database, run)
        log.record(RECORD, 1, "new", 1.0, samples=((1.0, 2.0),))
        log.end("finished", 2.0, {"time": 1.0})
        document = json.loads(export_json(database))
    assert_documented(document, EXPORT)
    assert f'"format": "{EXPORT_FORMAT}"' in EXPORT


def test_the_quality_of_the_model() -> None:
    ranking = Ranking(0.9, (0.1, 0.0, 0.0, 0.0))
    origin = Origin("a", "b", "card")
    fold = Fold("shape", origin, True, 30, 60, ranking, ranking)
    assert_documented(json.loads(json.dumps(as_data(60, [fold]))), QUALITY)
    assert all(f"`{kind}`" in QUALITY for kind in HELD_OUT)


@pytest.mark.parametrize("word", [*OUTCOMES, *CAUSES])
def test_every_word_is_named(word: str) -> None:
    assert f"`{word}`" in SUMMARY
