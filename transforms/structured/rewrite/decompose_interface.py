"""`decompose_interface`: decompose an op into simpler structured ops.

Before:
    %r = linalg.softmax dimension(1)
        ins(%x : tensor<4x32xf32>) outs(%o : tensor<4x32xf32>) -> tensor<4x32xf32>

After:
    %e = tensor.empty() : tensor<4xf32>
    %n = linalg.fill ins(%nan : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %m = linalg.generic {...} ins(%x : ...) outs(%n : ...) { maxnumf } -> tensor<4xf32>
    %p = linalg.generic {...} ins(%x, %m : ...) outs(%o : ...) { exp(x - m) } -> ...
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %s = linalg.generic {...} ins(%p : ...) outs(%z : ...) { addf } -> tensor<4xf32>
    %r = linalg.generic {...} ins(%p, %s : ...) outs(%o : ...) { divf } -> ...

The result points at the last of them.

Requires: a `linalg.softmax` on tensors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import AnyFloat, FloatAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import FillOp, GenericOp, SoftmaxOp
from tilewright.ir.dialects.linalg.scalars import Body
from tilewright.ir.types import element_type, is_tensor, tensor_type
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import OpList, dim_size
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.new_ops import empty, generic, map_without


@irdl_op_definition
class DecomposeInterfaceOp(TargetOp):
    """Decompose softmax; consumes the target."""

    name = "transform.structured.decompose_interface"
    FORM: ClassVar[str] = "decompose <target:handle>"
    SUMMARY: ClassVar[str] = "replace an op by the simpler ops it consists of"

    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> SoftmaxOp:
        """Check that `op` is a softmax of floats, on tensors."""
        if not isinstance(op, SoftmaxOp):
            raise self.refuse(
                f"'{op.name}' does not stand for several ops",
                op,
                "match linalg.softmax",
            )
        if not is_tensor(op.output.type):
            raise self.refuse(
                "the op works on buffers", op, "decompose, then bufferize"
            )
        if not isinstance(of := element_type(op.output.type), AnyFloat):
            raise self.refuse(
                f"softmax of {of} has no exponential", op, remedy="softmax needs floats"
            )
        return op

    def rewrite(self, op: SoftmaxOp, rewriter: Rewriter) -> GenericOp:
        """Compute maximum, exponential, sum and quotient; returns the quotient."""
        new = OpList()
        reduced = op.dimension.value.data
        rank = len(tensor_type(op.input).get_shape())
        every, kept = map_without(rank), map_without(rank, reduced)
        of = element_type(op.output.type)
        assert isinstance(of, AnyFloat)
        extents = [dim_size(op.input, d, new) for d in range(rank) if d != reduced]
        row = empty(extents, of, new)

        def start(value: float) -> SSAValue:
            fill = FillOp([new.add(arith.ConstantOp(FloatAttr(value, of)))], [row])
            return new.add(fill)

        def made(
            inputs: Sequence[SSAValue],
            output: SSAValue,
            maps: Sequence[AffineMap],
            write: Callable[[Body], SSAValue],
        ) -> GenericOp:
            over = [reduced] if maps[-1] is kept else []
            return generic(inputs, [output], maps, over, lambda b: [write(b)], new)

        highest = made(
            [op.input],
            start(math.copysign(math.nan, -1)),
            [every, kept],
            lambda body: body.add("arith.maxnumf", *body.args),
        )
        exponentials = made(
            [op.input, highest.results[0]],
            op.output,
            [every, kept, every],
            lambda body: body.add("math.exp", body.add("arith.subf", *body.args[:2])),
        )
        total = made(
            [exponentials.results[0]],
            start(0.0),
            [every, kept],
            lambda body: body.add("arith.addf", *body.args),
        )
        quotient = made(
            [exponentials.results[0], total.results[0]],
            op.output,
            [every, kept, every],
            lambda body: body.add("arith.divf", *body.args[:2]),
        )
        for new_op in new.ops:
            new_op.location = op.location
        rewriter.insert_before(op, *new.ops)
        rewriter.replace(op, quotient.results, stands_for=quotient)
        return quotient
