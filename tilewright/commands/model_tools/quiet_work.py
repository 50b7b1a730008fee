"""The work of a command on a torch model: a progress bar, and no warnings."""

from __future__ import annotations

import warnings
from collections.abc import Generator
from contextlib import contextmanager

from tilewright.commands.terminal.console import console, progress_bar


@contextmanager
def quiet_work(title: str) -> Generator[None]:
    """Show a bar; what the command prints says who ran the kernels."""
    with progress_bar(console(stderr=True), title), warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", ".*results are right, times are the interpreter's"
        )
        yield
