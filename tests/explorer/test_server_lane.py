"""The worker of the server: limits, crashes, and requests that are overtaken."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing

import pytest

from support.explorer.jobs import Crash, Hog, Sleep
from tilewright.explorer.server.lane import JobFailure, JobTimeout, Lane, Superseded


@pytest.fixture(scope="module")
def lane() -> Iterator[Lane]:
    with closing(Lane("support.explorer.jobs")) as started:
        yield started


def test_a_job_runs_in_another_process(lane: Lane) -> None:
    assert lane.submit(Sleep(0), 10.0).result(60) != os.getpid()


def test_a_job_that_takes_too_long_is_ended_and_the_next_one_runs(lane: Lane) -> None:
    late = lane.submit(Sleep(60), 0.2)
    after = lane.submit(Sleep(0), 10.0)
    with pytest.raises(JobTimeout, match=r"not done after 0\.2 s"):
        late.result(60)
    assert after.result(60)


def test_a_crash_costs_one_job(lane: Lane) -> None:
    crashed, after = lane.submit(Crash(), 10.0), lane.submit(Sleep(0), 10.0)
    with pytest.raises(JobFailure, match="SIGSEGV"):
        crashed.result(60)
    assert after.result(60)


def test_memory_is_limited(lane: Lane) -> None:
    with pytest.raises(JobFailure, match="more memory than a request may have"):
        lane.submit(Hog(), 10.0).result(60)


def test_a_newer_request_ends_an_older_one(lane: Lane) -> None:
    running = lane.submit(Sleep(60), 60.0, "page")
    waiting = lane.submit(Sleep(60), 60.0, "page")
    other = lane.submit(Sleep(0), 10.0, "other page")
    newest = lane.submit(Sleep(0), 10.0, "page")
    assert newest.result(60) and other.result(60)
    for old in (running, waiting):
        with pytest.raises(Superseded):
            old.result(60)
