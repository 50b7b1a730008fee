"""The seeds of a fuzzing run, which tells its progress."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator


def timed_seeds(
    first: int,
    count: int | None,
    seconds: float,
    tell: Callable[[str], None],
    statistics: object,
    every: float = 30.0,
) -> Iterator[int]:
    """The seeds from `first` on, up to a number or until the time is up.

    Tells the statistics about `every` so many seconds.
    """
    start = told = time.monotonic()
    for seed in range(first, first + (count or 10**9)):
        if time.monotonic() - start > seconds:
            return
        yield seed
        if time.monotonic() - told > every:
            told = time.monotonic()
            tell(f"[{told - start:5.0f} s] seed {seed}: {statistics}")
