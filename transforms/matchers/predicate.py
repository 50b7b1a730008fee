"""The base of predicates: ops that fail where something does not hold.

`foreach_match`, `collect_matching` and `alternatives` take that failure for "no match".
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute, SSAValue

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.state import TransformState


class Predicate(TransformOp):
    """An op named `transform.match.*`."""

    def title(self) -> str:
        """The whole name: `rank` alone does not say what is matched."""
        return self.written_as or self.name.removeprefix("transform.")


def one_structured(
    user: TransformOp, state: TransformState, handle: SSAValue
) -> StructuredOp:
    """The one structured op a handle points at."""
    ops = list(state.payload_ops(handle))
    if len(ops) != 1:
        raise user.broken(f"needs a handle to one op, this one points at {len(ops)}")
    if not isinstance(ops[0], StructuredOp):
        raise user.refuse(f"'{ops[0].name}' is not a structured op", ops[0])
    return ops[0]


def i64_param(value: int) -> Attribute:
    """A number as a parameter holds it."""
    return IntegerAttr(value, i64)
