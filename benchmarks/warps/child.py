"""One work in a process of its own: compile, wait for the GPU, check, time interleaved.

It prints a line before each step, so that whoever watches it knows what hangs:

    {"step": "check roles turns 1 ring 2"}
    {"result": {...}}
"""

from __future__ import annotations

import fcntl
import json
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from contenders.ours import Ours
from harness.session import Session
from harness.timing import Clock, Contender, DeviceClock
from warps.work import Work

SEED_RUNS = 3
"""Launches whose results must be the same bits."""


def say(**fields: Any) -> None:
    """Print a line of JSON."""
    print(json.dumps(fields), flush=True)


class WatchedClock:
    """A clock that says what it times before it does."""

    def __init__(self, clock: Clock):
        """Take the clock that times."""
        self.clock = clock
        self.names: dict[Callable[[], Any], str] = {}
        self.flush_bytes = getattr(clock, "flush_bytes", 0)

    def estimate(self, call: Callable[[], Any]) -> float:
        """As the clock."""
        say(step=f"time {self.names.get(call, '?')}")
        return self.clock.estimate(call)

    def sample(
        self, call: Callable[[], Any], warm_up: int, repetitions: int
    ) -> list[float]:
        """As the clock."""
        say(step=f"time {self.names.get(call, '?')}")
        return self.clock.sample(call, warm_up, repetitions)


def measure(
    work: Work,
    skip: Collection[str],
    rounds: int,
    seconds: float,
    turn: Path,
) -> None:
    """Check and time what is not to be skipped, and print the record.

    The file `turn` is locked while the GPU is used: other works compile meanwhile.
    """
    programs, failed = _programs(work, skip)
    with _own_turn(turn):
        _measure(work, programs, failed, skip, rounds, seconds)


def _programs(
    work: Work, skip: Collection[str]
) -> tuple[dict[str, tuple[Ours, Any]], list[tuple[Ours, Exception]]]:
    """Our programs by name, and the points that are refused."""
    import tilewright

    programs: dict[str, tuple[Ours, Any]] = {}
    failed: list[tuple[Ours, Exception]] = []
    for ours in work.ours:
        if ours.name in skip:
            continue
        say(step=f"compile {ours.name}")
        try:
            program = tilewright.compile(
                work.payload(), ours.source, target="auto", **ours.point
            )
        except Exception as error:
            failed.append((ours, error))
        else:
            programs[ours.name] = ours, program
    return programs, failed


@contextmanager
def _own_turn(path: Path) -> Iterator[None]:
    say(step="wait for the GPU")
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _measure(
    work: Work,
    programs: dict[str, tuple[Ours, Any]],
    failed: list[tuple[Ours, Exception]],
    skip: Collection[str],
    rounds: int,
    seconds: float,
) -> None:
    say(step="make inputs")
    tensors = work.inputs("cuda")
    reference = work.reference(*tensors)
    clock = WatchedClock(DeviceClock())
    session = Session(
        {"work": work.name},
        reference,
        work.tolerance,
        work.flops,
        rounds=rounds,
        budget=seconds,
        clock=clock,
        write=lambda: None,
    )
    for name, function in work.rivals(tensors).items():
        _add(session, clock, f"torch {name}", lambda f=function: f(*tensors), skip)
    for ours, error in failed:
        session.fail(ours.name, ours.config, error)
    for name, (ours, program) in programs.items():
        call = lambda p=program: p(*tensors)  # noqa: E731
        _add(session, clock, name, call, skip, ours.config)
    _keep_fastest(session, clock)
    session.time_all()
    say(result=session.record)


def _add(
    session: Session,
    clock: WatchedClock,
    name: str,
    call: Callable[[], Any],
    skip: Collection[str],
    config: str = "",
) -> None:
    if name in skip:
        return
    say(step=f"check {name}")
    clock.names[call] = name
    session.add(Contender(name, call, config, ours=bool(config)))
    if not config or not any(one.name == name for one in session.contenders):
        return
    first, *others = [_results(call()) for _ in range(SEED_RUNS)]
    if not all(map(torch.equal, first * len(others), sum(others, ()))):
        error = RuntimeError("repeated launches give different bits")
        session.contenders = [one for one in session.contenders if one.name != name]
        session.fail(name, config, error)


def _results(made: Any) -> tuple[torch.Tensor, ...]:
    return tuple(made) if isinstance(made, tuple | list) else (made,)


def _keep_fastest(session: Session, clock: WatchedClock, most: int = 4) -> None:
    """Drop all but the fastest few of ours: the rest would only take time."""
    quick = {c.name: clock.estimate(c.call) for c in session.contenders if c.ours}
    session.record["quick_ms"] = quick
    kept = sorted(quick, key=quick.__getitem__)[:most]
    session.contenders = [c for c in session.contenders if not c.ours or c.name in kept]


def compile_only(work: Work, directory: Path | None) -> None:
    """Compile our points for an H200, without a GPU; prints their resources.

    Without a directory the sources go where programs keep theirs, so that a timed run
    finds the kernels in Triton's cache.
    """
    from tilewright.codegen.runtime.compile import compile_program
    from tilewright.codegen.runtime.source_cache import source_directory
    from tilewright.codegen.targets import target_named
    from tilewright.ir.errors import UserError
    from tilewright.pipeline import build, parse_payload

    directory, target = directory or source_directory(), target_named("h200")
    found: dict[str, Any] = {}
    for ours in work.ours:
        say(step=f"compile {ours.name}")
        started = time.perf_counter()
        try:
            module = parse_payload(work.payload())
            schedule = ours.read(module, target)
            made = build(module, schedule, dict(ours.point))
            stats = compile_program(made.program, target, directory)
        except UserError as error:
            found[ours.name] = {"refused": error.fact}
            continue
        found[ours.name] = {
            "gluon": "gluon" in made.program.text,
            "registers": [one.registers for one in stats],
            "spill_bytes": [one.spill_bytes for one in stats],
            "shared_bytes": [one.shared_bytes for one in stats],
            "warnings": [warning.fact for warning in made.warnings],
            "seconds": round(time.perf_counter() - started, 1),
        }
    say(result={"work": work.name, "points": found})
