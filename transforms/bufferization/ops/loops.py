"""Models of scf.for and scf.forall.

A loop that writes a tensor in place no longer carries it. A loop that yields another
buffer carries that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, Region, SSAValue

from tilewright.ir.dialects import scf, tensor
from tilewright.ir.dialects.scf import ForallOp, InParallelOp
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp, slice_of
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import is_tensor, tensor_type
from tilewright.transforms.bufferization.buffer_types import dynamic_type, is_held_by
from tilewright.transforms.bufferization.buffer_writer import Writer
from tilewright.transforms.bufferization.inplace import Analysis
from tilewright.transforms.bufferization.op_model import (
    Alias,
    DestinationModel,
    Model,
    Operand,
)
from tilewright.transforms.bufferization.subsets import is_same_part
from tilewright.transforms.bufferization.tensor_facts import Facts

BOUNDS = 3
"""The number of operands of `scf.for` before the initial values."""


class For(DestinationModel):
    """`scf.for`: a tensor is carried in the buffer it started from, or in a copy."""

    def reads(self, operand: Operand, facts: Facts) -> bool:
        """Whether the initial value is read, or returned without an iteration."""
        op = operand.op
        assert isinstance(op, scf.ForOp)
        lower, upper = constant_int(op.lb), constant_int(op.ub)
        if lower is None or upper is None or upper <= lower:
            return True
        return facts.is_read(op.body.block.args[1 + operand.index - BOUNDS])

    def destination(self, operand: Operand) -> OpResult | None:
        """The result at the same position."""
        return operand.op.results[operand.index - BOUNDS]

    def aliases(self, operand: Operand, facts: Facts) -> Sequence[Alias]:
        """The result, unless another buffer is yielded."""
        op = operand.op
        assert isinstance(op, scf.ForOp)
        position = operand.index - BOUNDS
        last = op.body.block.last_op
        assert last is not None
        kept = last.operands[position] is op.body.block.args[position + 1]
        return (Alias(op.results[position], is_equivalent=kept),)

    def repeats(self, region: Region) -> bool:
        """The body of a loop repeats."""
        return True

    def write(self, op: Operation, to: Writer) -> None:
        """Drop buffers that stay the same from the carried values."""
        assert isinstance(op, scf.ForOp)
        starts = {
            i: to.buffer(op, BOUNDS + i)
            for i, value in enumerate(op.iter_args)
            if is_tensor(value.type)
        }
        carried: dict[int, Attribute] = {}
        region, changed = _body(op, starts, carried, to)
        while changed:
            carried |= changed
            region.drop_all_references()
            region, changed = _body(op, starts, carried, to)
        kept = _kept(op, carried)
        inits = [
            to.cast(starts[i], carried[i], op)
            if i in carried
            else to.values[op.iter_args[i]]
            for i in kept
        ]
        new_op = scf.ForOp(
            to.values[op.lb],
            to.values[op.ub],
            to.values[op.step],
            inits,
            region,
            unsigned=op.unsigned_cmp is not None,
        )
        new_op.attributes = op.attributes.copy()
        to.add(new_op, op)
        for i, start in starts.items():
            to.bind(op.results[i], start)
        for position, i in enumerate(kept):
            to.bind(op.results[i], new_op.results[position])


def _kept(op: scf.ForOp, carried: Mapping[int, Attribute]) -> list[int]:
    """The values that are still carried: scalars, vectors, changing buffers."""
    return [
        i
        for i, value in enumerate(op.iter_args)
        if i in carried or not is_tensor(value.type)
    ]


def _body(
    op: scf.ForOp,
    starts: Mapping[int, SSAValue],
    carried: Mapping[int, Attribute],
    to: Writer,
) -> tuple[Region, dict[int, Attribute]]:
    """The body, with the buffers in `carried` carried under these types.

    Also returns the buffers that must be carried under a new type: the loop yields
    another buffer than it started from, or one that its old type cannot hold.
    """
    index, *arguments = op.body.block.args
    kept = _kept(op, carried)
    types = [
        index.type,
        *(carried[i] if i in carried else arguments[i].type for i in kept),
    ]
    for i, start in starts.items():
        to.bind(arguments[i], start)
    changed: dict[int, Attribute] = {}

    def finish(inner: Writer, last: Operation) -> None:
        for i, start in starts.items():
            produced, kind = to.values[last.operands[i]], tensor_type(arguments[i])
            if i not in carried and not to.places.are_same(produced, start):
                changed[i] = to.common_type([produced, start], kind)
            elif i in carried and not is_held_by(produced, carried[i]):
                changed[i] = dynamic_type(kind)
        values = [
            _yielded(op, i, carried[i], inner)
            if i in carried
            else to.values[last.operands[i]]
            for i in kept
        ]
        inner.add(scf.YieldOp(*values), last)

    region = to.region(
        op.body.block, [index, *(arguments[i] for i in kept)], finish, types
    )
    return region, changed


def _yielded(op: scf.ForOp, i: int, type_: Attribute, to: Writer) -> SSAValue:
    """The buffer to yield: one of this iteration, or a copy."""
    last = op.body.block.last_op
    assert last is not None
    value, argument = last.operands[i], op.body.block.args[i + 1]
    buffer = to.values[value]
    facts = to.analysis.facts
    # A constant is shared, even if it is defined inside the loop.
    is_shared = any(
        alias is not argument
        and not (facts.program.is_defined_in(alias, op) and facts.writable(alias))
        for alias in to.analysis.aliases(value)
    )
    if is_shared or _is_yielded_before(op, i, to.analysis):
        buffer = to.fresh(buffer, tensor_type(value), last)
    return to.cast(buffer, type_, last) if is_held_by(buffer, type_) else buffer


def _is_yielded_before(op: scf.ForOp, i: int, analysis: Analysis) -> bool:
    """Whether a buffer would be yielded twice, and written afterwards."""
    last = op.body.block.last_op
    assert last is not None
    arguments = op.body.block.args[1:]
    family = analysis.aliases(last.operands[i])
    return any(
        value in family
        and any(
            write.op is not op
            for v in (arguments[i], arguments[j], op.results[i], op.results[j])
            for write in analysis.writes_to(v)
        )
        for j, value in enumerate(last.operands[:i])
    )


class Forall(DestinationModel):
    """`scf.forall`: the iterations write their tiles into the shared outputs."""

    def reads(self, operand: Operand, facts: Facts) -> bool:
        """Whether the initial value is read, or returned without an iteration."""
        op = operand.op
        assert isinstance(op, ForallOp)
        bounds = zip(op.lower_bounds, op.upper_bounds, strict=True)
        for bound in bounds:
            lower, upper = map(constant_int, bound)
            if lower is None or upper is None or upper <= lower:
                return True
        return facts.is_read(op.shared_outs[_position(operand)])

    def destination(self, operand: Operand) -> OpResult | None:
        """The result at the same position."""
        return operand.op.results[_position(operand)]

    def writable(self, value: SSAValue, facts: Facts) -> bool:
        """Not if other iterations read the shared output's old contents."""
        if not isinstance(value, BlockArgument):
            return True
        op = value.block.parent_op()
        assert isinstance(op, ForallOp)
        return not reads_other_tiles(op, value, facts)

    def repeats(self, region: Region) -> bool:
        """Unless there is known to be one iteration."""
        op = region.parent_op()
        assert isinstance(op, ForallOp)
        loops = zip(op.lower_bounds, op.upper_bounds, op.steps, strict=True)
        for loop in loops:
            lower, upper, step = map(constant_int, loop)
            if lower is None or upper is None or step is None or lower + step < upper:
                return True
        return False

    def runs_in_parallel(self, region: Region) -> bool:
        """Unless there is known to be one iteration."""
        return self.repeats(region)

    def write(self, op: Operation, to: Writer) -> None:
        """Write the tiles into the buffers of the outputs; drop the results."""
        assert isinstance(op, ForallOp)
        first = len(op.operands) - len(op.outputs)
        buffers = [to.buffer(op, first + i) for i in range(len(op.outputs))]
        facts = to.analysis.facts
        for shared, output, buffer in zip(
            op.shared_outs, op.outputs, buffers, strict=True
        ):
            seen = buffer
            if facts.definitions(output) and reads_other_tiles(op, shared, facts):
                seen = to.fresh(buffer, tensor_type(output), op)
            to.bind(shared, seen)

        def finish(inner: Writer, last: Operation) -> None:
            assert isinstance(last, InParallelOp)
            for insert in last.region.block.ops:
                assert isinstance(insert, ParallelInsertSliceOp)
                assert isinstance(insert.dest, BlockArgument)
                buffer = buffers[insert.dest.index - op.rank]
                tile, part = to.values[insert.source], to.part(slice_of(insert))
                inner.put(tile, buffer, part, insert)
            inner.add(InParallelOp(), last)

        new_op = ForallOp(
            [to.extent(v) for v in op.lower_bounds],
            [to.extent(v) for v in op.upper_bounds],
            [to.extent(v) for v in op.steps],
            [],
            to.region(op.body.block, op.induction_vars, finish),
            op.mapping,
            op.attributes.copy(),
        )
        to.add(new_op, op)
        for result, buffer in zip(op.results, buffers, strict=True):
            to.bind(result, buffer)


