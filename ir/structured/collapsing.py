"""Which neighbouring loops of a structured op can run as one loop.

Two neighbouring loops can be one if every operand that is indexed by one of them is
indexed by both, side by side and in their order, so that a step of the inner loop and a
carry into the outer one reach the next element of memory alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.structured.loops import is_reduction

Lengths = tuple[int, ...]
"""The loops of an op in runs: (2, 1) is loops 0 and 1 as one, and loop 2."""


def collapsible(op: StructuredOp) -> Lengths:
    """The longest runs of loops that can each be one loop."""
    loops = op.get_num_loops()
    return _runs(loops, [inner for inner in range(1, loops) if not can_join(op, inner)])


def can_join(op: StructuredOp, inner: int) -> bool:
    """Whether loop `inner` can be one with the loop before it."""
    return why_apart(op, inner) is None


def why_apart(op: StructuredOp, inner: int) -> str | None:
    """Why loop `inner` cannot be one with the loop before it; None if it can."""
    outer = inner - 1
    if is_reduction(op, outer) != is_reduction(op, inner):
        return f"only one of loops {outer} and {inner} is a reduction"
    for index, map_ in enumerate(op.maps):
        if not _is_side_by_side(map_, outer, inner):
            return (
                f"operand {index} is not indexed by loops {outer} and {inner} "
                "side by side"
            )
    return None


def common(runs: Iterable[Lengths]) -> Lengths:
    """The longest runs that lie within the runs of each list."""
    starts: set[int] = set()
    loops = 0
    for lengths in runs:
        loops = sum(lengths)
        starts |= set(_starts(lengths))
    return _runs(loops, sorted(starts - {0}))


def _starts(lengths: Sequence[int]) -> list[int]:
    return [sum(lengths[:number]) for number in range(len(lengths))]


def _runs(loops: int, starts: Sequence[int]) -> Lengths:
    """Lengths of the runs that begin at loop 0 and at `starts`."""
    ends = [*starts, loops] if loops else []
    return tuple(
        end - start for start, end in zip([0, *starts][: len(ends)], ends, strict=True)
    )


def _is_side_by_side(map_: AffineMap, outer: int, inner: int) -> bool:
    """Whether a map names neither loop, or both once, one after the other."""
    named = [
        expr.position if isinstance(expr, AffineDimExpr) else None
        for expr in map_.results
    ]
    inside = {
        dim
        for expr in map_.results
        if not isinstance(expr, AffineDimExpr)
        for dim in expr.used_dims()
    }
    if outer in inside or inner in inside:
        return False
    counts = named.count(outer), named.count(inner)
    if counts == (0, 0):
        return True
    return counts == (1, 1) and named.index(inner) == named.index(outer) + 1
