"""Which writes into a tensor may reuse its storage: the analysis behind bufferization.

Every tensor lives in a buffer or in a part of one. A write W into a tensor may happen
in place if nobody needs, after W, what any tensor in the same buffer held before. What
counts is where tensors really live: one that was copied away is out of danger.

Four later uses need nothing of the old content: asking for a size; taking a slice (what
is done with the slice counts instead); anything about a tensor that started out empty;
and inserting over the whole part that W wrote into.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.ir import Block, BlockArgument, Operation, SSAValue, Use

from tilewright.ir.dialects import scf, tensor
from tilewright.ir.dialects.bufferization import AllocTensorOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp, Slice, slice_of
from tilewright.ir.types import is_buffer, is_tensor
from tilewright.transforms.structured.extents import destination_of


class Storage:
    """Where tensors live, while a function is being bufferized."""

    def __init__(self) -> None:
        self.parts: dict[SSAValue, tuple[SSAValue, Slice]] = {}
        """A subview: the buffer it was taken from, and which part of it."""
        self._read_only: set[SSAValue] = set()
        self._tensors: dict[SSAValue, list[SSAValue]] = {}

    def protect(self, buffer: SSAValue) -> None:
        """Let nobody write into a buffer."""
        self._read_only.add(buffer)

    def settle(self, tensor_value: SSAValue, buffer: SSAValue) -> None:
        """Note that a tensor lives in a buffer."""
        self._tensors.setdefault(self.root(buffer), []).append(tensor_value)

    def root(self, buffer: SSAValue) -> SSAValue:
        """The whole buffer that a buffer is a part of."""
        while buffer in self.parts:
            buffer = self.parts[buffer][0]
        return buffer

    def is_in_place(
        self, op: Operation, target: SSAValue, values: Mapping[SSAValue, SSAValue]
    ) -> bool:
        """Whether `op` may write into the buffer its operand `target` lives in.

        `values` gives the new value of every old one that is converted already.
        """
        root = self.root(values[target])
        if root in self._read_only or _crosses_loop(op, target):
            return False
        return not any(
            self._needs_old_content(use, op, target, values)
            for resident in self._tensors.get(root, ())
            if has_content(resident)
            for use in _uses(resident)
        )

    def _needs_old_content(
        self,
        use: Use,
        op: Operation,
        target: SSAValue,
        values: Mapping[SSAValue, SSAValue],
    ) -> bool:
        user = use.operation
        if user is op:
            used_again = sum(1 for operand in op.operands if operand is target) > 1
            return used_again or op.operands[use.index] is not target
        if isinstance(user, tensor.DimOp | tensor.ExtractSliceOp):
            return False
        if not _may_run_after(user, op):
            return False
        if use.index == 1 and _inserts_over_everything(user):
            return False
        return not self._overwrites(user, values[target], values)

    def _overwrites(
        self, user: Operation, written: SSAValue, values: Mapping[SSAValue, SSAValue]
    ) -> bool:
        """Whether `user` is an insertion over a part that holds all of `written`."""
        if not isinstance(user, tensor.InsertSliceOp | ParallelInsertSliceOp):
            return False
        part = _converted(slice_of(user), values)
        while written in self.parts:
            whole, which = self.parts[written]
            if whole is values.get(user.dest) and which == part:
                return True
            written = whole
        return False


def has_content(value: SSAValue) -> bool:
    """Whether a tensor's old content can matter: not if it starts out empty."""
    while isinstance(value.owner, tensor.ExtractSliceOp):
        value = value.owner.source
    owner = value.owner
    if isinstance(owner, AllocTensorOp):
        return owner.copy is not None
    return not isinstance(owner, tensor.EmptyOp)


def reads_other_tiles(forall: ForallOp, shared: BlockArgument) -> bool:
    """Whether an iteration reads of a shared output what another one may write.

    Each iteration sees the output as it was before the loop. Reading the very tile it
    hands back is fine; anything else needs the old content kept.
    """
    tiles = [
        slice_of(insert)
        for insert in forall.terminator.region.block.ops
        if isinstance(insert, ParallelInsertSliceOp) and insert.dest is shared
    ]
    if any(is_all_of(tile, shared) for tile in tiles):
        return False  # every iteration hands back everything: there is but one
    for use in shared.uses:
        user = use.operation
        if isinstance(user, tensor.DimOp):
            continue
        if isinstance(user, ParallelInsertSliceOp) and user.dest is shared:
            continue
        if isinstance(user, tensor.ExtractSliceOp) and slice_of(user) in tiles:
            continue
        return True
    return False


def is_all_of(part: Slice, whole: SSAValue) -> bool:
    """Whether a slice is all of a tensor, or of a buffer, of known shape."""
    offsets, sizes, strides = part
    kind = whole.type
    return (
        (is_tensor(kind) or is_buffer(kind))
        and all(offset == 0 for offset in offsets)
        and all(stride == 1 for stride in strides)
        and tuple(sizes) == kind.get_shape()
    )


def _inserts_over_everything(op: Operation) -> bool:
    if not isinstance(op, tensor.InsertSliceOp | ParallelInsertSliceOp):
        return False
    return is_all_of(slice_of(op), op.dest)


def storage_origin(value: SSAValue) -> SSAValue:
    """Follow destinations up to the value they were first written into."""
    while (destination := destination_of(value)) is not None and not isinstance(
        value, BlockArgument
    ):
        value = destination
    return value


def _uses(value: SSAValue) -> Iterator[Use]:
    """The uses of a tensor and of the slices taken of it."""
    for use in value.uses:
        yield use
        if isinstance(use.operation, tensor.ExtractSliceOp):
            yield from _uses(use.operation.result)


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


def _may_run_after(user: Operation, op: Operation) -> bool:
    """Whether `user` can run after `op` began, within one run of their common block.

    What is nested in `op` runs while it does: a loop's body may read a tensor that an
    earlier iteration has written over. A loop around `op` began, and took what it
    carries, before.
    """
    ancestors: dict[Block | None, Operation] = {}
    current: Operation | None = op
    while current is not None:
        ancestors[current.parent_block()] = current
        current = current.parent_op()
    current = user
    while current is not None:
        block = current.parent_block()
        if block in ancestors:
            other = ancestors[block]
            if current is other:
                return user is not current
            return other.is_before_in_block(current)
        current = current.parent_op()
    return True


def _converted(part: Slice, values: Mapping[SSAValue, SSAValue]) -> Slice:
    """A slice in terms of new values, as far as they are there."""
    offsets, sizes, strides = (
        [v if isinstance(v, int) else values.get(v, v) for v in entries]
        for entries in part
    )
    return offsets, sizes, strides
