"""A measuring process for each card: candidates are shared out, results are one run's.

The cards are names in the environment of the processes, which time on the host.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from support.tuning.runs import options, subject
from support.tuning.samples import Sample, Sleep, Watcher, broken
from tilewright.codegen.cuda_driver import DeviceProperties
from tilewright.commands.terminal.failure import UsageError
from tilewright.commands.tune import machines
from tilewright.commands.tune.machines import (
    MachineOptions,
    check_machine_options,
    chosen_devices,
    run_machines,
)
from tilewright.tuning.results.database import Database
from tilewright.tuning.space.choices import Point
from tilewright.tuning.space.space import space_of
from tilewright.tuning.tuner import tune
from tilewright.tuning.workers.pools import Finished, Pool, wait
from tilewright.tuning.workers.run_workers import device_environment, local_workers
from tilewright.tuning.workers.worker_pool import ProcessPool

H200 = DeviceProperties("NVIDIA H200", 9, 0, 132, 232448, 233472, 65536, 2048, 63 << 20)
A40 = replace(H200, name="NVIDIA A40", major=8, minor=6)


@dataclass(frozen=True)
class TellDevice:
    """A job that tells the card of its process."""

    dies: bool = False

    def run(self) -> str:
        if self.dies:
            os._exit(9)
        return os.environ["CUDA_VISIBLE_DEVICES"]


def collected(pool: Pool, count: int) -> list[Finished]:
    found: list[Finished] = []
    while len(found) < count:
        found += wait([pool], 30.0)
    return found


@pytest.mark.slow
def test_a_process_that_is_replaced_keeps_its_card() -> None:
    cards = [{"CUDA_VISIBLE_DEVICES": name} for name in ("0", "2")]
    with ProcessPool(2, "", limit=30.0, ahead=1, environments=cards) as pool:
        for _ in range(2):
            # The second job comes to the second process, since the first is busy.
            pool.submit(Sleep(0.5))
            pool.submit(TellDevice(dies=True))
            assert {done.ending for done in collected(pool, 2)} == {"ok", "crash"}
            pool.submit(Sleep(0.5))
            pool.submit(TellDevice())
            (told,) = [done.value for done in collected(pool, 2) if done.value]
            assert told == "2"


def test_a_card_is_one_of_the_visible_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    assert device_environment(1) == {"CUDA_VISIBLE_DEVICES": "1"}
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3, GPU-5a")
    assert device_environment(1) == {"CUDA_VISIBLE_DEVICES": "GPU-5a"}


@pytest.mark.slow
def test_all_cards_measure_the_candidates_of_one_run(tmp_path: Path) -> None:
    log = tmp_path / "measured"
    log.touch()

    def build(point: Point) -> Sample:
        return Sample(
            broken(
                "    if a.device.type == 'cpu':\n"
                "        card = os.environ['CUDA_VISIBLE_DEVICES']\n"
                f"        os.write(os.open({str(log)!r}, os.O_WRONLY | os.O_APPEND), "
                f"f'{{card}} {point['number']}\\n'.encode())\n"
                f"        time.sleep(0.05)\n"
                "    return a + 1"
            )
        )

    task = replace(
        subject(["fast"], build), space=space_of({"number": list(range(12))})
    )
    settings = options(tmp_path, trials=12, measure_limit=30.0)
    watcher = Watcher()
    with (
        Database(tmp_path / "results.db") as database,
        local_workers(1, with_device=True, devices=(0, 2)) as workers,
    ):
        result = tune(task, settings, database, watcher, workers)
    assert len(result.trials) == 12
    assert all(trial.outcome == "ok" for trial in result.trials)
    pairs = [line.split() for line in log.read_text().splitlines()]
    by_card = {card: {n for c, n in pairs if c == card} for card in ("0", "2")}
    assert len(by_card["0"]) >= 3 and len(by_card["2"]) >= 3
    assert {n for _, n in pairs} == {str(number) for number in range(12)}


def test_all_are_those_of_the_most_common_kind() -> None:
    assert chosen_devices([H200], "all") == ((0,), [])
    assert chosen_devices([A40, H200, H200], "all") == ((1, 2), ["1 x NVIDIA A40"])
    assert chosen_devices([H200, A40, H200], "2,0,2") == ((2, 0), [])


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("0,2", "there is no card 2; there are 2 cards here"),
        ("0,1", "several kinds, whose times must not be compared"),
    ],
)
def test_cards_that_do_not_fit_are_refused(wanted: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        chosen_devices([H200, A40], wanted)


@pytest.mark.parametrize(
    ("given", "target", "message"),
    [
        (MachineOptions(devices="first"), None, "not numbers of cards"),
        (MachineOptions(devices="0,"), None, "not numbers of cards"),
        (MachineOptions(devices="all", cluster="local"), None, "of its workers"),
        (MachineOptions(devices="all", workers=2), None, "of its workers"),
        (MachineOptions(devices="all"), "h200", "--target measures nothing"),
    ],
)
def test_options_that_contradict_each_other(
    given: MachineOptions, target: str | None, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        check_machine_options(given, target)


@contextmanager
def chosen(
    monkeypatch: pytest.MonkeyPatch, present: tuple[DeviceProperties, ...], wanted: str
) -> Iterator[tuple[machines.RunMachines, str]]:
    monkeypatch.setattr(machines, "present_devices", lambda: present)
    said: list[str] = []
    with run_machines(MachineOptions(devices=wanted), said.append) as found:
        yield found, "\n".join(said)


def test_what_is_said_of_the_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    with chosen(monkeypatch, (), "0,2") as (found, said):
        assert found.target is None and found.devices == ()
        assert said == "--devices 0,2: there is no GPU here, so nothing is measured"
    with chosen(monkeypatch, (H200,), "all") as (found, said):
        assert found.devices == (0,)
        assert said == "measured on 1 x NVIDIA H200 (number 0); there is no other"
    with chosen(monkeypatch, (A40, H200, H200), "all") as (found, said):
        assert found.devices == (1, 2) and found.device_name == "NVIDIA H200"
        assert found.target is not None and found.target.name == "h200"
        assert "2 x NVIDIA H200 (number 1, 2); of another kind, not used: 1 x" in said
