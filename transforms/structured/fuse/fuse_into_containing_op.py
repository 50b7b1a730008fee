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

As upstream: the uses in the loop are fused one after the other, in the order of the
producers' handle; a producer whose consumer is fused first is fused after it. Equal
slices share one tile (upstream computes each again). A slice of a shared output that
starts from the producer is computed into that output, and the loop starts from the
producer's destination. A use that is no slice gets a copy of the whole producer. A
generic op that is used after the loop too becomes a further result of it, if its tiles
make up the whole (upstream does not ask). Where the loop is a single block, so does an
op that makes a single number (upstream copies it).

Requires: producers that the containing op uses, structured where they are sliced.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import Operation, OpResult, SSAValue, Use
from xdsl.irdl import irdl_op_definition, operand_def, result_def

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp
from tilewright.ir.errors import SilenceableFailure, UserError
from tilewright.ir.text import place_of
from tilewright.ir.types import is_tensor
from tilewright.transforms.core.base import (
    AnyOpType,
    TransformOp,
    TransformOpHandleType,
)
from tilewright.transforms.core.foreseen import (
    GRID,
    LOOP,
    Foreseen,
    KnownBefore,
    kinds_of,
    tile_kinds,
)
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.rollback import Snapshot, snapshot_of_step
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.walking import isolated_around
from tilewright.transforms.structured.fuse.producer_tile import (
    carried_in,
    fuse_slice,
    why_not,
)
from tilewright.transforms.structured.tile.interface.table import tiling_of


