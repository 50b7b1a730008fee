"""Python's garbage collector, which waits while a graph is compiled.

IR is many objects and little garbage, and a process that has imported torch holds a
million others, all of which a full collection visits. Without a limit on collections,
they take as long as the compilation itself.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_THRESHOLDS = (200_000, 20, 50)
"""As the command line has them (`tilewright/cli/application.py`)."""


@contextmanager
def fewer_collections() -> Iterator[None]:
    """Collect garbage less often until the block ends."""
    before = gc.get_threshold()
    gc.set_threshold(*(max(pair) for pair in zip(before, _THRESHOLDS, strict=True)))
    try:
        yield
    finally:
        gc.set_threshold(*before)
