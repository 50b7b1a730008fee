"""Which payloads were tuned kernel by kernel, in a results file.

The points of their kernels are in `planned_kernels.py`. A payload is entered once each
of its kernels had its trials, so that a process that meets it again starts no tuner.
"""

from __future__ import annotations

from datetime import UTC, datetime

from tilewright.tuning.results.database import Database
from tilewright.tuning.results.records import text_hash

_TABLE = """
CREATE TABLE IF NOT EXISTS tuned_payloads (
  payload TEXT NOT NULL,
  target TEXT NOT NULL,
  created TEXT NOT NULL,
  UNIQUE (payload, target)
)
"""
_EXISTS = "SELECT 1 FROM sqlite_master WHERE name = 'tuned_payloads'"
_INSERT = "INSERT OR REPLACE INTO tuned_payloads VALUES (?, ?, ?)"
_SELECT = "SELECT created FROM tuned_payloads WHERE payload = ? AND target = ?"


class TunedPayloads:
    """The tuned payloads of a results file, by the text of the payload and the card."""

    def __init__(self, database: Database):
        self._database = database

    def add(self, text: str, target: str) -> None:
        """Enter a payload."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._database.writing() as connection:
            connection.execute(_TABLE)
            connection.execute(_INSERT, (text_hash(text), target, now))

    def has(self, text: str, target: str) -> bool:
        """Whether a payload was tuned for a card."""
        if not self._database.select(_EXISTS, ()):
            return False
        return bool(self._database.select(_SELECT, (text_hash(text), target)))
