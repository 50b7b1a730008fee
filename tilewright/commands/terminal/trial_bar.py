"""A progress bar that counts trials."""

from __future__ import annotations

from typing import Any, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)


class TrialBar:
    """A bar with a description, the trials so far, and further columns."""

    def __init__(
        self,
        console: Console,
        description: str,
        total: int | None,
        *columns: ProgressColumn,
        **fields: Any,
    ):
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            *columns,
            console=console,
            transient=not console.is_terminal,
        )
        self._task = self._progress.add_task(description, total=total, **fields)

    def __enter__(self) -> Self:
        """Show the bar."""
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the bar as it is."""
        self._progress.stop()

    def on_phase(self, name: str) -> None:
        """Show the name of the phase, or of the kernel that is tuned."""
        self._progress.update(self._task, description=name)

    def count(self, **fields: Any) -> None:
        """Count a trial."""
        self._progress.update(self._task, advance=1, **fields)
