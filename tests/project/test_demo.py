"""The demo: its files agree with each other, and it runs."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import EXAMPLES, ROOT
from tilewright.pipeline import parse_payload, read_payload
from tilewright.schedules.language.parsing.parser import parse
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.replay.recorded_space import RecordedSpace

DEMO = EXAMPLES / "demo"
FIGURE = ROOT / "docs" / "figures" / "softcap_attention.svg"


def recorded() -> dict[str, dict[str, float]]:
    return json.loads((DEMO / "h200.json").read_text())


def test_the_payload_is_the_one_that_its_script_builds() -> None:
    built = runpy.run_path(str(DEMO / "payload.py"))["p"]
    assert str(parse_payload(built.text())) == str(read_payload(DEMO / "payload.mlir"))


def test_the_recorded_run_is_of_this_payload_and_this_schedule() -> None:
    space = RecordedSpace.load(DEMO / "h200.space.xz")
    assert space.payload == (DEMO / "payload.mlir").read_text()
    # Equal as trees: spaces and comments may differ.
    shipped = (DEMO / "softcap.tw").read_text()
    assert parse(space.schedule, "recorded") == parse(shipped, "softcap.tw")
    Schedule.from_text(space.schedule).with_point(space.best.point)
    assert space.best.point["structure"] == "streamed"


def test_the_figure_of_the_readme_has_the_recorded_times() -> None:
    text = FIGURE.read_text()
    for ms in recorded()["ms"].values():
        assert f"{ms:.2f} ms" in text


def test_the_readme_quotes_the_recorded_times() -> None:
    ms = recorded()["ms"]
    readme = (ROOT / "README.md").read_text()
    for rival in ("torch.compile", "FlexAttention"):
        assert f"{ms[rival] / ms['tuned']:.2f} times" in readme


@pytest.mark.slow
def test_it_runs_and_cuts_no_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(DEMO / "demo.py")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert "…" not in done.stdout
    for part in (
        "chain       = merge(init, qk, scores, low, largest, power, none, total, ",
        "3 kernels, 6.9 GB through memory",
        "1 kernel, 0.2 GB through memory",
        "def softcap_attention_kernel(",
        "correct in",
        "tilewright, one kernel, tuned",
        "structure = streamed earned most",
    ):
        assert part in done.stdout
    for name in ("times.svg", "streamed.html", "stored.html", "trials.html"):
        assert (tmp_path / "out" / name).exists()
