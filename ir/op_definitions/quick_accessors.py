"""Read an op's named operands, results and regions without a view of all of them.

xDSL's accessors look up what they access, wrap all operands in a view and index that.
An operand before any variadic one has a fixed index, so one subscript reads it.
"""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation
from xdsl.irdl.operations import (
    AttrSizedSegments,
    BeforeVariadicSingleAccessor,
    OptionalAttrAccessor,
    SingleAttrAccessor,
    UniqueVariadicAccessor,
    VariadicAttrAccessor,
    VarIRConstruct,
)

from tilewright.ir.op_definitions.segment_sizes import segment_sizes

_ELEMENT = tuple[Any, ...].__getitem__
"""Reads xDSL's tuples of values without its test for slices."""


def install(op: type[IRDLOperation]) -> None:
    """Replace the accessors of a class that has just been defined."""
    definition = op.get_irdl_definition()
    for fields in (definition.operands, definition.results, definition.regions):
        for name, _ in fields:
            quick = _quick(op.__dict__[name])
            if quick is not None:
                setattr(op, name, quick)


def _quick(accessor: object) -> object | None:
    match accessor:
        case BeforeVariadicSingleAccessor(VarIRConstruct.OPERAND as construct, index):
            return _Operand(construct, index)
        case BeforeVariadicSingleAccessor(VarIRConstruct.RESULT as construct, index):
            return _Result(construct, index)
        case BeforeVariadicSingleAccessor(VarIRConstruct.REGION as construct, index):
            return _Region(construct, index)
        case UniqueVariadicAccessor(VarIRConstruct.OPERAND as construct, index, fields):
            return _Operands(construct, index, fields)
        case VariadicAttrAccessor(VarIRConstruct.OPERAND as construct, index, option):
            return _OperandsOfSegment(construct, index, option)
        case OptionalAttrAccessor(VarIRConstruct.OPERAND as construct, index, option):
            return _OptionalOfSegment(construct, index, option)
        case SingleAttrAccessor(VarIRConstruct.OPERAND as construct, index, option):
            return _OperandOfSegment(construct, index, option)
        case _:
            return None


class _Operand(BeforeVariadicSingleAccessor):
    def __get__(self, obj: Operation, objtype: object = None) -> Any:
        return _ELEMENT(obj._operands, self.idx)  # pyright: ignore[reportPrivateUsage]


class _Result(BeforeVariadicSingleAccessor):
    def __get__(self, obj: Operation, objtype: object = None) -> Any:
        return _ELEMENT(obj.results, self.idx)


class _Region(BeforeVariadicSingleAccessor):
    def __get__(self, obj: Operation, objtype: object = None) -> Any:
        return obj.regions[self.idx]


class _Operands(UniqueVariadicAccessor):
    def __get__(self, obj: Operation, objtype: object = None) -> Any:
        return self.index(obj._operands)  # pyright: ignore[reportPrivateUsage]


class _OperandsOfSegment(VariadicAttrAccessor):
    def __get__(self, obj: Operation, objtype: object = None) -> Any:
        return self.index(_sizes(obj, self.option), obj._operands)  # pyright: ignore[reportPrivateUsage]


class _OptionalOfSegment(OptionalAttrAccessor):
    def __get__(self, obj: Operation, objtype: object = None) -> Any:
        return self.index(_sizes(obj, self.option), obj._operands)  # pyright: ignore[reportPrivateUsage]


class _OperandOfSegment(SingleAttrAccessor):
    def __get__(self, obj: Operation, objtype: object = None) -> Any:
        return self.index(_sizes(obj, self.option), obj._operands)  # pyright: ignore[reportPrivateUsage]


def _sizes(op: Operation, option: AttrSizedSegments) -> tuple[int, ...]:
    sizes = segment_sizes(op, option)
    if sizes is not None:
        return sizes
    attribute: Any = option.container(op)[option.attribute_name]
    return attribute.get_values()
