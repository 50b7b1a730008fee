"""The winner beside the rates of the card: what limits it.

The features of a program have its bytes and FLOPs, the rates of the card's data sheet,
and what the cost model takes each part of the card to need.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tilewright.codegen.targets.limits import Limit

PARTS: Mapping[str, str] = {
    "compute": Limit.ARITHMETIC,
    "shared": Limit.SHARED,
    "hbm": Limit.MEMORY,
    "l2": Limit.L2,
    "latency": Limit.LATENCY,
    "launch": Limit.LAUNCH,
    "calls": "library calls",
}
"""The parts of the cost model, in words."""
_REACHED = 0.7
"""A program at this share of a rate is limited by it: few programs reach more."""


@dataclass(frozen=True)
class Limits:
    """The rates of a program, and those of its card."""

    tflops: float | None
    peak_tflops: float | None
    """Of the matrix units in the type of the program's products; None without."""
    gigabytes_per_second: float
    peak_gigabytes_per_second: float
    launches: int
    registers: int | None
    """Of a thread of the main kernel; None where it was not compiled."""
    spills: bool | None
    shared_kib: float | None
    parts: tuple[tuple[str, float], ...]
    """What the parts of the card need, as shares of the estimate, the largest first.
    They overlap, so they add up to more than 1."""
    over_estimate: float | None
    """The time over the cost model's estimate."""

    @property
    def compute_share(self) -> float | None:
        """The arithmetic, as a share of the card's rate."""
        if self.tflops is None or not self.peak_tflops:
            return None
        return self.tflops / self.peak_tflops

    @property
    def memory_share(self) -> float:
        """The least traffic, as a share of the card's rate."""
        return self.gigabytes_per_second / self.peak_gigabytes_per_second

    @property
    def verdict(self) -> str:
        """What limits the program, in words."""
        compute = self.compute_share or 0.0
        if max(compute, self.memory_share) >= _REACHED:
            which = "arithmetic" if compute > self.memory_share else "memory"
            return f"near the card's rate of {which}: little is left to gain"
        part = PARTS[self.parts[0][0]] if self.parts else "an unknown part"
        return f"below both rates; the longest part, by the cost model: {part}"


def limits_of(milliseconds: float, features: Mapping[str, float]) -> Limits | None:
    """The limits of a program; None where its features are not known."""
    needed = ("problem.bytes", "problem.flops", "device.hbm")
    if any(name not in features for name in needed):
        return None
    seconds = milliseconds / 1e3
    flops = 2.0 ** features["problem.flops"]
    has_products = features.get("dot.count", 0.0) + features.get("program.calls", 0.0)
    peak = features.get("dot.peak", 0.0)
    estimate = features.get("estimate.ms", 0.0)
    parts = {part: features.get(f"estimate.{part}", 0.0) for part in PARTS}
    # Filling the pipeline is latency too, as in the estimates of `plan` and `run`.
    parts["latency"] = max(parts["latency"], features.get("estimate.fill", 0.0))
    compiled = "compiled.registers" in features
    return Limits(
        flops / seconds / 1e12 if has_products else None,
        2.0**peak if has_products and peak > 0 else None,
        2.0 ** features["problem.bytes"] / seconds / 1e9,
        features["device.hbm"] * 1e3,
        round(features.get("program.kernels", 0.0)),
        round(features["compiled.registers"]) if compiled else None,
        features.get("compiled.spills", 0.0) > 0 if compiled else None,
        features["compiled.shared"] * features["device.shared_kib"]
        if "compiled.shared" in features and "device.shared_kib" in features
        else None,
        tuple(
            (part, share)
            for part, share in sorted(parts.items(), key=lambda entry: -entry[1])
            if share > 0
        ),
        milliseconds / estimate if estimate > 0 else None,
    )
