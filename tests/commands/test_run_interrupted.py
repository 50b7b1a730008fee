"""A `run` that is ended from outside: no process and no folder stays behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import tilewright.codegen.runtime.interpret

CHILD = Path(tilewright.codegen.runtime.interpret.__file__).with_name(
    "interpret_child.py"
)

PAYLOAD = """func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.exp ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
"""

PARENT = """
import os, subprocess, sys, time
command = [sys.executable, sys.argv[1], str(os.getpid()), sys.argv[2]]
print(subprocess.Popen(command).pid, flush=True)
time.sleep(60)
"""


def wait_for(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.slow
def test_the_interpreter_dies_with_its_parent(tmp_path: Path) -> None:
    source = "import pathlib, time\n\n\ndef f():\n    time.sleep(60)\n"
    started = tmp_path / "started"
    (tmp_path / "s.py").write_text(f"{source}\npathlib.Path({str(started)!r}).touch()")
    call = {"source": "s.py", "entry": "f", "numbers": [], "types": []}
    (tmp_path / "call.json").write_text(json.dumps(call))
    command = [sys.executable, "-c", PARENT, str(CHILD), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        wait_for(started.exists)
        assert is_alive(child)
        parent.kill()
        wait_for(lambda: not is_alive(child))


@pytest.mark.slow
def test_sigterm_ends_a_run_that_cleans_up(tmp_path: Path) -> None:
    (tmp_path / "payload.mlir").write_text(PAYLOAD)
    with subprocess.Popen(
        [sys.executable, "-m", "tilewright", "run", "payload.mlir"],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        wait_for(lambda: bool(list(tmp_path.glob("tilewright-runs-*/run-*/lock"))))
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 128 + signal.SIGTERM
    assert not list(tmp_path.glob("tilewright-runs-*/*"))
