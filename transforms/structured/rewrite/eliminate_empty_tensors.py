"""`eliminate_empty_tensors`: compute into the destination, not into a scratch tensor.

Before:
    %e = tensor.empty() : tensor<8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %r = tensor.insert_slice %f into %d[%i] [8] [1] : ...

After:
    %e = tensor.extract_slice %d[%i] [8] [1] : ...
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %r = tensor.insert_slice %f into %d[%i] [8] [1] : ...

Requires: nothing. A `tensor.empty` whose destination is not yet known where it stands
is left alone.
"""

from __future__ import annotations

from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.irdl import irdl_op_definition

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp, slice_of
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


@irdl_op_definition
class BufferizationEliminateEmptyTensorsOp(_EliminateOp):
    """The same op under upstream's other name."""

    name = "transform.bufferization.eliminate_empty_tensors"


def eliminate(
    insert: tensor.InsertSliceOp | ParallelInsertSliceOp, rewriter: Rewriter
) -> None:
    """Start the chain of ops that ends in `insert` from a slice of its destination."""
    origin = storage_origin(insert.source)
    empty = origin.owner
    if not isinstance(empty, tensor.EmptyOp) or empty.tensor.type != insert.source.type:
        return
    if origin.uses.get_length() != 1:
        return
    part = slice_of(insert)
    needed = [
        insert.dest,
        *(v for v in (*part[0], *part[1], *part[2]) if isinstance(v, SSAValue)),
    ]
    if not all(_is_available(value, empty) for value in needed):
        return
    extract = tensor.ExtractSliceOp(insert.dest, *part, empty.tensor.type)
    rewriter.replace_with(empty, extract)


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
