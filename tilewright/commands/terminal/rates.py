"""The rates of a measured time, relative to the card's ceilings."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.codegen.program import GeneratedProgram
from tilewright.tuning.measure.baselines import Baselines


def rates(ms: float, flops: int, baselines: Baselines) -> Iterator[str]:
    """Lines of a report: arithmetic rate, memory rate, and the CUDA graph."""
    ceilings = baselines.ceilings
    if flops:
        reached = flops / ms * 1e-9
        line = f"rate: {reached:.1f} TFLOP/s"
        if ceilings.product_tflops is not None:
            share = reached / ceilings.product_tflops
            line += f", {share:.2f} of this card's {ceilings.product_tflops:.0f}"
            line += " (a large product by the vendor's library)"
        yield line
    reached = baselines.moved_bytes / ms * 1e-6
    yield (
        f"rate: {reached:.0f} GB/s, {reached / ceilings.copy_gbs:.2f} of this card's "
        f"{ceilings.copy_gbs:.0f} (a copy of as many bytes)"
    )
    if (replayed := baselines.replayed) is not None:
        gain = ms / replayed.p50
        yield (
            f"as a CUDA graph: p20 {replayed.p20:.4f}  p50 {replayed.p50:.4f}  "
            f"p80 {replayed.p80:.4f} ms, {gain:.2f} times the speed; "
            "`program.graph(...)` makes one"
        )


def dot_type(program: GeneratedProgram) -> str | None:
    """The element type of a program's first dot, or library product."""
    kernels = [dot.dtype for kernel in program.kernels for dot in kernel.dots]
    calls = [call.dtype for call in program.calls if call.flops]
    return next(iter(kernels + calls), None)
