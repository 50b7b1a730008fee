"""Parts of the tuner that decide how long a candidate takes: races, pruning, idling."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import Pipe
from typing import Any

from tilewright.tuning.measure.timing import HostClock, TimingOptions, time_call
from tilewright.tuning.stages.device_idle import DeviceIdle
from tilewright.tuning.stages.slow_estimates import SlowEstimates
from tilewright.tuning.workers.inbox import Inbox, has_next, prefetcher, serve_from


class FixedClock(HostClock):
    """The clock of a device on which every call takes the same time."""

    def __init__(self, milliseconds: float) -> None:
        self.milliseconds = milliseconds

    def warm_ms(self, call: Callable[[], Any], calls: int) -> float:
        return self.milliseconds

    def sample(
        self,
        call: Callable[[], Any],
        repetitions: int,
        head_start_us: float,
        meanwhile: Callable[[], None] | None = None,
    ) -> list[float]:
        if meanwhile is not None:
            meanwhile()
        return super().sample(call, repetitions, head_start_us)


def test_a_loser_is_timed_by_a_few_repetitions() -> None:
    options = TimingOptions(repetition_ms=20.0)
    assert time_call(int, FixedClock(0.1), options).repetitions == 200
    # Up to 1.1 times as slow as the rival all repetitions count, up to 1.3 times some.
    assert time_call(int, FixedClock(0.109), options, 0.1).repetitions == 183
    assert time_call(int, FixedClock(0.129), options, 0.1).repetitions == 25
    loser = time_call(int, FixedClock(0.131), options, 0.1)
    assert (loser.repetitions, loser.p50) == (5, 0.131)


def test_a_loser_is_timed_on_while_no_program_waits() -> None:
    options, clock = TimingOptions(repetition_ms=20.0), FixedClock(0.2)
    ours, theirs = Pipe()
    serve_from(Inbox(theirs))
    slow = time_call(int, clock, options, 0.1, None, has_next)
    assert slow.repetitions == 100
    ours.send(Noted("next"))
    assert time_call(int, clock, options, 0.1, None, has_next).repetitions == 5
    # Without an inbox, as on a cluster's worker, nothing is known of the next job.
    serve_from(None)
    assert time_call(int, clock, options, 0.1, None, has_next).repetitions == 5


def test_the_next_program_loads_while_the_device_works() -> None:
    asked: list[str] = []
    time_call(int, FixedClock(0.1), TimingOptions(), None, lambda: asked.append("now"))
    assert set(asked) == {"now"}
    ours, theirs = Pipe()
    inbox = Inbox(theirs)
    serve_from(inbox)
    prefetch = prefetcher()
    prefetch()  # there is no next job yet
    ours.send(Noted("next"))
    ours.send(Noted("later"))
    prefetch()
    prefetch()
    assert loaded == ["next"]
    assert [inbox.take().name, inbox.take().name] == ["next", "later"]
    serve_from(Inbox(theirs))


loaded: list[str] = []


class Noted:
    """A job that notes what it prefetches."""

    def __init__(self, name: str) -> None:
        self.name = name

    def prefetch(self) -> None:
        loaded.append(self.name)


def test_estimates_are_calibrated_by_the_run() -> None:
    slow = SlowEstimates(5.0)
    assert slow.reason(1000.0) is None
    for number in range(24):
        # Times are two to three times the estimates.
        slow.add(1.0, 2.0 + number / 23)
    assert slow.reason(5.0) is None
    assert "more than 5 times" in str(slow.reason(5.1))
    assert slow.reason(None) is None
    slow.add(1.0, 0.5)  # the model was too pessimistic here, and the best is better
    assert slow.reason(5.0) is None
    assert slow.reason(5.1) is not None


def test_idle_time_has_reasons() -> None:
    now = [0.0]
    idle = DeviceIdle(lambda: now[0])
    for moment, reason in ((3.0, None), (5.0, "compile"), (6.0, "build"), (8.0, None)):
        now[0] = moment
        idle.note(reason)
    assert idle.seconds == {"start": 3.0, "compile": 1.0, "build": 2.0}
