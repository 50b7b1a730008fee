"""`make test-other-cpu` takes instructions away, and names tests that exist."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys

import pytest

import other_cpu

FEATURES = """
import json, numpy
print(json.dumps(numpy._core._multiarray_umath.__cpu_features__))
"""


def test_the_chosen_tests_exist() -> None:
    assert [
        name for name in other_cpu.CHOSEN if not (other_cpu.TESTS / name).exists()
    ] == []


def test_numpy_does_without_the_features() -> None:
    for name, environment in other_cpu.processors():
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", FEATURES],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{name}: {done.stderr}"
        found = json.loads(done.stdout)
        gone = environment["NPY_DISABLE_CPU_FEATURES"].split()
        assert gone and not any(found[feature] for feature in gone), name


def test_other_machines_are_skipped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("a run"))
    assert other_cpu.main([]) == 0
    assert "skipped" in capsys.readouterr().out


def test_a_processor_without_the_features_is_not_imitated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(other_cpu, "removable", lambda: {})
    assert list(other_cpu.processors()) == []
    monkeypatch.setattr(other_cpu, "removable", lambda: {"X86_V3": False})
    assert [name for name, _ in other_cpu.processors()] == ["without AVX2"]
