"""Walks: over an op and all ops inside it, and from an op outwards.

xDSL's `walk` resumes three generators for every op; this one makes one call a region.
"""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.traits import IsolatedFromAbove


def walked(op: Operation) -> list[Operation]:
    """An op and all that is nested in it, an op before what is in it."""
    found = [op]
    if op.regions:
        _add_inside(op, found)
    return found


def _add_inside(op: Operation, found: list[Operation]) -> None:
    for region in op.regions:
        for block in region.blocks:
            inner = block.first_op
            while inner is not None:
                found.append(inner)
                if inner.regions:
                    _add_inside(inner, found)
                inner = inner.next_op


def isolated_around(op: Operation) -> Operation:
    """The isolated op around an op, which contains its producers."""
    while not op.has_trait(IsolatedFromAbove) and (parent := op.parent_op()):
        op = parent
    return op


def inside_out(root: Operation) -> list[Operation]:
    """All ops in `root`, nested ops before the ops around them."""
    return [
        op
        for region in root.regions
        for block in region.blocks
        for child in block.ops
        for op in (*inside_out(child), child)
    ]
