"""`split_stream`: compute a chain of reductions in parallel chunks, then merge them.

Not upstream's. Before:
    %m = linalg.generic ins(%s : tensor<64x512xf32>) { maximumf } ...
    %l = linalg.generic ins(%s, %m) { exp(s - m), addf } ...

After `split_stream %l into 4`:
    %sc = tensor.expand_shape %s [[0], [1, 2]] output_shape [64, 4, 128] : ...
    %mc = linalg.generic ins(%sc) { maximumf } ...                  // 4x64
    %g = linalg.generic ins(%mc) { select(mc == -inf, 0, mc) } ...
    %lc = linalg.generic ins(%sc, %g) { exp(s - g), addf } ...      // 4x64
    %m = linalg.generic ins(%mc) { maximumf } ...                   // 64
    %f = linalg.generic ins(%mc, %m) { exp(mc - m) } ...            // 4x64
    %x = linalg.generic ins(%lc, %f) { lc * f } ...                 // 4x64
    %l = linalg.generic ins(%x) { addf } ...                        // 64

Each chunk has running values of its own. The merge corrects what every chunk has
accumulated to the values of all, by the rules of `stream`, and combines it.

Requires: what `stream` requires, a length that the number of chunks divides, and one
output for each reduction, combined by an op with a neutral element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FloatAttr,
    IntegerAttr,
    LocationAttr,
)
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    irdl_op_definition,
    result_def,
)
from xdsl.utils.hints import isa

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import (
    GenericOp,
    StructuredOp,
    iterators,
    maps_attribute,
)
from tilewright.ir.types import element_type, tensor_type
from tilewright.transforms.core.base import (
    TransformOp,
    TransformOpHandleType,
)
from tilewright.transforms.core.extents import Extent, OpList, dim_size
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import Ops
from tilewright.transforms.structured.new_ops import map_without
from tilewright.transforms.structured.stream.algebra.corrections import Streamed
from tilewright.transforms.structured.stream.analysis.chain import Chain, length_of
from tilewright.transforms.structured.stream.analysis.derive import count_type, derive
from tilewright.transforms.structured.stream.analysis.extremes import finite_results
from tilewright.transforms.structured.stream.record import RoundsAnew
from tilewright.transforms.structured.stream.row_ops import Frame, State
from tilewright.transforms.structured.stream.targets import ChainOp
from tilewright.transforms.structured.stream.writing.chunks import ChunkWriter
from tilewright.transforms.structured.stream.writing.edits import edits_for
from tilewright.transforms.structured.stream.writing.replacing import put_in_place
from tilewright.transforms.structured.stream.writing.running import Running, Target
from tilewright.transforms.structured.tile.partial_results import (
    Combiner,
    combiners,
    filled,
)

_CHUNK = Frame(has_chunks=True, is_of_chunk=True)
_WHOLE = Frame(has_chunks=True)


@dataclass(frozen=True)
class Plan:
    """A chain, the correction of each reduction, and the number of chunks."""

    chain: Chain
    reductions: Sequence[Streamed]
    combiners: Sequence[Combiner]
    chunks: int
    length: int
    """The length of a chunk."""
    made_by: LocationAttr


@irdl_op_definition
class SplitStreamOp(ChainOp):
    """Split a chain into chunks; returns the reductions of chunks, and the merges."""

    name = "transform.tilewright.split_stream"
    FORM: ClassVar[str] = (
        "split_stream <target:handle> into <size:param> [along <dimension:param>]"
    )
    SUMMARY: ClassVar[str] = (
        "compute a chain of reductions in parallel chunks, then merge them"
    )

    parts = result_def(TransformOpHandleType)
    merges = result_def(TransformOpHandleType)

    assembly_format = (
        "$target `into` custom<Size>($dynamic_size, $static_size) "
        "(`along` $dimension^)? attr-dict `:` functional-type(operands, results)"
    )

    def plans(self, state: TransformState) -> Sequence[Plan]:
        """One plan for all targets together."""
        targets = state.payload_ops(self.target)
        if not targets:
            return []
        chunks = self.size(state, targets)
        chain = self.chain(targets)
        length = length_of(chain)
        if length is None or not isinstance(chunks, int):
            raise self.refuse(
                "the length of the dimension is known only at run time",
                targets[0],
                "give the sizes, or stream it in one loop",
            )
        for value, dim in chain.along:
            if tensor_type(value).get_shape()[dim] == DYNAMIC_INDEX:
                raise self.refuse(
                    f"a tensor of type {value.type} has a length that is not known",
                    targets[0],
                    "give the sizes, or stream it in one loop",
                )
        if length % chunks:
            raise self.refuse(
                f"{chunks} chunks do not divide the length {length}",
                targets[0],
                f"take a divisor, such as {_divisor(length, chunks)}",
            )
        reductions = derive(self, chain)
        found = [combiners(self, r.op)[0] for r in reductions]
        for reduction in reductions:
            if len(reduction.op.outputs) != 1:
                raise self.refuse("a reduction has several outputs", reduction.op)
        state.record(RoundsAnew())
        made_by = self.location_for(targets[0])
        return [Plan(chain, reductions, found, chunks, length // chunks, made_by)]

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> Sequence[Ops]:
        """Replace the chain; the reductions of the chunks and the merges."""
        return _Split(self, plan).rewrite(rewriter)


def _divisor(length: int, near: int) -> int:
    """The divisor of a length that is nearest to a number."""
    found = [n for n in range(1, length + 1) if length % n == 0]
    return min(found, key=lambda n: abs(n - near))


class _Split:
    def __init__(self, user: TransformOp, plan: Plan):
        self.user = user
        self.plan = plan
        self.new_ops = OpList()
        finite = finite_results(plan.chain, plan.reductions)
        self.running = Running(plan.chunks * plan.length, self.new_ops, finite)
        self.partial: dict[SSAValue, SSAValue] = {}
        self.final: dict[SSAValue, SSAValue] = {}
        needing = [r for r in plan.reductions if r.correction.powers is not None]
        count = self._count(needing) if needing else None
        self.count = count
        self.chunk = State("chunk", self._values(), count, _CHUNK)
        self.whole = State("whole", self.final.__getitem__, None, _WHOLE)
        self.plain = State("final", self.final.__getitem__)

    def rewrite(self, rewriter: Rewriter) -> tuple[list[Operation], list[Operation]]:
        plan, chain = self.plan, self.plan.chain
        writer = ChunkWriter(chain, plan.chunks, plan.length, self.new_ops)
        parts: list[Operation] = []
        for reduction, combiner in zip(plan.reductions, plan.combiners, strict=True):
            edits = edits_for(self.user, chain, reduction, self.running, self.chunk)
            start = self._start(reduction.op, combiner)
            part = writer.reduction(reduction.op, [start], edits)
            self.partial[reduction.op.results[0]] = part.results[0]
            parts.append(part)
        merges = [
            self._merge(reduction, combiner)
            for reduction, combiner in zip(plan.reductions, plan.combiners, strict=True)
        ]
        last = chain.reductions[-1]
        rewriter.insert_before(last, *self.new_ops.ops)
        put_in_place(chain, self.final, merges, self.new_ops.ops, rewriter)
        return parts, merges

    def _values(self) -> Callable[[SSAValue], SSAValue]:
        """The value of a reduction in each chunk: what was pulled out is applied."""
        pulled: dict[SSAValue, Streamed] = {
            r.op.results[0]: r for r in self.plan.reductions if r.correction.pulled
        }
        made: dict[SSAValue, SSAValue] = {}

        def value_of(result: SSAValue) -> SSAValue:
            reduction = pulled.get(result)
            if reduction is None:
                return self.partial[result]
            if result not in made:
                made[result] = self.running.with_pulled(
                    self._target(reduction), reduction.correction.pulled, self.chunk
                )
            return made[result]

        return value_of

    def _target(self, reduction: Streamed) -> Target:
        op = reduction.op
        output = _CHUNK.running(op.maps[len(op.inputs)])
        return Target(self.partial[op.results[0]], output, in_place=False)

    def _count(self, needing: Sequence[Streamed]) -> SSAValue:
        number = FloatAttr(float(self.plan.length), count_type(needing))
        return self.new_ops.add(arith.ConstantOp(number))

    def _start(self, op: StructuredOp, combiner: Combiner) -> SSAValue:
        """What the chunks begin with: the neutral element."""
        output = op.outputs[0]
        shape: list[Extent] = [self.plan.chunks]
        for dim in range(len(tensor_type(output).get_shape())):
            shape.append(dim_size(output, dim, self.new_ops))
        of = element_type(output.type)
        return filled(shape, combiner.neutral, of, self.new_ops).results[0]

    def _merge(self, reduction: Streamed, combiner: Combiner) -> Operation:
        """Combine the chunks' accumulators, corrected to the values of all."""
        op = reduction.op
        corrected = self._corrected(reduction, combiner)
        rank = len(tensor_type(corrected).get_shape())
        merge = GenericOp(
            [corrected],
            [op.outputs[0]],
            combiner.body(),
            maps_attribute([AffineMap.identity(rank), map_without(rank, 0)]),
            iterators(rank, (0,)),
            [op.outputs[0].type],
        )
        value = self.new_ops.add(merge)
        value.name_hint = op.results[0].name_hint
        if reduction.correction.pulled:
            target = Target(value, op.maps[len(op.inputs)])
            pulled = reduction.correction.pulled
            value = self.running.with_pulled(target, pulled, self.plain)
        self.final[op.results[0]] = value
        return merge

    def _corrected(self, reduction: Streamed, combiner: Combiner) -> SSAValue:
        correction = reduction.correction
        target = self._target(reduction)
        states = (self.chunk, self.whole)
        if correction.exponents:
            factors = [self.running.factor(e, *states) for e in correction.exponents]
            return self.running.times(target, factors)
        if correction.powers is not None:
            assert self.count is not None
            totals = {
                term: (self.partial[value], _CHUNK.running(map_))
                for term, (value, map_) in reduction.sums.items()
            }
            return self.running.power_corrected(
                target, correction.powers, totals, self.count, states
            )
        if correction.match is not None:
            neutral = combiner.neutral
            assert isa(neutral, FloatAttr | IntegerAttr)
            return self.running.begun_again(target, correction.match, neutral, states)
        return target.accumulator
