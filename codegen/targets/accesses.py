"""The sizes of memory accesses, which are the same on all known devices."""

from __future__ import annotations

LINE = 128
"""The bytes of a cache line."""
WORD = 4
"""The bytes of a register, of an f32, and the least that a lane takes of a line."""
WIDE_LOAD = 16
"""The bytes of the widest load or store of a thread."""
