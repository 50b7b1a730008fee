"""`recompute`: compute a producer again in every loop that reads it. Not upstream's.

Before:
    %p = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> ...
    %a = scf.for %i = %c0 to %c64 step %c32 ... {
      %s = tensor.extract_slice %p[%i] [32] [1] : ...
      ... %s ...
    %b = scf.for %j = %c0 to %c64 step %c16 ... {
      %t = tensor.extract_slice %p[%j] [16] [1] : ...
      ... %t ...

After:
    %a = scf.for %i = %c0 to %c64 step %c32 ... {
      %xs = tensor.extract_slice %x[%i] [32] [1] : ...
      %s = linalg.exp ins(%xs : tensor<32xf32>) outs(%es : ...) -> tensor<32xf32>
      ... %s ...
    %b = scf.for %j = %c0 to %c64 step %c16 ... {
      %xt = tensor.extract_slice %x[%j] [16] [1] : ...
      %t = linalg.exp ins(%xt : tensor<16xf32>) outs(%et : ...) -> tensor<16xf32>
      ... %t ...

It is `fuse_into_containing_op` for each of these loops, and one handle to all copies.
The loops are those of the producer's block, and loops further inside. Equal slices of
one block get one copy. So do structured ops of a loop that read the whole result: the
slice of a tile that is as long as the result is the result itself. The original is
erased if nothing else reads it. Of several producers, a consumer comes before its own
producers.

Requires: structured producers on tensors, with slices or whole results that loops read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import Block, Operation, OpResult, Use
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.scf import ForallOp, ForOp
from tilewright.ir.errors import SilenceableFailure
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.rollback import snapshot_of_step
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.fuse.producer_tile import (
    carried_in,
    fuse_slice,
    why_not,
)
from tilewright.transforms.structured.targets import structured_op


@dataclass(frozen=True)
class Read:
    """Equal slices of a producer's result, and the innermost loop around them."""

    result: OpResult
    slices: tuple[tensor.ExtractSliceOp, ...]
    """The first comes before the others, in one block."""
    loop: ForOp | ForallOp


@dataclass(frozen=True)
class Plan:
    """A producer, the slices of it that loops read, and what reads all of it there."""

    producer: StructuredOp
    reads: tuple[Read, ...]
    whole: tuple[tuple[Use, ...], ...]
    """The uses in each block; the first comes before the others."""


@irdl_op_definition
class RecomputeOp(TargetOp):
    """Copy producers into the loops that read them; consumes them, returns copies."""

    name = "transform.tilewright.recompute"
    FORM: ClassVar[str] = "recompute <target:handle>"
    SUMMARY: ClassVar[str] = "compute a producer's tile in every loop that reads it"

    copies = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def apply(self, state: TransformState) -> None:
        """Copy one producer after the other, consumers first."""
        producers = state.payload_ops(self.target)
        if not any(_is_read_by(op, set(producers)) for op in producers):
            super().apply(state)
            return
        # Copying a consumer makes the slices of its producers, which can only then be
        # checked.
        before = snapshot_of_step(state, state.root)
        copies: list[Operation] = []
        try:
            for producer in _consumers_first(producers):
                copies += self.rewrite(self.analyze(producer), state.rewriter)
        except SilenceableFailure:
            if before is not None:
                before.restore()
            raise
        state.set_ops(self.copies, copies)

    def analyze(self, op: Operation) -> Plan:
        """Find the slices that loops read, and check that each can be computed."""
        op = structured_op(self, op)
        reads = tuple(_reads(op))
        if len(reads) > 1:
            reads = _in_program_order(op, reads)
        whole = tuple(_whole_uses(op))
        if not reads and not whole:
            raise self.refuse(
                f"no loop reads slices of the results of '{op.name}'",
                op,
                "tile what reads it into loops first",
            )
        for read in reads:
            if (reason := why_not(op, read.slices[0], read.result)) is not None:
                raise self.refuse(reason, op)
        return Plan(op, reads, whole)

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> Sequence[Operation]:
        """Compute what is read where it is read; the ops that do."""
        producer = plan.producer
        copies: list[Operation] = []
        for read in plan.reads:
            first, *others = read.slices
            for other in others:
                rewriter.replace(other, [first.result])
            into = carried_in(read.loop, producer)
            tile = fuse_slice(producer, read.result, first, rewriter, into)
            copies.append(tile.tiled.op)
        for uses in plan.whole:
            copy = producer.clone()
            rewriter.insert_before(uses[0].operation, copy)
            for use in uses:
                result = use.operation.operands[use.index]
                assert isinstance(result, OpResult)
                use.operation.operands[use.index] = copy.results[result.index]
                rewriter.changed(use.operation)
            copies.append(copy)
        if not any(result.first_use for result in producer.results):
            rewriter.erase(producer)
        return copies


