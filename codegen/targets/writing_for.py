"""The GPU that source is written for: the one that was named, or the present one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from tilewright.codegen.targets.table import detect
from tilewright.codegen.targets.target import Target

_NAMED: ContextVar[Target | None] = ContextVar("named target", default=None)


@contextmanager
def writing_for(target: Target | None) -> Iterator[None]:
    """Write source for a target; None is whatever GPU is present."""
    token = _NAMED.set(target)
    try:
        yield
    finally:
        _NAMED.reset(token)


def written_for() -> Target | None:
    """The target that source is written for; None where nothing is known of it."""
    return _NAMED.get() or detect()
