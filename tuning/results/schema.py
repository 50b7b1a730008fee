"""The SQL schema of a results file, and upgrades from older versions.

`measurements` has a row for each closed schedule (or point), device, sizes and set of
versions: its latest verdict. `samples` has every timing that was ever taken of it.
`runs` and `trials` say which tuning run tried what, in which order and when. `texts`
has the payloads and the schedules that their hashes stand for.
"""

from __future__ import annotations

import sqlite3

APPLICATION_ID = 0x74777274
"""Marks a results file in its header ("twrt"); the tool `file` prints it too."""
SCHEMA_VERSION = 6
"""Version 1 had no open sizes. Version 2 had neither the cause of a failure nor the
names of payload and schedule. Version 3 had no families. Version 4 had no features.
Version 5 had neither runs nor samples, and identified a schedule with its choices
open."""

_MEASUREMENTS = """
CREATE TABLE measurements (
  id INTEGER PRIMARY KEY,
  payload TEXT NOT NULL,
  schedule TEXT NOT NULL,
  device TEXT NOT NULL,
  torch TEXT NOT NULL,
  triton TEXT NOT NULL,
  tilewright TEXT NOT NULL,
  sources TEXT NOT NULL,
  sizes TEXT NOT NULL DEFAULT '',
  point TEXT NOT NULL,
  program TEXT NOT NULL,
  outcome TEXT NOT NULL,
  measured INTEGER NOT NULL,
  p20 REAL, p50 REAL, p80 REAL,
  each_p50 TEXT NOT NULL DEFAULT '[]',
  repetitions INTEGER NOT NULL,
  error TEXT NOT NULL,
  stats TEXT NOT NULL,
  seconds TEXT NOT NULL,
  final_median REAL, final_low REAL, final_high REAL,
  created TEXT NOT NULL,
  cause TEXT NOT NULL DEFAULT 'candidate',
  payload_name TEXT NOT NULL DEFAULT '',
  schedule_name TEXT NOT NULL DEFAULT '',
  family TEXT NOT NULL DEFAULT '',
  extents TEXT NOT NULL DEFAULT '[]',
  features TEXT NOT NULL DEFAULT '{}',
  closed TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX by_closed ON measurements
  (payload, closed, sizes, program, device, torch, triton, tilewright)
  WHERE closed != '';
CREATE UNIQUE INDEX by_point ON measurements
  (payload, schedule, sizes, point, program, device, torch, triton, tilewright)
  WHERE closed = '';
CREATE INDEX by_open ON measurements (payload, schedule, point);
CREATE INDEX by_program ON measurements (program, device);
CREATE INDEX by_payload ON measurements (payload, device);
CREATE INDEX by_family ON measurements (family)
"""
"""A record without a closed schedule is identified by its open schedule and point."""

_RUNS = """
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  payload TEXT NOT NULL,
  schedule TEXT NOT NULL,
  device TEXT NOT NULL,
  torch TEXT NOT NULL,
  triton TEXT NOT NULL,
  tilewright TEXT NOT NULL,
  sources TEXT NOT NULL,
  sizes TEXT NOT NULL,
  payload_name TEXT NOT NULL,
  schedule_name TEXT NOT NULL,
  family TEXT NOT NULL,
  extents TEXT NOT NULL,
  measured INTEGER NOT NULL,
  strategy TEXT NOT NULL,
  seed INTEGER NOT NULL,
  command TEXT NOT NULL,
  started TEXT NOT NULL,
  ending TEXT NOT NULL,
  wall_seconds REAL,
  seconds TEXT NOT NULL
);
CREATE TABLE trials (
  run INTEGER NOT NULL,
  number INTEGER NOT NULL,
  measurement INTEGER NOT NULL,
  point TEXT NOT NULL,
  origin TEXT NOT NULL,
  at_seconds REAL,
  estimate REAL,
  PRIMARY KEY (run, number)
) WITHOUT ROWID;
CREATE INDEX by_measurement ON trials (measurement);
CREATE TABLE samples (
  id INTEGER PRIMARY KEY,
  measurement INTEGER NOT NULL,
  run INTEGER NOT NULL,
  kind TEXT NOT NULL,
  size INTEGER NOT NULL,
  created TEXT NOT NULL,
  milliseconds BLOB NOT NULL
);
CREATE INDEX of_measurement ON samples (measurement);
CREATE TABLE texts (
  hash TEXT PRIMARY KEY,
  text BLOB NOT NULL
)
"""

