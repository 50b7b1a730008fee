"""Checks on the targets of loop transformations."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Operation

from tilewright.ir.dialects import scf
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.target_op import check_handle


def check_for_handle(type_: Attribute) -> None:
    """Refuse a handle that is not declared to point at `scf.for`, as upstream does."""
    check_handle(type_, scf.ForOp.name)


def for_loop(user: TransformOp, op: Operation) -> scf.ForOp:
    """The loop that `op` is, or a refusal."""
    if not isinstance(op, scf.ForOp):
        raise user.refuse(f"'{op.name}' is not scf.for", op, "match scf.for")
    if op.unsigned_cmp is not None:
        raise user.refuse(
            "the loop compares its bounds without a sign",
            op,
            remedy="write it without 'unsigned' if its bounds are not that large",
        )
    return op


def index_loop(user: TransformOp, op: Operation) -> scf.ForOp:
    """The loop over `index` that `op` is, or a refusal."""
    loop = for_loop(user, op)
    if not isinstance(loop.lb.type, IndexType):
        raise user.refuse(
            f"the loop counts in {loop.lb.type}, and affine maps need index",
            loop,
            remedy="make its bounds index values",
        )
    return loop


def check_apart(user: TransformOp, ops: Sequence[Operation]) -> None:
    """Refuse nested loops: rewriting one would outdate the plan for the other."""
    for op in ops:
        if any(op is not other and op.is_ancestor(other) for other in ops):
            raise user.refuse(
                "another loop of the handle lies in this one",
                op,
                remedy="give it one of them at a time",
            )