class InParallel(Model):
    """`scf.forall.in_parallel`, which the loop around it writes."""

    def write(self, op: Operation, to: Writer) -> None:
        """Written by the op around it, or expanded before."""
        raise AssertionError("the loop writes what its iterations hand back")


def _position(operand: Operand) -> int:
    op = operand.op
    assert isinstance(op, ForallOp)
    return operand.index - (len(op.operands) - len(op.outputs))


def reads_other_tiles(op: ForallOp, shared: BlockArgument, facts: Facts) -> bool:
    """Whether an iteration reads a part of a shared output that another may write.

    Each iteration sees the output as it was before the loop. It may read the tile that
    it writes back; any other read needs a copy of the old contents. Upstream does not
    check this: its loops may read what other iterations have already written.
    """
    model = facts.model(op)
    if not model.repeats(op.body):
        return False
    tiles = [
        slice_of(insert)
        for insert in op.terminator.region.block.ops
        if isinstance(insert, ParallelInsertSliceOp) and insert.dest is shared
    ]
    for use in shared.uses:
        user = use.operation
        if isinstance(user, ParallelInsertSliceOp) and user.dest is shared:
            continue
        if isinstance(user, tensor.ExtractSliceOp) and any(
            is_same_part(slice_of(user), tile) for tile in tiles
        ):
            continue
        operand = Operand(user, use.index)
        if facts.reads(operand) or any(
            facts.is_read(alias.value) for alias in facts.aliases(operand)
        ):
            return True
    return False
