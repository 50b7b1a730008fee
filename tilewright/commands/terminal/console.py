"""Consoles that cut nothing and obey nothing: text is shown, never interpreted.

What is not a terminal has no width. Names from files may look like rich's markup or its
emoji, or hold control characters; styles are given as arguments instead.
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
"""Seconds after which a person wants to see that something goes on."""
_LONG_PATIENCE = 10.0
"""The same for a log file, which keeps what it is told."""


def console(*, stderr: bool = False) -> Console:
    """A console on stdout or stderr; into a file or a pipe, lines stay whole."""
    from tilewright.commands.terminal.plain_console import PlainConsole

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else _UNBOUNDED
    return PlainConsole(stderr=stderr, highlight=False, width=width, soft_wrap=True)


def heading(log: Console, title: str) -> None:
    """A line that separates, as wide as its words where there is no terminal."""
    if log.is_terminal:
        log.rule(title, align="left")
    else:
        log.out(printable(f"──── {title}"))


@contextmanager
def progress_bar(log: Console, title: str | None) -> Iterator[Callable[[str], None]]:
    """A bar that appears when it takes long; call what is given to say what goes on.

    On a terminal, and gone when the work is done; elsewhere it is one line that says
    what is being done. Without a title there is none.
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
    """Do something if the work within is not done by then."""
    timer = threading.Timer(seconds, what)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
