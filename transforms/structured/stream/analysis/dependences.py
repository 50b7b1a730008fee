"""What the ops of a chain may read: equal extents, and nothing that needs the loop."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.structured.stream.analysis.chain import Chain, reads_across


def check_extents(user: TransformOp, chain: Chain) -> None:
    """All ops must have the same extent along the dimension."""
    known: set[int] = set()
    for op, loop in chain.axis.items():
        extents = op.get_static_loop_ranges()
        if 0 in extents:
            raise user.refuse(f"loop {extents.index(0)} of '{op.name}' is empty", op)
        extent = extents[loop]
        if extent != DYNAMIC_INDEX:
            known.add(extent)
        if len(known) > 1:
            one, other = sorted(known)[:2]
            raise user.refuse(
                f"the dimension has {one} elements in one op and {other} in another", op
            )
    first, *others = chain.targets
    shared = set(first.dims_of_loop(chain.axis[first]))
    for op in others:
        sizes = {o.get_static_loop_ranges()[chain.axis[o]] for o in (first, op)}
        is_known = DYNAMIC_INDEX not in sizes
        if not is_known and not shared & set(op.dims_of_loop(chain.axis[op])):
            raise user.refuse(
                "the targets read no common tensor along the dimension, and their "
                "sizes are not known",
                op,
                "stream them one by one",
            )


def check_dependences(user: TransformOp, chain: Chain) -> None:
    """What the loop reads from outside must not need the loop's results."""
    ops = chain.ops
    known, later = set(ops), _since_first_reduction(chain, ops)
    for op in ops:
        for operand, map_ in zip(op.operands, op.maps, strict=True):
            if reads_across(chain, op, operand, map_):
                owner = operand.owner
                assert isinstance(owner, Operation)
                raise user.refuse(
                    f"'{op.name}' reads a result of '{owner.name}' along another loop "
                    f"than the streamed one",
                    op,
                )
        before = {v.owner for v in op.operands if v.owner not in known}
        for owner in before | {value.owner for value in _captured(op)}:
            if isinstance(owner, Operation) and owner.parent is chain.block:
                _check_outside(user, chain, op, owner, later)
        if chain.reduces(op):
            _check_outputs(user, chain, op)


def _since_first_reduction(chain: Chain, ops: Sequence[StructuredOp]) -> set[Operation]:
    """The ops of the block that may need a reduction of the chain and be read by it.

    They stand between its first reduction and its last op.
    """
    found: set[Operation] = set()
    op: Operation | None = next((op for op in ops if chain.reduces(op)), None)
    while op is not None and op is not ops[-1]:
        found.add(op)
        op = op.next_op
    return found


def _check_outside(
    user: TransformOp,
    chain: Chain,
    op: StructuredOp,
    read: Operation,
    later: set[Operation],
) -> None:
    """What an op reads besides results of the chain must be there before the loop."""
    if chain.reduces(read):
        raise user.refuse(
            f"the body of '{op.name}' reads a whole result of '{read.name}'",
            op,
            "make it an operand",
        )
    way = _way_to_reduction(chain, read, later) if read in later else []
    for found in way:
        if isinstance(found, tensor.DimOp):
            raise user.refuse(
                "'tensor.dim' takes a size from a result of the chain",
                found,
                "take the size from an input",
            )
    if way:
        raise user.refuse(
            f"'{read.name}' stands between two ops of the chain",
            read,
            "only structured ops can be streamed through",
        )


def _check_outputs(user: TransformOp, chain: Chain, op: StructuredOp) -> None:
    """The loop carries what a reduction starts from, so it cannot be of the chain."""
    for output in op.outputs:
        owner = output.owner
        if isinstance(owner, StructuredOp) and (
            owner in chain.axis or owner in chain.between
        ):
            raise user.refuse(
                f"'{op.name}' starts from a result of '{owner.name}', which is in the "
                f"chain too",
                op,
                "add the two results after the reductions",
            )


def _captured(op: Operation) -> list[SSAValue]:
    """What the regions of an op take from outside."""
    return [
        value
        for nested in op.walk()
        if nested is not op
        for value in nested.operands
        if not op.is_ancestor(value.owner)
    ]


def _way_to_reduction(
    chain: Chain, op: Operation, later: set[Operation]
) -> list[Operation]:
    """The ops from an op back to a reduction of the chain; none if it needs none.

    Only the ops that stand `later` than its first reduction can need one.
    """
    waiting, seen = [[op]], {op}
    while waiting:
        way = waiting.pop()
        for value in (*way[-1].operands, *_captured(way[-1])):
            owner = value.owner
            if isinstance(owner, Operation) and owner not in seen:
                if chain.reduces(owner):
                    return way
                if owner in later:
                    seen.add(owner)
                    waiting.append([*way, owner])
    return []
