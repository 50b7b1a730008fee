"""Faults of the machine and of candidates, in real runs: nothing recorded is lost.

The run goes on, or it stops with one sentence and a documented exit code. Every run is
a process of its own, with real workers and real signals.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from support.tuning.faulty_run import faulty_run, outcomes

pytestmark = pytest.mark.slow


def test_faults_of_candidates_cost_one_trial_each(tmp_path: Path) -> None:
    kinds = ["wrong", "spins", "out of bounds", "host memory", "device memory"]
    kinds += ["killed", "right"]
    with faulty_run(tmp_path, *kinds) as run:
        code, out, err = run.end()
    assert code == 0, err
    assert "best right" in out
    found = outcomes(tmp_path)
    # On a busy machine it may not have had the processor.
    assert found.pop("spins")[0] == "timeout"
    assert found == {
        "right": ("ok", "candidate"),
        "wrong": ("wrong", "candidate"),
        "out of bounds": ("crash", "candidate"),
        "host memory": ("crash", "candidate"),
        # Not proven to be the candidate's fault: the next run tries them again.
        "device memory": ("crash", "environment"),
        "killed": ("crash", "environment"),
    }


@pytest.mark.parametrize("whom", ["workers", "everyone it started"])
def test_killed_workers_and_a_killed_server_are_replaced(
    tmp_path: Path, whom: str
) -> None:
    """The server, the compilers and the worker with the device, at once or half."""
    kinds = [f"right:{n}" for n in range(12)]
    with faulty_run(tmp_path, *kinds) as run:
        run.wait_for_trials(2)
        victims = sorted(run.workers())
        assert victims
        for pid in victims if whom == "everyone it started" else victims[1::2]:
            with_suppressed_kill(pid)
        code, out, err = run.end()
    assert code == 0, err
    assert outcomes(tmp_path) == dict.fromkeys(kinds, ("ok", "candidate")), out


def with_suppressed_kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # it ended with its parent


def test_ctrl_c_keeps_the_best_so_far(tmp_path: Path) -> None:
    with faulty_run(tmp_path, "right", "slow", "hangs") as run:
        run.wait_for_trials(1)
        run.process.send_signal(signal.SIGINT)
        code, out, err = run.end()
    assert code == 0, err
    assert out.splitlines()[-1] == "interrupted"
    assert "best right" in out
    assert outcomes(tmp_path)["right"] == ("ok", "candidate")


def test_ctrl_c_twice_ends_at_once(tmp_path: Path) -> None:
    with faulty_run(tmp_path, "right", "slow", "hangs") as run:
        run.wait_for_trials(1)
        start = time.monotonic()
        for _ in range(2):
            run.process.send_signal(signal.SIGINT)
            time.sleep(0.02)
        code, _, err = run.end()
        assert time.monotonic() - start < 15.0
    assert code in (0, 130), err
    assert outcomes(tmp_path)["right"] == ("ok", "candidate")


def test_ctrl_c_before_the_first_result(tmp_path: Path) -> None:
    with faulty_run(tmp_path, "hangs") as run:
        while not run.workers():
            time.sleep(0.05)
        time.sleep(0.5)
        run.process.send_signal(signal.SIGINT)
        code, _, err = run.end()
    assert code == 130
    assert err.strip().splitlines()[-1] == "interrupted"


def test_two_tuners_share_one_file(tmp_path: Path) -> None:
    kinds = [f"right:{n}" for n in range(10)]
    with faulty_run(tmp_path, *kinds) as one, faulty_run(tmp_path, *kinds) as other:
        ends = [run.end() for run in (one, other)]
    assert [code for code, _, _ in ends] == [0, 0], ends
    assert outcomes(tmp_path) == dict.fromkeys(kinds, ("ok", "candidate"))


def test_a_lost_device_stops_the_run_and_blames_no_candidate(tmp_path: Path) -> None:
    kinds = ["right", *(f"lost:{n}" for n in range(30))]
    with faulty_run(tmp_path, *kinds) as run:
        run.wait_for_trials(3)
        (tmp_path / "lost").write_text("")
        code, out, err = run.end()
    assert code == 1
    assert "best" in out  # what was found before is kept
    (message,) = err.strip().splitlines()
    assert message.startswith("error: the device is lost: RuntimeError: CUDA error: no")
    assert "run the same command again" in message
    before = outcomes(tmp_path)
    assert set(before.values()) == {("ok", "candidate")}
    assert 3 <= len(before) < len(kinds)
    (tmp_path / "lost").unlink()  # the device is back
    with faulty_run(tmp_path, *kinds) as run:
        code, out, err = run.end()
    assert code == 0, err
    assert len(outcomes(tmp_path)) == len(kinds)


def test_a_run_in_which_the_environment_fails_all_stops(tmp_path: Path) -> None:
    kinds = ["right", *(f"device memory:{n}" for n in range(40))]
    with faulty_run(tmp_path, *kinds) as run:
        code, out, err = run.end()
    assert code == 1
    assert "best right" in out
    (message,) = err.strip().splitlines()
    assert "the last 20 candidates failed, and none by its own fault: " in message
    assert "OutOfMemoryError" in message
    found = list(outcomes(tmp_path).values())
    assert found.count(("crash", "environment")) < 40
    assert ("ok", "candidate") in found


SMALL_DISK = """
mount -t tmpfs -o size=$1k none "$2" || exit 77
cd "$2"; shift 2
"$@"; code=$?
cp results.db* ..
exit $code
"""


@pytest.mark.skipif(
    subprocess.run(["unshare", "-rm", "true"], check=False).returncode != 0,
    reason="no file system can be mounted here",
)
def test_a_full_disk_stops_the_run_with_a_sentence(tmp_path: Path) -> None:
    """A real file system for the results, which fills up in the middle of the run."""
    disk = tmp_path / "disk"
    disk.mkdir()
    kinds = [f"right:{n}" for n in range(60)]
    before = ("unshare", "-rm", "bash", "-c", SMALL_DISK, "bash", "200", str(disk))
    with faulty_run(disk, *kinds, before=before, elsewhere=tmp_path) as run:
        code, out, err = run.end()
    assert code == 1, out + err
    assert "best right" in out
    (message,) = err.strip().splitlines()
    assert message.startswith("error: cannot write the results file")
    kept = outcomes(tmp_path)
    assert 1 <= len(kept) < len(kinds)
    assert set(kept.values()) == {("ok", "candidate")}
