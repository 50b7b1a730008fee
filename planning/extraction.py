"""The ops of a group as a payload of their own.

Tensors that the group reads are the function's arguments, and results that leave it are
the function's results. Slices and reshapes of what it reads come along, since a kernel
reads through them; so do constants and empty tensors. The ops have no names, so equal
groups give equal texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue

from tilewright.ir.dialects import arith, func, tensor
from tilewright.planning.grouping.group import Group

NAME = "kernel"
"""The function's name."""

_COPIED = (
    arith.ConstantOp,
    tensor.EmptyOp,
    tensor.CastOp,
    tensor.CollapseShapeOp,
    tensor.ExpandShapeOp,
    tensor.ExtractSliceOp,
)
"""Ops without a kernel of their own."""


@dataclass(frozen=True)
class Extraction:
    """A group as a module, and the values of the whole payload at its boundary."""

    module: ModuleOp
    arguments: tuple[SSAValue, ...]
    """The values that the function's arguments stand for."""
    results: tuple[SSAValue, ...]
    """The values that the function returns."""


def extracted(group: Group, *, names: bool = False) -> ModuleOp:
    """A module with one function that computes a group; its structured ops in order.

    With `names`, values keep their names, so that two equal groups have two texts.
    """
    return extract(group, names=names).module


def extract(group: Group, *, names: bool = False) -> Extraction:
    """The module of a group, with the values at its boundary."""
    block = Block()
    values: dict[SSAValue, SSAValue] = {}
    for facts in group.ops:
        _copy(facts.op, block, values, names)
    members = {facts.op for facts in group.ops}
    results = [
        result
        for facts in group.ops
        if facts in group.leaving
        for result in facts.op.results
        if any(use.operation not in members for use in result.uses)
    ]
    returned = [values[result] for result in results]
    block.add_op(func.ReturnOp(*returned))
    types = FunctionType.from_lists(
        [argument.type for argument in block.args], [value.type for value in returned]
    )
    outside = {inner: outer for outer, inner in values.items()}
    return Extraction(
        ModuleOp([func.FuncOp(NAME, types, Region(block))]),
        tuple(outside[argument] for argument in block.args),
        tuple(results),
    )


def _copy(
    op: Operation, block: Block, values: dict[SSAValue, SSAValue], names: bool
) -> None:
    """Append an op behind what it reads; what nobody has copied is an argument."""
    for value in _read(op):
        if value in values:
            continue
        if isinstance(value.owner, _COPIED):
            _copy(value.owner, block, values, names)
        else:
            values[value] = block.insert_arg(value.type, len(block.args))
            if names:
                values[value].name_hint = value.name_hint
    block.add_op(op.clone(values, clone_name_hints=names))


def _read(op: Operation) -> Iterator[SSAValue]:
    """The values from outside that an op and its body read."""
    for inner in op.walk():
        for value in inner.operands:
            owner = value.owner
            holder = owner if isinstance(owner, Operation) else owner.parent_op()
            if holder is None or not op.is_ancestor(holder):
                yield value
