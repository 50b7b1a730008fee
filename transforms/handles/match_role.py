"""`transform.tilewright.match_role`: ops by what they do, or by name. Not upstream's.

    %mm = transform.tilewright.match_role role "contraction" in %root
        : (!transform.any_op) -> !transform.any_op
    %x  = transform.tilewright.match_role named "scores" in %root : ...

A role (`ir/structured/roles.py`) finds an op however the payload writes it: as
`linalg.matmul`, as a batch, as a `linalg.generic`. A name is that of a result in the
payload's text (`%scores = ...`), or of a function. Ops come in the order of
`structured.match`, and no match gives an empty handle.
Requires: a handle to one op.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, result_def
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.structured.roles import Role, role_of
from tilewright.transforms.core.base import (
    AnyOpType,
    TransformOp,
    TransformOpHandleType,
)
from tilewright.transforms.core.foreseen import Foreseen
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.handles.absent import absent_ops
from tilewright.transforms.handles.match import post_order


@irdl_op_definition
class MatchRoleOp(TransformOp):
    """A handle to the ops inside another that have a role, or a name, or both."""

    name = "transform.tilewright.match_role"
    ONLY_LOOKS: ClassVar[bool] = True

    target = operand_def(TransformOpHandleType)
    role = opt_prop_def(StringAttr)
    called = opt_prop_def(StringAttr)
    ops = opt_prop_def(ArrayAttr[StringAttr])
    found = result_def(TransformOpHandleType)

    assembly_format = (
        "(`role` $role^)? (`named` $called^)? (`ops` $ops^)? `in` $target attr-dict "
        "`:` functional-type(operands, results)"
    )

    def __init__(
        self,
        target: SSAValue,
        role: Role | None = None,
        called: str | None = None,
        ops: list[str] | None = None,
    ):
        super().__init__(
            operands=[target],
            properties={
                "role": None if role is None else StringAttr(role.value),
                "called": None if called is None else StringAttr(called),
                "ops": None if ops is None else ArrayAttr(map(StringAttr, ops)),
            },
            result_types=[AnyOpType()],
        )

    def verify_(self) -> None:
        """Check that a role or a name is given, and that the role exists."""
        if self.role is None and self.called is None:
            raise VerifyException("needs a role or a name")
        if self.role is not None and self.role.data not in set(Role):
            raise VerifyException(
                f"there is no role '{self.role.data}'; there are {', '.join(Role)}"
            )

    def foresee(self, results: Foreseen) -> None:
        """Some ops inside the target."""
        results.make(self.found, [results.of(self.target)])

    def apply(self, state: TransformState) -> None:
        """Walk the target and keep the ops that satisfy every condition."""
        targets = state.payload_ops(self.target)
        if len(targets) != 1:
            raise self.broken(
                f"needs a handle to one op, this one points at {len(targets)}",
                remedy="match in something that is there once, such as the root",
            )
        found = [op for op in post_order(targets[0]) if self._accepts(op)]
        state.set_ops(self.found, found)
        if found:
            return
        wanted = [part.data for part in (self.role, self.called) if part is not None]
        called: list[str] = []
        if self.called is not None:
            ops = post_order(targets[0])
            called = sorted({name for op in ops for name in _names(op)})
        warning = absent_ops(
            self, wanted, targets[0], self._accepts, state.run.running, called
        )
        if warning is not None:
            state.run.warnings.append(warning)

    def _accepts(self, op: Operation) -> bool:
        if self.ops is not None and op.name not in {name.data for name in self.ops}:
            return False
        if self.role is not None and role_of(op) != self.role.data:
            return False
        return self.called is None or self.called.data in _names(op)


def _names(op: Operation) -> set[str]:
    """The names of an op in the payload's text: of its results, and its symbol."""
    names = {r.name_hint for r in op.results if r.name_hint is not None}
    symbol = op.properties.get("sym_name")
    return names | {symbol.data} if isinstance(symbol, StringAttr) else names
