"""Ending a run in which the environment makes every candidate fail.

A full disk or a card whose memory another process has taken fails one candidate after
the other. None of them is to blame, so going on would only waste the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tilewright.ir.errors import UserError
from tilewright.tuning.results.tuning_result import first_line

if TYPE_CHECKING:
    from tilewright.tuning.results.tuning_result import Trial

_MOST = 20
"""Failures by the environment in a row that end a run."""


class EnvironmentFailures:
    """Counts the failures in a row that no candidate has caused."""

    def __init__(self) -> None:
        self._count = 0

    def note(self, ended: Sequence[Trial]) -> None:
        """Take trials into account; raises once too many in a row have failed."""
        for trial in ended:
            if trial.origin != "new" or trial.outcome in ("invalid", "pruned"):
                continue  # it says nothing about the machine
            if trial.outcome == "ok" or trial.record.cause == "candidate":
                self._count = 0
                continue
            self._count += 1
            if self._count == _MOST:
                raise UserError(
                    f"the last {_MOST} candidates failed, and none by its own fault: "
                    f"{first_line(trial.record.error)}",
                    remedy="mend that (a full disk, a card in use), then run the same "
                    "command again: trials that have ended are in the results file",
                )
