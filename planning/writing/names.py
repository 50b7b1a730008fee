"""Names that a planned schedule must not give to ops."""

from __future__ import annotations

import re

from tilewright.schedules.language.syntax import RESERVED
from tilewright.schedules.language.verbs.table import BY_NAME

_NUMBERED = re.compile(r"(k|grid|part|zero|last|loop)_?\d+")
OWN = frozenset(
    "root ops grid k rows columns block warps stages group parts persistent loads "
    "partial start part last sums zeros total loops zero lanes loop halves rest func "
    "step softmaxes aligned programs merged stores".split()
)
"""Names that planned schedules use themselves."""


def is_taken(name: str) -> bool:
    """Whether a name means something else in a schedule."""
    if name in OWN or name in RESERVED or name in BY_NAME or name.startswith("all_"):
        return True
    return _NUMBERED.fullmatch(name) is not None
