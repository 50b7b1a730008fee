"""What a kernel does, in numbers: for the cost model and for reports."""

from __future__ import annotations

import math
from collections.abc import Iterator

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.codegen.program import Access, DotWork, KernelInfo
from tilewright.ir.dialects import arith, scf
from tilewright.ir.dialects.kernel import (
    ConstexprOp,
    DescriptorLoadOp,
    DescriptorStoreOp,
    DotOp,
    FuncOp,
    LaunchOp,
    LoadOp,
    OffsetOp,
    StoreOp,
    element_of,
    shape_of,
)
from tilewright.ir.dtypes import element


def describe(kernel: FuncOp, launch: LaunchOp) -> KernelInfo:
    """The work of one program of a kernel, and how it is launched."""
    names: dict[SSAValue, str] = {
        parameter: buffer.name_hint or "buffer"
        for parameter, buffer in zip(
            kernel.body.block.args, launch.buffers, strict=True
        )
    }
    dots: list[DotWork] = []
    accesses: list[Access] = []
    for op, count in _counted(kernel.body.block, 1):
        if isinstance(op, DotOp):
            *batch, m, k = shape_of(op.lhs.type)
            n = shape_of(op.rhs.type)[-1]
            times = count * math.prod(batch)
            dots.append(DotWork(m, n, k, _dtype(op.lhs.type), times))
        access = _access(op, names, count)
        if access is not None:
            accesses.append(access)
    return KernelInfo(
        name=kernel.sym_name.data,
        grid=kernel.tile_grid,
        num_warps=launch.num_warps.value.data,
        num_stages=launch.num_stages.value.data,
        group=kernel.group.value.data,
        persistent=0 if launch.persistent is None else launch.persistent.value.data,
        dots=tuple(dots),
        accesses=tuple(accesses),
    )


def _counted(block: Block, count: int) -> Iterator[tuple[Operation, int]]:
    """Every op of a block, with how often one program executes it."""
    for op in block.ops:
        yield op, count
        if isinstance(op, scf.ForOp):
            yield from _counted(op.body.block, count * _trips(op))
        if isinstance(op, scf.IfOp):
            share = op.attributes["kernel.one_of"]
            assert isinstance(share, IntegerAttr)
            for inner, times in _counted(op.true_region.block, count):
                yield inner, max(times // share.value.data, 1)


def _trips(loop: scf.ForOp) -> int:
    """How often a loop runs; where its bounds vary, the bound noted by lowering."""
    noted = loop.attributes.get("kernel.max_trips")
    if isinstance(noted, IntegerAttr):
        return noted.value.data
    lower, upper, step = (_number(v) for v in (loop.lb, loop.ub, loop.step))
    return max(0, -(-(upper - lower) // step))


def _number(value: SSAValue) -> int:
    owner = value.owner
    if isinstance(owner, ConstexprOp):
        return owner.value.value.data
    assert isinstance(owner, arith.ConstantOp)
    assert isinstance(owner.value, IntegerAttr)
    return owner.value.value.data


def _access(op: Operation, names: dict[SSAValue, str], count: int) -> Access | None:
    match op:
        case LoadOp():
            return _made(
                "load",
                names[_base(op.pointer)],
                op.result.type,
                count,
                masked=op.mask is not None,
                descriptor=False,
            )
        case StoreOp():
            return _made(
                "store",
                names[_base(op.pointer)],
                op.value.type,
                count,
                masked=op.mask is not None,
                descriptor=False,
            )
        case DescriptorLoadOp():
            return _made(
                "load",
                names[op.descriptor],
                op.result.type,
                count,
                masked=op.partial is not None,
                descriptor=True,
            )
        case DescriptorStoreOp():
            return _made(
                "store",
                names[op.descriptor],
                op.value.type,
                count,
                masked=op.partial is not None,
                descriptor=True,
            )
        case _:
            return None


def _made(
    kind: str,
    tensor: str,
    tile: Attribute,
    count: int,
    *,
    masked: bool,
    descriptor: bool,
) -> Access:
    return Access(
        kind=kind,
        tensor=tensor,
        tile=shape_of(tile),
        dtype=_dtype(tile),
        count=count,
        masked=masked,
        descriptor=descriptor,
    )


def _base(pointer: SSAValue) -> SSAValue:
    while isinstance(pointer.owner, OffsetOp):
        pointer = pointer.owner.pointer
    return pointer


def _dtype(of: Attribute) -> str:
    return element(element_of(of)).name
