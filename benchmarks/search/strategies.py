"""Compare search strategies on recorded spaces; needs no GPU.

Every strategy is replayed against every space of a folder (`record_spaces.py` makes
them) with several seeds, in two ways:

- one point at a time: the regret after 15, 30 and 100 trials;
- on a simulated machine with 14 compile processes and one GPU, as `tilewright tune`
  runs: the regret after 15, 30 and 60 seconds.

The regret is by how much the best point so far is slower than the best recorded one.

    python benchmarks/search/strategies.py --seeds 20 --out search.json
    python benchmarks/search/strategies.py --strategies guided random --spaces gemm_4096

A space of 113,400 points, of which 1,642 were measured (`predicted_space.py`):

    python benchmarks/search/strategies.py --folder benchmarks/spaces/large --predict

`kernel_tuner_strategies.py` replays the strategies of Kernel Tuner on the same
recordings; `--add FILE` puts its results into the table.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from predicted_space import predicted_space
from tilewright.tuning.learning.dataset import Example
from tilewright.tuning.replay.machine import Machine
from tilewright.tuning.replay.recorded_examples import recorded_examples
from tilewright.tuning.replay.recorded_space import SUFFIX, RecordedSpace
from tilewright.tuning.replay.replay import replay
from tilewright.tuning.search.strategies import STRATEGIES

FOLDER = Path(__file__).resolve().parents[1] / "spaces"
TRIALS = (15, 30, 100)
SECONDS = (15.0, 30.0, 60.0)
FAILED = 1.0
"""The regret of a search that has found no point that works."""


@dataclass(frozen=True)
class Job:
    """One replay: by trials, or by seconds."""

    path: Path
    strategy: str
    seed: int
    by_seconds: bool
    options: str = "{}"
    learned: bool = False
    """Whether the guide's estimates are learned from the other spaces."""
    predicted: bool = False
    """Whether the points that were not measured are predicted."""