_SET_CAUSES = """
UPDATE measurements SET cause = 'environment' WHERE outcome = 'timeout'
  OR (outcome = 'crash' AND (error LIKE 'the worker was killed by SIGKILL%'
    OR error LIKE 'the worker was killed by SIGTERM%'))
  OR (outcome IN ('crash', 'compile_error') AND (error LIKE '%No space left%'
    OR error LIKE '%Permission denied%' OR error LIKE '%Read-only file system%'))
"""
"""Finds the failures of older records that the environment caused."""


def create(connection: sqlite3.Connection) -> None:
    """Make an empty file a results file."""
    _execute(connection, _MEASUREMENTS)
    _execute(connection, _RUNS)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def upgrade(connection: sqlite3.Connection, version: int) -> None:
    """Upgrade a results file of an older version; it keeps all records.

    Every version so far only added columns, so the rows are copied into a new table,
    whose defaults stand for what an older version did not know.
    """
    known = sorted(columns(connection))
    indexes = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        " AND tbl_name = 'measurements'"
    ).fetchall()
    for (name,) in indexes:
        quoted = name.replace('"', '""')
        connection.execute(f'DROP INDEX "{quoted}"')
    connection.execute("ALTER TABLE measurements RENAME TO old_measurements")
    _execute(connection, _MEASUREMENTS)
    _execute(connection, _RUNS)
    kept = ", ".join(name for name in known if name in expected_columns())
    connection.execute(
        f"INSERT INTO measurements ({kept}) SELECT {kept} FROM old_measurements"
    )
    connection.execute("DROP TABLE old_measurements")
    if version <= 2:
        connection.execute(_SET_CAUSES)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def columns(connection: sqlite3.Connection, table: str = "measurements") -> set[str]:
    """The columns of a table; none where it is missing."""
    rows = connection.execute(f"PRAGMA table_info({table})").fetchall()
    return {row[1] for row in rows}


def foreign_part(connection: sqlite3.Connection) -> str | None:
    """A view, a trigger or a virtual table: SQL that would run when a file is used.

    No version of tilewright makes one. In a file from elsewhere it could delete records
    or return rows without end.
    """
    found = connection.execute(
        "SELECT type, name FROM sqlite_master WHERE type IN ('view', 'trigger')"
        " OR sql LIKE 'create virtual%' ORDER BY name LIMIT 1"
    ).fetchone()
    return None if found is None else f"a {found[0]} '{found[1]}'"


def missing_part(connection: sqlite3.Connection) -> str | None:
    """A table or a column that a file of this version should have and has not."""
    memory = sqlite3.connect(":memory:")
    try:
        create(memory)
        for table in ("measurements", "runs", "trials", "samples", "texts"):
            there = columns(connection, table)
            if not there:
                return f"no table '{table}'"
            if lacking := columns(memory, table) - there:
                return f"no column '{min(lacking)}'"
    finally:
        memory.close()
    return None


def expected_columns() -> set[str]:
    """The columns of the table `measurements` in a file of this version."""
    memory = sqlite3.connect(":memory:")
    try:
        create(memory)
        return columns(memory)
    finally:
        memory.close()


def _execute(connection: sqlite3.Connection, script: str) -> None:
    """Execute statements one by one: `executescript` would end the transaction."""
    for statement in script.split(";"):
        connection.execute(statement)
