"""The check that a target of a transformation is a structured op."""

from __future__ import annotations

from xdsl.ir import Operation

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.transforms.core.base import TransformOp


def structured_op(user: TransformOp, op: Operation) -> StructuredOp:
    """The op itself, if it is structured; else `user` refuses it."""
    if not isinstance(op, StructuredOp):
        raise user.refuse(
            f"'{op.name}' is not a structured op", op, "match a linalg op"
        )
    return op
