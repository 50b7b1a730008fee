"""Turns on a GPU, as locks of a file."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from tilewright.tuning.measure import device_turn
from tilewright.tuning.measure.device_turn import turn


def test_the_second_waits_until_the_first_has_ended(tmp_path: Path) -> None:
    file, seen, inside = tmp_path / "gpu.lock", list[str](), threading.Event()

    def first() -> None:
        with turn(file):
            inside.set()
            time.sleep(0.05)
            seen.append("first")

    one = threading.Thread(target=first)
    one.start()
    inside.wait()
    with turn(file):
        seen.append("second")
    one.join()
    assert seen == ["first", "second"]


def test_nobody_waits_for_ever(tmp_path: Path) -> None:
    file = tmp_path / "gpu.lock"
    with turn(file):
        started = time.monotonic()
        with turn(file, longest_wait=0.05):
            assert 0.05 <= time.monotonic() - started


def test_who_waits_comes_before_who_had_a_turn(tmp_path: Path) -> None:
    file, turns = tmp_path / "gpu.lock", list[str]()

    def work(name: str) -> None:
        for _ in range(4):
            with turn(file):
                turns.append(name)
                time.sleep(0.02)

    workers = [threading.Thread(target=work, args=(name,)) for name in "ab"]
    with turn(file):
        for worker in workers:
            worker.start()
        time.sleep(0.05)
    for worker in workers:
        worker.join()
    in_order = "".join(turns)
    assert len(in_order) == 8
    assert "aaa" not in in_order and "bbb" not in in_order, in_order


def test_a_turn_ends_with_an_error(tmp_path: Path) -> None:
    file = tmp_path / "gpu.lock"
    try:
        with turn(file):
            raise ValueError("a kernel failed")
    except ValueError:
        pass
    started = time.monotonic()
    with turn(file, longest_wait=60.0):
        assert time.monotonic() - started < 30.0


def test_a_file_that_cannot_be_opened_stops_nobody(tmp_path: Path) -> None:
    with turn(tmp_path / "no folder" / "gpu.lock"):
        pass
    link = tmp_path / "link.lock"
    link.symlink_to(tmp_path / "elsewhere")
    with turn(link):
        assert not (tmp_path / "elsewhere").exists()


def test_the_cpu_has_no_turns(monkeypatch) -> None:
    def unexpected() -> Path:
        raise AssertionError("the CPU needs no lock")

    monkeypatch.setattr(device_turn, "_lock_file", unexpected)
    with device_turn.device_turn("cpu"):
        pass
