"""A library call as an attribute of `kernel.library`: found once, read by many.

    kernel.library "torch" {
      linalg.matmul ins(%a, %b) outs(%c)
    } {kernel.call = {function = "mm", operands = array<i64: 0, 1>, output = 2, ...}}

Buffers are positions among the operands of the op that is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.codegen.analysis.library_calls import LibraryCall
from tilewright.ir.dialects.kernel import LibraryOp
from tilewright.ir.dialects.linalg import SoftmaxOp, StructuredOp
from tilewright.ir.structured.convolutions import Convolution, OrderedOperand

_NAME = "kernel.call"
_CONVOLUTION = "conv2d"


def store_call(
    made: LibraryOp, call: LibraryCall | Convolution, op: StructuredOp | SoftmaxOp
) -> None:
    """Note the call that computes `op`, of which `made` holds a copy."""
    if isinstance(call, Convolution):
        entries = _convolution(op, call)
    else:
        entries = _call(op, call)
    made.attributes[_NAME] = DictionaryAttr(entries)


def stored_call(made: LibraryOp) -> LibraryCall | Convolution:
    """The call that was noted, on the buffers that the op has now."""
    noted = made.attributes[_NAME]
    assert isinstance(noted, DictionaryAttr)
    data: Any = noted.data
    values = made.called.operands
    operands = [values[position] for position in data["operands"].get_values()]
    if data["function"].data == _CONVOLUTION:
        image, kernel, output = (
            OrderedOperand(value, tuple(order.get_values()))
            for value, order in zip(operands, data["orders"], strict=True)
        )
        strides, dilations = (
            tuple(data[name].get_values()) for name in ("strides", "dilations")
        )
        return Convolution(image, kernel, output, strides, dilations)  # pyright: ignore
    swapped = [bool(flag) for flag in data["swapped"].get_values()]
    dimension = data.get("dimension")
    return LibraryCall(
        data["function"].data,
        tuple(zip(operands, swapped, strict=True)),
        values[data["output"].value.data],
        bool(data["wide"].value.data),
        None if dimension is None else dimension.value.data,
    )


def _call(op: Operation, call: LibraryCall) -> dict[str, Attribute]:
    entries: dict[str, Attribute] = {
        "function": StringAttr(call.function),
        "operands": _positions(op, [value for value, _ in call.operands]),
        "swapped": _numbers([int(swapped) for _, swapped in call.operands]),
        "output": IntegerAttr(_position(op, call.output), i64),
        "wide": BoolAttr.from_bool(call.wide),
    }
    if call.dimension is not None:
        entries["dimension"] = IntegerAttr(call.dimension, i64)
    return entries


def _convolution(op: Operation, call: Convolution) -> dict[str, Attribute]:
    views = (call.image, call.filter, call.output)
    return {
        "function": StringAttr(_CONVOLUTION),
        "operands": _positions(op, [view.value for view in views]),
        "orders": ArrayAttr([_numbers(view.order) for view in views]),
        "strides": _numbers(call.strides),
        "dilations": _numbers(call.dilations),
    }


def _positions(op: Operation, values: Sequence[SSAValue]) -> Attribute:
    return _numbers([_position(op, value) for value in values])


def _position(op: Operation, value: SSAValue) -> int:
    return next(place for place, each in enumerate(op.operands) if each is value)


def _numbers(numbers: Sequence[int]) -> Attribute:
    return DenseArrayBase.from_list(i64, numbers)