class FusionOp(TransformOp):
    """An op that fuses producers into a loop."""

    producer_op = operand_def(TransformOpHandleType)
    containing_op = operand_def(TransformOpHandleType)
    fused_op = result_def(TransformOpHandleType)
    new_containing_op = result_def(TransformOpHandleType)

    assembly_format = (
        "$producer_op `into` $containing_op attr-dict `:` "
        "functional-type(operands, results)"
    )

    def __init__(self, producer: SSAValue, containing: SSAValue):
        super().__init__(
            operands=[producer, containing], result_types=[AnyOpType(), AnyOpType()]
        )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The producer moves into the loop."""
        return (self.producer_op,)

    def foresee(self, results: Foreseen) -> None:
        """The loop again, and the tile of the producer in it."""
        known, loop = results.known, results.of(self.containing_op)
        around = known.around(loop)
        again = results.make(self.new_containing_op, around, kinds_of(loop))
        known.put_inside(again, loop)
        known.put_inside(loop, again)
        kinds = tile_kinds(results.of(self.producer_op))
        results.make(self.fused_op, [again, *around], kinds)

    def mistakes(self, known: KnownBefore) -> Iterator[UserError]:
        """A target that is no loop, or a producer that is one."""
        into, producer = known.kind(self.containing_op), known.kind(self.producer_op)
        if into is not None and into.startswith(("linalg.", "tensor.")):
            hint = self.containing_op.name_hint
            name = f"'{hint}'" if hint else "this handle"
            yield UserError(
                f"fuse: {name} points at '{into}', which is not a loop",
                place_of(self),
                "tile it first, and fuse into the loop that tiling returns: "
                "t, grid = tile ...",
            )
        elif producer in GRID | LOOP:
            yield UserError(
                f"fuse: a loop ({producer}) cannot be fused this way",
                place_of(self),
                "give the op whose result the loop reads, or fuse two loops with "
                "fuse_sibling",
            )

    def apply(self, state: TransformState) -> None:
        """Fuse one use after the other until no producer is left."""
        producers = self.producers(state)
        containing = list(state.payload_ops(self.containing_op))
        if not producers:
            state.set_ops(self.fused_op, [])
            state.set_ops(self.new_containing_op, containing)
            return
        if len(containing) != 1:
            raise self.broken(
                f"expected one containing op, the handle points at {len(containing)}"
            )
        if isinstance(containing[0], StructuredOp):
            raise self.refuse(
                f"'{containing[0].name}' is no loop to fuse into",
                containing[0],
                "tile it first, and fuse into the loop that tiling returns",
            )
        analyze(self, producers, containing[0])
        if not state.follows_upstream(self):
            _slice_numbers(producers, containing[0], state.rewriter)
        before: Snapshot | None = None
        if _takes_steps(producers, containing[0]):
            # The second fusion can only be checked after the first one.
            before = snapshot_of_step(state, isolated_around(containing[0]))
        try:
            fused, loop = rewrite(self, producers, containing[0], state.rewriter)
        except SilenceableFailure:
            if before is not None:
                before.restore()
            raise
        state.set_ops(self.fused_op, fused)
        state.set_ops(self.new_containing_op, [loop])

    def producers(self, state: TransformState) -> Sequence[Operation]:
        """The producers, in the order in which they are fused."""
        return tuple(dict.fromkeys(state.payload_ops(self.producer_op)))


@irdl_op_definition
class FuseIntoContainingOp(FusionOp):
    """Fuse producers into a loop; consumes the producers, keeps the loop."""

    name = "transform.structured.fuse_into_containing_op"
    FORM: ClassVar[str] = "fuse <producer_op:handle> into <containing_op:handle>"
    SUMMARY: ClassVar[str] = "compute a producer's tile where the loop reads it"
    TAKES_TWICE: ClassVar[bool] = True


def _takes_steps(producers: Sequence[Operation], containing: Operation) -> bool:
    """Whether more than one use is fused: a single fusion checks before it changes."""
    return len(producers) > 1 or len(list(_uses_in(producers[0], containing))) > 1


def analyze(
    user: TransformOp, producers: Sequence[Operation], containing: Operation
) -> None:
    """Check what can be checked before the first fusion."""
    chosen = set(producers)
    for producer in producers:
        if containing.is_ancestor(producer):
            raise user.refuse(
                "the producer is already inside the containing op",
                producer,
                remedy="it is fused; use the handle it has",
            )
        users = {use.operation for result in producer.results for use in result.uses}
        if not users & chosen and not any(_uses_in(producer, containing)):
            raise _no_use(user, producer, containing)


def _no_use(
    user: TransformOp, producer: Operation, containing: Operation
) -> SilenceableFailure:
    if any(operand.owner is containing for operand in producer.operands):
        return user.refuse(
            f"'{producer.name}' reads what '{containing.name}' computes, and a loop "
            "takes in only what it reads itself",
            producer,
            "tile this op instead, and fuse the ops that it reads into its loop",
        )
    return user.refuse(
        f"no slice of the results of '{producer.name}' is taken inside "
        f"'{containing.name}'",
        producer,
        "fuse the consumer first, or check that the loop uses this producer",
    )


def _slice_numbers(
    producers: Sequence[Operation], containing: Operation, rewriter: Rewriter
) -> None:
    """Read single numbers in slices, as tiles are, where the only block computes them.

    Then a number that is used after the block too becomes a further result of it.
    """
    if not isinstance(containing, ForallOp) or {*containing.upper_bounds} != {1}:
        return
    for producer in producers:
        for use in list(_uses_in(producer, containing)):
            number = use.operation.operands[use.index]
            is_read = isinstance(use.operation, StructuredOp)
            if is_read and is_tensor(number.type) and not number.type.get_shape():
                slice_op = tensor.ExtractSliceOp(number, [], [], [], number.type)
                rewriter.insert_before(use.operation, slice_op)
                use.operation.operands[use.index] = slice_op.result
                rewriter.changed(use.operation)


def _uses_in(producer: Operation, containing: Operation) -> Iterator[Use]:
    """The uses of a producer by the containing op or inside it."""
    for result in producer.results:
        for use in result.uses:
            if containing.is_ancestor(use.operation):
                yield use


def rewrite(
    user: TransformOp,
    producers: Sequence[Operation],
    containing: Operation,
    rewriter: Rewriter,
) -> tuple[list[Operation], Operation]:
    """Fuse use after use; returns the fused ops and the new loop."""
    remaining = list(dict.fromkeys(producers))
    fused: list[Operation] = []
    while remaining:
        producer = next((p for p in remaining if any(_uses_in(p, containing))), None)
        if producer is None:
            raise _no_use(user, remaining[0], containing)
        is_last = len(list(_uses_in(producer, containing))) == 1
        step = _fuse_one(user, producer, containing, rewriter)
        fused += step.fused
        containing = step.containing
        if is_last or step.is_done or not any(_uses_in(producer, containing)):
            remaining.remove(producer)
    return fused, containing


@dataclass(frozen=True)
class _Step:
    fused: tuple[Operation, ...]
    containing: Operation
    is_done: bool = False
    """Whether the remaining uses stay."""


def _fuse_one(
    user: TransformOp, producer: Operation, containing: Operation, rewriter: Rewriter
) -> _Step:
    """Fuse the first use that can be: a slice, a shared output, or any other."""
    tiling = tiling_of(producer)
    if tiling is None or not tiling.has_parts:
        return _copy_whole(user, producer, containing, rewriter)
    reason: str | None = None
    for use in _uses_in(producer, containing):
        slice_op = use.operation
        if not isinstance(slice_op, tensor.ExtractSliceOp) or use.index != 0:
            continue
        result = slice_op.source
        assert isinstance(result, OpResult)
        reason = why_not(producer, slice_op, result)
        if reason is None:
            slice_op = _merged_with_equal(slice_op, rewriter)
            from tilewright.transforms.structured.fuse.fused_result import (
                add_fused_result,
            )

            into = carried_in(slice_op.parent_op(), producer)
            tile = fuse_slice(producer, result, slice_op, rewriter, into)
            loop = add_fused_result(producer, result, tile, containing, rewriter)
            return _Step((tile.tiled.op,), loop)
    if isinstance(containing, ForallOp):
        from tilewright.transforms.structured.fuse.shared_output import (
            fuse_through_output,
        )

        made = fuse_through_output(user, producer, containing, rewriter)
        if made is not None:
            return _Step(made.fused, containing, made.keeps_original)
    if reason is not None:
        raise user.refuse(reason, producer)
    return _copy_whole(user, producer, containing, rewriter)


def _merged_with_equal(
    slice_op: tensor.ExtractSliceOp, rewriter: Rewriter
) -> tensor.ExtractSliceOp:
    """Let the first of several equal slices in a block stand for all of them.

    Otherwise an op that two fused ops read would be computed twice, what it reads four
    times, and so on.
    """
    equal = [
        use.operation
        for use in slice_op.source.uses
        if isinstance(use.operation, tensor.ExtractSliceOp)
        and use.operation.parent is slice_op.parent
        and tuple(use.operation.operands) == tuple(slice_op.operands)
        and use.operation.properties == slice_op.properties
        and use.operation.result.type == slice_op.result.type
    ]
    if len(equal) < 2:
        return slice_op
    assert slice_op.parent is not None
    first = next(op for op in slice_op.parent.ops if op in equal)
    assert isinstance(first, tensor.ExtractSliceOp)
    for other in equal:
        if other is not first:
            rewriter.replace(other, [first.result])
    return first


def _copy_whole(
    user: TransformOp, producer: Operation, containing: Operation, rewriter: Rewriter
) -> _Step:
    """Copy the producer in front of its first use in the loop."""
    inside = [use for use in _uses_in(producer, containing)]
    if any(use.operation is containing for use in inside):
        raise user.refuse(
            f"'{containing.name}' itself uses '{producer.name}', which cannot be "
            "copied into it",
            producer,
            "tile what uses it first",
        )
    use = inside[0]
    anchor = use.operation
    if isinstance(anchor, ParallelInsertSliceOp):
        raise user.refuse(
            f"the loop hands back the whole result of '{producer.name}'",
            producer,
            remedy="fuse a producer that the loop reads in slices",
        )
    copy = producer.clone()
    result = anchor.operands[use.index]
    assert isinstance(result, OpResult)
    rewriter.insert_before(anchor, copy)
    anchor.operands[use.index] = copy.results[result.index]
    rewriter.changed(anchor)
    return _Step((copy,), containing)
