"""What one op reads and writes, at every level."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal, TypeAlias

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.dialects import arith, kernel, memref, tensor, vector
from tilewright.ir.dialects.linalg import SoftmaxOp, StructuredOp
from tilewright.ir.structured.maps import named_loops

Kind: TypeAlias = Literal["compute", "load", "store", "move", "elementwise"]

_LOADS = (
    vector.TransferReadOp,
    vector.LoadOp,
    vector.MaskedLoadOp,
    vector.GatherOp,
    memref.LoadOp,
    kernel.LoadOp,
    kernel.DescriptorLoadOp,
)
_STORES = (
    vector.TransferWriteOp,
    vector.StoreOp,
    vector.MaskedStoreOp,
    vector.ScatterOp,
    memref.StoreOp,
    kernel.StoreOp,
    kernel.DescriptorStoreOp,
    kernel.AtomicAddOp,
    tensor.ParallelInsertSliceOp,
)
_COMPUTE = (
    StructuredOp,
    SoftmaxOp,
    vector.ContractOp,
    vector.MultiReductionOp,
    vector.ReductionOp,
    vector.ScanOp,
    kernel.DotOp,
    kernel.ReduceOp,
    kernel.ScanOp,
)
_MOVES = (memref.CopyOp, kernel.CopyWindowOp, tensor.PadOp, tensor.ConcatOp)


def kind_of(op: Operation) -> Kind | None:
    """The kind of an op that moves or computes data; None for the rest."""
    kind = _kind_of_type(type(op))
    if kind != "elementwise":
        return kind
    is_vector = len(op.results) == 1 and isinstance(op.results[0].type, VectorType)
    return kind if is_vector else None


@cache
def _kind_of_type(op: type[Operation]) -> Kind | None:
    """The same by class: an element-wise op counts only if it computes a vector."""
    if issubclass(op, _LOADS):
        return "load"
    if issubclass(op, _STORES):
        return "store"
    if issubclass(op, _COMPUTE):
        return "compute"
    if issubclass(op, _MOVES):
        return "move"
    is_arithmetic = op.name.partition(".")[0] in ("arith", "math") or issubclass(
        op, kernel.CastOp | kernel.CompareOp
    )
    if is_arithmetic and not issubclass(op, arith.ConstantOp):
        return "elementwise"
    return None


def read_by(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """What an op reads: the value whose home counts, and the one whose size counts."""
    match op:
        case StructuredOp():
            for value in op.inputs:
                yield value, value
            arguments = op.body.block.args[len(op.inputs) :]
            for value, argument in zip(op.outputs, arguments, strict=True):
                if argument.uses:
                    yield value, value
        case SoftmaxOp() | memref.CopyOp() | kernel.CopyWindowOp() | tensor.PadOp():
            yield op.operands[0], op.operands[0]
        case kernel.LoadOp():
            yield op.pointer, op.result
        case kernel.DescriptorLoadOp():
            yield op.descriptor, op.result
        case vector.TransferReadOp():
            yield op.source, op.result
        case vector.LoadOp() | vector.MaskedLoadOp() | vector.GatherOp():
            yield op.base, op.results[0]
        case memref.LoadOp():
            yield op.memref, op.results[0]
        case kernel.AtomicAddOp():
            yield op.pointer, op.value
        case _ if isinstance(op, _STORES):
            return
        case _:
            for value in op.operands:
                yield value, value


def written_by(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """What an op writes, as for `read_by`."""
    match op:
        case kernel.StoreOp() | kernel.AtomicAddOp():
            yield op.pointer, op.value
        case kernel.DescriptorStoreOp():
            yield op.descriptor, op.value
        case vector.TransferWriteOp():
            target = op.results[0] if op.results else op.source
            yield target, op.vector
        case vector.StoreOp():
            yield op.base, op.vector
        case vector.MaskedStoreOp() | vector.ScatterOp():
            yield op.base, op.value_to_store
        case memref.StoreOp():
            yield op.memref, op.value
        case tensor.ParallelInsertSliceOp():
            yield op.dest, op.source
        case memref.CopyOp() | kernel.CopyWindowOp():
            yield op.operands[1], op.operands[1]
        case _ if not op.results:  # a structured op on buffers
            for value in op.operands[_inputs(op) :]:
                yield value, value
        case _:
            for result in op.results:
                yield result, result


def _inputs(op: Operation) -> int:
    return len(op.inputs) if isinstance(op, StructuredOp) else 1


def flops_of(op: Operation) -> int | None:
    """The additions, products and functions of an op, each counted as one."""
    match op:
        case StructuredOp():
            extents: Sequence[int] = op.get_static_loop_ranges()
            if any(extent < 0 for extent in extents):
                return None
            body = [one.name for one in op.body.block.ops if _is_arithmetic(one)]
            return math.prod(extents) * len(body)
        case kernel.DotOp():
            *batch, m, k = kernel.shape_of(op.lhs.type)
            return 2 * math.prod(batch) * m * k * kernel.shape_of(op.rhs.type)[-1]
        case vector.ContractOp():
            return 2 * math.prod(_contracted(op))
        case _:
            return None


def _is_arithmetic(op: Operation) -> bool:
    """Whether an op of a body computes; casts and constants do not."""
    dialect, _, name = op.name.partition(".")
    is_cast = name.startswith(("ext", "trunc", "constant", "index_cast", "bitcast"))
    return dialect in ("arith", "math") and not is_cast


def _contracted(op: vector.ContractOp) -> list[int]:
    """The extents of a contraction's loops."""
    found: dict[int, int] = {}
    maps = [attribute.data for attribute in op.indexing_maps]
    for map_, value in zip(maps, op.operands, strict=False):
        kind: Attribute = value.type
        if not isinstance(kind, VectorType):
            continue
        dims = named_loops(map_)
        found |= dict(zip(dims, kind.get_shape(), strict=True))
    return list(found.values())
