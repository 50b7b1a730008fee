"""Replay the strategies of Kernel Tuner on the recorded spaces.

Kernel Tuner is not a dependency. It needs an environment of its own:

    python benchmarks/search/kernel_tuner_strategies.py export --out FOLDER
    python3 -m venv other && other/bin/pip install kernel_tuner
    other/bin/python benchmarks/search/kernel_tuner_strategies.py run \
        --folder FOLDER --out kt.json
    python benchmarks/search/strategies.py --add kt.json

`export` runs where tilewright is installed. It writes plain JSON: the options, the
valid points and their times. `run` needs Kernel Tuner alone and uses its simulation
mode. A choice that is not open at a point has its first option there, and other options
are not valid. Kernel Tuner evaluates one point after the other, so there are results by
trials only. A trial is a valid point that was not evaluated before; failed ones count
too.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "spaces"
TRIALS = (15, 30, 100)
FAILED = 1.0
STRATEGIES = (
    "random_sample",
    "genetic_algorithm",
    "simulated_annealing",
    "diff_evo",
    "pso",
    "firefly_algorithm",
    "dual_annealing",
    "basinhopping",
    "greedy_ils",
    "greedy_mls",
    "mls",
    "bayes_opt",
    "hybrid_vndx",
    "adaptive_tabu_greywolf",
)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("export", "run"))
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--strategies", nargs="*", default=STRATEGIES)
    parser.add_argument("--spaces", nargs="*", help="names; all if left out")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    if options.what == "export":
        options.out.mkdir(parents=True, exist_ok=True)
        _export(options.folder, options.out)
        return
    paths = [
        path
        for path in sorted(options.folder.glob("*.json"))
        if not options.spaces or path.stem in options.spaces
    ]
    jobs = [
        (path, strategy, seed)
        for path in paths
        for strategy in options.strategies
        for seed in range(options.seeds)
    ]
    with ProcessPoolExecutor(options.jobs) as pool:
        found = list(pool.map(_run, jobs, chunksize=4))
    replays = [one for one in found if one is not None]
    failed = len(found) - len(replays)
    options.out.write_text(json.dumps({"replays": replays}) + "\n")
    print(f"{len(replays)} replays, {failed} failed")


def _export(folder: Path, out: Path) -> None:
    """Write the recorded spaces as plain JSON."""
    from tilewright.tuning.replay.recorded_space import SUFFIX, RecordedSpace

    for path in sorted(folder.glob(f"*{SUFFIX}")):
        recorded = RecordedSpace.load(path)
        choices = recorded.space.choices
        data = {
            "name": recorded.name,
            "options": {name: list(c.options) for name, c in choices.items()},
            "points": [
                [one.point.get(name, c.options[0]) for name, c in choices.items()]
                for one in recorded.points
            ],
            "milliseconds": [one.milliseconds for one in recorded.points],
        }
        (out / f"{recorded.name}.json").write_text(json.dumps(data))


def _run(job: tuple[Path, str, int]) -> dict[str, Any] | None:
    """One search by Kernel Tuner; None where it fails."""
    import numpy as np
    from constraint import FunctionConstraint
    from kernel_tuner import tune_kernel

    path, strategy, seed = job
    data = json.loads(path.read_text())
    valid = {tuple(point) for point in data["points"]}
    names = list(data["options"])
    allowed = [FunctionConstraint(lambda *values: tuple(values) in valid)]
    random.seed(seed)
    np.random.seed(seed)
    with tempfile.TemporaryDirectory() as scratch:
        cache = Path(scratch) / "cache.json"
        cache.write_text(json.dumps(_cache(data, strategy)))
        try:
            results, _ = tune_kernel(
                data["name"],
                "__global__ void none() {}",
                1,
                [],
                data["options"],
                restrictions=allowed,
                strategy=strategy,
                strategy_options={"max_fevals": max(TRIALS)},
                simulation_mode=True,
                cache=str(cache),
                quiet=True,
            )
        except Exception as error:
            print(f"{data['name']} {strategy} {seed}: {error!r}"[:300], file=sys.stderr)
            return None
    return {
        "space": data["name"],
        "strategy": f"KT {strategy}",
        "seed": seed,
        "regrets": _regrets(data, results, names),
        "trials": len(results),
        "unrecorded": 0,
        "strategy_ms_a_trial": 0.0,
    }


def _regrets(
    data: dict[str, Any], results: list[dict[str, Any]], names: list[str]
) -> dict[str, float]:
    times = {
        tuple(point): ms
        for point, ms in zip(data["points"], data["milliseconds"], strict=True)
    }
    best = min(ms for ms in times.values() if ms is not None)
    # In order of evaluation; an evaluation of a known point is free.
    order = dict.fromkeys(tuple(one[name] for name in names) for one in results)
    found = [times.get(point) for point in order]
    regrets: dict[str, float] = {}
    for count in TRIALS:
        worked = [ms for ms in found[:count] if ms is not None]
        regret = min(worked) / best - 1 if worked else FAILED
        regrets[f"{count} trials"] = min(FAILED, regret)
    return regrets


def _cache(data: dict[str, Any], strategy: str) -> dict[str, Any]:
    """The recording as a cache file of Kernel Tuner."""
    names = list(data["options"])
    entries: dict[str, Any] = {}
    for point, ms in zip(data["points"], data["milliseconds"], strict=True):
        entry: dict[str, Any] = dict(zip(names, point, strict=True))
        time = ms if ms is not None else "RuntimeFailedConfig"
        entry["time"] = time
        if ms is not None:
            entry["times"] = [ms]
        entry |= dict.fromkeys(
            ("compile_time", "verification_time", "benchmark_time", "strategy_time"), 0
        )
        entry["framework_time"] = 0
        entry["timestamp"] = "2026-01-01T00:00:00+00:00"
        entries[",".join(str(value) for value in point)] = entry
    return {
        "device_name": "Simulation",
        "kernel_name": data["name"],
        "problem_size": 1,
        "tune_params_keys": names,
        "tune_params": data["options"],
        "objective": "time",
        "cache": entries,
    }


if __name__ == "__main__":
    main()
