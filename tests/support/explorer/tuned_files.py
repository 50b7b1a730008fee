"""Results files with many trials, written through the project's own log of a run."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path

from support.paths import ROOT
from tilewright.codegen.runtime.compile import CompiledStats
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.records import Record, Setting, Versions, text_hash
from tilewright.tuning.results.run_log import RunLog
from tilewright.tuning.results.runs import Run
from tilewright.tuning.space.choices import Point
from tilewright.tuning.space.read import read_space

PAYLOAD = "builtin.module {\n}\n"
SCHEDULE = """
schedule gemm(root) {
  mm = match "linalg.matmul" in root
  BM = knob [16, 32, 64, 128, 256] default 64
  BN = knob [16, 32, 64, 128, 256] default 64
  BK = knob [16, 32, 64, 128] default 32
  warps = knob [2, 4, 8] default 4
  stages = knob [2, 3, 4, 5] default 3
  group = knob [1, 4, 8, 16] default 8
  choose loads default pointers {
    pointers { }
    descriptors { depth = knob [1, 2, 3] }
  }
}
"""
SETTING = Setting(
    text_hash(PAYLOAD),
    text_hash(Schedule.from_text(SCHEDULE, "gemm.tw").to_mlir()),
    "NVIDIA H200",
    Versions("2.13", "3.7.1", "0.1.0", "abc"),
    payload_name="gemm.mlir",
    schedule_name="gemm.tw",
    extents=((4096, 4096, 4096),),
)


def milliseconds(point: Point, rng: random.Random) -> float | None:
    """A time with the shape of a real one; None where the point needs too much."""
    bm, bn, bk = (int(point[name]) for name in ("BM", "BN", "BK"))
    stages, warps = int(point["stages"]), int(point["warps"])
    if 2 * (bm + bn) * bk * stages > 232448:
        return None
    small = math.log2(128 / min(bm, 128)) + math.log2(128 / min(bn, 128))
    spilled = max(0.0, bm * bn / (warps * 32 * 160) - 1.0)
    loads = 0.12 if point["loads"] == "pointers" else 0.0
    noise = rng.gauss(0.0, 0.01)
    return 0.19 * math.exp(0.25 * small + 0.5 * spilled + loads + 8 / bk + noise)


def record(number: int, point: Point, rng: random.Random, setting: Setting) -> Record:
    """The record of a trial."""
    ms = milliseconds(point, rng)
    base = Record(
        setting,
        point,
        f"p{number}",
        "pruned",
        measured=True,
        error="gemm_kernel: needs 262144 bytes of shared memory, h200 allows 232448",
        seconds={"transform": 0.07, "emit": 0.02},
        closed=f"{setting.payload}{setting.device}{number}",
    )
    if ms is None:
        return base
    shared = 2 * (int(point["BM"]) + int(point["BN"])) * int(point["BK"])
    stats = CompiledStats("gemm_kernel", 128 + number % 100, 0, shared, 4, 8, 2, 0.5)
    return replace(
        base,
        outcome="ok",
        error="",
        p20=0.99 * ms,
        p50=ms,
        p80=1.02 * ms,
        repetitions=100,
        stats=(stats,),
        seconds={"transform": 0.07, "emit": 0.02, "compile": 0.9, "time": 0.05},
    )


def write_run(
    path: Path, trials: int, *, seed: int = 0, setting: Setting = SETTING
) -> Path:
    """Add a run of random points to a results file."""
    rng = random.Random(seed)
    schedule = Schedule.from_text(SCHEDULE, "gemm.tw")
    space = read_space(schedule.module)
    run = Run(0, setting, measured=True, strategy="random", seed=seed)
    texts = {setting.payload: PAYLOAD, setting.schedule: schedule.to_mlir()}
    with Database(path) as database:
        log = RunLog(database, run, texts=texts)
        for number in range(1, trials + 1):
            log.record(record(number, space.sample(rng), rng, setting), number, "new")
        log.end("finished", 0.5 * trials, {"search": 1.0, "compile": 0.4 * trials})
    return path


def write_matmul_run(path: Path, points: int = 4) -> Path:
    """Add a run of a payload that can be built, with made-up times."""
    folder = ROOT / "examples/matmul_relu"
    payload = (folder / "payload.mlir").read_text()
    schedule = Schedule.from_path(folder / "tuned.tw")
    setting = replace(
        SETTING,
        payload=text_hash(payload),
        schedule=text_hash(schedule.to_mlir()),
        payload_name="payload.mlir",
        schedule_name="tuned.tw",
        extents=((512, 512, 512),),
    )
    command = f"tilewright tune payload.mlir -s {folder / 'tuned.tw'}"
    run = Run(0, setting, measured=True, strategy="random", command=command)
    texts = {setting.payload: payload, setting.schedule: schedule.to_mlir()}
    rng = random.Random(0)
    space = read_space(schedule.module)
    placements = ("fused", "second_kernel")
    with Database(path) as database:
        log = RunLog(database, run, texts=texts)
        for number in range(1, points + 1):
            point = space.sample(rng)
            while point["tail_placement"] != placements[number % 2]:
                point = space.sample(rng)
            made = replace(
                record(number, {"BM": 64, "BN": 64, "BK": 32, **NUMBERS}, rng, setting),
                point=point,
            )
            log.record(made, number, "new", samples=[[0.2, 0.21, 0.22]])
        log.end("finished", 2.0, {})
    return path


NUMBERS: Point = {"stages": 2, "warps": 4, "loads": "pointers"}
"""What `milliseconds` needs besides the tile sizes."""
