"""`tilewright.profile`: a trace in which each kernel has its schedule's line.

found = tilewright.profile(model, (x,), output="trace.json")
print(found)                   # a table of kernels, the slowest first

Each launch is a range `tilewright::<payload>/<kernel> <schedule line>` of torch's
profiler, inside the range of its graph. Models that are compiled in the usual way have
no ranges, and their calls take no longer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import torch

from tilewright.codegen.runtime.launch_ranges import PREFIX, named_ranges
from tilewright.torch_backend.diagnosis.capture import Model, capture
from tilewright.torch_backend.diagnosis.device_times import (
    Event,
    Range,
    device_times,
    read_trace,
)
from tilewright.torch_backend.options import read_options

if TYPE_CHECKING:
    from rich.console import RenderableType

_CALL = f"{PREFIX}call"


@dataclass(frozen=True)
class ProfileRow:
    """The launches of one kernel in a call of the model."""

    graph: str
    kernel: str
    """`payload0/payload0_dot_kernel`."""
    schedule: str
    """The statement of the schedule that made it; empty if the default did."""
    launches: float
    microseconds: float | None
    """In a call, all launches together; None if the profiler saw none on the GPU."""
    share: float | None
    """Of the whole call."""


@dataclass(frozen=True)
class Profile:
    """The time of a call, by kernels."""

    device: str
    calls: int
    microseconds: float
    """Of a call: on the GPU, its kernels'; on a CPU, the interpreter's."""
    rows: tuple[ProfileRow, ...]
    """The slowest kernel first; the last row is what runs in torch."""
    trace: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return asdict(self)

    def __rich__(self) -> RenderableType:
        """A table for a console of rich."""
        return _table(self)

    def __str__(self) -> str:
        """The table as text."""
        from tilewright.torch_backend.diagnosis.tables import as_text

        return as_text(self)


def profile(
    model: Model,
    args: Sequence[Any] = (),
    *,
    output: str | Path | None = None,
    calls: int = 5,
    backward: bool = False,
    options: Mapping[str, Any] | None = None,
) -> Profile:
    """Record some calls of a compiled model; `output` is the file of the trace.

    The trace is Chrome's format: `chrome://tracing` and perfetto.dev show it. Without
    a GPU, an interpreter runs the kernels, and the times are the interpreter's.
    """
    on_gpu = torch.cuda.is_available()
    given: dict[str, Any] = {} if on_gpu else {"interpreter": "kernels"}
    chosen = read_options(None, {**given, **(options or {})})
    activities = [torch.profiler.ProfilerActivity.CPU]
    if on_gpu:
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    with named_ranges():
        captured = capture(model, args, chosen, backward=backward, by="kernels")
        for _ in range(2 if on_gpu else 0):
            captured.call()
        with torch.profiler.profile(activities=activities) as profiler:
            for _ in range(calls):
                with torch.profiler.record_function(_CALL):
                    captured.call()
                if on_gpu:
                    torch.cuda.synchronize()
    with TemporaryDirectory() as folder:
        path = Path(output or Path(folder) / "trace.json")
        path.parent.mkdir(parents=True, exist_ok=True)
        profiler.export_chrome_trace(str(path))
        total, rows = rows_of(read_trace(path), calls, on_gpu)
    device = torch.cuda.get_device_name() if on_gpu else "an interpreter, without a GPU"
    trace = None if output is None else str(output)
    return Profile(device, calls, total, rows, trace)


def rows_of(
    events: Iterable[Event], calls: int, on_gpu: bool
) -> tuple[float, tuple[ProfileRow, ...]]:
    """The time of a call, and of each kernel, from a trace of several calls."""
    found = device_times(events, PREFIX)
    total = found.device_microseconds
    if not on_gpu:
        total = sum(o.host_microseconds for o in found.ranges if o.name == _CALL)
    kernels: defaultdict[tuple[str, str], list[Range]] = defaultdict(list)
    for one in found.ranges:
        if "/" in one.name:
            kernels[_graph(one), one.name.removeprefix(PREFIX)].append(one)
    rows = [
        _row(graph, name, ranges, calls, total, on_gpu)
        for (graph, name), ranges in kernels.items()
    ]
    rows.sort(key=lambda row: -(row.microseconds or 0.0))
    rest = max(total / calls - sum(row.microseconds or 0.0 for row in rows), 0.0)
    share = rest * calls / total if total else 0.0
    return total / calls, (*rows, ProfileRow("", "in torch", "", 0, rest, share))


def _row(
    graph: str,
    name: str,
    ranges: Sequence[Range],
    calls: int,
    total: float,
    on_gpu: bool,
) -> ProfileRow:
    """The row of the ranges of one kernel."""
    kernel, _, schedule = name.partition(" ")
    spent: float | None = sum(one.host_microseconds for one in ranges)
    if on_gpu:
        is_whole = all(one.launched for one in ranges)
        spent = sum(one.device_microseconds for one in ranges) if is_whole else None
    return ProfileRow(
        graph,
        kernel,
        schedule,
        len(ranges) / calls,
        None if spent is None else spent / calls,
        None if spent is None or not total else spent / total,
    )


def _graph(launch: Range) -> str:
    """The graph that a launch belongs to, by the range around it."""
    outer = launch.outer
    while outer is not None and "/" in outer.name:
        outer = outer.outer
    return "" if outer is None else outer.name.removeprefix(PREFIX)


def _table(found: Profile) -> RenderableType:
    """A table of kernels, the slowest first."""
    from rich.console import Group
    from rich.text import Text

    from tilewright.torch_backend.diagnosis.tables import table_of

    several = len({row.graph for row in found.rows if row.graph}) > 1
    table = table_of(
        f"{found.microseconds:.1f} us a call, mean of {found.calls}; {found.device}",
        (*(["graph"] if several else []), "kernel", "schedule"),
        ("launches", "us", "share"),
    )
    for row in found.rows:
        table.add_row(
            *([row.graph] if several else []),
            Text(row.kernel),
            Text(row.schedule),
            f"{row.launches:g}" if row.launches else "",
            "not measured" if row.microseconds is None else f"{row.microseconds:.1f}",
            "" if row.share is None else f"{row.share:.0%}",
        )
    wrote = [] if found.trace is None else [Text(f"wrote {found.trace}")]
    return Group(table, *wrote)
