"""The times that pages are held to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Held: TypeAlias = Callable[[str, float, float], None]
"""Checks the milliseconds of something against its bar."""
