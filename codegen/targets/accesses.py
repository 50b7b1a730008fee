"""The sizes of memory accesses, which are the same on all known devices."""

from __future__ import annotations

LINE = 128
"""The bytes of a cache line."""
WIDE_LOAD = 16
"""The bytes of the widest load or store of a thread."""
