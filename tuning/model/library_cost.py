"""An estimate of a library call, as a term of a program's cost.

A product of matrices is estimated from its shape (`planning/model/library.py`); torch's
kernels on rows by the bytes they move.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.codegen.targets.limits import Limit, limit_of
from tilewright.planning.model.library import LibraryTime, call_time

if TYPE_CHECKING:
    from tilewright.codegen.program import CallInfo
    from tilewright.codegen.targets import Target


@dataclass(frozen=True)
class CallCost:
    """One call's estimate; all times in seconds."""

    function: str
    compute: float
    hbm: float
    launch: float
    overlap: float
    """The share of the shorter of both that is not hidden."""

    @property
    def seconds(self) -> float:
        """The estimate."""
        return LibraryTime(self.compute, self.hbm, self.launch, self.overlap).seconds

    @property
    def terms(self) -> dict[Limit, float]:
        """Seconds that each part takes."""
        return {
            Limit.ARITHMETIC: self.compute,
            Limit.MEMORY: self.hbm,
            Limit.LAUNCH: self.launch,
        }

    @property
    def limit(self) -> Limit:
        """The largest term."""
        return limit_of(self.terms)

    def explain(self) -> str:
        """One line for a report."""
        listed = ", ".join(f"{part} {s * 1e6:.1f}" for part, s in self.terms.items())
        return (
            f"{self.function}: {self.seconds * 1e6:.1f} us: {self.limit} is the limit "
            f"({listed} us; a library's, by its roofline)"
        )


def estimate_call(info: CallInfo, target: Target) -> CallCost:
    """Estimate one call."""
    if not info.k:
        fitted = target.calibration
        seconds = info.bytes_moved / (target.hbm_bandwidth * fitted.library.rows_share)
        return CallCost(info.function, 0.0, seconds, fitted.launch, 0.0)
    time = call_time(info, target)
    return CallCost(info.function, time.compute, time.memory, time.launch, time.overlap)
