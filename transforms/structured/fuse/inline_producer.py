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

Requires: a producer with parallel loops only, which reads none of its outputs and
writes one result element in each iteration; a reader of that result on tensors, which
indexes it by loops or by 0. Each loop of the reader must still index an operand: the
sum of a broadcast number has no extent once the broadcast is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.irdl import irdl_op_definition, operand_def, result_def

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import (
    GenericOp,
    IndexOp,
    StructuredOp,
    YieldOp,
    maps_attribute,
)
from tilewright.ir.indexing.semi_affine import substitute
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.structured.maps import is_permutation, is_projection_or_zero
from tilewright.ir.types import is_buffer
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import PlannedOp
from tilewright.transforms.structured.targets import structured_op


@dataclass(frozen=True)
class Plan:
    """A producer of one result, and the op that reads it."""

    producer: StructuredOp
    reader: StructuredOp

    @property
    def positions(self) -> list[int]:
        """The inputs of the reader that are the producer's result."""
        result = self.producer.results[0]
        return [i for i, value in enumerate(self.reader.inputs) if value is result]

    @property
    def kept(self) -> list[int]:
        """The other inputs of the reader."""
        return [i for i in range(len(self.reader.inputs)) if i not in self.positions]


@irdl_op_definition
class InlineProducerOp(PlannedOp):
    """Inline a producer; consumes the reader's handle and returns the new reader."""

    name = "transform.tilewright.inline_producer"

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
        producer, reader = structured_op(self, producer), structured_op(self, reader)
        if any(
            is_buffer(value.type) for value in (*producer.operands, *reader.operands)
        ):
            raise self.refuse("the op works on buffers", reader, "inline first")
        loops = producer.get_num_loops()
        if len(producer.results) != 1 or any(
            is_reduction(producer, loop) for loop in range(loops)
        ):
            raise self.refuse(
                "the producer is no element-wise op with one result",
                producer,
                "fuse it into a loop instead",
            )
        if not is_permutation(list(producer.maps)[-1]) or any(
            argument.uses
            for argument in producer.body.block.args[len(producer.inputs) :]
        ):
            raise self.refuse(
                "the producer does not write each element of its result once, or reads "
                "what was there",
                producer,
                "fuse it into a loop instead",
            )
        plan = Plan(producer, reader)
        if not plan.positions:
            raise self.refuse(
                f"'{reader.name}' does not read a result of '{producer.name}'",
                reader,
                "name the op that reads it",
            )
        for position in plan.positions:
            if not is_projection_or_zero(list(reader.maps)[position]):
                raise self.refuse(
                    "the reader indexes the result by sums of loops",
                    reader,
                    "fuse the producer into a loop instead",
                )
        lost = _loops_without_extent(plan)
        if lost:
            raise self.refuse(
                f"nothing but the producer's result tells the extent of loop {lost[0]}",
                reader,
                "fuse the producer into a loop instead",
            )
        return plan

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> GenericOp:
        """Replace the reader by an op that computes the producer's elements too."""
        made = _inlined(plan)
        reader, producer = plan.reader, plan.producer
        made.location = reader.location
        for old, new in zip(reader.results, made.results, strict=True):
            new.name_hint = old.name_hint
        rewriter.insert_before(reader, made)
        rewriter.replace(reader, made.results, stands_for=made)
        if not producer.results[0].uses:
            rewriter.erase(producer)
        return made


def _loops_without_extent(plan: Plan) -> list[int]:
    """The loops of the reader that would index no operand alone."""
    reached = {
        expr.position
        for map_ in _new_maps(plan)
        for expr in map_.results
        if isinstance(expr, AffineDimExpr)
    }
    return [n for n in range(plan.reader.get_num_loops()) if n not in reached]


