"""The verdicts on the calls of one entry and type, and a run over many of them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import torch

from opinfo.check import Verdict, check
from opinfo.samples import DTYPES, Call, calls, entries
from opinfo.tally import Tally
from tilewright.torch_backend.lowering.node_call import op_name


class Task(NamedTuple):
    """An entry of OpInfo and a type."""

    place: int
    """The entry's place among the chosen ones."""
    entry: str
    dtype: str


class Row(NamedTuple):
    """The verdict on a call."""

    op: str
    entry: str
    verdict: Verdict


@dataclass(frozen=True)
class Selection:
    """What is checked, and how."""

    names: tuple[str, ...] = ()
    """Entries; all if there are none."""
    dtypes: tuple[str, ...] = tuple(DTYPES)
    limit: int | None = None
    """Samples of each entry and type."""
    kernels: bool = False
    """Planned kernels instead of payloads, on a CPU."""
    aten: str | None = None
    """Only ATen ops whose name contains this."""
    calls_of_op: int | None = None
    """Calls of each ATen op and type, over all entries."""
    device: str = "cpu"

    def tasks(self) -> list[Task]:
        """All entries in the first type, then in the next: one with little time left
        has seen each op."""
        chosen = [op.name for op in entries(self.names)]
        return [
            Task(place, name, dtype)
            for dtype in self.dtypes
            for place, name in enumerate(chosen)
        ]


class Quota:
    """How often each ATen op may still be checked in a type."""

    def __init__(self, most: int | None):
        self._most = most
        self._counts: Counter[tuple[str, str]] = Counter()

    def take(self, op: str, dtype: str) -> bool:
        """Whether it may be checked once more."""
        self._counts[op, dtype] += 1
        return self._most is None or self._counts[op, dtype] <= self._most


class Checker:
    """Checks tasks; equal calls once."""

    def __init__(self, selection: Selection):
        self.selection = selection
        self._entries = entries(selection.names)
        self._seen: set[Any] = set()

    def rows(self, task: Task, may: Callable[[str], bool]) -> Iterator[Row]:
        """The verdicts of a task; `may` is asked for each op before it is checked."""
        chosen = self.selection
        op = self._entries[task.place]
        for call in calls(op, DTYPES[task.dtype], chosen.limit, chosen.device):
            name = op_name(call.node)
            if chosen.aten is not None and chosen.aten not in name:
                continue
            key = _signature(call)
            if key in self._seen:
                continue
            self._seen.add(key)
            if not may(name):
                continue
            found = check(call, kernels=chosen.kernels, device=chosen.device)
            yield Row(name, op.name, found)


def run_here(
    selection: Selection, tell: Callable[[str], None] = lambda line: None
) -> Tally:
    """Check everything in this process."""
    tally, checker = Tally(), Checker(selection)
    tasks, quota = selection.tasks(), Quota(selection.calls_of_op)
    start = time.perf_counter()
    for number, task in enumerate(tasks, start=1):
        for row in checker.rows(task, partial(_may, quota, task)):
            tally.add(*row)
        tell_progress(tell, number, tasks, start)
    return tally


def _may(quota: Quota, task: Task, op: str) -> bool:
    return quota.take(op, task.dtype)


def tell_progress(
    tell: Callable[[str], None], number: int, tasks: Sequence[Task], start: float
) -> None:
    """Say now and then how many tasks are done."""
    if number % 100 == 0:
        tell(f"{number} of {len(tasks)}: {time.perf_counter() - start:.0f} s")


def _signature(call: Call) -> Any:
    """Calls that differ in numbers only are equal."""

    def shown(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return f"{value.dtype}{tuple(value.shape)}{value.stride()}"
        return repr(value)

    args = torch.fx.map_arg(
        (call.node.args, tuple(call.node.kwargs.items())),
        lambda node: shown(call.given[node]),  # pyright: ignore
    )
    return op_name(call.node), repr(args)
