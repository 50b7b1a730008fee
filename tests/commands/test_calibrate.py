"""`tilewright calibrate`: what it shows, refuses, keeps, and where that is used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command_line import Cli, cli_in
from tilewright.codegen import targets
from tilewright.codegen.cuda_driver import DeviceProperties
from tilewright.codegen.targets import TARGETS, table
from tilewright.codegen.targets.calibration import changed
from tilewright.codegen.targets.stored import (
    calibration_path,
    store_calibration,
    stored_calibration,
)
from tilewright.commands import calibrate as command
from tilewright.tuning.calibrating.points import KernelPoint, Measurements

H200 = TARGETS["h200"]
NAME = "NVIDIA H200"
PRESENT = DeviceProperties(NAME, 9, 0, 132, 232448, 233472, 65536, 2048, 60 << 20)


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Cli:
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(tmp_path / "cache"))
    return cli_in(tmp_path, monkeypatch, capsys)


def test_without_a_gpu_it_says_what_can_be_done(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "detect", lambda: None)
    told = cli("calibrate", code=1).err
    assert "there is no GPU to measure; --show prints the numbers" in told


@pytest.mark.slow
def test_show_and_dry(cli: Cli) -> None:
    shown = cli("calibrate", "--show", "--target", "b200").out
    assert "b200: shipped, fitted on an H200" in shown
    assert "matmuls.fill" in shown and "launch" in shown
    listed = cli("calibrate", "--dry", "--target", "l40s").out
    assert "kernels would be compiled and timed" in listed
    assert "calls of libraries" in listed


def test_a_target_is_only_shown(cli: Cli) -> None:
    assert "leave out --target" in cli("calibrate", "--target", "h100", code=2).err


def test_a_measured_calibration_is_kept_and_used(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tilewright.tuning.calibrating import measuring

    times = Measurements(
        NAME, (KernelPoint("number", "numbers", {"warps": 1}, 5e-6),), (), (), 3.3e-6
    )
    monkeypatch.setattr(table, "present_device", lambda: PRESENT)
    monkeypatch.setattr(measuring, "measured", lambda *_: (times, ["a work: too slow"]))
    before = targets.detect()
    assert before is TARGETS["h200"] is not None
    told = cli("calibrate").out
    assert "NVIDIA H200: 1 times, kept in" in told.replace("\n", " ")
    assert "1 could not be timed" in told and "launch" in told
    after = targets.detect()
    assert after is not None and after.calibration.launch == 3.3e-6
    assert after.title.startswith("h200 (") and after.title != H200.title
    path = calibration_path(NAME)
    assert path is not None and json.loads(path.read_text())["measured"]["kernels"]
    assert str(path.name) in cli("calibrate", "--show").out.replace("\n", "")


@pytest.mark.parametrize(
    "text", ["", "[]", '{"numbers": {"launch": 1}}', "not json", '{"numbers": 3}']
)
def test_a_broken_file_is_not_used(cli: Cli, text: str) -> None:
    path = calibration_path(NAME)
    assert path is not None
    path.parent.mkdir(parents=True)
    path.write_text(text)
    assert stored_calibration(NAME) is None


def test_numbers_are_above_0(cli: Cli) -> None:
    path = calibration_path(NAME)
    assert path is not None
    store_calibration(path, NAME, changed(H200.calibration, {"launch": -1.0}), {})
    assert stored_calibration(NAME) is None
    store_calibration(path, NAME, changed(H200.calibration, {"launch": 1e-6}), {})
    found = stored_calibration(NAME)
    assert found is not None and found[0].launch == 1e-6


def test_without_a_cache_folder_nothing_is_measured(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE", "off")
    monkeypatch.setattr(table, "present_device", lambda: PRESENT)
    assert "the cache folder is off" in cli("calibrate", code=1).err
