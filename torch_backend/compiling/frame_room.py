"""Calls with room on Python's stack for all the calls inside them.

CPython keeps frames in chunks of 16 KiB. A call that does not fit into the last chunk
maps a new one, and its return unmaps it. A loop whose calls cross the end of a chunk so
takes two system calls and a page fault for each, and Dynamo calls a backend at a depth
where such a loop is likely: a third of the time to compile a graph was the kernel's.
A frame that is larger than a chunk gets a chunk of the next power of two, and the calls
inside it take what is left of that.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")

_SLOTS = 70_000
"""Slots of 8 bytes: the chunk has 1 MiB, and half of it is left for frames inside."""


def with_frame_room(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function whose calls need no further chunk, up to some thousand frames."""
    return function(*args, **kwargs)


_own = cast("FunctionType", with_frame_room)
_own.__code__ = _own.__code__.replace(co_stacksize=_SLOTS)
