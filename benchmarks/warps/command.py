"""Time kernels whose warps have roles, beside torch's best.

    python benchmarks/warps --out record.json --works 'S8192 D128|gemm 4096'
    python benchmarks/warps --aot --jobs 2      # compile all for an H200, without a GPU

Each work runs in processes of its own. The first compiles the kernels into Triton's
cache without the GPU; the second times them. --jobs works compile at once, and one
at a time has the GPU. Contenders are checked in every element, their
launches must repeat the same bits, and they are timed interleaved, round by round. A
step (compiling, checking, or timing one contender) that takes longer than --limit ends
the process; the work is tried again without that contender, which the record lists as
hung. The record is written anew after every work.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from warps.watch import Watched, watch

TURN = Path(tempfile.gettempdir()) / "tilewright-warps-turn"
"""Locked by the process that has the GPU."""


def main(arguments: list[str]) -> int:
    """Run the command; 0 if every work was measured and nothing hung."""
    options = _options(arguments)
    if options.child:
        return _child(options)
    from warps.works import table

    works = [w.name for w in table() if re.search(options.works, w.name)]
    if options.list:
        print("\n".join(works))
        return 0
    record: dict[str, Any] = {"command": sys.argv, "works": {}}
    deadline = time.monotonic() + options.total
    with ThreadPoolExecutor(options.jobs) as pool:
        runs = {name: pool.submit(_work, name, options, deadline) for name in works}
        for name, run in runs.items():
            found = run.result()
            record["works"][name] = vars(found)
            if options.out:
                options.out.write_text(json.dumps(record, indent=1) + "\n")
            print(_line(name, found, is_timed=not options.aot), flush=True)
    results = record["works"].values()
    return int(any(found["error"] or found["hung"] for found in results))


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--out", type=Path, help="the record, JSON")
    add("--works", default="", metavar="REGEX", help="only works whose name matches")
    add("--ours", default="", metavar="REGEX", help="only those of ours that match")
    add("--limit", type=float, default=60.0, help="seconds of one step (%(default)s)")
    add("--seconds", type=float, default=60.0, help="seconds to time a work")
    add("--total", type=float, default=1500.0, help="seconds of the whole run")
    add("--rounds", type=int, default=7)
    add("--aot", action="store_true", help="compile for an H200 and stop; no GPU")
    add("--jobs", type=int, default=1, help="works that compile at once")
    add("--list", action="store_true", help="print the names of the works")
    add("--child", default="", help=argparse.SUPPRESS)
    add("--turn", type=Path, help=argparse.SUPPRESS)
    add("--ahead", action="store_true", help=argparse.SUPPRESS)
    add("--skip", action="append", default=[], help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def _work(name: str, options: argparse.Namespace, deadline: float) -> Watched:
    """Measure one work in a process."""

    def command(skip: Any, *more: str) -> list[str]:
        script = Path(__file__).parent
        made = [sys.executable, str(script), "--child", name, *more]
        made += ["--rounds", str(options.rounds), "--seconds", str(options.seconds)]
        made += ["--aot"] if options.aot else []
        made += ["--ours", options.ours] if options.ours else []
        return made + [word for one in skip for word in ("--skip", one)]

    def run(*more: str) -> Watched:
        return watch(
            lambda skip: command(skip, *more),
            step_seconds=options.limit,
            deadline=deadline,
        )

    if time.monotonic() > deadline:
        return Watched(error="no time left")
    if options.aot:
        return run()
    ahead = run("--ahead")
    timed = run("--turn", str(TURN))
    if timed.result is not None and ahead.result is not None:
        timed.result["kernels"] = ahead.result["points"]
    return timed


def _child(options: argparse.Namespace) -> int:
    from warps.child import compile_only, measure
    from warps.works import table

    work = next(work for work in table() if work.name == options.child)
    ours = tuple(one for one in work.ours if re.search(options.ours, one.name))
    work = replace(work, ours=ours)
    if options.ahead:
        compile_only(work, None)
    elif options.aot:
        from tempfile import TemporaryDirectory

        with TemporaryDirectory(prefix="warps_") as directory:
            compile_only(work, Path(directory))
    else:
        measure(work, options.skip, options.rounds, options.seconds, options.turn)
    return 0


def _line(name: str, found: Watched, *, is_timed: bool) -> str:
    """A line for people."""
    hung = f"; hung: {', '.join(found.hung)}" if found.hung else ""
    if found.result is None:
        return f"{name}: {found.error.strip().splitlines()[-1:] or 'failed'}{hung}"
    if not is_timed:
        points = found.result["points"]
        spilled = sum(any(p.get("spill_bytes", ())) for p in points.values())
        gluon = sum(bool(p.get("gluon")) for p in points.values())
        refused = sum("refused" in p for p in points.values())
        return f"{name}: {gluon} in Gluon, {refused} refused, {spilled} spill{hung}"
    rows = found.result["rows"]
    text = [
        f"{row['name']} {row['tflops']:.0f}"
        + (
            f" ({row['speedup_over_best_rival']['median']:.3f})"
            if row["ours"] and row["speedup_over_best_rival"]
            else ""
        )
        for row in rows[:5]
    ]
    failed = len(found.result["failed"])
    return f"{name}: {', '.join(text)} TFLOP/s; {failed} failed{hung}"
