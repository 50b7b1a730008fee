"""`structured.bufferize_to_allocation`: compute one op in a buffer of its own.

Before:
    %r = tensor.insert %x into %t[%i] : tensor<10xf32>

After:
    %m = memref.alloc() : memref<10xf32>
    bufferization.materialize_in_destination %t in writable %m : ...
    memref.store %x, %m[%i] : memref<10xf32>
    %r = bufferization.to_tensor %m restrict writable : memref<10xf32> to tensor<10xf32>

With `bufferize_destination_only` the op stays on tensors and writes into the buffer as
a tensor.

Requires: an op with one destination that bufferizes, `tensor.pad`, `vector.mask` of
one, or `bufferization.alloc_tensor`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.dialects.transform import AnyValueType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.transforms.bufferization.one_op.allocation import (
    ALLOCATIONS,
    COPIES,
    MATERIALIZE,
    Options,
)
from tilewright.transforms.core.base import (
    AnyOpType,
    TransformOp,
    TransformOpHandleType,
)
from tilewright.transforms.core.state import TransformState


@irdl_op_definition
class BufferizeToAllocationOp(TransformOp):
    """Bufferize single ops; consumes the target, returns the buffers and new ops."""

    name = "transform.structured.bufferize_to_allocation"

    target = operand_def(TransformOpHandleType)
    memory_space = opt_prop_def(AnyAttr())
    memcpy_op = opt_prop_def(StringAttr)
    alloc_op = opt_prop_def(StringAttr)
    bufferize_destination_only = opt_prop_def(UnitAttr)
    emit_dealloc = opt_prop_def(UnitAttr)
    allocated_buffer = result_def(AnyValueType())
    new_ops = result_def(AnyOpType())

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$target attr-dict `:` type($target)"

    @property
    def options(self) -> Options:
        """The options, with upstream's defaults."""
        memcpy, alloc = self.memcpy_op, self.alloc_op
        return Options(
            self.memory_space,
            MATERIALIZE if memcpy is None else memcpy.data,
            "memref.alloc" if alloc is None else alloc.data,
            self.emit_dealloc is not None,
            self.bufferize_destination_only is not None,
        )

    def verify_(self) -> None:
        """The ops that copy and allocate exist."""
        options = self.options
        for name, given, known in (
            ("memcpy_op", options.memcpy_op, COPIES),
            ("alloc_op", options.alloc_op, tuple(ALLOCATIONS)),
        ):
            if given not in known:
                raise VerifyException(
                    f"{name} = '{given}' is not supported; choose {' or '.join(known)}"
                )

    def consumed_handles(self) -> Sequence[SSAValue]:
        """The target is replaced."""
        return (self.target,)

    def apply(self, state: TransformState) -> None:
        """Plan all ops, then bufferize them."""
        # Imported here: reading and checking a schedule does not need the analysis.
        from tilewright.transforms.bufferization.one_op.rewriting import plan

        options = self.options
        plans = [plan(self, op, options) for op in state.payload_ops(self.target)]
        buffers: list[SSAValue] = []
        made: list[Operation] = []
        for rewrite in plans:
            buffer, new_ops = rewrite(state.rewriter)
            buffers.append(buffer)
            made += new_ops
        state.set_values(self.allocated_buffer, buffers)
        state.set_ops(self.new_ops, made)
