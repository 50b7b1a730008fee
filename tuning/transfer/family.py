"""Families: payloads that compute the same and differ only in their sizes.

The key of a family is a hash of the payload's ops without sizes: names, operands,
element types, indexing maps, bodies. The sizes are the extents of its loops, equal ones
once. So `gemm 2048x2048x512` and a gemm whose rows are open are of one family.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, ShapedType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.ir.dialects import func
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.disjoint_sets import DisjointSets
from tilewright.ir.types import is_buffer, is_tensor
from tilewright.tuning.results.records import UNKNOWN_SIZE

Dim: TypeAlias = "tuple[SSAValue, int] | tuple[StructuredOp, int]"
"""A dimension of a value, or a loop of an op."""

_SIZES_ONLY = ("tensor.empty", "tensor.dim", "arith.constant")
"""Ops that depend on sizes; values of constants often do (the divisor of a mean)."""


@dataclass(frozen=True)
class Family:
    """A payload without its sizes, and its sizes."""

    key: str
    sizes: tuple[int, ...]


def family_of(
    payload: ModuleOp, shapes: Sequence[Sequence[int]] | None = None
) -> Family:
    """The family of a payload; `shapes` of its arguments give the open sizes."""
    digest = hashlib.sha256("\n".join(_lines(payload)).encode()).hexdigest()[:32]
    return Family(digest, _sizes(payload, shapes))


# -- the structure ---------------------------------------------------------------


def _lines(payload: ModuleOp) -> Iterator[str]:
    """The payload without sizes, a line for each op."""
    numbers: dict[SSAValue, int] = {}
    for op in payload.walk():
        if isinstance(op.parent_op(), StructuredOp):
            continue
        for region in op.regions:
            for block in region.blocks:
                if not isinstance(op, StructuredOp):
                    for argument in block.args:
                        numbers.setdefault(argument, len(numbers))
        if op.name in _SIZES_ONLY or isinstance(op, ModuleOp):
            continue
        operands = [
            f"{numbers.setdefault(operand, len(numbers))}:{_element(operand.type)}"
            for operand in op.operands
        ]
        for result in op.results:
            numbers.setdefault(result, len(numbers))
        words: list[object] = [op.name, operands, _arguments(op)]
        if isinstance(op, StructuredOp):
            words += [[str(map_) for map_ in op.maps], op.get_iterator_types()]
            words += [_body(op.body.block)]
        yield "; ".join(map(str, words))


def _arguments(op: Operation) -> list[str]:
    """The element types and ranks of a function's arguments."""
    if not isinstance(op, func.FuncOp):
        return []
    return [
        f"{len(_shape(type_))}:{_element(type_)}" for type_ in op.function_type.inputs
    ]


def _body(block: Block) -> list[str]:
    return [op.name for op in block.ops]


def _element(type_: Attribute) -> str:
    if is_tensor(type_) or is_buffer(type_):
        return str(type_.get_element_type())
    return str(type_)


# -- the sizes -------------------------------------------------------------------


def _sizes(
    payload: ModuleOp, shapes: Sequence[Sequence[int]] | None
) -> tuple[int, ...]:
    """The extents of all loops, then of all arguments, equal ones once."""
    classes: DisjointSets[Dim] = DisjointSets()
    ordered: list[Dim] = []
    known: list[tuple[Dim, int]] = []
    for op in payload.walk():
        if not isinstance(op, StructuredOp):
            continue
        for loop in range(op.get_num_loops()):
            ordered.append((op, loop))
            for value, dim in op.dims_of_loop(loop):
                classes.union_left((op, loop), (value, dim))
                known.append(((value, dim), _shape(value.type)[dim]))
        for output, result in zip(op.outputs, op.results, strict=False):
            for dim in range(len(_shape(result.type))):
                classes.union_left((output, dim), (result, dim))
    for position, argument in enumerate(_entry_arguments(payload)):
        types = _shape(argument.type)
        given = types if shapes is None else shapes[position]
        for dim, (size, actual) in enumerate(zip(types, given, strict=True)):
            ordered.append((argument, dim))
            known.append(((argument, dim), actual if size == DYNAMIC_INDEX else size))
    numbers: dict[Dim, int] = {}
    for dim, size in known:
        if size != DYNAMIC_INDEX:
            numbers.setdefault(classes.find(dim), size)
    roots = dict.fromkeys(classes.find(dim) for dim in ordered)
    return tuple(numbers.get(root, UNKNOWN_SIZE) for root in roots)


def _entry_arguments(payload: ModuleOp) -> Sequence[SSAValue]:
    """The arguments of the first function."""
    for op in payload.ops:
        if isinstance(op, func.FuncOp) and op.body.blocks:
            return op.body.block.args
    return ()


def _shape(type_: Attribute) -> tuple[int, ...]:
    return tuple(type_.get_shape()) if isinstance(type_, ShapedType) else ()
