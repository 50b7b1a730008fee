"""What structure earns: planned kernels, the best structure found, and torch.

First `tilewright tune --structure` searches every work for `--seconds`, `--jobs` works
at a time: runs on one GPU take turns to measure. Meanwhile other processes compile the
candidates of torch's max-autotune. Then the programs of each work are checked against
the function in float64 and timed in turn, in this process: the planned one; with tuned
numbers and no other choice; with the planned groups of ops, each in its best kernel;
the winner; eager torch; torch.compile with max-autotune. The planner's regret in
structure is the time with tuned numbers over that of the winner, less one; of it, the
regret in groups is that of the second over the winner.

With --dry nothing is measured: works are tiny, the cost model estimates, interpreters
check the winner, and the record says so.

With --replay, today's model estimates every structure that records hold, and the regret
is that of what the planner picks today. Nothing is measured.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from harness.models.summary import geometric_mean
from harness.timing import command_line, environment, write_json
from structure.replaying import replay
from structure.rivals_ahead import compile_ahead
from structure.searching import searched
from structure.side_by_side import timed
from structure.works import WORKS, Work

EXAMPLE = """example:
  python benchmarks/structure --out benchmarks/results/structure.json
  python benchmarks/structure --works 'mlp|norm' --seconds 60 --out part.json
  python benchmarks/structure --dry --trials 4 --out dry.json
  python benchmarks/structure --replay benchmarks/results/structure.json
