"""Device times of launches, from a trace of two calls on an H200.

The trace is of a Transformer layer (`tilewright profile`). Triton launches its kernels
without an ATen op, so that the profiler counts them for an op around the whole call.
"""

from __future__ import annotations

import gzip
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from support.paths import DATA
from tilewright.codegen.runtime.launch_ranges import PREFIX
from tilewright.torch_backend.diagnosis.device_times import device_times, read_trace
from tilewright.torch_backend.diagnosis.explanation import Explanation, kernel_row
from tilewright.torch_backend.diagnosis.kernels import Kernel, Launch
from tilewright.torch_backend.diagnosis.profiling import Profile, rows_of
from tilewright.torch_backend.diagnosis.times import times_in_trace

TRACE = DATA / "traces/transformer_layer.json"
CALLS = 2
ON_DEVICE = ("kernel", "gpu_memset")


@pytest.fixture
def events() -> list[Any]:
    return [dict(event) for event in read_trace(TRACE)]


def _spent(events: list[Any], *names: str) -> float:
    """The device time of a call, of all kernels or those of some names."""
    return (
        sum(
            event["dur"]
            for event in events
            if event["cat"] in ON_DEVICE and (not names or event["name"] in names)
        )
        / CALLS
    )


def test_a_launch_has_the_time_of_its_kernel(events: list[Any]) -> None:
    total, rows = rows_of(events, CALLS, on_gpu=True)
    assert total == pytest.approx(_spent(events))
    *kernels, rest = rows
    assert rest.kernel == "in torch" and rest.microseconds == pytest.approx(0, abs=1e-6)
    ours = [row for row in kernels if row.kernel.endswith("_kernel")]
    assert len(ours) == 5
    for row in ours:
        name = row.kernel.partition("/")[2]
        assert row.microseconds == pytest.approx(_spent(events, name)) and row.launches
        assert row.graph == "inference" and row.schedule.startswith("<planned>:")
    (library,) = (row for row in kernels if row.kernel == "payload0/torch.addmm")
    assert library.launches == 6
    assert sum(row.share or 0.0 for row in rows) == pytest.approx(1)


def test_a_compressed_trace_is_read(events: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "trace.json.gz"
    path.write_bytes(gzip.compress(TRACE.read_bytes()))
    assert read_trace(path) == events


def test_what_the_trace_does_not_link_is_not_measured(events: list[Any]) -> None:
    lost = next(event for event in events if event["name"] == "payload0_dot_kernel")
    number = lost["args"]["correlation"]
    kept = [
        event
        for event in events
        if event["cat"] != "cuda_driver" or event["args"]["correlation"] != number
    ]
    total, rows = rows_of(kept, CALLS, on_gpu=True)
    (row,) = (row for row in rows if row.kernel == "payload0/payload0_dot_kernel")
    assert row.microseconds is None and row.share is None
    assert "not measured" in str(Profile("a GPU", CALLS, total, rows))
    assert device_times(kept, PREFIX).unlinked == ("payload0_dot_kernel",)


def _numbered(events: list[Any]) -> list[str]:
    """Name ranges as `explain` does, by the position of a launch; returns kernels."""
    turns: dict[float, int] = defaultdict(int)
    calls = [e["ts"] for e in events if e["name"] == f"{PREFIX}call"]
    names: dict[int, str] = {}
    for event in events:
        if event["cat"] != "user_annotation":
            continue
        if "/" not in event["name"]:
            event["name"] = "another range"
            continue
        call = max(begin for begin in calls if begin <= event["ts"])
        kernel = event["name"].partition("/")[2].partition(" ")[0]
        event["name"] = f"{PREFIX}{turns[call]} {kernel}"
        names[turns[call]] = kernel
        turns[call] += 1
    return list(names.values())


def _kernel(position: int, name: str, least: float, *, fits_cache: bool) -> Kernel:
    launch = Launch(position, name, frozenset(), None, 1e-6, "memory")
    return Kernel((launch,), None, None, (), 0, 0, least, fits_cache)


def test_explained_times_add_up_to_the_call(events: list[Any]) -> None:
    names = _numbered(events)
    kernels = [
        _kernel(position, name, 7e-6, fits_cache=position == 0)
        for position, name in enumerate(names)
    ]
    found = times_in_trace(events, kernels, CALLS)
    total = _spent(events) * 1e-6
    assert all(found.seconds) and found.other_seconds == pytest.approx(0, abs=1e-9)
    assert sum(one or 0.0 for one in found.seconds) == pytest.approx(total)
    norm = found.seconds[names.index("payload0_reduce_kernel")]
    assert norm == pytest.approx(_spent(events, "payload0_reduce_kernel") * 1e-6)
    other = times_in_trace(events, kernels[1:], CALLS)
    assert other.other_seconds == pytest.approx(0, abs=1e-9)

    rows = [
        kernel_row("inference", "payload0", kernel, seconds, True)
        for kernel, seconds in zip(kernels, found.seconds, strict=True)
    ]
    told = str(Explanation("h200", tuple(rows), (), (), 1.25))
    assert "1 is above the ceiling of memory: it finds its inputs in the L2" in told
    assert "1.2 us more fill or copy memory" in told
    row = kernel_row("inference", "payload0", kernels[0], None, True)
    assert row.ceiling is None and not row.is_measured
    told = str(Explanation("h200", (row,), ()))
    assert "1 kernel for h200, 0.0 us, measured; 1 not measured" in told
