"""An estimate of a library call: a roofline over whole tiles and multiprocessors.

How cuBLAS tiles a product is unknown. The model assumes tiles of 128x128, multiplied at
0.72 of the matrix units' peak, until the busiest multiprocessor is done, or the time to
read the operands where that is longer. It is within a quarter of the times measured on
one H200 in bf16, from 512^3 to 8192^3, thin products included.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tilewright.codegen.program import CallInfo
    from tilewright.codegen.targets import Target

LAUNCH_SECONDS = 3.0e-6
"""From the end of one kernel to the start of the next, with a full queue."""

_TILE = 128
_ROWS = 64
"""Rows that the matrix units work on at once, even for a thinner product."""
_MATRIX = 0.72
_VECTOR = 0.75
"""Shares of peak, with and without matrix units."""
_HBM = 0.88
"""Share of the memory bandwidth at which operands are read."""
_HBM_ROWS = 0.4
"""The share for torch's row kernels: softmax on the H200 reached 1.2 TB/s in bf16 and
2.6 TB/s in f32."""


@dataclass(frozen=True)
class CallCost:
    """One call's estimate; all times in seconds."""

    function: str
    compute: float
    hbm: float
    launch: float

    @property
    def seconds(self) -> float:
        """The estimate."""
        return max(self.compute, self.hbm) + self.launch

    @property
    def bound(self) -> str:
        """The largest term."""
        terms = {"compute": self.compute, "memory": self.hbm, "launch": self.launch}
        return max(terms, key=lambda name: terms[name])

    def explain(self) -> str:
        """One line for a report."""
        return (
            f"{self.function}: {self.seconds * 1e6:.1f} us, bound by {self.bound} "
            f"(compute {self.compute * 1e6:.1f}, memory {self.hbm * 1e6:.1f}, "
            f"launch {self.launch * 1e6:.1f} us; a library's, by its roofline)"
        )


def estimate_call(info: CallInfo, target: Target) -> CallCost:
    """Estimate one call."""
    share = _HBM if info.k else _HBM_ROWS
    return CallCost(
        info.function,
        _compute(info, target),
        (info.bytes_moved + info.bytes_copied) / (target.hbm_bandwidth * share),
        LAUNCH_SECONDS * (2 if info.bytes_copied else 1),
    )


def _compute(info: CallInfo, target: Target) -> float:
    """Seconds of the arithmetic, until the busiest multiprocessor is done."""
    if not info.flops:
        return 0.0
    peak = target.flops(info.dtype)
    if info.dtype not in target.tensor_flops:
        return info.flops / (peak * _VECTOR)
    tiles = info.batch * -(-info.m // _TILE) * -(-info.n // _TILE)
    # The tiles of a thin product are thin too.
    height, width = (
        min(_TILE, math.ceil(extent / _ROWS) * _ROWS) for extent in (info.m, info.n)
    )
    one = 2.0 * height * width * info.k / (peak / target.sms * _MATRIX)
    return -(-tiles // target.sms) * one
