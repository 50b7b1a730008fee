"""Checks of operands that several layers need."""

from __future__ import annotations

from tilewright.frontend.builder.generic import check_tensors, listed
from tilewright.frontend.builder.numerics import is_float
from tilewright.frontend.builder.tensor import Tensor
from tilewright.frontend.builder.user_lines import fail


def check_float(who: str, x: Tensor) -> None:
    """Refuse a tensor that has no floats or no axis."""
    check_tensors(who, x=x)
    if not is_float(x.dtype) or x.rank == 0:
        fail(
            f"{who}: not defined for {listed([x])}",
            "give a tensor of floats with at least one axis",
        )
