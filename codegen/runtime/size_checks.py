"""Evaluating a launcher's size checks without running it."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from tilewright.codegen.program import Shapes
from tilewright.ir.dialects import affine, arith, func, memref
from tilewright.ir.dialects.kernel import RequireOp

_COMPUTED: dict[type[Operation], Callable[[int, int], int]] = {
    arith.MuliOp: lambda a, b: a * b,
    arith.RemSIOp: lambda a, b: a % b,
    arith.MaxSIOp: max,
}

_HOLDS: dict[str, Callable[[int, int], bool]] = {
    "le": lambda a, b: a <= b,
    "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
}


def refused_sizes(module: ModuleOp, shapes: Shapes) -> str | None:
    """The message with which a launcher refuses these shapes; None if it takes them."""
    launcher = next(op for op in module.ops if isinstance(op, func.FuncOp))
    values: dict[SSAValue, int] = {}
    for op in launcher.body.block.ops:
        match op:
            case arith.ConstantOp(value=IntegerAttr() as number):
                values[op.result] = number.value.data
            case memref.DimOp() if isinstance(op.source, BlockArgument):
                values[op.result] = shapes[op.source.index][values[op.index]]
            case affine.ApplyOp() if all(v in values for v in op.operands):
                map_, given = op.map.data, [values[v] for v in op.operands]
                dims, symbols = given[: map_.num_dims], given[map_.num_dims :]
                values[op.result] = map_.eval(dims, symbols)[0]
            case RequireOp():
                lhs, rhs = values[op.lhs], values[op.rhs]
                if not _HOLDS[op.predicate.data](lhs, rhs):
                    return op.message.data.format(lhs, rhs)
            case _ if type(op) in _COMPUTED and all(v in values for v in op.operands):
                values[op.results[0]] = _COMPUTED[type(op)](
                    *(values[v] for v in op.operands)
                )
            case _:
                pass
    return None
