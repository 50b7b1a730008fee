"""The work of a kernel in numbers, for the cost model and for reports."""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.codegen.program import Access, DotWork, KernelInfo, VectorWork
from tilewright.ir.dialects import arith, scf
from tilewright.ir.dialects.kernel import (
    AtomicAddOp,
    CastOp,
    ConstexprOp,
    DescriptorLoadOp,
    DescriptorStoreOp,
    DotOp,
    FuncOp,
    LaunchOp,
    LoadOp,
    OffsetOp,
    ReduceOp,
    ScanOp,
    StoreOp,
    element_of,
    shape_of,
)
from tilewright.ir.dtypes import element


def describe(
    kernel: FuncOp, launch: LaunchOp, tiles: tuple[int, ...], numbers: Sequence[int]
) -> KernelInfo:
    """The work of one program of a kernel, and how it is launched.

    `tiles` are the extents of the tile grid, `numbers` the kernel's scalar arguments,
    both for the sizes that are described.
    """
    parameters = kernel.body.block.args
    names: dict[SSAValue, str] = {
        parameter: buffer.name_hint or "buffer"
        for parameter, buffer in zip(parameters, launch.buffers, strict=False)
    }
    tensor_bytes = {
        names[parameter]: _bytes(buffer.type)
        for parameter, buffer in zip(parameters, launch.buffers, strict=False)
    }
    sizes: dict[SSAValue, int] = dict(
        zip(parameters[len(names) :], numbers, strict=True)
    )
    dots: list[DotWork] = []
    accesses: list[Access] = []
    vector: Counter[str] = Counter()
    for op, count in _counted(kernel.body.block, 1, sizes):
        if isinstance(op, DotOp):
            *batch, m, k = shape_of(op.lhs.type)
            n = shape_of(op.rhs.type)[-1]
            times = count * math.prod(batch)
            precision = op.input_precision
            tf32x3 = precision is not None and precision.data == "tf32x3"
            dots.append(DotWork(m, n, k, _multiplied(op), times, tf32x3))
        if (kind := _vector_kind(op)) is not None:
            tile = op.operands[0] if kind == "reduced" else op.results[0]
            vector[kind] += count * math.prod(shape_of(tile.type))
        access = _access(op, names, count)
        if access is not None:
            whole = tensor_bytes[access.tensor]
            accesses.append(replace(access, tensor_bytes=whole))
    return KernelInfo(
        name=kernel.sym_name.data,
        grid=tiles,
        num_warps=launch.num_warps.value.data,
        num_stages=launch.num_stages.value.data,
        group=kernel.group.value.data,
        persistent=0 if launch.persistent is None else launch.persistent.value.data,
        dots=tuple(dots),
        accesses=tuple(accesses),
        vector=VectorWork(**vector),
    )


def _bytes(of: Attribute) -> int | None:
    """The bytes of a buffer of known sizes."""
    if not isinstance(of, MemRefType) or DYNAMIC_INDEX in of.get_shape():
        return None
    return math.prod(of.get_shape()) * element(of.element_type).byte_width


def _vector_kind(op: Operation) -> str | None:
    """The field of `VectorWork` that counts an op on tiles; None for other ops."""
    if isinstance(op, ReduceOp | ScanOp):
        return "reduced"
    if not op.results or not shape_of(op.results[0].type):
        return None
    dialect = op.name.split(".")[0]
    if dialect == "math" or isinstance(op, arith.DivfOp):
        return "special"
    is_simple = dialect == "arith" and not isinstance(op, arith.ConstantOp)
    return "simple" if is_simple or isinstance(op, CastOp) else None


def _counted(
    block: Block, count: int, sizes: Mapping[SSAValue, int]
) -> Iterator[tuple[Operation, int]]:
    """Every op of a block, with the number of times a program executes it."""
    for op in block.ops:
        yield op, count
        if isinstance(op, scf.ForOp):
            yield from _counted(op.body.block, count * _trips(op, sizes), sizes)
        if isinstance(op, scf.IfOp):
            yield from _branches(op, count, sizes)


def _branches(
    op: scf.IfOp, count: int, sizes: Mapping[SSAValue, int]
) -> Iterator[tuple[Operation, int]]:
    """The ops of both sides, as if both were taken.

    If only one of several programs takes the branch, its share is counted; a side that
    few programs take is not counted.
    """
    share = op.attributes.get("kernel.one_of")
    programs = share.value.data if isinstance(share, IntegerAttr) else 1
    sides = op.regions[:1] if "kernel.rare_else" in op.attributes else op.regions
    for side in sides:
        for block in side.blocks:
            for inner, times in _counted(block, count, sizes):
                yield inner, max(times // programs, 1)


def _trips(loop: scf.ForOp, sizes: Mapping[SSAValue, int]) -> int:
    """The trip count of a loop, or the mean that lowering has noted."""
    noted = loop.attributes.get("kernel.mean_trips")
    if isinstance(noted, IntegerAttr):
        return noted.value.data
    lower, upper, step = (_number(v, sizes) for v in (loop.lb, loop.ub, loop.step))
    return max(0, -(-(upper - lower) // step))


def _number(value: SSAValue, sizes: Mapping[SSAValue, int]) -> int:
    """A size that does not change in the kernel."""
    if value in sizes:
        return sizes[value]
    match value.owner:
        case ConstexprOp() as op:
            return op.value.value.data
        case arith.ConstantOp(value=IntegerAttr() as number):
            return number.value.data
        case Operation() as op if type(op) in _ARITHMETIC:
            return _ARITHMETIC[type(op)](*(_number(v, sizes) for v in op.operands))
        case owner:
            raise AssertionError(f"a loop's bound is computed by {owner}")


_ARITHMETIC: dict[type[Operation], Callable[..., int]] = {
    arith.AddiOp: operator.add,
    arith.SubiOp: operator.sub,
    arith.MuliOp: operator.mul,
    arith.FloorDivSIOp: operator.floordiv,
    arith.CeilDivSIOp: lambda a, b: -(-a // b),
    arith.RemSIOp: operator.mod,
    CastOp: operator.index,
}


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
        case StoreOp() | AtomicAddOp():
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


def _multiplied(op: DotOp) -> str:
    """The type that a dot multiplies: that of its operands, or tf32."""
    precision = op.input_precision
    is_rounded = precision is not None and precision.data == "tf32"
    return "tf32" if is_rounded else _dtype(op.lhs.type)
