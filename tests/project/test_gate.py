"""`benchmarks/gate.py`: a record of what the compiler makes of programs, compared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.gate.compare import compare
from harness.gate.size import product_size
from small_modules.table import table
from support.paths import ROOT
from support.project.benchmark_modules import load

pytestmark = pytest.mark.filterwarnings("ignore")


def a_record(**microseconds: float) -> dict[str, Any]:
    programs = {
        f"modules: {name}": {"kernels": 1, "us": us, "compile_s": 1.0}
        for name, us in microseconds.items()
    }
    size = {"lines": {"all": 10}, "constants": {"all": 2}}
    return {"programs": programs, "size": size}


def test_small_modules_run_in_torch() -> None:
    found = table()
    assert len(found) >= 300
    for name, module in found.items():
        if name.endswith("small bf16"):
            module.function(*module.inputs())


def test_the_same_record_passes() -> None:
    before = a_record(a=1.0, b=2.0)
    assert compare(before, before, every=True) == 0


def test_a_mean_that_grows_by_two_hundredths_fails(
    capsys: pytest.CaptureFixture[str],
) -> None:
    after = a_record(a=1.02, b=2.04)
    assert compare(a_record(a=1.0, b=2.0), after, every=False) == 1
    assert "mean ratio 1.0200  MORE THAN 1.01" in capsys.readouterr().out


def test_a_single_program_that_slows_down_fails_and_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    after = a_record(a=1.1, b=1.5)
    assert compare(a_record(a=1.0, b=2.0), after, every=False) == 1
    said = capsys.readouterr().out
    assert "1.100 modules: a: 1.0 -> 1.1 us" in said and "modules: b" not in said


def test_a_program_that_fails_now_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    after = a_record(a=1.0)
    after["programs"]["modules: a"] = {"error": "no kernel"}
    assert compare(a_record(a=1.0), after, every=False) == 1
    assert "FAILS NOW modules: a: no kernel" in capsys.readouterr().out


def test_constants_are_counted(tmp_path: Path) -> None:
    from harness.gate import size

    for folder in size.FOLDERS:
        (tmp_path / folder).mkdir()
    text = "A = 3\nB, C = 4, -5e-6\nD = 'word'\nE = 2 * 1024\nF = True\n"
    (tmp_path / "ir" / "module.py").write_text(text)
    assert product_size(tmp_path)["constants"]["all"] == 4
    assert product_size(tmp_path)["lines"]["ir"] == 5


@pytest.mark.slow
def test_the_product_has_lines() -> None:
    assert product_size(ROOT)["lines"]["ir"] > 1000


@pytest.mark.slow
def test_a_sample_is_recorded(tmp_path: Path) -> None:
    out = tmp_path / "record.json"
    options = ["--kinds", "works,modules", "--only", "^gelu, small|relu 77x", "--jobs"]
    assert load("gate").main(["record", "--out", str(out), *options, "1"]) == 0
    programs = json.loads(out.read_text())["programs"]
    assert len(programs) == 2 and all(one["us"] > 0 for one in programs.values())