def _new_maps(plan: Plan) -> list[AffineMap]:
    """The maps of the kept inputs, the producer's inputs and the outputs."""
    producer, reader = plan.producer, plan.reader
    maps = list(reader.maps)
    found = [maps[i] for i in plan.kept]
    for position in plan.positions:
        loops = _producer_loops(producer, maps[position])
        for map_ in list(producer.maps)[: len(producer.inputs)]:
            results = tuple(substitute(expr, loops) for expr in map_.results)
            found.append(AffineMap(reader.get_num_loops(), 0, results))
    return found + maps[len(reader.inputs) :]


def _inlined(plan: Plan) -> GenericOp:
    """The reader, with the producer's inputs in place of its result."""
    producer, reader = plan.producer, plan.reader
    maps = list(reader.maps)
    inputs = [reader.inputs[i] for i in plan.kept]
    inputs += [value for _ in plan.positions for value in producer.inputs]
    inner_maps = [_producer_loops(producer, maps[at]) for at in plan.positions]
    return GenericOp(
        inputs,
        list(reader.outputs),
        _body(plan, plan.kept, inner_maps),
        maps_attribute(_new_maps(plan)),
        reader.get_iterator_types(),
        [result.type for result in reader.results],
    )


def _producer_loops(producer: StructuredOp, read: AffineMap) -> list[AffineExpr]:
    """The producer's loops in terms of the reader's, which reads at `read`."""
    written = list(producer.maps)[-1]
    found: dict[int, AffineExpr] = {}
    for expr, index in zip(written.results, read.results, strict=True):
        assert isinstance(expr, AffineDimExpr), "checked: a permutation"
        found[expr.position] = index
    return [found[loop] for loop in range(producer.get_num_loops())]


def _body(
    plan: Plan, kept: Sequence[int], inner_maps: Sequence[Sequence[AffineExpr]]
) -> Region:
    """The producer's body for each operand that is inlined, then the reader's."""
    producer, reader = plan.producer, plan.reader
    old, made = reader.body.block, producer.body.block
    used = len(producer.inputs)
    kinds = [old.args[i].type for i in kept]
    kinds += [arg.type for _ in plan.positions for arg in made.args[:used]]
    kinds += [arg.type for arg in old.args[len(reader.inputs) :]]
    block = Block(arg_types=kinds)
    values: dict[SSAValue, SSAValue] = {
        old.args[i]: block.args[at] for at, i in enumerate(kept)
    }
    at = len(kept)
    for position, loops in zip(plan.positions, inner_maps, strict=True):
        inner: dict[SSAValue, SSAValue] = dict(
            zip(made.args[:used], block.args[at : at + used], strict=True)
        )
        at += used
        values[old.args[position]] = _copied(made, inner, block, loops)
    outputs = old.args[len(reader.inputs) :]
    values |= dict(zip(outputs, block.args[at:], strict=True))
    for argument, new in values.items():
        new.name_hint = new.name_hint or argument.name_hint
    for op in old.ops:
        block.add_op(op.clone(values))
    return Region(block)


def _copied(
    made: Block,
    values: dict[SSAValue, SSAValue],
    block: Block,
    loops: Sequence[AffineExpr],
) -> SSAValue:
    """Append the producer's body to a block; the element that it yields."""
    for argument, new in values.items():
        new.name_hint = argument.name_hint
    for op in made.ops:
        if isinstance(op, YieldOp):
            return values.get(op.operands[0], op.operands[0])
        new = op.clone(values)
        if isinstance(op, IndexOp):
            new = _index(loops[op.dim.value.data])
            values[op.results[0]] = new.results[0]
        block.add_op(new)
    raise AssertionError("verified: a body ends with a yield")


def _index(expr: AffineExpr) -> Operation:
    """The index of a producer's loop, in the reader's body."""
    if isinstance(expr, AffineDimExpr):
        return IndexOp(expr.position)
    assert isinstance(expr, AffineConstantExpr), "checked: loops or 0"
    return arith.ConstantOp(IntegerAttr.from_index_int_value(expr.value))
