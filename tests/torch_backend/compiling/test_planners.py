"""Other processes plan payloads, with the programs that this process would make."""

from __future__ import annotations

import shutil
import sys
import time
from dataclasses import replace

import pytest

from tilewright.codegen.targets import target_named
from tilewright.frontend.builder import Payload
from tilewright.torch_backend.compiling import planners
from tilewright.torch_backend.compiling.planned_program import planned_program
from tilewright.torch_backend.compiling.planner_process import Failed, Job, planned
from tilewright.torch_backend.compiling.planners import (
    answer_for,
    planned_ahead,
    processes_for,
)
from tilewright.torch_backend.compiling.stored_programs import (
    StoredProgram,
    StoredRefusal,
)

H200 = target_named("h200")


def sums(rows: int) -> Payload:
    """Sums of the rows of a tensor."""
    payload = Payload("sums")
    payload.output(payload.input("x", (rows, 64), "f32").sum(1))
    return payload


def job(rows: int) -> Job:
    return Job(sums(rows).text(), None, H200, "h200")


def waited_for(key: str) -> StoredProgram | StoredRefusal | None:
    """The answer of a process, which has begun with the job at the end."""
    futures = planners._ahead.get()
    assert futures is not None
    until = time.monotonic() + 100
    while not (futures[key].running() or futures[key].done()):
        assert time.monotonic() < until
        time.sleep(0.01)
    return answer_for(key)


def test_a_payload_from_its_text_has_the_same_program() -> None:
    here = planned_program(sums(32).module, H200, "h200")
    there = planned(job(32))
    assert isinstance(there, StoredProgram)
    assert there.program.text == here.built.program.text
    assert there.kernel == StoredProgram.of(here).kernel


def test_an_error_is_the_answer_to_its_job() -> None:
    assert isinstance(planned(Job("no payload", None, H200, "h200")), StoredRefusal)
    impossible = replace(H200, hbm_bandwidth=0.0)
    assert isinstance(planned(replace(job(32), gpu=impossible)), Failed)


def test_a_process_that_ends_leaves_its_payload_to_this_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    false = shutil.which("false")
    assert false is not None
    monkeypatch.setattr(sys, "executable", false)
    with planned_ahead({"a": job(32)}, 1):
        assert waited_for("a") is None


def test_few_payloads_start_no_process() -> None:
    assert processes_for(0) == processes_for(3) == 0
    with planned_ahead({"a": job(32)}, 0):
        assert answer_for("a") is None


@pytest.mark.slow
def test_processes_answer_in_the_order_from_the_last() -> None:
    with planned_ahead({"first": job(32), "last": job(48)}, 1):
        answer = waited_for("last")
        assert answer == planned(job(48))
