"""One benchmark run: contenders join, are timed together, and are written down.

Whatever the benchmark computes, it makes a `Session`, adds contenders (each is checked
first), then calls `time_all`. The record is saved after every step.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from harness.timing import (
    Clock,
    Contender,
    DeviceClock,
    Interval,
    Outputs,
    Timing,
    WallClock,
    bootstrap,
    checked_error,
    command_line,
    environment,
    gpu_state,
    speedup,
    time_interleaved,
    write_json,
)

SHORTLIST = 3
SECONDS_PER_SAMPLE = 0.2


def heading(dry: bool) -> dict[str, Any]:
    """What a record begins with."""
    return {"command": command_line(), "dry": dry, "environment": environment()}


def ratio_of(one: Mapping[str, Any], other: Mapping[str, Any]) -> Interval:
    """How many times faster one row of a record is than another, paired by round."""
    return speedup(
        Timing(one["repetitions"], one["rounds_ms"]),
        over=Timing(other["repetitions"], other["rounds_ms"]),
    )


class Session:
    """The contenders of a benchmark, its time budget and its record."""

    def __init__(
        self,
        problem: dict[str, Any],
        reference: Outputs,
        tolerance: float,
        operations: float,
        *,
        rounds: int,
        budget: float,
        out: Path | None = None,
        dry: bool = False,
        moved: float = 0.0,
        sample_ms: float = 40.0,
        clock: Clock | None = None,
        write: Callable[[], None] | None = None,
    ) -> None:
        """Open the record; the budget, in seconds, begins now.

        `moved` are the bytes a call must move. A session that is one of many is given
        the `clock` they share and how to `write` what there is.
        """
        self.reference = reference
        self.tolerance = tolerance
        self.operations = operations
        self.moved = moved
        self.sample_ms = sample_ms
        self.rounds = rounds
        self.out = out
        self.dry = dry
        self.started = time.monotonic()
        self.deadline = self.started + budget
        self.clock = clock or (WallClock() if dry else DeviceClock())
        self.write = write
        self.contenders: list[Contender] = []
        self.errors: dict[str, float] = {}
        self.record: dict[str, Any] = {
            **({} if write else heading(dry)),
            "problem": problem,
            "method": {
                "rounds_asked": rounds,
                "rounds_done": 0,
                "l2_flush_bytes": getattr(self.clock, "flush_bytes", 0),
                "tolerance": tolerance,
            },
            "rows": [],
            "quick_ms": {},
            "skipped": [],
            "failed": [],
        }

    def say(self, text: str) -> None:
        """Print progress with a time stamp."""
        print(f"[{time.monotonic() - self.started:6.1f} s] {text}", flush=True)

    def save(self) -> None:
        """Write the record so far."""
        if self.write is not None:
            self.write()
        elif self.out is not None:
            write_json(self.out, self.record)

    def fits(self, name: str, seconds: float) -> bool:
        """Whether this many seconds are left besides those of the final rounds."""
        samples = self.rounds * (len(self.contenders) + 1)
        left = self.deadline - time.monotonic() - SECONDS_PER_SAMPLE * samples - 5
        if seconds <= left:
            return True
        reason = f"may take {seconds:.0f} s, {max(left, 0):.0f} s left"
        self.record["skipped"].append({"name": name, "reason": reason})
        self.say(f"skipped {name}: {reason}")
        self.save()
        return False

    def fail(self, name: str, config: str, error: BaseException) -> None:
        """Record why something is not in the table."""
        first_line = (str(error).splitlines() or [""])[0][:300]
        reason = f"{type(error).__name__}: {first_line}"
        self.record["failed"].append({"name": name, "config": config, "reason": reason})
        self.say(f"failed  {name} {config}: {reason}")
        self.save()

    def add(self, contender: Contender) -> None:
        """Check a contender and let it take part, or record its failure."""
        try:
            error = checked_error(contender, self.reference, self.tolerance)
        except Exception as failure:
            self.fail(contender.name, contender.config, failure)
            return
        self.contenders.append(contender)
        self.errors[contender.name] = error
        if self.write is None:
            self.say(f"ready   {contender.name} {contender.config} error {error:.1e}")

    def best(self, name: str, contenders: Sequence[Contender]) -> Contender | None:
        """The fastest correct configuration of a contender.

        All are timed once; the fastest few again, interleaved, since one short sample
        each would as often as not crown the one that ran on the coolest card.
        """
        quick: dict[str, float] = {}
        for contender in contenders:
            try:
                checked_error(contender, self.reference, self.tolerance)
                one_ms = max(self.clock.estimate(contender.call), 0.05)
                repetitions = 1 if self.dry else min(max(round(8 / one_ms), 5), 100)
                samples = self.clock.sample(contender.call, 3, repetitions)
            except Exception as failure:
                self.fail(name, contender.name, failure)
                continue
            quick[contender.name] = sorted(samples)[len(samples) // 2]
        self.record["quick_ms"][name] = quick
        self.save()
        fastest = sorted(quick, key=quick.__getitem__)[:SHORTLIST]
        shortlist = [c for c in contenders if c.name in fastest]
        if len(shortlist) < 2:
            return shortlist[0] if shortlist else None
        timings = time_interleaved(
            shortlist, 5, clock=self.clock, sample_ms=8.0, warm_ms=3.0
        )
        return min(shortlist, key=lambda c: bootstrap(timings[c.name].rounds).median)

    def add_best(self, who: str, groups: dict[str, list[Contender]]) -> None:
        """Add the fastest configuration of each structure."""
        for structure, group in groups.items():
            name = f"{who} {structure}"
            best = self.best(name, group)
            if best is not None:
                note = f"best of {len(group)}; {best.note}".removesuffix("; ")
                self.add(replace(best, name=name, config=best.name, note=note))

    def time_all(self) -> None:
        """Time all contenders interleaved, and save after each round."""
        method = self.record["method"]
        if self.write is None:
            self.say(f"timing {len(self.contenders)} contenders")
            self.record["clocks_before_timing"] = gpu_state()

        def after_round(index: int, timings: dict[str, Timing]) -> None:
            self.record["rows"] = self._rows(timings)
            method["rounds_done"] = index + 1
            if self.write is None:
                self.save()
                self.say(f"round {index + 1} of {self.rounds}")

        time_interleaved(
            self.contenders,
            self.rounds,
            clock=self.clock,
            sample_ms=1.0 if self.dry else self.sample_ms,
            warm_ms=0.0 if self.dry else self.sample_ms / 4,
            most_repetitions=1 if self.dry else 500,
            deadline=self.deadline,
            after_round=after_round,
        )
        if self.write is None:
            self.record["clocks_after_timing"] = gpu_state()
        self.save()
        if method["rounds_done"] < self.rounds:
            self.say(
                f"the budget ended the timing after {method['rounds_done']} rounds"
            )

    def _rows(self, timings: dict[str, Timing]) -> list[dict[str, Any]]:
        times = {name: bootstrap(timing.rounds) for name, timing in timings.items()}
        rivals = [c.name for c in self.contenders if not c.ours]
        best = min(rivals, key=lambda name: times[name].median, default=None)
        rows = []
        for c in self.contenders:
            timing = timings[c.name]
            versus = None if best is None else asdict(speedup(timing, timings[best]))
            rows.append(
                {
                    "name": c.name,
                    "ours": c.ours,
                    "config": c.config,
                    "note": c.note,
                    "output": c.output,
                    "relative_error": self.errors[c.name],
                    "ms": asdict(times[c.name]),
                    "tflops": self.operations / times[c.name].median * 1e-9,
                    **self._bandwidth(times[c.name].median),
                    "best_rival": best,
                    "speedup_over_best_rival": versus,
                    "repetitions": timing.repetitions,
                    "rounds_ms": list(timing.rounds),
                }
            )
        return sorted(rows, key=lambda row: row["ms"]["median"])

    def _bandwidth(self, ms: float) -> dict[str, float]:
        return {"gbs": self.moved / ms * 1e-6} if self.moved else {}

    def print_table(self) -> None:
        """Print the rows for people, and what is missing."""
        record, where = self.record, self.record["environment"]
        problem = " ".join(f"{key} {value}" for key, value in record["problem"].items())
        device = "dry run on the CPU: the figures mean nothing"
        device = device if self.dry else where["gpu"]
        print(
            f"\n{problem}; {device}; torch {where['torch']}, triton {where['triton']}"
        )
        width = max((len(row["name"]) for row in record["rows"]), default=9)
        print(
            f"{'contender':{width}s}  {'ms':>8s}  {'95 % interval':>17s}"
            f"  {'TFLOP/s':>7s}  {'speed vs best rival':>20s}  config"
        )
        for row in record["rows"]:
            ms, ratio = row["ms"], row["speedup_over_best_rival"]
            interval = f"{ms['low']:.4f}..{ms['high']:.4f}"
            versus = "-"
            if ratio is not None:
                versus = "{median:.3f}  {low:.3f}..{high:.3f}".format(**ratio)
            print(
                f"{row['name']:{width}s}  {ms['median']:8.4f}  {interval:>17s}"
                f"  {row['tflops']:7.1f}  {versus:>20s}  {row['config']}"
            )
        for kind in ("skipped", "failed"):
            for entry in record[kind]:
                print(f"{kind}: {entry['name']}: {entry['reason']}")
