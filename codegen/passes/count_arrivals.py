"""Expand `kernel.last_arriver`: the last program of a tile does the remaining work.

**Before**

    kernel.last_arriver %counters[%tile] of 4 : !kernel.ptr<i32>, i32 {
      ...
    }

**After**

    %counter = kernel.offset %counters, %tile : ...
    %arrived = kernel.arrive %counter : !kernel.ptr<i32>
    %is_last = kernel.compare "eq" %arrived, (PARTS - 1) : i32 to i1
    scf.if %is_last {
      ...
      kernel.store %counter, 0 : !kernel.ptr<i32>, i32
    }
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i32, i64
from xdsl.ir import Operation, Region
from xdsl.rewriter import InsertPoint, Rewriter

from tilewright.codegen.kernel.modules import kernels_of
from tilewright.codegen.kernel.named_sizes import add_size, read_size
from tilewright.ir.dialects import arith, scf
from tilewright.ir.dialects.kernel import (
    ArriveOp,
    CompareOp,
    FuncOp,
    LastArriverOp,
    OffsetOp,
    StoreOp,
)


def count_arrivals(module: ModuleOp) -> ModuleOp:
    """Expand the work of last arrivers into counters and a branch."""
    for kernel in kernels_of(module).values():
        for op in list(kernel.body.walk()):
            if isinstance(op, LastArriverOp):
                _expand(kernel, op)
    return module


def _expand(kernel: FuncOp, op: LastArriverOp) -> None:
    arrivals = op.arrivals.value.data
    counter = OffsetOp(op.counters, op.tile)
    counter.result.name_hint = "counter"
    arrived = ArriveOp(counter.result)
    arrived.result.name_hint = "arrived"
    arrived.location = op.location
    _insert([counter, arrived], op)
    parts = read_size(add_size(kernel, "PARTS", arrivals), arrivals, op)
    one = arith.ConstantOp(IntegerAttr(1, i32))
    last = arith.SubiOp(parts, one.result)
    is_last = CompareOp("eq", arrived.result, last.result)
    body = op.body.detach_block(0)
    zero = arith.ConstantOp(IntegerAttr(0, i32))
    body.add_ops([zero, StoreOp(counter.result, zero.result), scf.YieldOp()])
    branch = scf.IfOp(is_last.result, [], Region(body))
    branch.attributes["kernel.one_of"] = IntegerAttr(arrivals, i64)
    branch.location = op.location
    _insert([one, last, is_last, branch], op)
    op.detach()
    op.erase()


def _insert(made: list[Operation], before: Operation) -> None:
    Rewriter.insert_op(made, InsertPoint.before(before))
