"""The ops that a streamed dimension runs through.

A chain has three kinds of ops, all in one block:

- *streamed* ops have the dimension as a parallel loop: products that make the elements,
  and element-wise ops on them;
- *reductions* have it as a reduction loop;
- ops *between* have it not, and compute something from results of reductions that a
  later op of the chain reads, such as a mean from a sum.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TypeGuard

from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.structured.loops import is_reduction
from tilewright.transforms.structured.stream.algebra.expressions import (
    Leaf,
)


@dataclass
class Chain:
    """The ops along one dimension, and the loop that it is in each of them."""

    targets: tuple[StructuredOp, ...]
    axis: dict[StructuredOp, int] = field(default_factory=dict[StructuredOp, int])
    """The loop of each streamed op and each reduction."""
    between: set[StructuredOp] = field(default_factory=set[StructuredOp])
    along: set[tuple[SSAValue, int]] = field(default_factory=set[tuple[SSAValue, int]])
    """The dimensions of tensors that are the streamed one."""
    within: Collection[StructuredOp] | None = None
    """The ops that may be part of it; None for all ops of the block."""
    left_out: frozenset[StructuredOp] = frozenset()
    """Ops that are computed before the chain, whole."""
    repeated: set[SSAValue] = field(default_factory=set[SSAValue])
    """Results of streamed ops that repeat a running value along the dimension."""

    @property
    def block(self) -> Block:
        """The block of all ops."""
        parent = self.targets[0].parent
        assert parent is not None
        return parent

    @property
    def ops(self) -> list[StructuredOp]:
        """All ops, in the order of the block; they are few, and the block is long."""
        wanted = self.axis.keys() | self.between
        found: list[StructuredOp] = []
        for op in self.block.ops:
            if op in wanted and isinstance(op, StructuredOp):
                found.append(op)
                if len(found) == len(wanted):
                    break
        return found

    @property
    def reductions(self) -> list[StructuredOp]:
        """The ops that reduce the dimension, in the order of the block."""
        return [op for op in self.ops if self.reduces(op)]

    def reduces(self, op: Operation) -> bool:
        """Whether an op reduces the dimension."""
        return (
            isinstance(op, StructuredOp)
            and op in self.axis
            and is_reduction(op, self.axis[op])
        )

    def is_local(self, op: Operation | Block) -> TypeGuard[StructuredOp]:
        """Whether an op is a structured op of the block that may be in the chain."""
        return (
            isinstance(op, StructuredOp)
            and op.parent is self.block
            and (self.within is None or op in self.within)
            and op not in self.left_out
        )

    def is_running(self, value: SSAValue) -> bool:
        """Whether a tensor changes in every iteration, and not along the dimension."""
        owner = value.owner
        return (
            value in self.repeated
            or isinstance(owner, StructuredOp)
            and (self.reduces(owner) or owner in self.between)
        )


def reads_across(
    chain: Chain, op: StructuredOp, operand: SSAValue, map_: AffineMap
) -> bool:
    """Whether an op reads a result of the chain by other loops than it was written."""
    owner = operand.owner
    if not isinstance(owner, StructuredOp) or owner not in chain.axis:
        return False
    output = owner.maps[len(owner.inputs) + result_number(operand)]
    loop = chain.axis.get(op)
    for written, read in zip(output.results, map_.results, strict=True):
        if chain.axis[owner] in written.used_dims():
            if read.used_dims() != {loop}:
                return True
        elif loop in read.used_dims():
            return True
    return False


def loops_of_reader(chain: Chain, leaf: Leaf, reader: StructuredOp) -> dict[int, int]:
    """The loops of a reduction as loops of an op that reads its result as `leaf`."""
    op, value = leaf.value.owner, leaf.value
    assert isinstance(op, StructuredOp) and leaf.map is not None
    found = {chain.axis[op]: chain.axis[reader]}
    output = op.maps[len(op.inputs) + result_number(value)]
    for own, other in zip(output.results, leaf.map.results, strict=True):
        if isinstance(own, AffineDimExpr) and isinstance(other, AffineDimExpr):
            found[own.position] = other.position
    return found


def length_of(chain: Chain) -> int | None:
    """The extent of the streamed dimension, if it is known."""
    for op, loop in chain.axis.items():
        extent = op.get_static_loop_ranges()[loop]
        if extent >= 0:
            return extent
    return None


def result_number(value: SSAValue) -> int:
    """Which result of its op a value is."""
    assert isinstance(value, OpResult)
    return value.index
