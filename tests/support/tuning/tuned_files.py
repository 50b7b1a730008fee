"""Results files with whole runs, for the tests of `tilewright results`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from support.tuning.records import SETTING, record
from tilewright.ir.text import to_text
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.records import Final, Record, Setting, text_hash
from tilewright.tuning.results.run_log import RunLog
from tilewright.tuning.results.runs import Run

SCHEDULE = """
schedule gemm(root) {
  mm = match "linalg.matmul" in root
  BM = knob [64, 128]
  mm, grid = tile mm by [BM, 64] onto [block.y, block.x]
  choose loads { pointers { } descriptors { descriptors grid } }
}
"""


def mlir(text: str) -> str:
    return to_text(Schedule.from_text(text, "gemm.tw").module)


OPEN = mlir(SCHEDULE)


def setting(
    device: str = "NVIDIA H200", text: str = OPEN, **changes: object
) -> Setting:
    made = replace(
        SETTING,
        payload="gemm 64",
        payload_name="gemm.mlir",
        schedule=text_hash(text),
        schedule_name="gemm.tw",
        device=device,
        family="f",
        extents=((64, 64, 64),),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def tuned(
    path: Path,
    where: Setting,
    times: dict[tuple[int, str], float | None],
    text: str = OPEN,
    started: str = "2026-11-16T08:30:00+00:00",
    **run: object,
) -> None:
    """Record a run with a trial for each point; the fastest is in a final round."""
    with Database(path) as database:
        made = Run(0, where, measured=True, strategy="guided", started=started)
        log = RunLog(database, replace(made, **run), texts={where.schedule: text})  # type: ignore[arg-type]
        kept: list[Record] = []
        for number, ((bm, loads), ms) in enumerate(times.items(), 1):
            done = record(
                ms,
                setting=where,
                point={"BM": bm, "loads": loads},
                program=f"{bm} {loads}",
                closed=f"closed {bm} {loads}",
            )
            samples = () if ms is None else ([ms, ms * 1.01, ms * 0.99, ms],)
            kept.append(log.record(done, number, "new", samples=samples))
        best = min(kept, key=lambda each: each.p50 or 9e9)
        if best.p50 is not None:
            ms = best.p50
            final = Final(ms, ms * 0.99, ms * 1.01)
            log.record_final(best, final, samples=[ms, ms * 1.01, ms * 0.99])
        log.end("finished", 12.5, {"time": 1.0})


FAST, SLOW, BAD = (128, "descriptors"), (64, "pointers"), (64, "descriptors")
