"""How well `tilewright explain` predicts unseen trials, and whether its intervals hold.

    python benchmarks/search/effect_models.py --seeds 5

First table: models are trained on some random points of each recorded space and asked
about the others; the share of the variation of the log time that each predicts, as a
mean over spaces and seeds. Second table: effects are estimated from a few trials, at
random or as a search chose them; the share of their 95% intervals that hold the effect
that all points give.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tilewright.tuning.explaining.effects import NoEffects, find_effects
from tilewright.tuning.explaining.readers import read_log
from tilewright.tuning.explaining.time_model import TimeModel
from tilewright.tuning.explaining.tuning_log import LoggedTrial, TuningLog
from tilewright.tuning.replay.recorded_space import SUFFIX, RecordedSpace
from tilewright.tuning.replay.replay import replay
from tilewright.tuning.search.encoding import Encoding
from tilewright.tuning.space.choices import canonical

FOLDER = Path(__file__).resolve().parents[1] / "spaces"
TRAINED_ON = (40, 100, 180)
TRIALS = (30, 60, 120)
SEARCHES = ("evolution", "descent")
Predict = Callable[[Any, Any, Sequence[str], Any], Any]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="recorded spaces")
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    paths = sorted(options.folder.glob(f"*{SUFFIX}"))
    print(f"{len(paths)} spaces: {', '.join(p.name.split('.')[0] for p in paths)}\n")
    logs = {path: read_log(path) for path in paths}
    compare_models(list(logs.values()), options.seeds)
    compare_intervals(logs, options.seeds)


def ridge(codes: Any, times: Any, programs: Sequence[str], unseen: Any) -> Any:
    """The model of `explain`."""
    return TimeModel(codes, times, programs).predict(unseen)


def forest(codes: Any, times: Any, programs: Sequence[str], unseen: Any) -> Any:
    """scikit-learn's random forest."""
    from sklearn.ensemble import RandomForestRegressor

    return RandomForestRegressor(200, random_state=0).fit(codes, times).predict(unseen)


def boosted(codes: Any, times: Any, programs: Sequence[str], unseen: Any) -> Any:
    """scikit-learn's boosted trees."""
    from sklearn.ensemble import GradientBoostingRegressor

    made = GradientBoostingRegressor(random_state=0)
    return made.fit(codes, times).predict(unseen)


MODELS: dict[str, Predict] = {"explain": ridge, "forest": forest, "boosted": boosted}


def compare_models(logs: Sequence[TuningLog], seeds: int) -> None:
    """Print the share that each model predicts, by the number of training points."""
    shares: dict[tuple[int, str], list[float]] = defaultdict(list)
    seconds: dict[str, list[float]] = defaultdict(list)
    for log in logs:
        codes, times, programs = _encoded(log)
        for seed in range(seeds):
            order = np.random.default_rng(seed).permutation(len(times))
            for count in TRAINED_ON:
                seen, unseen = order[:count], order[count:]
                if len(unseen) < 20:
                    continue
                whole = np.mean((times[unseen] - times[unseen].mean()) ** 2)
                named = [programs[at] for at in seen]
                for name, predict in MODELS.items():
                    start = time.perf_counter()
                    found = predict(codes[seen], times[seen], named, codes[unseen])
                    seconds[name].append(time.perf_counter() - start)
                    missed = np.mean((times[unseen] - found) ** 2)
                    shares[count, name].append(1.0 - missed / whole)
    print("| trained on | " + " | ".join(MODELS) + " |")
    for count in TRAINED_ON:
        row = [f"{statistics.mean(shares[count, name]):.0%}" for name in MODELS]
        print(f"| {count} points | " + " | ".join(row) + " |")
    means = {name: statistics.median(found) for name, found in seconds.items()}
    print(", ".join(f"{name} {1e3 * mean:.0f} ms" for name, mean in means.items()))


def _encoded(log: TuningLog) -> tuple[Any, Any, list[str]]:
    worked = [one for one in log.worked if one.milliseconds]
    codes = Encoding(log.space).codes([one.point for one in worked])
    times = np.log([one.milliseconds or 1.0 for one in worked])
    return codes, times, [one.program or canonical(one.point) for one in worked]


def compare_intervals(logs: dict[Path, TuningLog], seeds: int) -> None:
    """Print the share of intervals that hold the effect that all points give."""
    print("\n| trials | " + " | ".join(["at random", *SEARCHES]) + " |")
    held: dict[tuple[int, str], list[bool]] = defaultdict(list)
    for path, log in logs.items():
        whole = find_effects(log)
        if isinstance(whole, NoEffects):
            continue
        truth = {
            (choice.name, option.value): option.slowdown.value
            for choice in whole.choices
            for option in choice.options
        }
        recorded = RecordedSpace.load(path)
        for count in TRIALS:
            for seed in range(seeds):
                for how in ("at random", *SEARCHES):
                    chosen = _chosen(recorded, log, how, count, seed)
                    found = find_effects(replace(log, trials=tuple(chosen)), seed)
                    if isinstance(found, NoEffects):
                        continue
                    for choice in found.choices:
                        best = truth.get((choice.name, choice.best.value), 0.0)
                        for option in choice.options:
                            if option is choice.best:
                                continue
                            # Both are relative to the option that few trials call best.
                            exact = truth.get((choice.name, option.value))
                            if exact is not None:
                                real = (1.0 + exact) / (1.0 + best) - 1.0
                                low, high = option.slowdown.low, option.slowdown.high
                                held[count, how].append(low <= real <= high)
    for count in TRIALS:
        row = [
            f"{statistics.mean(held[count, how]):.0%}"
            for how in ("at random", *SEARCHES)
        ]
        print(f"| {count} | " + " | ".join(row) + " |")


def _chosen(
    recorded: RecordedSpace, log: TuningLog, how: str, count: int, seed: int
) -> list[LoggedTrial]:
    """Some trials of a recorded space, at random or as a search chooses them."""
    if how == "at random":
        trials = list(log.trials)
        return random.Random(seed).sample(trials, min(count, len(trials)))
    trace = replay(recorded, how, seed=seed, trials=count, count_strategy=False)
    by_point = {canonical(one.point): one for one in log.trials}
    names = [canonical(one.point) for one in trace.trials]
    return [by_point[name] for name in names if name in by_point]


if __name__ == "__main__":
    main()
