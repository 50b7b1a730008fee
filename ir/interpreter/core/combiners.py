"""numpy's functions for the kinds of reductions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.vector import CombiningKindFlag

from tilewright.ir.interpreter.core.elementwise import (
    Function,
    as_is,
    number,
    signed,
    unsigned,
    widen,
)
from tilewright.ir.structured.combiners import exact_neutral_float, neutral_integer


@dataclass(frozen=True)
class Combiner:
    """numpy's function for one kind, and how it reads its operands."""

    ufunc: np.ufunc
    read: Function


COMBINERS: dict[CombiningKindFlag, Combiner] = {
    CombiningKindFlag.ADD: Combiner(np.add, number),
    CombiningKindFlag.MUL: Combiner(np.multiply, number),
    CombiningKindFlag.MINUI: Combiner(np.minimum, unsigned),
    CombiningKindFlag.MINSI: Combiner(np.minimum, signed),
    CombiningKindFlag.MINNUMF: Combiner(np.fmin, widen),
    CombiningKindFlag.MINIMUMF: Combiner(np.minimum, widen),
    CombiningKindFlag.MAXUI: Combiner(np.maximum, unsigned),
    CombiningKindFlag.MAXSI: Combiner(np.maximum, signed),
    CombiningKindFlag.MAXNUMF: Combiner(np.fmax, widen),
    CombiningKindFlag.MAXIMUMF: Combiner(np.maximum, widen),
    CombiningKindFlag.AND: Combiner(np.bitwise_and, as_is),
    CombiningKindFlag.OR: Combiner(np.bitwise_or, as_is),
    CombiningKindFlag.XOR: Combiner(np.bitwise_xor, as_is),
}


def neutral_number(kind: CombiningKindFlag, dtype: np.dtype[Any]) -> Any:
    """The value that changes nothing when combined, not even the sign of a zero."""
    neutral = (
        exact_neutral_float(kind)
        if dtype.kind == "f"
        else neutral_integer(kind, 1 if dtype.kind == "b" else dtype.itemsize * 8)
    )
    return np.asarray(neutral).astype(dtype)[()]
