"""Names that a planned schedule must not give to ops."""

from __future__ import annotations

import re

from tilewright.schedules.language.syntax import RESERVED
from tilewright.schedules.language.verbs.vocabulary import BY_NAME

_NUMBERED = re.compile(r"(k|grid|part|zero|last|loop)_?\d+")
OWN = frozenset(
    "root ops grid k start part last sums zeros total loops zero lanes loop halves "
    "rest rests func step softmaxes merged stores partial swap first whole masked "
    "powers main".split()
)
"""Handles of planned schedules."""
CHOICES = frozenset(
    "BM BN BK ahead aligned block columns consumers group held kernel loads parts "
    "persistent pinned ping_pong precision programs ring rows stages structure unroll "
    "warps".split()
)
"""Choices of planned schedules; one of several kernels or sketches has a suffix."""
_PREFIXED = re.compile(rf"all_.*|over_.*|grid_.*|({'|'.join(sorted(CHOICES))})(_.*)?")


def is_taken(name: str) -> bool:
    """Whether a name means something else in a schedule."""
    if name in OWN or name in RESERVED or name in BY_NAME:
        return True
    return bool(_NUMBERED.fullmatch(name) or _PREFIXED.fullmatch(name))
