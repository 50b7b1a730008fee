"""The data of the tuning page, for a results file that a run is still writing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tilewright.ir.errors import UserError


def growing_results(path: Path, words: tuple[str, ...] = ()) -> dict[str, Any]:
    """The trials so far; `waiting` while there is no file, or no trial in it."""
    from tilewright.explorer.trials.trials_data import trials_data

    if not path.exists():
        return {"waiting": "the run has not begun to record"}
    try:
        return {"waiting": None, **trials_data(path, words)}
    except UserError as error:
        return {"waiting": error.fact}
