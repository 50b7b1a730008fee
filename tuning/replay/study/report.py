"""The study on a recording, as plain data: its tables and the points of its figures."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tilewright.tuning.replay.study.recording import (
    REPETITION_MS,
    Floats,
    Input,
    StudyRecording,
    Timings,
)
from tilewright.tuning.replay.study.simulated_runs import (
    DRAWS,
    RUNS,
    RUNS_OF_EACH,
    Draws,
    SimulatedInput,
    frontier,
    over_inputs,
)

FORMAT = "tilewright-tuning-cost-study-2"
FRONTIER_INPUT: Input = (4096, 256, 4096)
SMALL_RUN = 16
"""Configurations and inputs of the published small run."""
IDEAL_PROCESSES = 16
"""Compile processes of figure 4."""
RANDOM_TRIALS = 30
TOP_SHARE = 0.05


def study_of(
    recording: StudyRecording,
    draws: int = DRAWS,
    runs: int = RUNS,
    runs_of_each: int = RUNS_OF_EACH,
) -> dict[str, Any]:
    """Everything that the published study reports; None where it is not recorded."""
    inputs = list(recording.study)
    extents = FRONTIER_INPUT if FRONTIER_INPUT in inputs else inputs[0]
    valid = min(len(found) for found in recording.study.values())
    drawn = Draws.at_random(draws, valid)
    return {
        "format": FORMAT,
        "recording": recording.name,
        "device": recording.device,
        "versions": recording.versions,
        "version": recording.version,
        "dry": recording.is_dry,
        "complete": recording.is_ended and not recording.missing,
        "missing": list(recording.missing),
        "inputs": len(inputs),
        "clear_bytes": recording.study_clear,
        "repetition_ms": _repetition(recording, extents),
        "configurations": _configurations(recording),
        "small_run": _small_run(recording),
        "kernels": _kernels(recording),
        "clears": _clears(recording),
        "pools": _pools(recording),
        "inputs_seconds": [_seconds_of(recording, one) for one in inputs],
        "estimates": _estimates(recording, extents),
        "frontier_input": _name(extents),
        "frontier": _frontier(recording, extents, drawn, runs),
        "all_inputs": _all_inputs(recording, inputs, drawn, runs_of_each),
        "full": _full(recording.full_space, recording),
        "draws": draws,
        "runs": runs,
        "runs_of_each": runs_of_each,
    }


def _name(extents: Input) -> str:
    return "x".join(map(str, extents))


def _repetition(recording: StudyRecording, extents: Input) -> dict[str, Any]:
    """The milliseconds that were asked for: of the frontier's input, and of others."""
    asked = {
        one.extents: one.repetition_ms
        for one in recording.timings
        if one.part == "study" and one.repetition_ms is not None
    }
    others = [ms for other, ms in asked.items() if other != extents]
    return {
        "published": REPETITION_MS,
        "frontier_input": asked.get(extents),
        "others": statistics.median(others) if others else None,
    }


def _configurations(recording: StudyRecording) -> dict[str, Any]:
    """How many are valid, why the others are not, what compiling them all costs."""
    seconds = [recording.compile_seconds.get(n, 0.0) for n in recording.drawn]
    invalid = sum(recording.compile_seconds.get(n, 0.0) for n in recording.invalid)
    reasons: dict[str, int] = {}
    for text in recording.invalid.values():
        reasons[_reason(text)] = reasons.get(_reason(text), 0) + 1
    return {
        "drawn": len(recording.drawn),
        "valid": len(recording.drawn) - len(recording.invalid),
        "reasons": dict(sorted(reasons.items(), key=lambda one: -one[1])),
        "compile_seconds": round(sum(seconds), 3),
        "compile_seconds_of_invalid": round(invalid, 3),
    }


def _reason(text: str) -> str:
    """The kind of a failure: what is said before its figures."""
    words = "too much shared memory" if "shared memory" in text else text
    return words.split(":")[0]


def _small_run(recording: StudyRecording) -> dict[str, Any] | None:
    """16 configurations on 16 inputs: how much of the seconds is compiling."""
    numbers = recording.drawn[:SMALL_RUN]
    inputs = list(recording.study)[:SMALL_RUN]
    found = [
        recording.study[extents][number].wall_seconds
        * _times_published(recording, extents)
        for extents in inputs
        for number in numbers
        if number in recording.study[extents]
    ]
    compiling = sum(recording.compile_seconds.get(n, 0.0) for n in numbers)
    if not found or recording.version == 1:
        return None  # version 1 was timed for much less than the published study
    return {
        "configurations": len(numbers),
        "inputs": len(inputs),
        "compile_seconds": round(compiling, 3),
        "timing_seconds": round(sum(found), 3),
        "compile_share": round(compiling / (compiling + sum(found)), 4),
    }


