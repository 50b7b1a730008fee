"""How a grid with an attribute that does not fit is refused."""

from __future__ import annotations

import pytest

from support.codegen.buffer_level import generated
from tilewright.ir.errors import SilenceableFailure

EVEN, ODD = (96, 192, 64), (100, 136, 72)
"""Sizes that the tile divides, and sizes that it does not."""


def refusal(text: str) -> SilenceableFailure:
    with pytest.raises(SilenceableFailure) as caught:
        generated(text)
    return caught.value
