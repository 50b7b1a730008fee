"""First calls of rivals, in a process that can be ended.

A compiler is slow in a first call, and may never return: `triton.autotune` over a list
with 65536 elements for one warp does not. Such a call cannot be interrupted, but its
process can be killed. What the others compile stays in the caches on disk, so their
first calls in the process that times them are quick.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

Rivals = Callable[[], Iterable[tuple[str, Callable[[], Any]]]]
"""Makes the rivals and their calls; it is pickled, and called in the other process."""
START_SECONDS = 120.0
"""How long the process may take to load torch."""


def first_calls(
    make: Rivals, titles: Sequence[str], limit: Callable[[], float]
) -> dict[str, float | str]:
    """The seconds of each first call, or why there are none, by title.

    The titles are in the order of `make`. Each call may take `limit()` seconds, asked
    when the call begins. After one that does not end, a new process goes on.
    """
    found: dict[str, float | str] = {}
    while waiting := [title for title in titles if title not in found]:
        _call_until_one_fails(make, waiting, limit, found)
    return found


def _call_until_one_fails(
    make: Rivals,
    titles: Sequence[str],
    limit: Callable[[], float],
    found: dict[str, float | str],
) -> None:
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_call_each, args=(make, titles, sender))
    process.start()
    sender.close()
    title = titles[0]
    seconds = START_SECONDS
    try:
        if receiver.poll(seconds):
            receiver.recv()
            for title in titles:
                seconds = limit()
                if not receiver.poll(max(seconds, 0.0)):
                    break
                found[title] = receiver.recv()
            else:
                return
        found[title] = f"its first call did not end in {seconds:.0f} s"
    except EOFError:
        found[title] = "its process died in the first call"
    finally:
        # Its compilers (ptxas) are of its group.
        with suppress(ProcessLookupError):
            os.killpg(process.pid or 0, signal.SIGKILL)
        process.kill()
        process.join()


def _call_each(make: Rivals, titles: Sequence[str], sender: Connection) -> None:
    os.setsid()
    rivals = iter(make())
    sender.send("ready")
    for title, call in rivals:
        if title not in titles:
            continue
        started = time.monotonic()
        try:
            call()
        except Exception as error:
            first_line = (str(error).splitlines() or [""])[0]
            sender.send(f"{type(error).__name__}: {first_line}")
        else:
            sender.send(time.monotonic() - started)
