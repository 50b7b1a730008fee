"""Several programs and their rivals at several sizes, timed in turn at each.

Runs inside a worker process.
"""

from __future__ import annotations

import functools
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tilewright.codegen.runtime.compile import torch_dtype
from tilewright.ir.dtypes import element
from tilewright.tuning.measure.correctness import check_all, load_references
from tilewright.tuning.measure.loading import kept_launcher
from tilewright.tuning.measure.timing import (
    Clock,
    TimingOptions,
    clock_for,
    head_start,
    launch_microseconds,
    warm_up,
)
from tilewright.tuning.measure.torch_rivals import torch_rivals

if TYPE_CHECKING:
    from tilewright.tuning.measure.correctness import LoadedReference
    from tilewright.tuning.measure.measurement import Contender
    from tilewright.tuning.measure.references import Reference

_FEW = 6
"""Repetitions of a turn; the first is dropped, since its code is not cached yet."""


@dataclass(frozen=True)
class SideBySide:
    """The median milliseconds of each program and rival at each size."""

    milliseconds: dict[str, list[float | None]]
    """None where it did not run, or where a program of ours was wrong."""
    problems: dict[str, dict[str, str]] = field(default_factory=dict)
    """Why something was not timed, and where a rival's numbers differ: by its name and
    the size."""


def side_by_side(
    contenders: Sequence[Contender],
    rival_source: str,
    references: Sequence[Sequence[Reference | None]],
    options: TimingOptions,
    rounds: int,
    device: str,
) -> SideBySide:
    """Check and time every contender at every size, and the rivals in the same rounds.

    `references` has a row for each size, with one for each contender: None where the
    contender does not take the size. An empty `rival_source` has no rivals.
    """
    clock = clock_for(device, options)
    times: dict[str, list[float | None]] = {}
    problems: dict[str, dict[str, str]] = {}
    rivals: dict[str, Callable[..., Any]] = {}
    if rival_source:
        given = next(one for row in references for one in row if one is not None)
        floats = [s.dtype for s in given.arguments if element(s.dtype).is_float]
        try:
            rivals = torch_rivals(rival_source, torch_dtype((floats or ["f32"])[0]))
        except Exception as error:  # a rival's failure is no failure of the sweep
            problems["torch"] = {"": _first_line(error)}
    names = [*(one.name for one in contenders), *rivals]
    for row in references:
        title = next((one.title for one in row if one is not None), "")
        ready: dict[str, tuple[Callable[[], Any], LoadedReference]] = {}
        for contender, reference in zip(contenders, row, strict=True):
            if reference is not None:
                (loaded,) = load_references([reference], device)
                launcher = kept_launcher(contender.source, contender.entry)
                call = functools.partial(launcher, *loaded.inputs)
                ready[contender.name] = call, loaded
        if ready:
            _, loaded = next(iter(ready.values()))
            for name, function in rivals.items():
                ready[name] = functools.partial(function, *loaded.inputs), loaded
        calls: dict[str, Callable[[], Any]] = {}
        for name, (call, loaded) in ready.items():
            problem, runs = _tried(call, loaded, clock)
            if problem:
                problems.setdefault(name, {})[title] = problem
            if runs and (not problem or name in rivals):
                calls[name] = call
        medians = _in_turn(calls, clock, options, rounds)
        for name in names:
            times.setdefault(name, []).append(medians.get(name))
    return SideBySide(times, problems)


def _tried(
    call: Callable[[], Any], loaded: LoadedReference, clock: Clock
) -> tuple[str, bool]:
    """What is wrong with a call's results, if anything; and whether it runs."""
    import torch

    try:
        with torch.no_grad():
            comparison = check_all([call], [loaded], clock.finish)
    except Exception as error:  # recorded: one program at one size, not the sweep
        return _first_line(error), False
    return "" if comparison.ok else f"its numbers differ: {comparison.message}", True


def _in_turn(
    calls: dict[str, Callable[[], Any]],
    clock: Clock,
    options: TimingOptions,
    rounds: int,
) -> dict[str, float]:
    """The median of each call, over rounds in which each has a turn."""
    import torch

    samples: dict[str, list[float]] = {name: [] for name in calls}
    leads: dict[str, float] = {}
    names = list(calls)
    with torch.no_grad():
        for name, call in calls.items():
            warm_up(call, clock, options)
            launch = launch_microseconds(call, clock)
            leads[name] = head_start(clock.warm_ms(call, 5), launch)
        for turn in range(rounds if names else 0):
            first = turn % len(names)
            for name in names[first:] + names[:first]:
                samples[name] += clock.sample(calls[name], _FEW, leads[name])[1:]
    return {name: statistics.median(taken) for name, taken in samples.items()}


def _first_line(error: Exception) -> str:
    text = (str(error).strip().splitlines() or [""])[0]
    return f"{type(error).__name__}: {text[:200]}"