def main() -> None:
    """The command line."""
    options = _parser().parse_args()
    paths = [
        path
        for path in sorted(options.folder.glob(f"*{SUFFIX}"))
        if not options.spaces or path.name.removesuffix(SUFFIX) in options.spaces
    ]
    if not paths:
        sys.exit(f"no recorded space in {options.folder}")
    jobs = [
        Job(
            path,
            strategy,
            seed,
            by_seconds,
            options.options,
            options.learned,
            options.predict,
        )
        for path in paths
        for strategy in options.strategies or STRATEGIES
        for by_seconds in (False, True)
        if not (by_seconds and options.trials_only)
        for seed in range(1 if strategy == "grid" else options.seeds)
    ]
    start = time.monotonic()
    with ProcessPoolExecutor(options.jobs) as pool:
        found = list(pool.map(run, jobs, chunksize=4))
    results = [result for result in found if result is not None]
    for extra in options.add or ():
        results += json.loads(extra.read_text())["replays"]
    summary = summarize(results)
    print(table(summary))
    print(f"{len(jobs)} replays in {time.monotonic() - start:.0f} s")
    if options.out is not None:
        record = {"spaces": [p.name for p in paths], "summary": summary}
        record["replays"] = results
        options.out.write_text(json.dumps(record, indent=1) + "\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, default=FOLDER, help="recorded spaces")
    parser.add_argument("--spaces", nargs="*", help="names; all if left out")
    parser.add_argument("--strategies", nargs="*", help="names; all if left out")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--options", default="{}", help="strategy options, as JSON")
    parser.add_argument(
        "--learned",
        action="store_true",
        help="estimates are those of a model that has learned from the other spaces",
    )
    parser.add_argument(
        "--predict",
        action="store_true",
        help="points that were not measured are predicted from those that were",
    )
    parser.add_argument("--trials-only", action="store_true", help="no seconds")
    parser.add_argument("--add", type=Path, nargs="*", help="results of other searches")
    parser.add_argument("--out", type=Path, help="a JSON file")
    return parser


@cache
def _load(path: Path, predicted: bool = False) -> RecordedSpace:
    found = RecordedSpace.load(path)
    return predicted_space(found) if predicted else found


@cache
def _others(path: Path) -> list[Example]:
    """The examples of all other spaces of the folder."""
    paths = sorted(path.parent.glob(f"*{SUFFIX}"))
    return [e for p in paths if p != path for e in recorded_examples(_load(p))]


def run(job: Job) -> dict[str, Any]:
    """Replay one strategy with one seed."""
    recorded = _load(job.path, job.predicted)
    settings = json.loads(job.options)
    known = _others(job.path) if job.learned else []
    if job.by_seconds:
        trace = replay(
            recorded,
            job.strategy,
            seed=job.seed,
            options=settings,
            machine=Machine(),
            seconds=max(SECONDS),
            known=known,
        )
        regrets = {f"{s:.0f} s": _regret(trace.regret_at(s)) for s in SECONDS}
    else:
        trace = replay(
            recorded,
            job.strategy,
            seed=job.seed,
            options=settings,
            trials=max(TRIALS),
            count_strategy=False,
            known=known,
        )
        regrets = {f"{n} trials": _regret(trace.regret_after(n)) for n in TRIALS}
    return {
        "space": recorded.name,
        "strategy": job.strategy,
        "seed": job.seed,
        "regrets": regrets,
        "trials": len(trace.trials),
        "unrecorded": trace.unrecorded,
        "strategy_ms_a_trial": 1e3 * trace.strategy_seconds / max(1, len(trace.trials)),
    }


def _regret(found: float | None) -> float:
    return FAILED if found is None else min(FAILED, found)


def summarize(results: list[dict[str, Any]]) -> dict[str, Any]:
    """Mean, spread and worst regret of each strategy, over all and for each space."""
    groups: dict[str, dict[str, dict[str, list[float]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    costs: dict[str, list[float]] = defaultdict(list)
    for result in results:
        for moment, regret in result["regrets"].items():
            for space in ("all", result["space"]):
                groups[result["strategy"]][space][moment].append(regret)
        costs[result["strategy"]].append(result["strategy_ms_a_trial"])
    return {
        strategy: {
            "ms_a_trial": round(statistics.mean(costs[strategy]), 2),
            "spaces": {
                space: {moment: _figures(values) for moment, values in moments.items()}
                for space, moments in spaces.items()
            },
        }
        for strategy, spaces in groups.items()
    }


def _figures(values: list[float]) -> dict[str, float]:
    return {
        "mean": round(statistics.mean(values), 5),
        "deviation": round(statistics.pstdev(values), 5),
        "worst": round(max(values), 5),
        "within 2%": round(sum(value <= 0.02 for value in values) / len(values), 3),
    }


def table(summary: dict[str, Any]) -> str:
    """Mean regrets in percent: over all spaces, and at 30 trials for each space."""
    moments = [f"{n} trials" for n in TRIALS] + [f"{s:.0f} s" for s in SECONDS]
    lines = [
        "mean regret in percent (standard deviation)",
        "| strategy | "
        + " | ".join(moments)
        + " | within 2% at the end | ms a trial |",
        "|---" * (len(moments) + 3) + "|",
    ]
    for strategy, figures in summary.items():
        found = figures["spaces"]["all"]
        cells = [
            f"{100 * found[m]['mean']:.1f} ({100 * found[m]['deviation']:.1f})"
            if m in found
            else ""
            for m in moments
        ]
        last = next((found[m]["within 2%"] for m in reversed(moments) if m in found), 0)
        cells += [f"{100 * last:.0f}%", f"{figures['ms_a_trial']:.1f}"]
        lines.append(f"| {strategy} | " + " | ".join(cells) + " |")
    spaces = [s for s in next(iter(summary.values()))["spaces"] if s != "all"]
    for moment in (f"{TRIALS[0]} trials", f"{TRIALS[1]} trials", f"{TRIALS[2]} trials"):
        lines += [
            "",
            f"mean regret in percent after {moment}, by space",
            "| strategy | " + " | ".join(spaces) + " |",
            "|---" * (len(spaces) + 1) + "|",
        ]
        for strategy, figures in summary.items():
            row = (figures["spaces"].get(space, {}).get(moment) for space in spaces)
            cells = ["" if c is None else f"{100 * c['mean']:.1f}" for c in row]
            lines.append(f"| {strategy} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
