"""A library call as an attribute of `kernel.library`: found once, read by many.

    kernel.library "torch" {
      linalg.matmul ins(%a, %b) outs(%c)
    } {kernel.call = {function = "mm", buffers = [...], alpha = 1.0 : f64, ...}}

A view of a buffer is the position of the buffer among the operands of the ops that are
called, and the dimensions that each dimension of the view merges.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    f64,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from tilewright.codegen.analysis.libraries.call import CallOperand, LibraryCall
from tilewright.ir.dialects.kernel import LibraryOp
from tilewright.ir.structured.convolutions import Convolution, OrderedOperand

_NAME = "kernel.call"
_CONVOLUTION = "conv2d"


def store_call(
    made: LibraryOp,
    call: LibraryCall | Convolution,
    buffers: Sequence[SSAValue],
) -> None:
    """Note the call that computes the ops in `made`.

    `buffers` are the buffers that the call names, in the place of those that the ops
    have.
    """
    # The output is the last one: the buffer may be an operand too.
    positions = {value: place for place, value in reversed(list(enumerate(buffers)))}
    output = len(buffers) - 1
    if isinstance(call, Convolution):
        entries = _convolution(call, positions, output)
    else:
        entries = _call(call, positions, output)
    made.attributes[_NAME] = DictionaryAttr(entries)


def stored_call(made: LibraryOp) -> LibraryCall | Convolution:
    """The call that was noted, on the buffers that the ops have now."""
    noted = made.attributes[_NAME]
    assert isinstance(noted, DictionaryAttr)
    data: Any = noted.data
    values = [value for op in made.called for value in op.operands]
    if data["function"].data == _CONVOLUTION:
        operands = [values[place] for place in data["operands"].get_values()]
        image, kernel, output = (
            OrderedOperand(value, tuple(order.get_values()))
            for value, order in zip(operands, data["orders"], strict=True)
        )
        strides, dilations = (
            tuple(data[name].get_values()) for name in ("strides", "dilations")
        )
        return Convolution(image, kernel, output, strides, dilations)  # pyright: ignore

    def views(name: str) -> tuple[CallOperand | None, ...]:
        return tuple(_read_view(view, values) for view in data.get(name, ()))

    (output,) = views("output")
    (added,) = views("added") or (None,)
    operands = tuple(view for view in views("operands") if view is not None)
    assert output is not None
    dimension, activation = data.get("dimension"), data.get("activation")
    return LibraryCall(
        data["function"].data,
        operands,
        output,
        bool(data["wide"].value.data),
        None if dimension is None else dimension.value.data,
        added,
        data["alpha"].value.data if "alpha" in data else 1.0,
        data["beta"].value.data if "beta" in data else 1.0,
        views("scales"),
        None if activation is None else activation.data,
    )


def _call(
    call: LibraryCall, positions: dict[SSAValue, int], output: int
) -> dict[str, Attribute]:
    entries: dict[str, Attribute] = {
        "function": StringAttr(call.function),
        "operands": _views(call.operands, positions),
        "output": _views([call.output], {call.output.value: output}),
        "wide": BoolAttr.from_bool(call.wide),
    }
    if call.dimension is not None:
        entries["dimension"] = IntegerAttr(call.dimension, i64)
    if call.added is not None:
        entries["added"] = _views([call.added], positions)
    for name, number in (("alpha", call.alpha), ("beta", call.beta)):
        if number != 1.0:
            entries[name] = FloatAttr(number, f64)
    if call.scales:
        entries["scales"] = _views(call.scales, positions)
    if call.activation is not None:
        entries["activation"] = StringAttr(call.activation)
    return entries


def _views(
    views: Sequence[CallOperand | None], positions: dict[SSAValue, int]
) -> Attribute:
    """For each view its buffer, then the dimensions it merges; none for no view."""
    return ArrayAttr(
        [
            ArrayAttr(
                []
                if view is None
                else [_numbers([positions[view.value]]), *map(_numbers, view.dims)]
            )
            for view in views
        ]
    )


def _read_view(view: Any, values: Sequence[SSAValue]) -> CallOperand | None:
    if not view.data:
        return None
    (place,), *dims = (tuple(part.get_values()) for part in view)
    return CallOperand(values[place], tuple(dims))


def _convolution(
    call: Convolution, positions: dict[SSAValue, int], output: int
) -> dict[str, Attribute]:
    views = (call.image, call.filter, call.output)
    read = [positions[view.value] for view in views[:2]]
    return {
        "function": StringAttr(_CONVOLUTION),
        "operands": _numbers([*read, output]),
        "orders": ArrayAttr([_numbers(view.order) for view in views]),
        "strides": _numbers(call.strides),
        "dilations": _numbers(call.dilations),
    }


def _numbers(numbers: Sequence[int]) -> Attribute:
    return DenseArrayBase.from_list(i64, numbers)
