"""Warnings about a payload: an op accumulates into memory that nothing filled.

`linalg.matmul ... outs(%empty)` adds to whatever `%empty` holds. MLIR does not warn,
and the result is wrong as soon as that memory is not zero.
"""

from __future__ import annotations

from xdsl.ir import BlockArgument, Operation, SSAValue

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.errors import Note, UserError
from tilewright.ir.parsing.sources import place_of
from tilewright.ir.types import is_buffer, is_tensor

_UNFILLED = frozenset(
    """
    tensor.empty memref.alloc memref.alloca bufferization.alloc_tensor
    """.split()
)
"""Ops that make uninitialized memory."""

_VIEWS = frozenset(
    """
    tensor.cast tensor.extract_slice tensor.expand_shape tensor.collapse_shape
    memref.cast memref.subview memref.expand_shape memref.collapse_shape
    memref.transpose memref.reinterpret_cast memref.memory_space_cast
    bufferization.to_buffer bufferization.to_tensor
    """.split()
)
"""Ops whose result shares the memory of the first operand."""


def payload_warnings(root: Operation) -> list[UserError]:
    """A warning for every structured op that reads an uninitialized output."""
    return [
        warning
        for op in root.walk()
        if isinstance(op, StructuredOp)
        for warning in _unfilled_outputs(op)
    ]


def _unfilled_outputs(op: StructuredOp) -> list[UserError]:
    arguments = op.body.block.args[len(op.inputs) :]
    found: list[UserError] = []
    for output, argument in zip(op.outputs, arguments, strict=True):
        # Nothing is read of an output whose argument has no uses.
        origin = _origin(output) if argument.uses.get_length() else None
        if origin is None or _may_be_written_before(origin, op):
            continue
        warning = UserError(
            f"'{op.name}' op accumulates into an unfilled {origin.name}",
            place_of(op),
            "fill it first: linalg.fill ins(%zero : ...) outs(...)",
        )
        if place_of(origin) is not None:
            note = Note("it is made here, with nothing in it", place_of(origin))
            warning.notes.append(note)
        found.append(warning)
    return found


def _origin(value: SSAValue) -> Operation | None:
    """The op that made the memory of a value, if it left it uninitialized."""
    source = _source(value)
    while source is not None:
        value, source = source, _source(source)
    owner = value.owner
    if not isinstance(owner, Operation) or owner.name not in _UNFILLED:
        return None
    is_copy = any(is_tensor(operand.type) for operand in owner.operands)
    return None if is_copy else owner


def _source(value: SSAValue) -> SSAValue | None:
    """The value that a view is made of, or that a loop-carried value begins with."""
    owner = value.owner
    if isinstance(owner, Operation):
        return owner.operands[0] if owner.name in _VIEWS else None
    loop = owner.parent_op()
    if loop is None or loop.name not in ("scf.for", "scf.forall"):
        return None
    assert isinstance(value, BlockArgument)
    carried = value.index - (len(owner.args) - len(loop.results))
    first = len(loop.operands) - len(loop.results)
    return loop.operands[first + carried] if carried >= 0 else None


def _may_be_written_before(origin: Operation, op: Operation) -> bool:
    """Whether anything uses a buffer before `op`; tensors are never written."""
    memory = origin.results[0]
    block = origin.parent
    here = block.find_ancestor_op_in_block(op) if block is not None else None
    if not is_buffer(memory.type) or block is None:
        return False
    users = _users(memory)
    users.discard(op)
    if here is not op and any(
        here is block.find_ancestor_op_in_block(u) for u in users
    ):
        # A loop may run around both, so that either comes first.
        return True
    others = {block.find_ancestor_op_in_block(user) for user in users}
    between = origin.next_op
    while between is not None and between is not here:
        if between in others:
            return True
        between = between.next_op
    return False


def _users(memory: SSAValue) -> set[Operation]:
    """The ops that use a buffer or a view of it, without the views."""
    found: set[Operation] = set()
    for use in memory.uses:
        if use.operation.name in _VIEWS:
            for result in use.operation.results:
                found |= _users(result)
        else:
            found.add(use.operation)
    return found
