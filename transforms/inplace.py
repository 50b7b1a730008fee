"""Which writes into a tensor may reuse its storage: the analysis behind bufferization.

A write W into a tensor D may happen in place if nobody needs D's old content later on:
no later read of D, of a slice of D, or of a tensor D is a slice of. The one later read
that is fine is the `insert_slice` that puts W's result back where D was taken from.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import func, scf, tensor
from xdsl.ir import Block, BlockArgument, Operation, SSAValue, Use

from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp, slice_of
from tilewright.transforms.tiling import destination_of


def is_in_place(op: Operation, target: SSAValue) -> bool:
    """Whether `op` may write into the storage of its operand `target`."""
    if not is_writable(target) or _crosses_loop(op, target):
        return False
    return not any(_conflicts(op, target, use) for use in _related_uses(target))


def is_writable(value: SSAValue) -> bool:
    """Whether a tensor's storage belongs to us: never a function's argument."""
    root = storage_root(value)
    if isinstance(root, BlockArgument):
        return not isinstance(root.owner.parent_op(), func.FuncOp)
    return True


def storage_root(value: SSAValue) -> SSAValue:
    """The value whose storage `value` lives in, were every write in place."""
    while True:
        owner = value.owner
        if isinstance(owner, tensor.ExtractSliceOp):
            value = owner.source
        elif (destination := destination_of(value)) is not None:
            value = destination
        else:
            return value


def has_content(value: SSAValue) -> bool:
    """Whether a tensor's old content can matter: not if it starts out empty."""
    while isinstance(value.owner, tensor.ExtractSliceOp):
        value = value.owner.source
    return not isinstance(value.owner, tensor.EmptyOp)


def _crosses_loop(op: Operation, target: SSAValue) -> bool:
    """Whether `op` writes, inside a loop, into storage that lives across iterations.

    Storage that a loop carries enters its body as a block argument; anything else that
    is defined outside would be seen by the next iteration, or by a parallel one.
    """
    value = target
    while isinstance(value.owner, tensor.ExtractSliceOp):
        value = value.owner.source
    home = value.owner if isinstance(value.owner, Block) else value.owner.parent_block()
    block = op.parent_block()
    while block is not None and block is not home:
        parent = block.parent_op()
        if isinstance(parent, scf.ForOp | ForallOp):
            return True
        block = parent.parent_block() if parent is not None else None
    return False


def _related_uses(target: SSAValue) -> Iterator[Use]:
    """Uses of the tensor, of its slices, and of the tensors it is a slice of."""
    family = [target]
    value = target
    while isinstance(value.owner, tensor.ExtractSliceOp):
        value = value.owner.source
        family.append(value)
    seen: set[SSAValue] = set()
    while family:
        member = family.pop()
        if member in seen:
            continue
        seen.add(member)
        for use in member.uses:
            yield use
            if isinstance(use.operation, tensor.ExtractSliceOp):
                family.append(use.operation.result)


def _conflicts(op: Operation, target: SSAValue, use: Use) -> bool:
    user = use.operation
    if user is op:
        return user.operands[use.index] is not target or _reads_twice(op, target)
    if isinstance(user, tensor.DimOp | tensor.ExtractSliceOp):
        return False  # a slice is no read; its own uses are looked at
    if not _may_run_after(user, op):
        return False
    return not _puts_back(op, target, user)


def _reads_twice(op: Operation, target: SSAValue) -> bool:
    return sum(1 for operand in op.operands if operand is target) > 1


def _may_run_after(user: Operation, op: Operation) -> bool:
    """Whether `user` can run after `op`, within one run of their common block."""
    ancestors = {op.parent_block(): op}
    current: Operation | None = op
    while current is not None:
        ancestors[current.parent_block()] = current
        current = current.parent_op()
    current = user
    while current is not None:
        block = current.parent_block()
        if block in ancestors:
            other = ancestors[block]
            return current is not other and other.is_before_in_block(current)
        current = current.parent_op()
    return True


def _puts_back(op: Operation, target: SSAValue, user: Operation) -> bool:
    """Whether `user` inserts what became of `target` exactly where it was taken."""
    if not isinstance(user, tensor.InsertSliceOp | ParallelInsertSliceOp):
        return False
    extract = target.owner
    if not isinstance(extract, tensor.ExtractSliceOp):
        return False
    if user.dest is not extract.source or slice_of(user) != slice_of(extract):
        return False
    return storage_origin(user.source) is target


def storage_origin(value: SSAValue) -> SSAValue:
    """Follow destinations up to the value they were first written into."""
    while (destination := destination_of(value)) is not None and not isinstance(
        value, BlockArgument
    ):
        value = destination
    return value
