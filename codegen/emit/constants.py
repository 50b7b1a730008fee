"""Constants of a payload: tensors that are made once for each device."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from math import prod
from typing import cast

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, MemRefType, ModuleOp

from tilewright.codegen.refusal import refuse
from tilewright.codegen.source.python_text import (
    WIDTH,
    Call,
    Expression,
    Group,
    Literal,
    lay_out,
)
from tilewright.codegen.source.torch_types import TORCH_TYPES
from tilewright.ir.dialects import memref
from tilewright.ir.dtypes import element, numpy_dtype

_MOST_NUMBERS = 16
"""Constants with more numbers than this are written as bytes."""


def emit_constant(name: str, op: memref.GlobalOp) -> list[str]:
    """The lines of the function that makes a constant."""
    return [
        "@functools.cache",
        f"def {name}(device):",
        '    """A constant of the payload, made once for each device."""',
        *_body(op),
    ]


def uses_bytes(op: memref.GlobalOp) -> bool:
    """Whether a constant is written as its bytes."""
    numbers = _numbers(op)
    if len(numbers) == 1:
        return False
    return len(numbers) > _MOST_NUMBERS or not np.all(np.isfinite(numbers))


def constants_of(module: ModuleOp) -> dict[str, bytes]:
    """The bytes of a module's constants, by their names."""
    found: dict[str, bytes] = {}
    for op in module.ops:
        if isinstance(op, memref.GlobalOp):
            count = prod(op.type.get_shape())
            full = np.broadcast_to(np.asarray(_numbers(op)), (count,))
            data = full.astype(numpy_dtype(op.type)).tobytes()
            found[op.sym_name.data] = data
    return found


def _body(op: memref.GlobalOp) -> list[str]:
    of = op.type
    dtype = TORCH_TYPES[element(of).name]
    shape = Group(tuple(Literal(str(size)) for size in of.get_shape()), "()")
    numbers = _numbers(op)
    on_device = (("dtype", Literal(dtype)), ("device", Literal("device")))
    made: Expression
    if len(numbers) == 1:
        made = Call("torch.full", (shape, _literal(numbers[0])), on_device)
    elif not uses_bytes(op):
        made = Call("torch.tensor", (_nested(numbers, of.get_shape()),), on_device)
    else:
        return _from_bytes(numbers, of, dtype)
    return lay_out("return ", made, "", 4)


def _from_bytes(numbers: Sequence[float], of: MemRefType, dtype: str) -> list[str]:
    data = np.asarray(numbers).astype(numpy_dtype(of)).tobytes()
    text = base64.b64encode(data).decode()
    lines = ["    text = ("]
    width = WIDTH - 10
    lines += [f'        "{text[at : at + width]}"' for at in range(0, len(text), width)]
    shape = ", ".join(map(str, of.get_shape()))
    return [
        *lines,
        "    )",
        "    data = torch.frombuffer("
        "bytearray(base64.b64decode(text)), dtype=torch.uint8)",
        f"    return data.view({dtype}).reshape({shape}).to(device)",
    ]


def _numbers(op: memref.GlobalOp) -> Sequence[float]:
    """The elements of a constant; a single one if they are all equal."""
    value = op.initial_value
    if not isinstance(value, DenseIntOrFPElementsAttr):
        refuse(op, "a buffer of the module without a value", "pass it as an argument")
    return cast("Sequence[float]", value.get_values())


def _nested(numbers: Sequence[float], shape: Sequence[int]) -> Expression:
    """The numbers as lists in lists."""
    if not shape:
        return _literal(numbers[0])
    if len(shape) == 1:
        return Group(tuple(_literal(number) for number in numbers))
    step = prod(shape[1:])
    parts = [numbers[i : i + step] for i in range(0, len(numbers), step)]
    return Group(tuple(_nested(part, shape[1:]) for part in parts))


def _literal(number: float) -> Literal:
    if number != number or abs(number) == float("inf"):
        return Literal(f'float("{number}")')
    return Literal(repr(number))