"""
EARNED = 1.05
"""A structure earned something if the winner is this many times as fast."""
AHEAD_SECONDS = 150.0
"""How long the candidates of a rival may compile."""


def read_options(arguments: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--out", type=Path, help="where the JSON record goes")
    add("--works", default="", metavar="REGEX", help="only works whose name matches")
    add("--seconds", type=float, default=120.0, help="of a search (%(default)s)")
    add("--trials", type=int, help="trials of a search, instead of seconds")
    add("--jobs", type=int, default=1, help="searches at a time (%(default)s)")
    add("--margin", type=float, default=1.5, help="how near (%(default)s)")
    add("--rounds", type=int, default=15, help="timed rounds (%(default)s)")
    add("--total", type=float, help="seconds after which no work is timed")
    add("--no-rivals", action="store_true", help="leave torch out")
    add("--dry", action="store_true", help="tiny works, estimated; needs no GPU")
    add("--list", action="store_true", help="print the names of the works, and stop")
    add("--replay", type=Path, nargs="+", metavar="FILE", help="estimate records again")
    add("--target", default="h200", help="the GPU of --replay (%(default)s)")
    options = parser.parse_args(arguments)
    if not (options.out or options.list or options.replay):
        parser.error("--out FILE is missing: it says where the record goes")
    return options


def main(arguments: list[str]) -> int:
    """Record all works; 1 if one failed."""
    options = read_options(arguments)
    works = {n: w for n, w in WORKS.items() if re.search(options.works, n)}
    if options.list:
        print("\n".join(works))
        return 0
    if options.replay:
        return replay(options.replay, options.target, works)
    started = time.monotonic()
    record: dict[str, Any] = {
        "command": command_line(),
        "dry": options.dry,
        "measured": not options.dry,
        "environment": environment(),
        "method": {
            "seconds": options.seconds,
            "trials": options.trials,
            "jobs": options.jobs,
            "margin": options.margin,
            "rounds": options.rounds,
        },
        "works": {},
    }
    with tempfile.TemporaryDirectory() as folder:
        files = _payloads(works, Path(folder), options)
        if not options.dry:
            os.environ["TRITON_CACHE_DIR"] = str(Path(folder) / "triton")
        tuned = search_all(files, options)
        for name, found in tuned.items():
            late = options.total and time.monotonic() - started > options.total
            if isinstance(found, Exception):
                row = {"error": f"{type(found).__name__}: {found}"}
            elif late and not options.dry:
                row = {
                    "search": found["run"],
                    **found["structures"],
                    "error": "the time was over before it was timed",
                }
            else:
                row = run_work(works[name], files[name], found, options)
            record["works"][name] = row
            record["summary"] = summary(record["works"])
            write_json(options.out, record)
            print(line_of(name, row), flush=True)
    print(json.dumps(record.get("summary", {})))
    return int(any("error" in found for found in record["works"].values()))


def _payloads(
    works: dict[str, Work], folder: Path, options: argparse.Namespace
) -> dict[str, Path]:
    """Write the payload of each work to a folder of its own."""
    import tilewright

    device = "cpu" if options.dry else "cuda"
    files: dict[str, Path] = {}
    for number, (name, work) in enumerate(works.items()):
        tensors = work.inputs(device, tiny=options.dry)
        payload = tilewright.from_torch(work.function, tensors, name="payload")
        files[name] = folder / str(number) / "payload.mlir"
        files[name].parent.mkdir()
        files[name].write_text(payload.text())
    return files


def search_all(
    files: dict[str, Path], options: argparse.Namespace
) -> dict[str, dict[str, Any] | Exception]:
    """Search all works, and compile the candidates of their rivals meanwhile."""
    has_rivals = not (options.dry or options.no_rivals)
    with (
        ThreadPoolExecutor(options.jobs) as searching,
        ThreadPoolExecutor(max(options.jobs // 2, 1)) as ahead,
    ):
        jobs = {
            searching.submit(searched, file, options): n for n, file in files.items()
        }
        compiling = {}
        if has_rivals:
            compiling = {
                n: ahead.submit(compile_ahead, n, AHEAD_SECONDS) for n in files
            }
        for count, job in enumerate(as_completed(jobs), start=1):
            print(f"searched {count}/{len(jobs)}: {jobs[job]}", flush=True)
        for name, one in compiling.items():
            if failure := one.result():
                print(f"max-autotune of {name}: {failure}", flush=True)
    return {
        name: job.exception() or job.result()  # pyright: ignore
        for job, name in jobs.items()
    }


def run_work(
    work: Work, file: Path, tuned: dict[str, Any], options: argparse.Namespace
) -> dict[str, Any]:
    """What a search found, and on a GPU the times of the programs in turn."""
    found: dict[str, Any] = {"search": tuned["run"], **tuned["structures"]}
    if options.dry:
        return found
    try:
        return found | timed(work, work.inputs("cuda"), file, tuned, options)
    except Exception as error:
        return {**found, "error": f"{type(error).__name__}: {error}"}


def summary(works: dict[str, Any]) -> dict[str, Any]:
    """The regret in structure over all works, and what the structure earned."""
    done = {name: found for name, found in works.items() if "error" not in found}
    regrets = {name: found["regret"] for name, found in done.items()}
    earned = [name for name, regret in regrets.items() if regret >= EARNED - 1]
    rivals = [
        found["speedups"]["max-autotune"]["median"]
        for found in done.values()
        if "max-autotune" in found.get("speedups", {})
    ]
    return {
        "works": len(works),
        "failed": len(works) - len(done),
        "with_open_structure": sum(bool(f["structures"]) for f in done.values()),
        "mean_regret": sum(regrets.values()) / max(len(regrets), 1),
        "earned_5_percent": earned,
        "faster_than_max_autotune": sum(ratio > 1 for ratio in rivals),
        "timed_with_max_autotune": len(rivals),
        "over_max_autotune": geometric_mean(rivals),
    }


def line_of(name: str, found: dict[str, Any]) -> str:
    """A work in a line."""
    if "error" in found:
        return f"{name}: FAILED: {found['error']}"
    picked = ", ".join(found["picked"].values()) or "nothing is near"
    times = found.get("ms") or {
        "planned (estimated)": found["search"]["planned_ms"],
        "best (estimated)": found["search"]["best_ms"],
    }
    shown = "; ".join(f"{k} {v:.4f} ms" for k, v in times.items() if v is not None)
    return f"{name}: {picked}; regret {100 * found['regret']:.1f}%; {shown}"
