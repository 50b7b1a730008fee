"""Consoles that print text literally: without markup, and whole where it is piped.

Names from files may look like rich's markup or emoji, or contain control characters, so
styles are passed as arguments. Output to a file or a pipe has no width limit.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tilewright.ir.printable import printable

if TYPE_CHECKING:
    from rich.console import Console

_UNBOUNDED = 10_000
_PATIENCE = 3.0
"""Seconds after which a terminal shows a progress bar."""
_LONG_PATIENCE = 10.0
"""Seconds after which a log file gets a line."""


def console(*, stderr: bool = False) -> Console:
    """A console on stdout or stderr; in a file or a pipe, lines are not wrapped."""
    from tilewright.commands.terminal.plain_console import PlainConsole

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else _UNBOUNDED
    return PlainConsole(stderr=stderr, highlight=False, width=width, soft_wrap=True)


def heading(log: Console, title: str) -> None:
    """Print a separating line with a title."""
    if log.is_terminal:
        log.rule(title, align="left")
    else:
        log.out(printable(f"──── {title}"))


@contextmanager
def progress_bar(log: Console, title: str | None) -> Iterator[Callable[[str], None]]:
    """Show a progress bar if the work takes long; yields a function for its text.

    On a terminal the bar disappears when the work is done; elsewhere it is one line
    with the title. Without a title nothing is shown.
    """
    if title is None:
        yield lambda _: None
        return
    if not log.is_terminal:
        with _later(_LONG_PATIENCE, lambda: log.out(printable(f"{title} ..."))):
            yield lambda _: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    bar = Progress(
        TextColumn(title, markup=False),
        BarColumn(),
        TextColumn("{task.description}", markup=False),
        TimeElapsedColumn(),
        console=log,
        transient=True,
    )
    task = bar.add_task("", total=None)
    try:
        with _later(_PATIENCE, bar.start):
            yield lambda what: bar.update(task, description=printable(what))
    finally:
        bar.stop()


@contextmanager
def _later(seconds: float, what: Callable[[], None]) -> Iterator[None]:
    """Call `what` if the work in the `with` takes longer than `seconds`."""
    timer = threading.Timer(seconds, what)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