def _times_published(recording: StudyRecording, extents: Input) -> float:
    """How many times longer the published repetition time is than what was asked."""
    for one in recording.timings:
        if one.part == "study" and one.extents == extents and one.repetition_ms:
            return REPETITION_MS / one.repetition_ms
    return 1.0


def _kernels(recording: StudyRecording) -> list[dict[str, Any]]:
    """Table 3: what the kernels and the clears take, by the clear."""
    whole = [one for one in recording.kernels if len(one.seconds) == 2]
    sizes = sorted({size for one in whole for size in one.seconds}, reverse=True)
    launches = sum(one.launches for one in whole)
    return [
        {
            "clear_bytes": size,
            "timings": len(whole),
            "launches": launches,
            "kernel_seconds": round(sum(one.seconds[size] for one in whole), 4),
            "clear_seconds": round(sum(one.clear_seconds[size] for one in whole), 4),
            "kernel_us": round(
                1e6 * sum(one.seconds[size] for one in whole) / launches, 2
            ),
        }
        for size in sizes
    ]


def _clears(recording: StudyRecording) -> list[dict[str, Any]]:
    """Table 5: the wall time of the same timings with each size of clear."""
    parts = [one for one in recording.timings if one.part == "clears"]
    if recording.version == 1:
        # There the timings of the study are those with the card's clear.
        focus = {one.extents for one in parts}
        parts += [
            one
            for one in recording.timings
            if one.part == "study" and one.extents in focus
        ]
    sizes = sorted({one.clear_bytes for one in parts}, reverse=True)
    by_input: dict[Input, dict[int, Timings]] = {}
    for one in parts:
        by_input.setdefault(one.extents, {})[one.clear_bytes] = one
    rows: list[dict[str, Any]] = []
    whole = {e: found for e, found in by_input.items() if len(found) == len(sizes)}
    for size in sizes if whole else ():
        seconds = 0.0
        timed = 0
        for found in whole.values():
            shared = set.intersection(*(set(one.found) for one in found.values()))
            seconds += sum(found[size].found[n].wall_seconds for n in shared)
            timed += len(shared)
        asked = next(iter(whole.values()))[size].repetition_ms
        rows.append(
            {
                "clear_bytes": size,
                "inputs": len(whole),
                "timings": timed,
                "repetition_ms": asked,
                "wall_seconds": round(seconds, 3),
            }
        )
    for row in rows:
        row["speedup"] = round(rows[0]["wall_seconds"] / row["wall_seconds"], 3)
    return rows


def _pools(recording: StudyRecording) -> list[dict[str, Any]]:
    """Table 7: compiling the drawn configurations, by the number of processes."""
    drawn = set(recording.drawn)
    rows: list[dict[str, Any]] = []
    for pool in sorted(recording.pools, key=lambda pool: pool.processes):
        if not set(pool.seconds) <= drawn:
            continue  # of the space that is recorded in full
        is_whole = len(pool.seconds) == len(drawn)
        rows.append(
            {
                "processes": pool.processes,
                "compiled": len(pool.seconds),
                "whole": is_whole,
                "wall_seconds": round(pool.wall_seconds, 3),
                "start_seconds": round(pool.start_seconds, 3),
                "speedup": round(recording.speedup(pool), 3),
            }
        )
    return rows


def _seconds_of(recording: StudyRecording, extents: Input) -> dict[str, Any]:
    """Figure 1: the average seconds of a timing on an input, and their parts."""
    found = recording.study[extents].values()
    repetition = [
        timing.asked_launches * float(timing.samples_us.mean()) / 1e6
        for timing in found
    ]
    overhead = [timing.overhead_seconds for timing in found]
    return {
        "input": _name(extents),
        "repetition_ms": round(1e3 * statistics.mean(repetition), 3),
        "overhead_ms": round(1e3 * statistics.mean(overhead), 3),
    }


def _estimates(
    recording: StudyRecording, extents: Input
) -> list[dict[str, float]] | None:
    """Figure 2: how much less than was asked for each kernel is timed.

    None where the five launches that decide are not recorded.
    """
    if recording.version == 1:
        return None
    rows: list[dict[str, float]] = []
    for timing in recording.study[extents].values():
        each = float(timing.samples_us.mean()) + timing.between_us
        timed_ms = timing.asked_launches * each / 1e3
        rows.append(
            {
                "kernel_us": round(timing.median_us, 2),
                "short_ms": round(REPETITION_MS - timed_ms, 3),
            }
        )
    return sorted(rows, key=lambda row: row["kernel_us"])


