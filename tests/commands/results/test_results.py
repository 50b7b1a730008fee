"""`tilewright results ...`: a results file as people read, compare and clean it."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from support.command_line import Cli, cli_in
from support.tuning.older_results_files import write_older_file
from support.tuning.records import VERSIONS, log, record
from support.tuning.tuned_files import BAD, FAST, SCHEDULE, SLOW, mlir, setting, tuned
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.results.database import Database


@pytest.fixture
def cli(tmp_path: Path, monkeypatch, capsys) -> Cli:
    monkeypatch.chdir(tmp_path)
    tuned(Path("results.db"), setting(), {SLOW: 2.0, FAST: 1.0, BAD: None})
    return cli_in(tmp_path, monkeypatch, capsys)


def test_list_and_show(cli: Cli) -> None:
    out = cli("results", "list", "gemm").out.splitlines()
    assert out[0].split() == [
        *("run", "when", "payload", "sizes", "schedule", "device", "trials", "ok"),
        *("best", "ms", "best", "point"),
    ]
    assert "gemm.mlir  64x64x64  gemm.tw   NVIDIA H200  3       2" in out[1]
    assert out[1].endswith("BM=128 loads=descriptors ")
    shown = cli("results", "show", "gemm.mlir").out.splitlines()
    assert shown[0].startswith("#1 gemm.mlir 64x64x64 gemm.tw on NVIDIA H200")
    assert "guided, seed 0; finished after 12.5 s" in shown[1]
    assert "3 trials: 2 ok, 1 crash; times are measured" in shown[2]
    rows = [line.split() for line in shown[5:]]
    assert [row[0] for row in rows] == ["1.0000", "2.0000", "-"]
    assert "illegal memory access" in shown[-1]
    few = cli("results", "show", "-n", "1")
    assert "2 more trials; --count 3 shows all" in few.err


def test_json_of_list_and_show(cli: Cli) -> None:
    (listed,) = json.loads(cli("results", "list", "--json").out)["runs"]
    assert (listed["name"].split(",")[0], listed["outcomes"]) == (
        "gemm.mlir 64x64x64 gemm.tw on NVIDIA H200",
        {"ok": 2, "crash": 1},
    )
    assert listed["best"]["choices"] == {"BM": 128, "loads": "descriptors"}
    shown = json.loads(cli("results", "show", "--json").out)
    assert shown["run"] == listed
    assert [trial["ms"] for trial in shown["trials"]] == [1.0, 2.0, None]


def test_best_prints_the_winner_and_writes_its_schedule(cli: Cli) -> None:
    out = cli("results", "best", "gemm", "-o", "winner.tw").out
    assert "gemm.mlir 64x64x64 on NVIDIA H200: 1.0000 ms, 95% between 0.9900" in out
    assert "BM=128 loads=descriptors" in out
    text = Path("winner.tw").read_text()
    assert "// point: BM = 128, loads = descriptors" in text
    assert "knob" not in text and "choose" not in text
    assert Schedule.from_text(text).open_choices() == []
    (best,) = json.loads(cli("results", "best", "--json").out)["best"]
    assert (best["ms"], best["device"], best["run"]) == (1.0, "NVIDIA H200", 1)


def test_best_of_several_must_be_told_apart_to_be_written(cli: Cli) -> None:
    tuned(Path("results.db"), setting("NVIDIA H100"), {SLOW: 3.0})
    assert len(json.loads(cli("results", "best", "--json").out)["best"]) == 2
    done = cli("results", "best", "-o", "w.tw", code=1)
    assert "gemm.mlir 64x64x64 on NVIDIA H100" in done.err
    cli("results", "best", "h100", "-o", "w.tw")
    assert "BM = 64" in Path("w.tw").read_text()


def test_best_of_an_older_file_needs_the_schedule(cli: Cli) -> None:
    row = {"point": '{"BM":128,"loads":"descriptors"}'}
    write_older_file(Path("old.db"), 5, row)
    done = cli("results", "best", "--db", "old.db", "-o", "w.tw", code=1)
    assert "does not have the text of the schedule gemm.tw" in done.err
    Path("gemm.tw").write_text(SCHEDULE)
    cli("results", "best", "--db", "old.db", "-o", "w.tw", "-s", "gemm.tw")
    assert "BM = 128" in Path("w.tw").read_text()


def test_no_trial_that_works(cli: Cli) -> None:
    tuned(Path("bad.db"), setting(), {BAD: None})
    done = cli("results", "best", "--db", "bad.db", code=1)
    assert "no trial worked" in done.err and "results show" in done.err


# -- compare -------------------------------------------------------------------------


def test_compare_two_devices(cli: Cli) -> None:
    tuned(Path("results.db"), setting("NVIDIA H100"), {SLOW: 2.0, FAST: 3.0})
    out = cli("results", "compare", "h100", "h200").out
    assert "B is 2.000x as fast as A, 95% between 1.9" in out
    assert "  choice BM: 64 -> 128" in out
    assert "  choice loads: pointers -> descriptors" in out
    assert "  device: NVIDIA H100 -> NVIDIA H200" in out
    (pair,) = json.loads(cli("results", "compare", "h100", "h200", "--json").out)[
        "pairs"
    ]
    assert pair["ratio"] == 2.0 and pair["verdict"] == "faster"
    low, high = pair["interval"]
    assert 1.9 < low < 2.0 < high < 2.1
    assert {"name": "BM", "a": "64", "b": "128"} in pair["choices"]


def test_compare_two_dates_and_versions_of_a_schedule(cli: Cli) -> None:
    more = mlir(SCHEDULE.replace("[64, 128]", "[32, 64, 128]"))
    later = setting(text=more, versions=replace(VERSIONS, triton="3.8"))
    tuned(
        Path("results.db"),
        later,
        {SLOW: 2.0, FAST: 0.995},
        more,
        started="2026-11-17T08:30:00+00:00",
        seed=7,
    )
    out = cli("results", "compare", "2026-11-16", "2026-11-17").out
    assert ": no difference beyond the noise" in out
    assert "both are the same program" in out
    assert "  triton: 3.7.1 -> 3.8" in out and "  seed: 0 -> 7" in out
    assert "  options of BM: 64, 128 -> 32, 64, 128" in out
    assert "the same choices: BM=128 loads=descriptors" in out
    same = cli("results", "compare", "#1", "#1").out
    assert "both are the same measurement" in same


def test_compare_two_files(cli: Cli) -> None:
    tuned(Path("new.db"), setting(), {SLOW: 0.5})
    other = setting(payload="softmax", payload_name="softmax.mlir")
    tuned(Path("new.db"), other, {SLOW: 0.5})
    done = cli("results", "compare", "results.db", "new.db")
    assert "B is 2.000x as fast as A" in done.out
    assert "only in new.db: softmax.mlir 64x64x64" in done.err
    # Two different payloads, if they are named.
    out = cli("results", "compare", "results.db", "new.db:softmax").out
    assert "payload: gemm.mlir -> softmax.mlir" in out
    cli("results", "export", "-o", "all.json", "--db", "new.db")
    same = cli("results", "compare", "all.json", "new.db", "gemm").out
    assert "both are the same measurement\n" in same


def test_compare_without_samples(cli: Cli) -> None:
    with Database(Path("old.db")) as database:
        database.record(record(2.0, setting=setting()))
    out = cli("results", "compare", "old.db", "results.db").out
    assert "B is 2.000x as fast as A; there are no samples for an interval" in out


@pytest.mark.parametrize(
    ("sides", "fact"),
    [
        (("results.db", "nowhere.db"), "no such file: nowhere.db"),
        (("h200", "h900"), "no run is named by 'h900'; known: gemm.mlir"),
        (("results.db:soft", "h200"), "no run is named by 'soft'"),
    ],
)
def test_mistakes_in_a_comparison(cli: Cli, sides: tuple[str, str], fact: str) -> None:
    assert fact in cli("results", "compare", *sides, code=1).err


def test_nothing_in_common(cli: Cli) -> None:
    for name in ("softmax", "layernorm"):
        other = setting(payload=name, payload_name=f"{name}.mlir")
        tuned(Path("b.db"), other, {SLOW: 0.5})
    done = cli("results", "compare", "results.db", "b.db", code=1)
    assert "have no payload in common" in done.err


# -- prune and clear -----------------------------------------------------------------


def points(cli: Cli, path: str = "results.db") -> list[float | None]:
    return [
        trial["ms"]
        for trial in json.loads(cli("results", "show", "--json", "--db", path).out)[
            "trials"
        ]
    ]


def test_prune(cli: Cli) -> None:
    done = cli("results", "prune", "--failed", "--losers", "1", "--dry-run")
    assert done.out == (
        "1 result failed\n1 result not among the 1 fastest\n"
        "2 results would be deleted; nothing was\n"
    )
    assert points(cli) == [1.0, 2.0, None]
    refused = cli("results", "prune", "--failed", code=1)
    assert "nobody can be asked here, and nothing was deleted; add --yes" in refused.err
    done = cli("results", "prune", "--failed", "--yes", "--json")
    data = json.loads(done.out)
    assert (data["deleted"], data["results"], data["reasons"]) == (
        True,
        1,
        {"failed": 1},
    )
    assert points(cli) == [1.0, 2.0]
    cli("results", "prune", "--losers", "1", "--yes")
    assert points(cli) == [1.0]
    assert "nothing to delete" in cli("results", "prune", "--failed").out


def test_prune_keeps_the_best_of_what_is_left(cli: Cli) -> None:
    # All are of other versions: the best stays.
    cli("results", "prune", "--other-versions", "--yes")
    assert points(cli) == [1.0]
    cli("results", "prune", "--before", "2099-01-01", "--yes")
    assert points(cli) == [1.0]
    done = cli("results", "prune", "--before", "tomorrow", code=2)
    assert "not a date; such as 2026-11-16" in done.err
    assert (
        "the best is always kept"
        in cli("results", "prune", "--losers", "0", code=2).err
    )


def test_clear(cli: Cli) -> None:
    tuned(Path("results.db"), setting("NVIDIA H100"), {SLOW: 3.0})
    done = cli("results", "clear", "h100", "--dry-run")
    assert "1 run with 1 result would be deleted; nothing was" in done.out
    done = cli("results", "clear", "h100", "--yes")
    assert "deleted 1 run with 1 result" in done.out
    assert "H100" not in cli("results", "list").out
    assert points(cli) == [1.0, 2.0, None]
    cli("results", "clear", "--yes")
    with Database(Path("results.db")) as database:
        for table in ("measurements", "runs", "trials", "samples", "texts"):
            assert database.select(f"SELECT * FROM {table}", ()) == []


class Terminal(io.StringIO):
    """Somebody who answers."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("answer", "left"), [("y\n", 0), ("no\n", 1), ("", 1)])
def test_the_question_is_answered(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, answer: str, left: int
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    done = cli("results", "clear")
    assert "delete 1 run with 3 results from results.db? [y/N] " in done.out
    listed = json.loads(cli("results", "list", "--json").out)
    assert len(listed["runs"]) == left


def test_clear_keeps_what_another_run_has(cli: Cli) -> None:
    with Database(Path("results.db")) as database:
        (first, *_) = database.list()
        log(database, setting=setting()).answered(first, 1, first.point)
    done = cli("results", "clear", "#1", "--yes")
    assert "2 results" in done.out
    assert points(cli) == [2.0]
