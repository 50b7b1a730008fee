"""Record the spaces that strategies are compared on: the time of every valid point.

On a machine with a GPU, every space of `search_spaces.py` is tuned in random order,
without a final round, until its points or its share of the time are used up:

    python benchmarks/search/record_spaces.py --out FOLDER --seconds 400

Estimates and descriptions of the programs need no GPU. This adds them, here, and writes
the compressed recordings that `benchmarks/search/strategies.py` reads:

    python benchmarks/search/record_spaces.py --describe FOLDER --out benchmarks/spaces

`--synthetic` makes recordings without a GPU, from the cost model's estimates with a
bias for each option. They serve to develop a strategy, and say nothing about its
quality.
"""

from __future__ import annotations

import argparse
import functools
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from search_spaces import SPACES as SEEN
from search_spaces import UNSEEN
from tilewright.tuning.replay.recorded_space import SUFFIX, RecordedPoint, RecordedSpace
from tilewright.tuning.replay.recording import described, recorded_space

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram
    from tilewright.tuning.search.guide import Description
    from tilewright.tuning.space.choices import Point

SPACES = {**SEEN, **UNSEEN}
START_UP = 6.0
"""Seconds of a run before its first trial ends."""


def main() -> None:
    """The command line."""
    options = _parser().parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    wanted = options.spaces or (UNSEEN if options.unseen else SEEN)
    names = [name for name in SPACES if name in wanted]
    unknown = set(options.spaces or ()) - set(SPACES)
    if unknown:
        sys.exit(f"no such space: {', '.join(unknown)}; known: {', '.join(SPACES)}")
    if options.describe is not None:
        _each(names, options.jobs, functools.partial(_describe, options))
    elif options.synthetic:
        _each(names, options.jobs, functools.partial(_synthetic, options))
    else:
        _measure(names, options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, help="a folder")
    parser.add_argument("--spaces", nargs="*", help="names; all if left out")
    parser.add_argument("--unseen", action="store_true", help="those of UNSEEN")
    parser.add_argument("--seconds", type=float, default=400.0, help="for all spaces")
    parser.add_argument("--jobs", type=int, default=2, help="processes, without a GPU")
    parser.add_argument("--trials", type=int, help="points of a space, all if left out")
    parser.add_argument("--describe", type=Path, help="a folder of measured spaces")
    parser.add_argument("--synthetic", action="store_true")
    parser.add_argument(
        "--no-device", action="store_true", help="compile for an h200, do not measure"
    )
    return parser


# On the GPU


def _measure(names: Sequence[str], options: argparse.Namespace) -> None:
    """Tune the spaces one after the other; each gets its share of the time left."""
    from tilewright.schedules.schedule import Schedule
    from tilewright.tuning.space.read import read_space

    spaces = {
        name: read_space(Schedule.from_text(SPACES[name].schedule_text()).module)
        for name in names
    }
    deadline = time.monotonic() + options.seconds
    for place, name in enumerate(names):
        left = [spaces[other].count_valid() for other in names[place:]]
        seconds = deadline - time.monotonic() - START_UP * len(left)
        share = START_UP + max(0.0, seconds) * left[0] / sum(left)
        start = time.monotonic()
        try:
            line = _tune(name, options, share)
        except Exception as error:  # the other spaces are worth recording all the same
            line = f"failed: {type(error).__name__}: {error}"
        wall = time.monotonic() - start
        print(f"{name}: {line}; {wall:.1f} of {share:.1f} s", flush=True)


def _tune(name: str, options: argparse.Namespace, seconds: float) -> str:
    from tilewright.codegen.runtime.source_cache import source_directory
    from tilewright.codegen.targets import detect, target_named
    from tilewright.commands.inputs.tune_sizes import tune_cases
    from tilewright.commands.tune.tuning_task import tuning_task
    from tilewright.pipeline import parse_payload
    from tilewright.schedules.schedule import Schedule
    from tilewright.tuning.options import TuneOptions
    from tilewright.tuning.results.database import Database
    from tilewright.tuning.space.read import read_space
    from tilewright.tuning.tuner import tune

    started = time.perf_counter()
    space = SPACES[name]
    payload = parse_payload(space.payload_text(), f"{name}.mlir")
    schedule = Schedule.from_text(space.schedule_text(), f"{space.schedule}.tw")
    choices = read_space(schedule.module)
    on_gpu = not options.no_device
    cases = tune_cases(payload, schedule, choices, (), 0, on_gpu=on_gpu)
    task = tuning_task(
        payload, schedule, choices, cases, on_gpu, (f"{name}.mlir", space.schedule)
    )
    if not on_gpu:
        task = replace(task, check=None)
    settings = TuneOptions(
        target=detect() or target_named("h200"),
        cache_dir=source_directory(),
        device="cuda" if on_gpu else None,
        strategy="random",
        trials=options.trials,
        budget=seconds,
        started=started,
        finalists=0,
    )
    with Database(options.out / f"{name}.db") as database:
        result = tune(task, settings, database)
    best = result.best.milliseconds or 0.0
    spent = ", ".join(f"{k} {v:.0f}" for k, v in result.seconds.items() if v >= 1)
    return (
        f"{len(result.trials)} of {choices.count_valid()} points, {result.counts()}, "
        f"best {best:.4f} ms at {result.best.point}; seconds: {spent}"
    )


