"""The SQL schema of a results file, and upgrades from older versions."""

from __future__ import annotations

import sqlite3

APPLICATION_ID = 0x74777274
"""Marks a results file in its header ("twrt"); the tool `file` prints it too."""
SCHEMA_VERSION = 5
"""Version 1 had no open sizes. Version 2 had neither the cause of a failure nor the
names of payload and schedule. Version 3 had no families. Version 4 had no
features."""

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
  cause TEXT NOT NULL DEFAULT 'candidate',
  payload_name TEXT NOT NULL DEFAULT '',
  schedule_name TEXT NOT NULL DEFAULT '',
  family TEXT NOT NULL DEFAULT '',
  extents TEXT NOT NULL DEFAULT '[]',
  features TEXT NOT NULL DEFAULT '{}',
  UNIQUE (payload, schedule, sizes, point, program, device, torch, triton, tilewright)
);
CREATE INDEX by_program ON measurements (program, device);
CREATE INDEX by_payload ON measurements (payload, device);
CREATE INDEX by_family ON measurements (family)
"""

_FROM_1 = """
ALTER TABLE measurements RENAME TO old;
DROP INDEX by_program;
DROP INDEX by_payload;
{schema};
INSERT INTO measurements SELECT id, payload, schedule, device, torch, triton,
  tilewright, sources, '', point, program, outcome, measured, p20, p50, p80, '[]',
  repetitions, error, stats, seconds, final_median, final_low, final_high, created,
  'candidate', '', '', '', '[]', '{{}}'
  FROM old;
DROP TABLE old
"""

_FROM_2 = """
ALTER TABLE measurements ADD COLUMN cause TEXT NOT NULL DEFAULT 'candidate';
ALTER TABLE measurements ADD COLUMN payload_name TEXT NOT NULL DEFAULT '';
ALTER TABLE measurements ADD COLUMN schedule_name TEXT NOT NULL DEFAULT ''
"""

_FROM_3 = """
ALTER TABLE measurements ADD COLUMN family TEXT NOT NULL DEFAULT '';
ALTER TABLE measurements ADD COLUMN extents TEXT NOT NULL DEFAULT '[]';
CREATE INDEX by_family ON measurements (family)
"""

_FROM_4 = """
ALTER TABLE measurements ADD COLUMN features TEXT NOT NULL DEFAULT '{}'
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
    _execute(connection, _SCHEMA)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def upgrade(connection: sqlite3.Connection, version: int) -> None:
    """Upgrade a results file of an older version; it keeps all records."""
    if version == 1:
        # The new table has the columns of all later versions.
        _execute(connection, _FROM_1.format(schema=_SCHEMA))
    if version == 2:
        _execute(connection, _FROM_2)
    if version <= 2:
        connection.execute(_SET_CAUSES)
    if version in (2, 3):
        _execute(connection, _FROM_3)
    if version in (2, 3, 4):
        _execute(connection, _FROM_4)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def columns(connection: sqlite3.Connection) -> set[str]:
    """The columns of the table `measurements`; none where it is missing."""
    rows = connection.execute("PRAGMA table_info(measurements)").fetchall()
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


def expected_columns() -> set[str]:
    """The columns of a results file of this version."""
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
