"""Pictures are written, in every kind and format; wrong requests are explained."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from support.tuning.logs import log_of, planted
from tilewright.ir.errors import UserError
from tilewright.tuning.explaining.plots import write_plot
from tilewright.tuning.explaining.tuning_log import LoggedTrial, TuningLog

pytest.importorskip("matplotlib")

LOG = planted(30)
KINDS = ("convergence", "frontier", "heatmap:BM,BN", "parallel")


def draw(kind: str, log: TuningLog, path: Path, *others: TuningLog) -> str:
    write_plot(kind, log, [*others, log], path)
    return path.read_text() if path.suffix == ".svg" else ""


@pytest.mark.sampled(8)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind(kind: str, tmp_path: Path) -> None:
    text = draw(kind, LOG, tmp_path / "plot.svg")
    assert "<svg" in text and len(text) > 5000


@pytest.mark.slow
def test_formats(tmp_path: Path) -> None:
    first = draw("frontier", LOG, tmp_path / "plot.svg")
    assert first == draw("frontier", LOG, tmp_path / "again.svg")
    path = tmp_path / "plot.png"
    draw("convergence", LOG, path)
    assert path.read_bytes().startswith(b"\x89PNG") and path.stat().st_size > 2000
    with pytest.raises(UserError, match="format '.txt'"):
        draw("convergence", LOG, tmp_path / "plot.txt")
    with pytest.raises(UserError, match="cannot write"):
        draw("convergence", LOG, tmp_path / "no" / "plot.svg")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [1, 3])
def test_few_trials_failures_and_no_clock(
    kind: str, count: int, tmp_path: Path
) -> None:
    trials = [replace(one, ended=None) for one in LOG.trials[:count]]
    failed = LoggedTrial(LOG.trials[count].point, "crash")
    draw(kind, log_of([*trials, failed]), tmp_path / "plot.svg")


def test_the_frontier_shows_other_runs_of_the_payload(tmp_path: Path) -> None:
    other = replace(planted(20, seed=1), name="before", strategy="evolution")
    unlike = replace(other, name="elsewhere", device="another card")
    text = draw("frontier", LOG, tmp_path / "plot.svg", other, unlike)
    assert "before, evolution" in text and "elsewhere" not in text


def test_names_are_text(tmp_path: Path) -> None:
    text = draw(
        "convergence", replace(LOG, payload="$x^2$ & <b>"), tmp_path / "plot.svg"
    )
    assert "&lt;b" in text


@pytest.mark.parametrize(
    ("kind", "fact"),
    [
        ("pie", "no plot 'pie'"),
        ("heatmap", "needs two choices"),
        ("heatmap:BM", "needs two choices"),
        ("heatmap:BM,BM", "needs two choices"),
        ("heatmap:BM,K", "'K' is no choice"),
    ],
)
def test_wrong_requests(kind: str, fact: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=fact):
        draw(kind, LOG, tmp_path / "plot.svg")


def test_without_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UserError, match="plots need matplotlib") as error:
        draw("convergence", LOG, tmp_path / "plot.svg")
    assert "tilewright[plots]" in (error.value.remedy or "")


def test_nothing_to_draw(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nothing to draw"):
        draw("convergence", log_of([LoggedTrial({}, "crash")]), tmp_path / "plot.svg")
    with pytest.raises(UserError, match="no open choices"):
        one = log_of([LoggedTrial({}, "ok", p50=1.0)])
        draw("parallel", one, tmp_path / "plot.svg")
