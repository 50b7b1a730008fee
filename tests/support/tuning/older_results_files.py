"""Results files as older versions wrote them, for the tests of the upgrades."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

_FIRST = """
  id INTEGER PRIMARY KEY, payload TEXT NOT NULL, schedule TEXT NOT NULL,
  device TEXT NOT NULL, torch TEXT NOT NULL, triton TEXT NOT NULL,
  tilewright TEXT NOT NULL, sources TEXT NOT NULL{sizes}, point TEXT NOT NULL,
  program TEXT NOT NULL, outcome TEXT NOT NULL, measured INTEGER NOT NULL,
  p20 REAL, p50 REAL, p80 REAL{each}, repetitions INTEGER NOT NULL,
  error TEXT NOT NULL, stats TEXT NOT NULL, seconds TEXT NOT NULL,
  final_median REAL, final_low REAL, final_high REAL, created TEXT NOT NULL
"""
_ADDED = {
    2: ("sizes", "each_p50"),
    3: ("cause", "payload_name", "schedule_name"),
    4: ("family", "extents"),
    5: ("features",),
}
_DEFAULTS = {"cause": "candidate", "extents": "[]", "features": "{}"}

_ROW: dict[str, Any] = {
    "payload": "payload",
    "schedule": "schedule",
    "device": "NVIDIA H200",
    "torch": "2.13",
    "triton": "3.7.1",
    "tilewright": "0.1.0",
    "sources": "abc",
    "sizes": "",
    "point": '{"BM":128,"loads":"descriptors"}',
    "program": "key",
    "outcome": "ok",
    "measured": 1,
    "p20": 1.0,
    "p50": 2.0,
    "p80": 3.0,
    "each_p50": "[]",
    "repetitions": 100,
    "error": "",
    "stats": "[]",
    "seconds": "{}",
    "final_median": 1.5,
    "final_low": 1.4,
    "final_high": 1.6,
    "created": "2026-01-01T00:00:00+00:00",
    "cause": "candidate",
    "payload_name": "gemm.mlir",
    "schedule_name": "gemm.tw",
    "family": "f",
    "extents": "[[16, 8]]",
    "features": '{"dot.m": 7.0}',
}
"""A row; a version writes the columns that it has."""


def columns_of(version: int) -> list[str]:
    """The columns that a version has, without the number of a row."""
    newer = {name for v, added in _ADDED.items() if v > version for name in added}
    return [name for name in _ROW if name not in newer]


def write_older_file(path: Path, version: int, *rows: dict[str, Any]) -> None:
    """Write a file as `version` did; `rows` override the fields of a usual record."""
    sized = version >= 2
    columns = _FIRST.format(
        sizes=", sizes TEXT NOT NULL" if sized else "",
        each=", each_p50 TEXT NOT NULL" if sized else "",
    )
    for added in range(3, version + 1):
        for name in _ADDED[added]:
            columns += f", {name} TEXT NOT NULL DEFAULT '{_DEFAULTS.get(name, '')}'"
    key = "payload, schedule, sizes, point" if sized else "payload, schedule, point"
    statements = [
        f"CREATE TABLE measurements ({columns}, UNIQUE ({key}, program, device, torch,"
        " triton, tilewright))",
        "CREATE INDEX by_program ON measurements (program, device)",
        "CREATE INDEX by_payload ON measurements (payload, device)",
    ]
    if version >= 4:
        statements.append("CREATE INDEX by_family ON measurements (family)")
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    names = columns_of(version)
    for changes in rows or ({},):
        row = {**_ROW, **changes}
        connection.execute(
            f"INSERT INTO measurements ({', '.join(names)})"
            f" VALUES ({', '.join('?' for _ in names)})",
            [row[name] for name in names],
        )
    connection.execute(f"PRAGMA application_id = {0x74777274}")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.commit()
    connection.close()
