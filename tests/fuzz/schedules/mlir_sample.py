"""A sample of dumps for real MLIR to read, many in one call."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass

from fuzz.schedules.cases import Case
from fuzz.schedules.checks import Finding
from fuzz.schedules.session import Line, Session
from fuzz.shrinking import Reproducer, shrunk
from support.mlir_opt import MLIR_OPT

BATCH = 60


@dataclass(frozen=True)
class _Kept:
    text: str
    case: Case
    lines: tuple[Line, ...]
    seed: int


class MlirSample:
    """Waiting dumps, and the number of those read."""

    def __init__(self) -> None:
        self.read = 0
        self._kept: list[_Kept] = []
        self._last: str | None = None

    def keep(self, session: Session, seed: int) -> None:
        """Add the current payload to the next batch."""
        # Upstream calls a slice at 0 of a dimension of size 0 out of bounds.
        is_empty = any(0 in shape for shape in session.case.questions[0])
        text = session.checks.text
        if text != self._last and not is_empty:
            self._last = text
            self._kept.append(_Kept(text, session.case, tuple(session.lines), seed))

    @property
    def is_full(self) -> bool:
        """Whether the batch is large enough for a call."""
        return len(self._kept) >= BATCH

    def flush(self) -> list[Reproducer]:
        """Let real MLIR read the waiting dumps."""
        kept, self._kept = self._kept, []
        self.read += len(kept)
        texts = [dump.text for dump in kept]
        if not texts or _complaint("\n// -----\n".join(texts)) is None:
            return []
        found: list[Reproducer] = []
        for dump in kept:
            finding = rejected(dump.text)
            if finding is not None:
                whole = Reproducer(finding, dump.case, dump.lines, dump.seed)
                found.append(shrunk(whole, _look))
        return found


def rejected(text: str) -> Finding | None:
    """The error of real MLIR for a dump; None if it accepts the dump or crashes."""
    complaint = _complaint(text)
    if complaint is None or "Stack dump" in complaint:
        return None
    first = re.sub(r"^.*?error: ", "", complaint.splitlines()[0])
    words = re.sub(r"'[^']*'|%\S+|\d+", "_", first)
    return Finding(f"mlir-opt-22 rejects: {words[:60]}", "dump", f"{complaint}\n{text}")


def _look(session: Session) -> None:
    if (finding := rejected(session.checks.text)) is not None:
        raise finding


def _complaint(text: str) -> str | None:
    done = subprocess.run(
        [MLIR_OPT, "--split-input-file"],
        input=text,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.stderr if done.returncode else None