def _consumers_first(ops: Sequence[Operation]) -> list[Operation]:
    """The ops in an order in which each comes after the ops that read it."""
    waiting: list[Operation] = list(ops)
    ordered: list[Operation] = []
    while waiting:
        left = set(waiting)
        ready: list[Operation] = [op for op in waiting if not _is_read_by(op, left)]
        ordered += ready
        waiting = [op for op in waiting if op not in ready]
    return ordered


def _is_read_by(op: Operation, readers: set[Operation]) -> bool:
    return any(use.operation in readers for result in op.results for use in result.uses)


def _reads(producer: StructuredOp) -> Iterator[Read]:
    """The slices of a producer that loops read, equal ones together."""
    for result in producer.results:
        found: list[tuple[ForOp | ForallOp, list[tensor.ExtractSliceOp]]] = []
        uses = [use for use in result.uses if use.index == 0]
        for slice_op in (use.operation for use in uses):
            if not isinstance(slice_op, tensor.ExtractSliceOp):
                continue
            loop = _loop_around(slice_op, producer)
            if loop is None:
                continue
            for _, group in found:
                if _are_equal(group[0], slice_op):
                    group.append(slice_op)
                    break
            else:
                found.append((loop, [slice_op]))
        for loop, group in found:
            yield Read(result, tuple(_in_order(group)), loop)


def _whole_uses(producer: StructuredOp) -> Iterator[tuple[Use, ...]]:
    """The inputs of structured ops in loops that are whole results, block by block."""
    found: dict[Block, list[Use]] = {}
    for use in (use for result in producer.results for use in result.uses):
        op = use.operation
        if not isinstance(op, StructuredOp) or use.index >= len(op.inputs):
            continue
        if _loop_around(op, producer) is not None and op.parent is not None:
            found.setdefault(op.parent, []).append(use)
    for block, uses in found.items():
        by_op = {use.operation: use for use in reversed(uses)}
        first = next(op for op in block.ops if op in by_op)
        yield tuple(sorted(uses, key=lambda use: use.operation is not first))


def _in_program_order(producer: Operation, reads: Sequence[Read]) -> tuple[Read, ...]:
    """The reads in the order of the program; only the ops around them are walked."""
    block = producer.parent
    assert block is not None
    by_slice: dict[Operation, Read] = {read.slices[0]: read for read in reads}
    around = {block.find_ancestor_op_in_block(one) for one in by_slice}
    ordered: list[Read] = []
    following = producer.next_op
    while following is not None and len(ordered) < len(reads):
        if following in around:
            ordered += [by_slice[op] for op in following.walk() if op in by_slice]
        following = following.next_op
    return tuple(ordered)


def _loop_around(op: Operation, producer: Operation) -> ForOp | ForallOp | None:
    """The innermost loop around an op, inside the producer's block."""
    while op.parent is not producer.parent and (parent := op.parent_op()) is not None:
        if isinstance(parent, ForOp | ForallOp):
            return parent
        op = parent
    return None


def _are_equal(one: Operation, other: Operation) -> bool:
    return (
        one.parent is other.parent
        and one.operands == other.operands
        and one.properties == other.properties
        and one.result_types == other.result_types
    )


def _in_order(
    slices: Sequence[tensor.ExtractSliceOp],
) -> Iterator[tensor.ExtractSliceOp]:
    """Slices of one block, the first one first."""
    first = slices[0]
    for one in slices[1:]:
        if one.is_before_in_block(first):
            first = one
    yield first
    yield from (one for one in slices if one is not first)
