"""The loops that an op's reads at computed indices run along.

A pooling reads a window of an image with `tensor.extract`. The loop in the last index
is the one along which neighbouring elements lie side by side in memory.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Block, SSAValue

from tilewright.codegen.program import NOMINAL
from tilewright.ir.dialects.linalg import IndexOp
from tilewright.ir.dialects.tensor import ExtractOp
from tilewright.ir.dtypes import element
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import tensor_type
from tilewright.planning.analysis.facts import OpFacts


@dataclass(frozen=True)
class GatherLoops:
    """The loops along a tensor that is read at computed indices."""

    inner: int
    """The only loop in the index of the last dimension."""
    others: frozenset[int]
    """The loops in the other indices."""
    step: float
    """The bytes from one element of the inner loop to the next, if each is read alone;
    0 if they are read together, since the last index is the loop itself."""
    tensor: SSAValue
    bytes: int
    """The bytes of the tensor."""


def count_gathers(ops: Sequence[OpFacts]) -> int:
    """How many elements the bodies of ops read at computed indices.

    Equal reads count once, and those along plain loops, such as a bias, not at all.
    """
    reads = {
        (op.tensor, *op.indices)
        for facts in ops
        for op in facts.op.walk()
        if isinstance(op, ExtractOp) and not all(map(_is_plain, op.indices))
    }
    return len(reads)


def _is_plain(index: SSAValue) -> bool:
    return isinstance(index.owner, IndexOp) or constant_int(index) is not None


def gather_loops(facts: OpFacts) -> Iterator[GatherLoops]:
    """The loops of each read of an op whose last index depends on one loop alone."""
    known: dict[SSAValue, frozenset[int]] = {
        argument: frozenset(loop for loop in operand.loops if loop is not None)
        for argument, operand in zip(
            facts.op.body.block.args, facts.operands, strict=True
        )
    }
    for op in facts.op.body.block.ops:
        if not isinstance(op, ExtractOp):
            continue
        sizes = _sizes(op, known, facts)
        indices = [
            (index, size)
            for index, size in zip(op.indices, sizes, strict=True)
            if size != 1
        ]
        loops = [_loops(index, known) for index, _ in indices]
        if loops and len(loops[-1]) == 1:
            (inner,) = loops[-1]
            others = frozenset[int]().union(*loops[:-1])
            index, size = indices[-1]
            # A window moves so far that all of them cover the dimension.
            step = 0.0 if _is_plain(index) else size / facts.extents[inner]
            width = element(tensor_type(op.tensor).element_type).byte_width
            total = math.prod(sizes) * width
            yield GatherLoops(inner, others, step * width, op.tensor, total)


def _sizes(
    op: ExtractOp, known: dict[SSAValue, frozenset[int]], facts: OpFacts
) -> list[int]:
    """The sizes of the tensor; an open one counts as the loop in its index does."""
    found: list[int] = []
    shape = tensor_type(op.tensor).get_shape()
    for index, size in zip(op.indices, shape, strict=True):
        if size == DYNAMIC_INDEX:
            loops = _loops(index, known)
            size = facts.extents[next(iter(loops))] if len(loops) == 1 else NOMINAL
        found.append(size)
    return found


def _loops(value: SSAValue, known: dict[SSAValue, frozenset[int]]) -> frozenset[int]:
    """The loops that an index depends on, by itself or by elements at its place."""
    if value not in known:
        owner = value.owner
        if isinstance(owner, IndexOp):
            known[value] = frozenset({int(owner.dim.value.data)})
        elif isinstance(owner, Block):
            known[value] = frozenset()  # the same number for all elements
        else:
            parts = [_loops(each, known) for each in owner.operands]
            known[value] = frozenset[int]().union(*parts)
    return known[value]