# Without a GPU


def _each(names: Sequence[str], jobs: int, work: Any) -> None:
    with ProcessPoolExecutor(jobs) as pool:
        for line in pool.map(work, names):
            print(line, flush=True)


def _describe(options: argparse.Namespace, name: str) -> str:
    """Add estimates and descriptions to the results of a space."""
    from tilewright.tuning.replay.sources import launches_of
    from tilewright.tuning.results.database import Database

    source = options.describe / f"{name}.db"
    if not source.exists():
        return f"{name}: not measured"
    space = SPACES[name]
    with Database(source) as database:
        found = recorded_space(
            name,
            space.payload_text(),
            space.schedule_text(),
            list(database.list()),
            lambda record: launches_of(database, record),
        )
    return _save(described(found, BuildGuide(found)), options.out)


def _synthetic(options: argparse.Namespace, name: str) -> str:
    """A recording from estimates: each option and each pair of options has a bias."""
    space = SPACES[name]
    empty = RecordedSpace(
        name, space.payload_text(), space.schedule_text(), "synthetic", "", ()
    )
    points = [RecordedPoint(point, "ok") for point in empty.space.points()]
    rng = random.Random(0)
    rng.shuffle(points)
    points = points[: options.trials]
    found = described(replace(empty, points=tuple(points)), BuildGuide(empty))
    biased = [
        replace(one, outcome="pruned")
        if one.estimate is None
        else replace(
            one,
            p50=one.estimate * _bias(name, one.point),
            program=json.dumps(one.point),
            seconds={"transform": 0.03, "emit": 0.01, "compile": 1.5, "time": 0.05},
        )
        for one in found.points
    ]
    return _save(replace(found, points=tuple(biased)), options.out)


def _bias(space: str, point: Point) -> float:
    factor = 1.0
    items = sorted(point.items())
    for item in items:
        factor *= 1 + 0.3 * random.Random(f"{space} {item}").random()
        for other in items:
            if other > item:
                pair = f"{space} {item} {other}"
                factor *= 1 + 0.1 * random.Random(pair).random()
    return factor


def _save(found: RecordedSpace, folder: Path) -> str:
    path = folder / f"{found.name}{SUFFIX}"
    found.save(path)
    worked = sum(one.milliseconds is not None for one in found.points)
    estimated = sum(one.estimate is not None for one in found.points)
    return (
        f"{found.name}: {len(found.points)} points, {worked} work, {estimated} with an "
        f"estimate, best {found.best.milliseconds:.4f} ms, "
        f"{path.stat().st_size / 1024:.0f} kB"
    )


class BuildGuide:
    """Builds points and asks the cost model, for an H200."""

    def __init__(self, recorded: RecordedSpace) -> None:
        from tilewright.codegen.targets import target_named
        from tilewright.pipeline import parse_payload
        from tilewright.schedules.schedule import Schedule

        self._payload = parse_payload(recorded.payload)
        self._schedule = Schedule.from_text(recorded.schedule)
        self._target = target_named("h200")

    def describe(self, points: Sequence[Point]) -> list[Description | None]:
        """The features of the programs; None where one would be pruned."""
        from tilewright.tuning.learning.features import FITS, describe_program

        found = [
            None if program is None else describe_program(program, self._target)
            for program in self._programs(points)
        ]
        return [one if one is not None and one[FITS] else None for one in found]

    def estimate(self, points: Sequence[Point]) -> list[float | None]:
        """The cost model's milliseconds; None where the program would be pruned."""
        from tilewright.tuning.learning.features import ESTIMATE

        found = self.describe(points)
        return [None if one is None else one[ESTIMATE] for one in found]

    def _programs(self, points: Sequence[Point]) -> Iterator[GeneratedProgram | None]:
        from tilewright.ir.errors import UserError
        from tilewright.pipeline import build

        for point in points:
            try:
                built = build(self._payload, self._schedule, point, verify_steps=False)
                yield built.program
            except UserError:
                yield None


if __name__ == "__main__":
    main()