def _frontier(
    recording: StudyRecording, extents: Input, draws: Draws, runs: int
) -> dict[str, Any]:
    """Table 6 and figure 3: all draws on the input, and their frontier."""
    simulated = SimulatedInput(recording, extents)
    outcome = simulated.simulate(draws, runs).whole
    kept = frontier(outcome.seconds, outcome.tflops)
    best = float(simulated.tflops.max())
    return {
        "best_tflops": round(best, 3),
        "correlation": {
            "configurations": _correlation(
                draws.configurations.astype(float), outcome.tflops
            ),
            "milliseconds": _correlation(draws.milliseconds, outcome.tflops),
        },
        "points": _points(outcome.seconds, outcome.tflops, draws),
        "kept": [
            {
                "seconds": round(float(outcome.seconds[place]), 3),
                "tflops": round(float(outcome.tflops[place]), 3),
                "configurations": int(draws.configurations[place]),
                "milliseconds": round(float(draws.milliseconds[place]), 1),
            }
            for place in kept
        ],
    }


def _correlation(settings: Floats, speed: Floats) -> float | None:
    """Spearman's, of a setting with the speed that it reaches."""
    if len(settings) < 3 or np.ptp(settings) == 0 or np.ptp(speed) == 0:
        return None
    ranks = [np.argsort(np.argsort(each)) for each in (settings, speed)]
    return round(float(np.corrcoef(ranks[0], ranks[1])[0, 1]), 3)


def _all_inputs(
    recording: StudyRecording, inputs: Sequence[Input], draws: Draws, runs: int
) -> dict[str, Any]:
    """Figures 4 and 5: relative speed on all inputs, by seconds of tuning."""
    outcome, early = over_inputs(recording, inputs, draws, runs)
    ideal = outcome.seconds_with(IDEAL_PROCESSES, draws.configurations)
    series: Mapping[str, tuple[Floats, Floats]] = {
        "one": (outcome.seconds, outcome.tflops),
        "parallel": (ideal, outcome.tflops),
        "early": (early.seconds, early.tflops),
    }
    found: dict[str, Any] = {"processes": IDEAL_PROCESSES}
    for name, (seconds, reached) in series.items():
        found[name] = {
            "points": _points(seconds, reached, draws),
            "kept": [
                [round(float(seconds[place]), 3), round(float(reached[place]), 5)]
                for place in frontier(seconds, reached)
            ],
        }
    return found


def _points(seconds: Floats, speed: Floats, draws: Draws) -> list[list[float]]:
    """Seconds, speed, configurations and milliseconds of every draw."""
    return [
        [round(float(s), 3), round(float(v), 5), int(n), round(float(ms), 1)]
        for s, v, n, ms in zip(
            seconds, speed, draws.configurations, draws.milliseconds, strict=True
        )
    ]


def _full(timings: Timings | None, recording: StudyRecording) -> dict[str, Any] | None:
    """The space that is recorded in full, and what 30 random trials find in it."""
    if timings is None:
        return None
    m, n, k = timings.extents
    flops = 2.0 * m * n * k
    ordered = sorted(timings.found.items(), key=lambda one: one[1].median_us)
    speeds = [flops / timing.median_us / 1e6 for _, timing in ordered]
    points, valid = len(recording.full), len(ordered)
    near = sum(speed >= (1 - TOP_SHARE) * speeds[0] for speed in speeds)
    best_number, _ = ordered[0]
    top = max(1, math.floor(TOP_SHARE * valid))
    return {
        "input": _name(timings.extents),
        "points": points,
        "valid": valid,
        "best": dict(recording.configurations[best_number]),
        "best_tflops": round(speeds[0], 2),
        "median_tflops": round(statistics.median(speeds), 2),
        "trials": RANDOM_TRIALS,
        "top_share": TOP_SHARE,
        "in_top": top,
        "near_best": near,
        "chance_in_top": {
            "valid": _chance(valid, top, RANDOM_TRIALS),
            "all": _chance(points, top, RANDOM_TRIALS),
        },
        "chance_near_best": {
            "valid": _chance(valid, near, RANDOM_TRIALS),
            "all": _chance(points, near, RANDOM_TRIALS),
        },
        "expected_speed": _expected(speeds, RANDOM_TRIALS),
    }


def _chance(points: int, good: int, trials: int) -> float:
    """That random trials without repetition meet one of the good points."""
    trials = min(trials, points)
    missed = math.comb(points - good, trials) / math.comb(points, trials)
    return round(1.0 - missed, 4)


def _expected(speeds: Sequence[float], trials: int) -> float:
    """The mean of the best of random valid trials, relative to the best; exactly."""
    count = len(speeds)
    trials = min(trials, count)
    whole = math.comb(count, trials)
    total = sum(
        speed * (math.comb(count - place - 1, trials - 1) / whole)
        for place, speed in enumerate(speeds)
    )
    return round(total / speeds[0], 4)
