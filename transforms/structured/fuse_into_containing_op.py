"""`fuse_into_containing_op`: compute a producer's tile where it is consumed.

Before:
    %p = linalg.fill ins(%z : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %r = scf.forall (%i) in (2) ... {
      %s = tensor.extract_slice %p[%o] [32] [1] : ...
      ... %s ...

After:
    %p = linalg.fill ...                       // dead if the slice was its only use
    %r = scf.forall (%i) in (2) ... {
      %t = tensor.extract_slice %e[%o] [32] [1] : ...
      %s = linalg.fill ins(%z : f32) outs(%t : tensor<32xf32>) -> tensor<32xf32>
      ... %s ...

A producer that is a forall's output is fused through it where the tiles cover all of
it: the tile is computed into the slice of the shared output, and the forall starts from
the producer's destination.

Requires: a structured producer one of whose results is sliced inside the containing op.
Each slice gets its own copy of the producer; other uses keep the original.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects import tensor
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.irdl import irdl_op_definition, operand_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp, slice_of
from tilewright.ir.types import tensor_type
from tilewright.transforms.base import AnyOpType, TransformOp, TransformOpHandleType
from tilewright.transforms.rewriter import Rewriter
from tilewright.transforms.state import TransformState
from tilewright.transforms.structured.coverage import tiles_cover
from tilewright.transforms.structured.extents import Extent, OpList
from tilewright.transforms.structured.tiling import (
    has_only_projections,
    loop_ranges,
    maps_of,
    tile_op,
)
from tilewright.transforms.syntax import parse_signature, print_signature


@irdl_op_definition
class FuseIntoContainingOp(TransformOp):
    """Fuse producers into a loop; consumes the producer, keeps the loop."""

    name = "transform.structured.fuse_into_containing_op"
    VERB: ClassVar[str | None] = "fuse_into_containing_op"

    producer_op = operand_def(TransformOpHandleType)
    containing_op = operand_def(TransformOpHandleType)
    fused_op = result_def(TransformOpHandleType)
    new_containing_op = result_def(TransformOpHandleType)

    def __init__(self, producer: SSAValue, containing: SSAValue):
        super().__init__(
            operands=[producer, containing], result_types=[AnyOpType(), AnyOpType()]
        )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The producer moves into the loop."""
        return (self.producer_op,)

    def apply(self, state: TransformState) -> None:
        """Fuse each producer, the last one first, so that chains fuse in one step."""
        producers = state.payload_ops(self.producer_op)
        containing = state.payload_ops(self.containing_op)
        if not producers:
            state.set_ops(self.fused_op, [])
            state.set_ops(self.new_containing_op, containing)
            return
        if len(containing) != 1:
            raise self.broken(
                f"expected one containing op, the handle points at {len(containing)}"
            )
        check_chain(self, producers, containing[0])
        fused: list[Operation] = []
        for producer in reversed(producers):
            plan = analyze(self, producer, containing[0])
            fused = [*rewrite(plan, state.rewriter), *fused]
        state.set_ops(self.fused_op, fused)
        state.set_ops(self.new_containing_op, containing)

    @classmethod
    def parse(cls, parser: Parser) -> FuseIntoContainingOp:
        """`%producer into %loop : (types) -> (types)`."""
        producer = parser.parse_unresolved_operand()
        parser.parse_keyword("into")
        containing = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        operands, types = parse_signature(parser, [producer, containing])
        op = cls.build(operands=operands, result_types=types)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """The upstream form."""
        printer.print_string(" ")
        printer.print_ssa_value(self.producer_op)
        printer.print_string(" into ")
        printer.print_ssa_value(self.containing_op)
        print_signature(printer, self)


@dataclass(frozen=True)
class Fusion:
    """One slice to replace, and the result of the producer it is a slice of."""

    slice_op: tensor.ExtractSliceOp
    result: OpResult


@dataclass(frozen=True)
class Plan:
    """A producer, the slices to replace, and the forall it is an output of, if any."""

    producer: StructuredOp
    fusions: tuple[Fusion, ...]
    through: ForallOp | None


def check_chain(
    user: TransformOp, producers: Sequence[Operation], containing: Operation
) -> None:
    """Refuse a chain before any of it is fused.

    A producer whose consumer is fused first need not be sliced yet: it will be.
    """
    fusible: set[Operation] = set()
    for producer in reversed(producers):
        users = {use.operation for result in producer.results for use in result.uses}
        if users & fusible:
            check_producer(user, producer, containing)
        else:
            analyze(user, producer, containing)
        fusible.add(producer)


