"""The memory of a launcher's temporaries: one allocation for many of them.

An allocation and its release take about as long as half a launch. Temporaries that
kernels know by address are placed in one tensor, the arena; two of them may have the
same place if one is dead before the other is written. Large ones stay apart, so that
torch's allocator has their memory back early.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tilewright.codegen.runtime.lean.views import Sizes, bytes_of, is_static

_LARGEST = 2**22
"""Bytes of a temporary in the arena; kernels that fill more hide the host's time."""
_ALIGNMENT = 512
"""That of torch's allocator."""


@dataclass
class Memory:
    """Where temporaries are, and in which type memory is allocated."""

    starts: dict[str, int] = field(default_factory=dict[str, int])
    """The first bytes of temporaries in the arena."""
    total: int = 0
    types: dict[str, str] = field(default_factory=dict[str, str])
    """Other types for allocations of bytes: all views of one have it."""


def arranged(
    made: Mapping[str, tuple[Sizes, str]],
    lifetimes: Mapping[str, tuple[int, int]],
    used: Mapping[str, set[str | None]],
) -> Memory:
    """Arrange the allocations of a launcher, given with sizes and types.

    A lifetime is the first and the last statement; `used` are those that library calls
    and results read, with the types of their views.
    """
    memory = Memory()
    placed: list[tuple[int, int, int, int]] = []
    for name, (sizes, dtype) in made.items():
        if not is_static(sizes):
            continue
        size = math.prod(map(int, sizes)) * bytes_of(dtype)
        types = used.get(name, set())
        if types:
            (one, *others) = types
            if one is not None and not others and size % bytes_of(one) == 0:
                memory.types[name] = one
        elif size <= _LARGEST:
            first, last = lifetimes[name]
            start = _free_place(size, first, last, placed)
            placed.append((first, last, start, size))
            memory.starts[name] = start
            # Rounded up, so that the arena can be seen in any type.
            end = -(-(start + size) // _ALIGNMENT) * _ALIGNMENT
            memory.total = max(memory.total, end)
    if len(memory.starts) < 2:
        memory.starts.clear()
    return memory


def _free_place(
    size: int, first: int, last: int, placed: Sequence[tuple[int, int, int, int]]
) -> int:
    """The lowest place that nothing has which lives at the same time."""
    start = 0
    for _, _, other, taken in sorted(
        (one for one in placed if one[0] <= last and first <= one[1]),
        key=lambda one: one[2],
    ):
        if start + size <= other:
            break
        start = max(start, -(-(other + taken) // _ALIGNMENT) * _ALIGNMENT)
    return start
