"""Forward written vectors to reads of the same memory, and drop overwritten writes.

A write is forwarded if it is the last one before the read, and dropped if another write
to the same elements follows before anything reads. Buffers with another origin are
taken to be apart, as in upstream. Only structured control flow is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.dialects.memref import CastOp, SubviewOp
from tilewright.ir.dialects.vector import TransferReadOp, TransferWriteOp
from tilewright.ir.types import is_buffer
from tilewright.transforms.cleanup.effects import has_no_effect
from tilewright.transforms.cleanup.patterns.vector.transfers import (
    is_apart,
    is_masked,
    same_place,
)
from tilewright.transforms.cleanup.shapes import Slice
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.walking import walked
from tilewright.transforms.loop.shared.buffer_accesses import is_view, origin_of

Transfer = TransferReadOp | TransferWriteOp


def forward_transfers(root: Operation, rewriter: Rewriter) -> None:
    """Forward all reads inside an op, then drop the writes that are overwritten."""
    ops = walked(root)
    if any(len(region.blocks) > 1 for op in ops for region in op.regions):
        return
    for op in ops:
        if isinstance(op, TransferReadOp) and is_buffer(op.source.type):
            if (write := _last_write(op)) is not None:
                rewriter.replace(op, [write.vector])
    dead = [op for op in ops if isinstance(op, TransferWriteOp) and op.parent]
    for op in [op for op in dead if is_buffer(op.source.type) and _is_dead(op)]:
        rewriter.erase(op)


def _last_write(read: TransferReadOp) -> TransferWriteOp | None:
    """The write whose vector a read returns."""
    if is_masked(read):
        return None
    last: TransferWriteOp | None = None
    others: list[Operation] = []
    for user in _accesses(read.source):
        if isinstance(user, TransferReadOp):
            continue
        if isinstance(user, TransferWriteOp):
            if _are_apart(user, read):
                continue
            if (
                not is_masked(user)
                and _is_same_view(user.source, read.source)
                and same_place(read, user)
                and _comes_before(user, read)
            ):
                if last is None or _comes_before(last, user):
                    last = user
                continue
        others.append(user)
    if last is None or last.parent is None:
        return None
    at = _within(last.parent, read)
    for other in others:
        around = _within(last.parent, other)
        if around is None or at is None or not _reaches(around, at):
            continue
        if not _comes_before(around, last) or around is at:
            return None
    return last


def _is_dead(write: TransferWriteOp) -> bool:
    """Whether another write overwrites all elements before anything reads them."""
    first: TransferWriteOp | None = None
    others: list[Operation] = []
    for user in _accesses(write.source):
        if user is write:
            continue
        if isinstance(user, Transfer) and _are_apart(user, write):
            continue
        if isinstance(user, TransferWriteOp) and _overwrites(user, write):
            if first is None or _follows(first, user):
                first = user
            continue
        others.append(user)
    if first is None or first.parent is None:
        return False
    at = _within(first.parent, write)
    for other in others:
        around = _within(first.parent, other)
        if around is None or at is None or not _reaches(at, around):
            continue
        if not _comes_before(first, around):
            return False
    return True


def _overwrites(later: TransferWriteOp, write: TransferWriteOp) -> bool:
    return (
        _is_same_view(later.source, write.source)
        and list(later.indices) == list(write.indices)
        and later.permutation_map == write.permutation_map
        and later.vector.type == write.vector.type
        and later.mask is write.mask
        and is_masked(later) == is_masked(write) == (write.mask is not None)
        and _follows(later, write)
    )


def _accesses(buffer: SSAValue) -> Iterator[Operation]:
    """The ops that access the memory of a buffer, through any view of it."""
    todo, seen = [origin_of(buffer)], set[Operation]()
    while todo:
        for use in todo.pop().uses:
            user = use.operation
            if user in seen:
                continue
            seen.add(user)
            if is_view(user):
                todo += user.results
            elif not has_no_effect(user):
                yield user


def _are_apart(one: Transfer, other: Transfer) -> bool:
    return one.source is other.source and is_apart(one, other)


def _is_same_view(one: SSAValue, other: SSAValue) -> bool:
    """Whether equal indices are equal addresses."""
    return one.type == other.type and _before_aliases(one) is _before_aliases(other)


def _before_aliases(buffer: SSAValue) -> SSAValue:
    while isinstance(view := buffer.owner, CastOp | SubviewOp):
        if isinstance(view, SubviewOp):
            place = Slice.of(view).known()
            if any(offset != 0 for offset in place.offsets):
                break
            if any(stride != 1 for stride in place.strides):
                break
        buffer = view.source
    return buffer


# -- the order of ops ------------------------------------------------------------------


def _within(block: Block, op: Operation) -> Operation | None:
    """The op of a block that is, or contains, an op."""
    around: Operation | None = op
    while around is not None and around.parent is not block:
        around = around.parent_op()
    return around


def _comes_before(one: Operation, other: Operation) -> bool:
    """Whether an op dominates another."""
    if one.parent is None or (around := _within(one.parent, other)) is None:
        return False
    return around is not one and one.is_before_in_block(around)


def _follows(later: Operation, op: Operation) -> bool:
    """Whether an op post-dominates another."""
    if later.parent is None or (around := _within(later.parent, op)) is None:
        return False
    return around is not later and around.is_before_in_block(later)


def _reaches(start: Operation, end: Operation) -> bool:
    """Whether, of two ops of a block, the second may run after the first."""
    return start is end or start.is_before_in_block(end)
