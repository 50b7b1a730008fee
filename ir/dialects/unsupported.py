"""The ops that upstream has and this compiler does not."""

from __future__ import annotations

from functools import cache

OF_SMALL_DIALECTS = frozenset(
    """
    affine.dma_start affine.dma_wait
    arith.scaling_extf
    arith.scaling_truncf builtin.unrealized_conversion_cast builtin.unregistered
    func.call_indirect func.constant scf.condition scf.while
    tensor.gather tensor.scatter ub.unreachable
    """.split()
)
"""Missing ops of small dialects; the other dialects have a list `NOT_YET`."""


@cache
def unsupported_ops() -> frozenset[str]:
    """The name of every op that upstream has and this compiler does not."""
    from tilewright.ir.dialects import bufferization, linalg, memref, vector

    dialects = (bufferization, linalg, memref, vector)
    return OF_SMALL_DIALECTS.union(*(dialect.NOT_YET for dialect in dialects))