def check_producer(
    user: TransformOp, producer: Operation, containing: Operation
) -> StructuredOp:
    """What every producer must be."""
    if not isinstance(producer, StructuredOp):
        raise user.refuse(f"'{producer.name}' is not a structured op", producer)
    if containing.is_ancestor(producer):
        raise user.refuse("the producer is already inside the containing op", producer)
    if not has_only_projections(producer):
        raise user.refuse("an indexing map is not a projection of loops", producer)
    return producer


def analyze(user: TransformOp, op: Operation, containing: Operation) -> Plan:
    """Find the slices to replace."""
    producer = check_producer(user, op, containing)
    through = None
    fusions = [
        Fusion(use, result)
        for result in producer.results
        for use in _slices_inside(result, containing)
    ]
    if not fusions and isinstance(containing, ForallOp):
        through = containing
        for output, argument in zip(
            containing.outputs, containing.shared_outs, strict=True
        ):
            if isinstance(output, OpResult) and output.op is producer:
                _check_only_sliced(user, producer, argument)
                if not tiles_cover(containing, argument):
                    through = None  # what no tile covers must still hold the result
                fusions += [
                    Fusion(use, output) for use in _slices_inside(argument, containing)
                ]
    if not fusions:
        raise user.refuse(
            f"no slice of the results of '{producer.name}' is taken inside "
            f"'{containing.name}'",
            producer,
            "fuse the consumer first, or check that the loop uses this producer",
        )
    for fusion in fusions:
        offsets, _, strides = slice_of(fusion.slice_op)
        if any(stride != 1 for stride in strides):
            raise user.refuse("a slice of the producer is strided", fusion.slice_op)
        if tensor_type(fusion.slice_op.result).get_num_dims() != len(offsets):
            raise user.refuse(
                "a slice of the producer drops dimensions", fusion.slice_op
            )
    return Plan(producer, tuple(fusions), through)


def _check_only_sliced(
    user: TransformOp, producer: Operation, argument: SSAValue
) -> None:
    """Refuse a shared output that is read other than by slices.

    The loop will start from the producer's destination, whose content is another.
    """
    for use in argument.uses:
        reader = use.operation
        if isinstance(reader, tensor.ExtractSliceOp | tensor.DimOp):
            continue
        if isinstance(reader, ParallelInsertSliceOp) and reader.dest is argument:
            continue
        raise user.refuse(
            f"'{reader.name}' in the loop uses the whole result of '{producer.name}'",
            producer,
            "tile what uses it first",
        )


def _slices_inside(
    value: SSAValue, containing: Operation
) -> Iterator[tensor.ExtractSliceOp]:
    """The slices of a value taken inside `containing`."""
    for use in list(value.uses):
        op = use.operation
        if isinstance(op, tensor.ExtractSliceOp) and containing.is_ancestor(op):
            yield op


def rewrite(plan: Plan, rewriter: Rewriter) -> list[Operation]:
    """Replace each slice by the producer's tile; the tiled producers."""
    fused: list[Operation] = []
    for fusion in plan.fusions:
        slice_op, result = fusion.slice_op, fusion.result
        new_ops = OpList()
        offsets, sizes = _loops_of_slice(plan.producer, result, slice_op, new_ops)
        operands = list(plan.producer.operands)
        if plan.through is not None:
            operands[len(plan.producer.inputs) + result.index] = slice_op.source
        tiled = tile_op(plan.producer, operands, offsets, sizes, new_ops)
        rewriter.insert_before(slice_op, *new_ops.ops)
        rewriter.replace(slice_op, [tiled.results[result.index]])
        fused.append(tiled)
    if plan.through is not None:
        fused_results = {fusion.result for fusion in plan.fusions}
        for position, operand in enumerate(plan.through.operands):
            if isinstance(operand, OpResult) and operand in fused_results:
                destination = plan.producer.outputs[operand.index]
                plan.through.operands[position] = destination
        rewriter.changed()
    return fused


def _loops_of_slice(
    producer: StructuredOp,
    result: OpResult,
    slice_op: tensor.ExtractSliceOp,
    new_ops: OpList,
) -> tuple[list[Extent], list[Extent]]:
    """The producer's tile that computes exactly this slice of its result."""
    map_ = maps_of(producer)[len(producer.inputs) + result.index]
    offsets: list[Extent] = [0] * map_.num_dims
    sizes = loop_ranges(producer, new_ops)
    part_offsets, part_sizes, _ = slice_of(slice_op)
    for dim, expr in enumerate(map_.results):
        if isinstance(expr, AffineDimExpr):
            offsets[expr.position] = part_offsets[dim]
            sizes[expr.position] = part_sizes[dim]
    return offsets, sizes
