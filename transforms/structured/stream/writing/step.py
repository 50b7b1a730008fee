"""One step of a streamed chain: accumulators before a tile, and after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import AnyFloat, FloatAttr, i64
from xdsl.ir import SSAValue

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.extents import Extent, OpList
from tilewright.transforms.structured.stream.algebra.corrections import Streamed
from tilewright.transforms.structured.stream.analysis.chain import Chain, length_of
from tilewright.transforms.structured.stream.analysis.derive import (
    count_type,
    start_value,
)
from tilewright.transforms.structured.stream.analysis.extremes import (
    drop_nan,
    finite_results,
    relaxed_maxima,
)
from tilewright.transforms.structured.stream.row_ops import State
from tilewright.transforms.structured.stream.writing.edits import edits_for
from tilewright.transforms.structured.stream.writing.running import Running, Target
from tilewright.transforms.structured.stream.writing.tiles import (
    Edits,
    Tile,
    TileWriter,
)

Accumulators = Mapping[SSAValue, SSAValue]
"""The tensor that holds each reduction's result so far."""


def step(
    user: TransformOp,
    chain: Chain,
    reductions: Sequence[Streamed],
    before: Accumulators,
    tile: Tile,
    new_ops: OpList,
) -> tuple[dict[SSAValue, SSAValue], list[StructuredOp]]:
    """Add the ops of one tile; the accumulators after it, and the tiled reductions."""
    return _Step(user, chain, reductions, before, tile, new_ops).run()


class _Step:
    def __init__(
        self,
        user: TransformOp,
        chain: Chain,
        reductions: Sequence[Streamed],
        before: Accumulators,
        tile: Tile,
        new_ops: OpList,
    ):
        self.user = user
        self.chain = chain
        self.reductions = reductions
        self.before = before
        self.tile = tile
        self.new_ops = new_ops
        self.after: dict[SSAValue, SSAValue] = {}
        length = length_of(chain)
        self.running = Running(length, new_ops, finite_results(chain, reductions))
        self.relaxed = relaxed_maxima(chain, reductions)
        self.tiles = TileWriter(chain, tile, new_ops)
        counts = self._counts()
        self.seen, at_least_one, at_end = counts or (None, None, None)
        self.old = State(
            "old", self._values(before, "old"), at_least_one, is_before=True
        )
        self.new = State("new", self._values(self.after, "new"), at_end)

    def run(self) -> tuple[dict[SSAValue, SSAValue], list[StructuredOp]]:
        made: list[StructuredOp] = []
        for reduction in self.reductions:
            op = reduction.op
            edits = edits_for(self.user, self.chain, reduction, self.running, self.new)
            self._prepare(op, edits)
            starts = self._corrected(reduction)
            tiled = self.tiles.reduction(op, starts, edits)
            if op in self.relaxed:
                drop_nan(tiled)
            self.after.update(zip(op.results, tiled.results, strict=True))
            made.append(tiled)
        return self.after, made

    def _prepare(self, op: StructuredOp, edits: Edits) -> None:
        """Compute what a reduction reads before its accumulator is corrected."""
        for operand in op.inputs:
            producer = operand.owner
            if isinstance(producer, StructuredOp) and producer in self.chain.axis:
                if not self.chain.is_running(operand):
                    self.tiles.streamed(producer, edits)

    def _values(
        self, accumulators: Accumulators, name: str
    ) -> Callable[[SSAValue], SSAValue]:
        """The value of a reduction at a moment: its accumulator, completed."""
        pulled: dict[SSAValue, Streamed] = {
            r.op.results[0]: r for r in self.reductions if r.correction.pulled
        }
        made: dict[SSAValue, SSAValue] = {}

        def value_of(result: SSAValue) -> SSAValue:
            reduction = pulled.get(result)
            if reduction is None:
                return accumulators[result]
            if result not in made:
                op = reduction.op
                output = op.maps[len(op.inputs)]
                made[result] = self.running.with_pulled(
                    Target(accumulators[result], output, in_place=False),
                    reduction.correction.pulled,
                    self.old if name == "old" else self.new,
                )
            return made[result]

        return value_of

    def _counts(self) -> tuple[SSAValue, SSAValue, SSAValue] | None:
        """The elements before the tile, at least one; and with the tile; as floats."""
        needing = [r for r in self.reductions if r.correction.powers is not None]
        if not needing:
            return None
        of = count_type(needing)
        add = self.new_ops.add
        seen = self._float(self.tile.offset, of)
        at_end = add(arith.AddfOp(seen, self._float(self.tile.step, of)))
        if not isinstance(self.tile.size, int):
            at_end = add(arith.MinimumfOp(at_end, self._float(self.tile.extent, of)))
        at_least = add(arith.MaximumfOp(seen, self._float(1, of)))
        return seen, at_least, at_end

    def _float(self, extent: Extent, of: AnyFloat) -> SSAValue:
        if isinstance(extent, int):
            return self.new_ops.add(arith.ConstantOp(FloatAttr(float(extent), of)))
        integer = self.new_ops.add(arith.IndexCastOp(extent, i64))
        return self.new_ops.add(arith.SIToFPOp(integer, of))

    def _corrected(self, reduction: Streamed) -> list[SSAValue]:
        op = reduction.op
        correction = reduction.correction
        starts = [self.before[result] for result in op.results]
        target = Target(starts[0], op.maps[len(op.inputs)])
        if correction.exponents:
            factors = [
                self.running.factor(exponent, self.old, self.new)
                for exponent in correction.exponents
            ]
            return [self.running.times(target, factors)]
        states = (self.old, self.new)
        if correction.powers is not None:
            assert self.seen is not None
            totals = {
                term: (self.before[value], map_)
                for term, (value, map_) in reduction.sums.items()
            }
            powers = correction.powers
            made = self.running.power_corrected(
                target, powers, totals, self.seen, states
            )
            return [made]
        if correction.match is not None:
            neutral = start_value(op)
            made = self.running.begun_again(target, correction.match, neutral, states)
            return [made]
        return starts
