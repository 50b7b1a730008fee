"""`inline_producer`: compute a producer's elements in the body of its reader.

Before:
    %s = linalg.generic {maps = [(i, j) -> (i, j), (i, j) -> (i, j)], ...}
        ins(%x : tensor<8x4xf32>) ... { mulf %a, %a }
    %r = linalg.generic {maps = [(i, j) -> (i, j), (i, j) -> (j)],
        iterator_types = ["reduction", "parallel"]} ins(%s : ...) ... { addf }

After `inline_producer %s into %r`:
    %r = linalg.generic {maps = [(i, j) -> (i, j), (i, j) -> (j)],
        iterator_types = ["reduction", "parallel"]} ins(%x : ...) ... { mulf, addf }

One op is left for a schedule to split, collapse or tile. The producer stays if another
op reads it. Not upstream's: its pass `linalg-fuse-elementwise-ops` does this to all ops
of a function at once.

A reader may also extract elements of the result at computed indices, as a roll or a
pooling does: it computes them of the producer's inputs at these indices. The producer
may be a `tensor.pad`, `tensor.concat` or `tensor.insert_slice` of known sizes: the
reader selects the part that has an element by its index.

Requires: a producer with parallel loops only, which reads none of its outputs and
writes one result element in each iteration; a reader of that result on tensors. Each
loop of the reader must still index an operand: the sum of a broadcast number has no
extent once the broadcast is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def

from tilewright.ir.dialects.linalg import GenericOp, StructuredOp
from tilewright.ir.dialects.tensor import ExtractOp
from tilewright.ir.structured.inlining import against, inlined, loops_without_extent
from tilewright.ir.structured.movement import behind_views
from tilewright.ir.types import is_buffer
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import PlannedOp
from tilewright.transforms.structured.targets import structured_op


@dataclass(frozen=True)
class Plan:
    """A producer of one result, and the op that reads it."""

    producer: Operation
    reader: StructuredOp


@irdl_op_definition
class InlineProducerOp(PlannedOp):
    """Inline a producer; consumes the reader's handle and returns the new reader."""

    name = "transform.tilewright.inline_producer"
    FORM: ClassVar[str] = "inline <producer:handle> into <reader:handle>"
    SUMMARY: ClassVar[str] = (
        "compute a producer's elements in the body of the op that reads them"
    )

    producer = operand_def(TransformOpHandleType)
    reader = operand_def(TransformOpHandleType)
    transformed = result_def(TransformOpHandleType)

    assembly_format = (
        "$producer `into` $reader attr-dict `:` functional-type(operands, results)"
    )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The reader is replaced; the producer stays if another op reads it."""
        return (self.reader,)

    def plans(self, state: TransformState) -> Sequence[Plan]:
        """Pair the producers with their readers, and check each pair."""
        producers = state.payload_ops(self.producer)
        readers = state.payload_ops(self.reader)
        if len(producers) != len(readers):
            raise self.refuse(
                f"{len(producers)} producers and {len(readers)} readers",
                remedy="give one reader for each producer",
            )
        return [self._plan(*pair) for pair in zip(producers, readers, strict=True)]

    def _plan(self, producer: Operation, reader: Operation) -> Plan:
        reader = structured_op(self, reader)
        if any(is_buffer(value.type) for value in reader.operands):
            raise self.refuse("the op works on buffers", reader, "inline first")
        if (reason := against(producer)) is not None:
            raise self.refuse(reason, producer, "fuse it into a loop instead")
        if producer is reader or not _reads(reader, producer):
            raise self.refuse(
                f"'{reader.name}' does not read a result of '{producer.name}'",
                reader,
                "name the op that reads it",
            )
        if lost := loops_without_extent(reader, {producer}):
            raise self.refuse(
                f"nothing but the producer's result tells the extent of loop {lost[0]}",
                reader,
                "fuse the producer into a loop instead",
            )
        return Plan(producer, reader)

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> GenericOp:
        """Replace the reader by an op that computes the producer's elements too."""
        views, made = inlined(plan.reader, {plan.producer})
        rewriter.insert_before(plan.reader, *views, made)
        rewriter.replace(plan.reader, made.results, stands_for=made)
        if not plan.producer.results[0].uses:
            rewriter.erase(plan.producer)
        return made


def _reads(reader: StructuredOp, producer: Operation) -> bool:
    """Whether an op reads a producer's result, as an operand or at computed indices."""
    extracted = [
        inner.tensor for inner in reader.body.block.ops if isinstance(inner, ExtractOp)
    ]
    read = (*reader.inputs, *extracted)
    return any(behind_views(value) is producer.results[0] for value in read)
