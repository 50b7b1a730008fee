"""A benchmark over a table of works: its record, its clock, the session of a work."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import torch

from harness.session import Session, heading
from harness.timing import (
    Clock,
    DeviceClock,
    Outputs,
    WallClock,
    replayed,
    write_json,
)

SHORT_SECONDS = 20e-6
"""Work that the card could do in this time is timed by replaying a CUDA graph."""
TRITON_CACHE = "TRITON_CACHE_DIR"


class Bench:
    """One run over the works that `options` name, within `options.budget` seconds."""

    sample_ms = 10.0
    """How long a contender is called in a round."""

    def __init__(self, options: argparse.Namespace, **record: Any) -> None:
        """Open the record, which has `record` after its heading."""
        self.options = options
        self.dry: bool = options.dry
        self.device = "cpu" if self.dry else "cuda"
        self.started = time.monotonic()
        self.deadline = self.started + options.budget
        self.record: dict[str, Any] = {**heading(self.dry), **record}
        self._copies: dict[float, float] = {}

    @cached_property
    def clock(self) -> Clock:
        """The clock that all sessions share, made when first used."""
        return WallClock() if self.dry else DeviceClock()

    def say(self, text: str) -> None:
        """Print progress with the time."""
        print(f"[{time.monotonic() - self.started:6.1f} s] {text}", flush=True)

    def save(self) -> None:
        """Write the record so far."""
        if self.options.out is not None:
            write_json(self.options.out, self.record)

    def has_time(self, seconds: float = 5.0) -> bool:
        """Whether so much of the budget is left; a dry run always begins a work."""
        return time.monotonic() <= self.deadline - (0 if self.dry else seconds)

    def session(
        self,
        name: str,
        reference: Outputs,
        tolerance: float,
        *,
        operations: float,
        moved: float,
        write: Callable[[], None] = lambda: None,
    ) -> Session:
        """The session of a work, to which its contenders are added."""
        return Session(
            {"work": name},
            reference,
            tolerance,
            operations,
            rounds=self.options.rounds,
            budget=self.deadline - time.monotonic(),
            dry=self.dry,
            moved=moved,
            sample_ms=self.sample_ms,
            clock=self.clock,
            write=write,
        )

    def copy_ms(self, moved: float) -> float:
        """The time of a copy that moves as many bytes."""
        found = self._copies.get(moved)
        if found is None:
            half = torch.empty(int(moved) // 2, dtype=torch.uint8, device=self.device)
            other = torch.empty_like(half)
            found = median(self.clock.sample(lambda: other.copy_(half), 3, 20))
            self._copies[moved] = found
        return found

    def forget_work(self) -> None:
        """Release what torch keeps of a work that is done."""
        torch._dynamo.reset()
        if not self.dry:
            torch.cuda.empty_cache()

    def device_line(self) -> str:
        """The card and the versions, for the head of a table."""
        where = self.record["environment"]
        device = where["gpu"] or "dry run on the CPU: the figures mean nothing"
        return f"{device}; torch {where['torch']}, triton {where['triton']}"


@contextmanager
def own_triton_cache() -> Iterator[None]:
    """Undo what inductor does to Triton's cache: it takes it for itself.

    What was compiled ahead lies in the folder that the environment names now.
    """
    cache = os.environ.get(TRITON_CACHE)
    try:
        yield
    finally:
        os.environ.pop(TRITON_CACHE, None)
        if cache is not None:
            os.environ[TRITON_CACHE] = cache


def replay(session: Session) -> str:
    """Replay CUDA graphs instead of launching; of none, if one cannot be captured."""
    try:
        graphs = [replayed(contender) for contender in session.contenders]
    except Exception as error:
        session.say(f"no CUDA graph: {type(error).__name__}: {error}")
        return "launched"
    session.contenders[:] = graphs
    return "graph"


def earlier_rivals(path: Path | None) -> dict[str, list[dict[str, Any]]]:
    """The rivals' rows of an earlier record, by work."""
    if path is None:
        return {}
    found: dict[str, list[dict[str, Any]]] = {}
    for name, work in json.loads(path.read_text())["works"].items():
        rows = (work.get("timed") or work).get("rows", ())
        rivals = [row | {"earlier": True} for row in rows if not row["ours"]]
        if rivals:
            found[name] = rivals
    return found


def median(samples: list[float]) -> float:
    """The middle one of the samples."""
    return sorted(samples)[len(samples) // 2]
