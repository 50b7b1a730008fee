"""The structured ops that kernels compute, apart from those that libraries do."""

from __future__ import annotations

from typing import TypeGuard

from xdsl.ir import Operation

from tilewright.ir.dialects import func
from tilewright.ir.dialects.linalg import FillOp, StructuredOp
from tilewright.ir.launch_attributes.values import library_of
from tilewright.ir.structured.matmul_tails import absorbed_matmul
from tilewright.ir.structured.scatters import BY_KERNEL_BEFORE


def beside(op: StructuredOp) -> list[StructuredOp]:
    """The other structured ops in the same tile."""
    assert op.parent is not None
    return [other for other in op.parent.ops if _is_computed(other) and other is not op]


def starts_another(op: StructuredOp) -> bool:
    """Whether an op only fills the initial values of others."""
    return isinstance(op, FillOp) and all(
        isinstance(use.operation, StructuredOp) for r in op.results for use in r.uses
    )


def structured_ops(function: func.FuncOp) -> list[StructuredOp]:
    """The ops of a function that kernels compute."""
    return [op for op in function.walk() if _is_computed(op)]


def _is_computed(op: Operation) -> TypeGuard[StructuredOp]:
    """Whether a kernel, and not a library, computes an op."""
    return isinstance(op, StructuredOp) and bool(op.results) and not is_called(op)


def is_called(op: StructuredOp) -> bool:
    """Whether a library computes the op, or the ops that start from it or end it."""
    if library_of(op) is not None:
        return True
    users = [use.operation for value in op.results for use in value.uses]
    if isinstance(op, FillOp):
        return bool(users) and all(
            isinstance(user, StructuredOp)
            and is_called(user)
            and not is_written_before(user)
            for user in users
        )
    return any(absorbs(user, op) for user in users)


def is_written_before(op: StructuredOp) -> bool:
    """Whether the kernel before it writes the op's result, which another one fills."""
    return library_of(op) in BY_KERNEL_BEFORE


def absorbs(op: Operation, product: StructuredOp) -> bool:
    """Whether a library computes an op together with the product that it reads."""
    if not isinstance(op, StructuredOp) or library_of(op) is None:
        return False
    form = absorbed_matmul(op, lambda value: value.owner)
    return form is not None and op.inputs[form.matmul].owner is product
