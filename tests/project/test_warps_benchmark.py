"""The benchmark of warps with roles: what hangs is ended, and left out afterwards."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from support.paths import BENCHMARKS
from support.project.benchmark_modules import load

CHILD = """
import json, sys, time
def say(**fields): print(json.dumps(fields), flush=True)
say(step="make inputs")
done = []
for name in ("one", "two", "three"):
    if name in sys.argv:
        continue
    say(step=f"check {name}")
    if name in HANGING:
        time.sleep(60)
    done.append(name)
if FAILS:
    raise SystemExit("no GPU")
say(result={"done": done})
"""


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))


def watched(tmp_path: Path, hanging: Sequence[str], *, fails: bool = False) -> Any:
    watch = load("warps/watch").watch
    script = tmp_path / "child.py"
    head = f"HANGING, FAILS = {list(hanging)}, {fails}\n"
    script.write_text(head + CHILD)
    return watch(
        lambda skip: [sys.executable, str(script), *skip],
        step_seconds=1.0,
        deadline=time.monotonic() + 30,
    )


def test_a_work_that_ends(tmp_path: Path) -> None:
    found = watched(tmp_path, [])
    assert found.result == {"done": ["one", "two", "three"]}
    assert not found.hung and not found.error


def test_what_hangs_is_left_out(tmp_path: Path) -> None:
    found = watched(tmp_path, ["two", "three"])
    assert found.result == {"done": ["one"]}
    assert found.hung == ["two", "three"]


def test_a_failure_is_told(tmp_path: Path) -> None:
    found = watched(tmp_path, [], fails=True)
    assert found.result is None
    assert "no GPU" in found.error


def test_the_works_have_names_and_schedules() -> None:
    works = load("warps/works").table()
    assert len({work.name for work in works}) == len(works)
    for work in works:
        assert work.ours, work.name
        files = [ours.schedule for ours in work.ours if ours.schedule is not None]
        is_planned = [ours.name for ours in work.ours] == ["planned"]
        assert (files or is_planned) and all(file.exists() for file in files)
        names = [ours.name for ours in work.ours]
        assert len(set(names)) == len(names)


@pytest.mark.slow
def test_small_works_are_right_in_the_interpreter() -> None:
    """As the sanitizer runs them; the interpreter finds races."""
    import tilewright

    table, timing = load("warps/tiny_works").table, load("harness/timing")
    for work in table():
        (ours,) = work.ours
        tensors = work.inputs("cpu")
        program = tilewright.compile(
            work.payload(), ours.source, target="h200", **ours.point
        )
        made, exact = program(*tensors), work.reference(*tensors)
        assert timing.relative_error(made, exact) <= work.tolerance, work.name


def test_each_small_work_has_one_schedule() -> None:
    works = load("warps/tiny_works").table()
    assert len({work.name for work in works}) == len(works) >= 10
    assert all(len(work.ours) == 1 for work in works)
