"""`tilewright profile`: ranges with the schedule's lines; logs of what is compiled."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import tilewright
from support.command_line import Cli
from tilewright.codegen.runtime.launch_ranges import is_active

MODEL = """
import torch


def attend(x, y):
    return torch.special.airy_ai(torch.softmax(x @ y, -1))
"""


def test_kernels_are_ranges_with_their_schedule(tmp_path: Path, model_cli: Cli) -> None:
    words = ("profile", "model.py:attend", "--input", "f32[16,16]")
    words = (*words, "--input", "f32[16,16]", "-o", "out/trace.json")
    told = model_cli(*words, "--calls", "2", "--json").out
    found = json.loads(told)
    *kernels, rest = found["rows"]
    assert rest["kernel"] == "in torch"
    softmax = next(row for row in kernels if "softmax" in row["schedule"])
    assert softmax["schedule"].startswith("<planned>:") and softmax["launches"] == 1
    assert 0 < sum(row["share"] for row in found["rows"]) <= 1.001
    events = json.loads((tmp_path / "out/trace.json").read_text())["traceEvents"]
    names = [event["name"] for event in events if "name" in event]
    assert names.count(f"tilewright::{softmax['kernel']} {softmax['schedule']}") == 2
    assert names.count("tilewright::inference") == 2
    assert not is_active()
    assert "write 1 or more" in model_cli(*words, "--calls", "0", code=2).err


def test_usual_calls_have_no_ranges() -> None:
    model = torch.compile(
        torch.exp, backend="tilewright", options={"interpreter": "kernels"}
    )
    x = torch.randn(8, 8)
    model(x)
    with torch.profiler.profile() as profiler:
        model(x)
    assert not [e for e in profiler.events() or () if "tilewright::" in e.name]
    assert "in torch" in str(tilewright.profile(torch.exp, (x,), calls=1))


def test_payloads_plans_and_kernels_are_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    model = torch.compile(
        torch.atan, backend="tilewright", options={"interpreter": "kernels"}
    )
    with caplog.at_level(logging.DEBUG, "tilewright"):
        model(torch.randn(6, 7))
    logged = [f"{record.name}: {record.getMessage()}" for record in caplog.records]
    for name, text in (
        ("tilewright.torch", "aten.atan.default"),
        ("tilewright.torch.payloads", "func.func @payload0"),
        ("tilewright.torch.kernels", "@triton.jit"),
    ):
        assert any(one.startswith(f"{name}: ") and text in one for one in logged)


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["tilewright", "+tilewright"])
def test_torch_logs_takes_our_name(setting: str) -> None:
    code = (
        "import torch\ntorch.compile(torch.exp, backend='tilewright')(torch.ones(4))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "TORCH_LOGS": setting},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "1 op in 1 payload" in done.stderr
    assert ("func.func @payload0" in done.stderr) == (setting[0] == "+")
