"""Records of measured trials, for the tests of the results file."""

from __future__ import annotations

from dataclasses import replace

from tilewright.codegen.runtime.compile import CompiledStats
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.records import Record, Setting, Versions, text_hash
from tilewright.tuning.results.run_log import RunLog
from tilewright.tuning.results.runs import Run

VERSIONS = Versions("2.13", "3.7.1", "0.1.0", "abc")
SETTING = Setting("payload", "schedule", "NVIDIA H200", VERSIONS)
PAYLOAD = "module {}\n"
HERE = replace(SETTING, payload=text_hash(PAYLOAD), payload_name="gemm.mlir")
"""The setting of a run whose payload is in the file."""
STATS = CompiledStats("matmul", 154, 0, 98304, 8, 4, 6, 0.5)


def record(ms: float | None = 1.0, **changes: object) -> Record:
    """A trial that took `ms`, or crashed if `ms` is None; `changes` override fields."""
    base = Record(
        setting=SETTING,
        point={"BM": 128, "loads": "descriptors"},
        program="key",
        outcome="ok" if ms is not None else "crash",
        measured=True,
        p20=ms,
        p50=ms,
        p80=ms,
        repetitions=100,
        error="" if ms is not None else "illegal memory access",
        stats=(STATS,),
        seconds={"compile": 0.5, "time": 0.1},
    )
    return replace(base, **changes)


def made(number: int, ms: float | None = 1.0, **changes: object) -> Record:
    """The record of a run's trial; each number is another closed schedule."""
    own = {
        "setting": HERE,
        "point": {"BM": number},
        "program": f"p{number}",
        "closed": f"c{number}",
    }
    return record(ms, **{**own, **changes})


def log(database: Database, **changes: object) -> RunLog:
    """The log of a run; `changes` override fields of the run."""
    run = Run(0, HERE, measured=True, strategy="guided", seed=3, command="tune it")
    texts = {HERE.payload: PAYLOAD}
    return RunLog(database, replace(run, **changes), texts=texts)  # type: ignore[arg-type]
