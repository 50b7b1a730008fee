"""`eliminate_empty_tensors`: compute into the destination, not into a scratch tensor.

Before:
    %e = tensor.empty() : tensor<8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %r = tensor.insert_slice %f into %d[%i] [8] [1] : ...

After:
    %e = tensor.extract_slice %d[%i] [8] [1] : ...
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %r = tensor.insert_slice %f into %d[%i] [8] [1] : ...

Requires: nothing. Insertions into a new tensor move up to their parts, so that the next
part is computed in place too. A part that is reshaped before it is inserted gets a
`tensor.empty` of its own: kernels compute it in place, which they could not if a later
part took the same buffer. A `tensor.empty` whose destination needs what is computed
after it is left alone, and so is one that an op gathers from: kernels gather from whole
buffers.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.irdl import irdl_op_definition

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp, slice_of
from tilewright.ir.dialects.vector import GatherOp
from tilewright.transforms.core.extents import destination_of
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import InPlaceOp
from tilewright.transforms.core.walking import walked


class _EliminateOp(InPlaceOp):
    """The base of the op's two names."""

    def rewrite(self, plan: Operation, rewriter: Rewriter) -> None:
        """Look at every insertion inside one target."""
        for op in walked(plan):
            if isinstance(op, tensor.InsertSliceOp | ParallelInsertSliceOp):
                eliminate(op, rewriter)


@irdl_op_definition
class EliminateEmptyTensorsOp(_EliminateOp):
    """Replace empty tensors by the slices they end up in."""

    name = "transform.structured.eliminate_empty_tensors"
    FORM: ClassVar[str] = "eliminate_empty_tensors <target:handle>"
    SUMMARY: ClassVar[str] = (
        "compute results directly in their destination; part of 'bufferize'"
    )


@irdl_op_definition
class BufferizationEliminateEmptyTensorsOp(_EliminateOp):
    """The same op under upstream's other name."""

    name = "transform.bufferization.eliminate_empty_tensors"


def eliminate(
    insert: tensor.InsertSliceOp | ParallelInsertSliceOp, rewriter: Rewriter
) -> None:
    """Start the chain of ops that ends in `insert` from a slice of its destination."""
    computed = _before_reshapes(insert.source)
    origin = storage_origin(computed)
    empty = origin.owner
    if not isinstance(empty, tensor.EmptyOp):
        return
    if computed is not insert.source and origin.uses.get_length() != 1:
        _of_its_own(computed, origin, rewriter)
    if empty.tensor.type != insert.source.type or computed is not insert.source:
        return
    if _is_gathered(insert.source):
        return
    if origin.uses.get_length() != 1:
        empty = _of_its_own(insert.source, origin, rewriter)
    if empty is None:
        return
    _separate(insert, rewriter)
    part = slice_of(insert)
    needed = [
        insert.dest,
        *(v for v in (*part[0], *part[1], *part[2]) if isinstance(v, SSAValue)),
    ]
    if not all(_is_available(value, empty) for value in needed):
        _move_down(empty, rewriter)
        _move_up(insert.dest, empty, rewriter)
    if not all(_is_available(value, empty) for value in needed):
        return
    extract = tensor.ExtractSliceOp(insert.dest, *part, empty.tensor.type)
    rewriter.replace_with(empty, extract)


def _before_reshapes(value: SSAValue) -> SSAValue:
    """The tensor that a value is a reshape of."""
    while isinstance(value.owner, tensor.CollapseShapeOp | tensor.ExpandShapeOp):
        value = value.owner.src
    return value


def _is_gathered(value: SSAValue) -> bool:
    """Whether an op reads a tensor, or a reshape of it, at computed places."""
    for use in value.uses:
        op = use.operation
        if isinstance(op, tensor.ExtractOp | GatherOp):
            return True
        is_reshape = isinstance(op, tensor.CollapseShapeOp | tensor.ExpandShapeOp)
        if is_reshape and _is_gathered(op.results[0]):
            return True
    return False


def _separate(
    insert: tensor.InsertSliceOp | ParallelInsertSliceOp, rewriter: Rewriter
) -> None:
    """Insert into an empty tensor that no other op starts from."""
    shared = insert.dest.owner
    if not isinstance(shared, tensor.EmptyOp) or shared.tensor.uses.get_length() == 1:
        return
    own = shared.clone()
    rewriter.insert_before(insert, own)
    rewriter.set_operand(insert, list(insert.operands).index(shared.tensor), own.tensor)


def _of_its_own(
    value: SSAValue, origin: SSAValue, rewriter: Rewriter
) -> tensor.EmptyOp | None:
    """An empty tensor for one chain of ops alone, where several start from one."""
    first = value
    while (destination := destination_of(first)) is not origin:
        if destination is None:
            return None
        first = destination
    user = first.owner
    if not isinstance(first, OpResult) or not isinstance(user, Operation):
        return None
    operands = list(user.operands)
    # Destinations come last: a grid with two results may start both from one tensor.
    place = len(operands) - len(user.results) + first.index
    if operands.count(origin) == 1:
        place = operands.index(origin)
    if operands[place] is not origin:
        return None
    assert isinstance(origin.owner, tensor.EmptyOp)
    own = origin.owner.clone()
    rewriter.insert_before(user, own)
    rewriter.set_operand(user, place, own.tensor)
    return own


def _move_down(empty: tensor.EmptyOp, rewriter: Rewriter) -> None:
    """Put an empty tensor right before the one op that starts from it."""
    (user,) = (use.operation for use in empty.tensor.uses)
    if user.parent_block() is empty.parent_block():
        rewriter.move_before(empty, user)


def _move_up(value: SSAValue, at: Operation, rewriter: Rewriter) -> None:
    """Put what makes a destination before `at`, where nothing else is in its way.

    A concatenation inserts its parts into an empty tensor after all of them are
    computed: each insertion may stand right after its part.
    """
    made = value.owner
    if (
        not isinstance(made, tensor.EmptyOp | tensor.InsertSliceOp)
        or made.parent_block() is not at.parent_block()
        or made.is_before_in_block(at)
    ):
        return
    if isinstance(made, tensor.InsertSliceOp):
        _move_up(made.dest, at, rewriter)
    if all(_is_available(operand, at) for operand in made.operands):
        rewriter.move_before(made, at)


def storage_origin(value: SSAValue) -> SSAValue:
    """Follow destinations up to the value they were first written into."""
    while (destination := destination_of(value)) is not None and not isinstance(
        value, BlockArgument
    ):
        value = destination
    return value


def _is_available(value: SSAValue, at: Operation) -> bool:
    """Whether a value is defined before `at`, in its block or around it."""
    block = value.owner if not isinstance(value.owner, Operation) else None
    current: Operation | None = at
    while current is not None:
        parent = current.parent_block()
        if block is not None:
            if parent is block:
                return True
        elif isinstance(value.owner, Operation):
            if value.owner.parent_block() is parent:
                return value.owner.is_before_in_block(current)
        current = current.parent_op()
    return False
