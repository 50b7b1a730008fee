"""The tables of a results file, and bringing older ones up to date."""

from __future__ import annotations

import sqlite3

APPLICATION_ID = 0x74777274
"""Marks the file as ours in its header ("twrt"), where `file` and we can see it."""
SCHEMA_VERSION = 2
"""1 knew nothing of sizes that a payload leaves open."""

_SCHEMA = """
CREATE TABLE measurements (
  id INTEGER PRIMARY KEY,
  payload TEXT NOT NULL,
  schedule TEXT NOT NULL,
  device TEXT NOT NULL,
  torch TEXT NOT NULL,
  triton TEXT NOT NULL,
  tilewright TEXT NOT NULL,
  sources TEXT NOT NULL,
  sizes TEXT NOT NULL,
  point TEXT NOT NULL,
  program TEXT NOT NULL,
  outcome TEXT NOT NULL,
  measured INTEGER NOT NULL,
  p20 REAL, p50 REAL, p80 REAL,
  each_p50 TEXT NOT NULL,
  repetitions INTEGER NOT NULL,
  error TEXT NOT NULL,
  stats TEXT NOT NULL,
  seconds TEXT NOT NULL,
  final_median REAL, final_low REAL, final_high REAL,
  created TEXT NOT NULL,
  UNIQUE (payload, schedule, sizes, point, program, device, torch, triton, tilewright)
);
CREATE INDEX by_program ON measurements (program, device);
CREATE INDEX by_payload ON measurements (payload, device);
"""

_FROM_1 = """
ALTER TABLE measurements RENAME TO old;
DROP INDEX by_program;
DROP INDEX by_payload;
{schema};
INSERT INTO measurements SELECT id, payload, schedule, device, torch, triton,
  tilewright, sources, '', point, program, outcome, measured, p20, p50, p80, '[]',
  repetitions, error, stats, seconds, final_median, final_low, final_high, created
  FROM old;
DROP TABLE old
"""


def create(connection: sqlite3.Connection) -> None:
    """Make an empty file a results file."""
    _execute(connection, _SCHEMA)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def upgrade(connection: sqlite3.Connection, version: int) -> None:
    """Bring a results file of an older version up to date; nothing in it is lost."""
    if version == 1:
        _execute(connection, _FROM_1.format(schema=_SCHEMA))
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _execute(connection: sqlite3.Connection, script: str) -> None:
    """Statements one by one: `executescript` would end the transaction."""
    for statement in script.split(";"):
        connection.execute(statement)
