"""What a cluster gains: the costs of a candidate, and the rates that follow from them.

    python benchmarks/search/cluster_scaling.py payload.mlir schedule.tw --points 16
    python benchmarks/search/cluster_scaling.py ... --summary run.json --out costs.json

Starts a Dask cluster on this machine with one compile worker, takes random points of
the schedule through it with an empty Triton cache, and measures seconds and bytes of
each step. No GPU is needed; the seconds of a measurement come from the summary of a run
on one (`tilewright tune --summary`), or from `--measure-seconds`.

    trials/s = min(compilers / compile_s, cards / measure_s, builders / build_s, jobs/s)
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tilewright.codegen.runtime.compile import source_file
from tilewright.codegen.targets import target_named
from tilewright.commands.inputs.programs import read_both
from tilewright.ir.errors import UserError
from tilewright.pipeline import build
from tilewright.tuning.cluster.cluster_pool import ClusterPool
from tilewright.tuning.cluster.cluster_workers import ClusterWorkers
from tilewright.tuning.cluster.connection import local_cluster
from tilewright.tuning.cluster.members import CardJob
from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.space.read import read_space
from tilewright.tuning.workers.jobs import CompileJob, MeasureJob
from tilewright.tuning.workers.pools import Finished, wait

EMPTY_JOBS = 400
THREADS = 8
"""Jobs that are under way at the same time."""
MACHINES = ((1, 1), (14, 1), (64, 1), (64, 4), (256, 8), (1024, 32))
"""Compile threads and cards of the table."""


def programs(payload: Path, schedule: Path, count: int) -> tuple[list[Any], float]:
    """Programs of random points, and the seconds to build one."""
    module, loaded = read_both(payload, schedule)
    assert loaded is not None
    space = read_space(loaded.module)
    rng = random.Random(0)
    found: dict[str, Any] = {}
    seconds: list[float] = []
    while len(found) < count:
        point = space.sample(rng)
        start = time.perf_counter()
        try:
            built = build(module, loaded, point, verify_steps=False)
        except UserError:
            continue
        seconds.append(time.perf_counter() - start)
        found[built.program.key] = built.program
    return list(found.values()), statistics.median(seconds)


def drained(pool: ClusterPool) -> list[Finished]:
    """The results of all jobs of a pool."""
    done: list[Finished] = []
    while pool.pending:
        done += wait([pool], 1.0)
    return done


def costs(payload: Path, schedule: Path, count: int) -> dict[str, float]:
    """Seconds and bytes of a candidate, by step."""
    found, build_seconds = programs(payload, schedule, count)
    with tempfile.TemporaryDirectory() as folder:
        # The workers inherit it: every kernel is compiled.
        os.environ["TRITON_CACHE_DIR"] = f"{folder}/triton"
        with local_cluster(1, gpu=False) as client:
            workers = ClusterWorkers(client)
            with ClusterPool(workers, "compile", limit=300.0) as pool:
                jobs = [
                    CompileJob(p, target_named("h200"), Path(folder)) for p in found
                ]
                for job in jobs:
                    pool.submit(job)
                done = drained(pool)
                compiled = [one for one in done if one.ending == "ok"]
                sent, received = pool.sent_bytes, pool.received_bytes
            measured = [
                _measure_bytes(workers, one.job.program, Path(folder))  # type: ignore[attr-defined]
                for one in compiled
            ]
            workers.close()
        rate = empty_jobs_per_second()
    return {
        "programs": len(found),
        "compiled": len(compiled),
        "build_s": build_seconds,
        "compile_s": statistics.mean(one.seconds for one in compiled),
        "compile_p90_s": statistics.quantiles([o.seconds for o in compiled], n=10)[-1],
        "compile_job_bytes": sent / len(found),
        "kernel_bytes": received / len(compiled),
        "measure_job_bytes": statistics.mean(measured),
        "empty_jobs_per_s": rate,
    }


def _measure_bytes(workers: ClusterWorkers, program: Any, folder: Path) -> int:
    """Bytes of a measure job with its compiled kernels."""
    source = source_file(program, folder)
    job = MeasureJob(source, program.entry, (), TimingOptions())
    portable = workers.packer.pack(job)
    kernels = workers.binaries.get(workers.packer.sent_file(source).digest, {})
    return portable.size + sum(kernel.size for kernel in kernels.values())


def empty_jobs_per_second() -> float:
    """Jobs a second that this process can give away and collect."""
    with local_cluster(THREADS, gpu=False) as client:
        workers = ClusterWorkers(client)
        with ClusterPool(workers, "compile", limit=60.0, preload="") as pool:
            for _ in range(THREADS):
                pool.submit(CardJob("none"))
            drained(pool)  # starts the processes
            start = time.perf_counter()
            for _ in range(EMPTY_JOBS):
                pool.submit(CardJob("none"))
            drained(pool)
            rate = EMPTY_JOBS / (time.perf_counter() - start)
        workers.close()
    return rate


def measure_seconds(summary: Path) -> float:
    """Seconds on the card for a trial, from the summary of a run."""
    told = json.loads(summary.read_text())
    spent = sum(
        told["seconds"].get(stage, 0.0) for stage in ("check", "warm-up", "time")
    )
    return spent / max(1, told["outcomes"].get("ok", 0))


def rates(cost: dict[str, float], builders: int) -> list[dict[str, Any]]:
    """Trials a second for clusters of several sizes, and what limits each."""
    table: list[dict[str, Any]] = []
    for compilers, cards in MACHINES:
        limits = {
            "compilers": compilers / cost["compile_s"],
            "cards": cards / cost["measure_s"],
            "builders": builders / cost["build_s"],
            # A trial is two jobs: compile, measure.
            "parent": cost["empty_jobs_per_s"] / 2,
        }
        by = min(limits, key=lambda name: limits[name])
        table.append(
            {"compilers": compilers, "cards": cards, "per_s": limits[by], "by": by}
        )
    return table


def report(cost: dict[str, float], table: Sequence[dict[str, Any]]) -> None:
    """Print the costs and the rates."""
    for name, value in cost.items():
        print(f"{name:20} {value:12.4g}")
    print("\ncompile threads  cards  trials/s  limited by")
    for row in table:
        print(
            f"{row['compilers']:15}  {row['cards']:5}  {row['per_s']:8.1f}  {row['by']}"
        )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("payload", type=Path)
    parser.add_argument("schedule", type=Path)
    parser.add_argument("--points", type=int, default=16)
    parser.add_argument("--builders", type=int, default=8, help="build processes (8)")
    parser.add_argument("--summary", type=Path, help="of a run on a GPU")
    parser.add_argument("--measure-seconds", type=float, default=0.05)
    parser.add_argument("--out", type=Path)
    told = parser.parse_args()
    cost = costs(told.payload, told.schedule, told.points)
    cost["measure_s"] = (
        measure_seconds(told.summary) if told.summary else told.measure_seconds
    )
    table = rates(cost, told.builders)
    report(cost, table)
    if told.out is not None:
        told.out.write_text(json.dumps({"costs": cost, "rates": table}, indent=1))


if __name__ == "__main__":
    main()
