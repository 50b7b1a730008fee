"""The table of docs/own_kernels.md has the figures of the record."""

from __future__ import annotations

import json

from support.paths import BENCHMARKS, DOCS

RECORD = BENCHMARKS / "results" / "h200-own-kernels-2026-11-16" / "own_kernels.json"


def test_the_table_has_the_figures_of_the_record() -> None:
    page = (DOCS / "own_kernels.md").read_text("utf-8")
    rows = json.loads(RECORD.read_text("utf-8"))["rows"]
    assert len(rows) == 3
    for row in rows:
        times = [row[name] for name in ("default_ms", "launched_ms", "eager_ms")]
        cells = " | ".join(f"{time:.4f}" for time in times)
        spent = f"{row['trials']} of {row['space']}, {row['seconds']:.1f} s"
        assert f"| {cells} | {spent} |" in page
