"""What `stream` and `split_stream` share: targets, a size, and their syntax."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import operand_def, opt_operand_def, opt_prop_def, prop_def

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.scf import ForallOp, ForOp
from tilewright.ir.structured.loops import nest_of
from tilewright.ir.types import is_tensor
from tilewright.transforms.core.base import (
    AnyOpType,
    TransformOp,
    TransformOpHandleType,
)
from tilewright.transforms.core.extents import Extent
from tilewright.transforms.core.sizes import packed_sizes
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.syntax import Size
from tilewright.transforms.core.target_op import PlannedOp
from tilewright.transforms.structured.stream.analysis.chain import Chain
from tilewright.transforms.structured.stream.analysis.find_chain import find_chain
from tilewright.transforms.structured.targets import structured_op


class ChainOp(PlannedOp):
    """An op on a chain of reductions, with a size and perhaps the loop to go along.

    A subclass declares its two results: handles to new ops.
    """

    custom_directives = (Size,)

    target = operand_def(TransformOpHandleType)
    dynamic_size = opt_operand_def()
    static_size = prop_def(IntegerAttr.constr(i64))
    dimension = opt_prop_def(IntegerAttr.constr(i64))

    def __init__(
        self, target: SSAValue, size: int | SSAValue, dimension: int | None = None
    ):
        is_known = isinstance(size, int)
        super().__init__(
            operands=[target, None if is_known else size],
            properties={
                "static_size": IntegerAttr(size if is_known else DYNAMIC_INDEX, i64),
                "dimension": None if dimension is None else IntegerAttr(dimension, i64),
            },
            result_types=[AnyOpType(), AnyOpType()],
        )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """None: a loop stays, and handles to reductions follow to the new ones."""
        return ()

    def chain(self, targets: Sequence[Operation]) -> Chain:
        """The chain that ends at the targets."""
        number = None if self.dimension is None else self.dimension.value.data
        return chain_of(self, targets, number)

    def size(self, state: TransformState, targets: Sequence[Operation]) -> Extent:
        """The size, written as a number or as a parameter."""
        sizes: Sequence[Extent] = (self.static_size.value.data,)
        if self.dynamic_size is not None:
            sizes = packed_sizes(self, state, self.dynamic_size, targets)
        if len(sizes) != 1:
            raise self.broken(f"takes one size, not {len(sizes)}")
        (size,) = sizes
        if isinstance(size, int) and size < 1:
            raise self.refuse(f"the size is {size}", targets[0], "give a positive size")
        return size


def chain_of(
    user: TransformOp, targets: Sequence[Operation], number: int | None
) -> Chain:
    """The chain that ends at some reductions, along a loop of each."""
    ops = [reduction for op in targets for reduction in _reductions(user, op)]
    for op in ops:
        if not all(is_tensor(result.type) for result in op.outputs):
            raise user.refuse("works on tensors", op)
        if op.parent is not ops[0].parent:
            raise user.refuse("the targets are not in one block", op)
    loops = [_reduced_loop(user, op, number) for op in ops]
    return find_chain(user, ops, loops)


def _reductions(user: TransformOp, op: Operation) -> list[StructuredOp]:
    """A target, or the last reductions in the body of a loop that is the target."""
    if not isinstance(op, ForallOp | ForOp):
        return [structured_op(user, op)]
    found = [
        nested
        for nested in op.body.block.ops
        if isinstance(nested, StructuredOp) and nest_of(nested).reduced
    ]
    read: set[Operation] = set()
    waiting: list[Operation] = [*found]
    while waiting:
        for operand in waiting.pop().operands:
            owner = operand.owner
            if isinstance(owner, StructuredOp) and owner not in read:
                read.add(owner)
                waiting.append(owner)
    last = [nested for nested in found if nested not in read]
    if not last:
        raise user.refuse(
            f"there is no reduction in the body of '{op.name}'",
            op,
            "fuse the chain into the loop first",
        )
    return last


def _reduced_loop(user: TransformOp, op: StructuredOp, number: int | None) -> int:
    reduced = nest_of(op).reduced
    if number is not None:
        if number not in reduced:
            raise user.refuse(
                f"loop {number} of '{op.name}' is no reduction; its reductions: "
                f"{list(reduced)}",
                op,
            )
        return number
    if len(reduced) != 1:
        raise user.refuse(
            f"'{op.name}' has {len(reduced)} reduction loops: {list(reduced)}",
            op,
            f"say which: along {reduced[-1]}" if reduced else "give a reduction",
        )
    return reduced[0]
