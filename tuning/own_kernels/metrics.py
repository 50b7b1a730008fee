"""Metrics of a timed kernel: latency, TFLOP/s, GB/s, shares of the card's peak."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.tuning.own_kernels.errors import ArgumentError

if TYPE_CHECKING:
    from tilewright.codegen.targets import Target


MIN_LATENCY_MS = 1e-6
"""A nanosecond: a run that the clock does not see counts as this long."""


@dataclass
class KernelMetrics:
    """How fast a kernel ran; rates that are not known are 0, and not printed.

    The two utilizations are percentages of the card's peak.
    """

    latency_ms: float
    throughput_tflops: float = 0.0
    bandwidth_gbps: float = 0.0
    bandwidth_utilization: float = 0.0
    throughput_utilization: float = 0.0
    error: str | None = None
    """Why the configuration failed; its latency is infinite."""

    @property
    def fraction_of_peak(self) -> float:
        """The larger share of a peak, arithmetic or memory; 1 is all of it."""
        return max(self.bandwidth_utilization, self.throughput_utilization) / 100.0

    def __str__(self) -> str:
        """One line for a person."""
        if self.error is not None:
            return f"failed: {self.error}"
        parts = [f"Latency: {self.latency_ms:.3f} ms"]
        if self.throughput_tflops:
            parts.append(f"Throughput: {self.throughput_tflops:.2f} TFLOPS")
        if self.bandwidth_gbps:
            share = self.bandwidth_utilization
            of_peak = f" ({share:.1f}%)" if share else ""
            parts.append(f"Bandwidth: {self.bandwidth_gbps:.1f} GB/s{of_peak}")
        return ", ".join(parts)


def failed_metrics(error: str) -> KernelMetrics:
    """The metrics of a configuration that raised: slower than any other."""
    return KernelMetrics(math.inf, error=error)


def compute_gemm_metrics(
    M: int,
    N: int,
    K: int,
    latency_ms: float,
    peak_tflops: float | None = None,
    peak_bandwidth_gbps: float | None = None,
    bytes_per_element: float = 2,
    dtype: str = "bf16",
    device: str | None = None,
) -> KernelMetrics:
    """Metrics of a matrix product [M, K] x [K, N]: 2 M N K operations.

    Each operand and the result count once, with `bytes_per_element` each. The peaks are
    those of the `device` ("h200", "a100"), by default the card in this machine, or an
    H200 if there is none; `dtype` is that of the operands.
    """
    latency_ms = _checked(latency_ms, M=M, N=N, K=K)
    if peak_tflops is None:
        peak_tflops = _card(device).flops(dtype) / 1e12
    moved = (M * K + K * N + M * N) * bytes_per_element
    tflops = 2 * M * N * K / (latency_ms * 1e9)
    metrics = _of_traffic(moved, latency_ms, peak_bandwidth_gbps, device)
    metrics.throughput_tflops = tflops
    metrics.throughput_utilization = 100.0 * tflops / peak_tflops
    return metrics


def compute_elementwise_metrics(
    numel: int,
    latency_ms: float,
    bytes_per_element: float = 2,
    peak_bandwidth_gbps: float | None = None,
    num_reads: int = 1,
    num_writes: int = 1,
    device: str | None = None,
) -> KernelMetrics:
    """Metrics of a kernel that is bound by memory: it reads and writes each element."""
    latency_ms = _checked(latency_ms, numel=numel)
    moved = numel * bytes_per_element * (num_reads + num_writes)
    return _of_traffic(moved, latency_ms, peak_bandwidth_gbps, device)


def _of_traffic(
    moved: float, latency_ms: float, peak_gbps: float | None, device: str | None
) -> KernelMetrics:
    if peak_gbps is None:
        peak_gbps = _card(device).hbm_bandwidth / 1e9
    gbps = moved / (latency_ms * 1e6)
    return KernelMetrics(
        latency_ms, bandwidth_gbps=gbps, bandwidth_utilization=100.0 * gbps / peak_gbps
    )


def _card(device: str | None) -> Target:
    from tilewright.codegen.targets import TARGETS, detect, target_named

    if device is not None:
        return target_named(device)
    return detect() or TARGETS["h200"]


def _checked(latency_ms: float, **sizes: int) -> float:
    """The latency, at least what a clock can tell; wrong numbers are refused."""
    if isinstance(latency_ms, bool) or not 0 <= latency_ms < math.inf:
        raise ArgumentError(
            f"a latency of {latency_ms} ms gives no rate",
            remedy="pass the milliseconds of one run",
        )
    for name, size in sizes.items():
        is_integer = hasattr(size, "__index__") and not isinstance(size, bool)
        if not is_integer or size < 1:
            raise ArgumentError(
                f"{name} is {size!r}", remedy="sizes are positive integers"
            )
    return max(latency_ms, MIN_LATENCY_MS)
