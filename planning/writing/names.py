"""Names that a planned schedule must not give to ops."""

from __future__ import annotations

from tilewright.schedules.language.syntax import RESERVED
from tilewright.schedules.language.verbs.table import BY_NAME

OWN = frozenset(
    "root ops grid k rows columns block warps stages group parts persistent loads "
    "partial start part last sums zeros total "
    "softmaxes aligned programs merged stores".split()
)
"""Names that planned schedules use themselves."""


def is_taken(name: str) -> bool:
    """Whether a name means something else in a schedule."""
    return name in OWN or name in RESERVED or name in BY_NAME or name.startswith("all_")
