"""Subjects and options of small tuning runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from support.tuning.samples import Sample, broken
from tilewright.codegen.program import GeneratedProgram
from tilewright.codegen.targets import target_named
from tilewright.ir.errors import SilenceableFailure
from tilewright.tuning.measure.inputs import random_inputs
from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.options import ExpectedResults, TuneOptions, TuningTask
from tilewright.tuning.space.choices import Point
from tilewright.tuning.space.space import space_of

QUICK = TimingOptions(warmup_ms=1, repetition_ms=2, min_repetitions=3)
H200 = target_named("h200")


def delayed(ms: float) -> GeneratedProgram:
    return broken(f"    time.sleep({ms / 1e3})\n    return a + 1")


# On the meta device the launcher is being compiled, on the cpu it is being measured.
BODIES = {
    "fast": delayed(0.2),
    "slow": delayed(3),
    "same as slow": delayed(3),
    "wrong": broken("    return a + 2"),
    "dies": broken("    if a.device.type == 'cpu': os._exit(9)\n    return a + 1"),
    "hangs": broken("    if a.device.type == 'cpu': time.sleep(60)\n    return a + 1"),
    "does not compile": broken("    raise RuntimeError('ptxas failed')"),
}


def build(point: Point) -> Sample:
    kind = str(point["kind"])
    if kind == "refused":
        raise SilenceableFailure("tile: size 48 does not divide 64")
    return Sample(BODIES[kind])


def subject(
    kinds: list[str], builder: Callable[[Point], Sample] = build, **more: object
) -> TuningTask:
    arguments = BODIES["fast"].arguments
    expected = ExpectedResults([random_inputs(arguments, 7)[0] + 1], seed=7)
    space = space_of({"kind": kinds})
    return TuningTask(builder, space, "payload", "schedule", (expected,), **more)  # type: ignore[arg-type]


def options(folder: Path, **changes: object) -> TuneOptions:
    settings: dict[str, object] = {
        "target": H200,
        "cache_dir": folder / "sources",
        "device": "cpu",
        "device_name": "host",
        "strategy": "grid",
        "workers": 1,
        "measure_limit": 4.0,
        "timing": QUICK,
        "final_rounds": 3,
    }
    return TuneOptions(**{**settings, **changes})  # type: ignore[arg-type]
