"""Arguments and results of a function, as shapes and numpy dtypes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    MemRefType,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute

from tilewright.ir.dialects import func
from tilewright.ir.dtypes import Array, element
from tilewright.ir.errors import UserError
from tilewright.ir.structured.index_arguments import index_limits

DYNAMIC = DYNAMIC_INDEX
"""The size of a dimension that is known only when the function runs."""


@dataclass(frozen=True)
class ArraySpec:
    """One argument or result: its shape, element type and whether it is a buffer."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    element_type: str
    """MLIR's spelling of the element type."""
    kind: Literal["tensor", "memref", "vector", "scalar"]
    below: int | None = None
    """The extent that its elements index, if they are indices into another tensor."""

    def __str__(self) -> str:
        """`name: 128x?xf16`."""
        sizes = ["?" if size == DYNAMIC else str(size) for size in self.shape]
        return f"{self.name}: {'x'.join([*sizes, self.element_type])}"


@dataclass(frozen=True)
class Signature:
    """A function's name, arguments and results."""

    name: str
    arguments: tuple[ArraySpec, ...]
    results: tuple[ArraySpec, ...]


def spec_of(name: str, of: Attribute) -> ArraySpec:
    """The spec of a tensor, memref, vector or scalar type."""
    row = element(of)
    if isinstance(of, TensorType | MemRefType | VectorType):
        kind = (
            "tensor"
            if isinstance(of, TensorType)
            else "memref"
            if isinstance(of, MemRefType)
            else "vector"
        )
        shape: tuple[int, ...] = tuple(of.get_shape())  # pyright: ignore
        return ArraySpec(name, shape, row.numpy, row.name, kind)
    return ArraySpec(name, (), row.numpy, row.name, "scalar")


def signature_of(function: func.FuncOp) -> Signature:
    """The signature of a function, with the names of its text if it has any."""
    types = function.function_type
    hints = [arg.name_hint for arg in function.body.block.args]
    limits = index_limits(function)
    arguments = [
        replace(spec_of(hint or f"arg{position}", of), below=limits.get(position))
        for position, (hint, of) in enumerate(zip(hints, types.inputs, strict=True))
    ]
    results = [
        spec_of(f"result{position}", of) for position, of in enumerate(types.outputs)
    ]
    return Signature(function.sym_name.data, tuple(arguments), tuple(results))


def check_arguments(signature: Signature, inputs: Sequence[Array]) -> list[Any]:
    """The inputs as the interpreter wants them, or an error naming the wrong one."""
    expected = signature.arguments
    if len(inputs) != len(expected):
        raise UserError(
            f"@{signature.name} takes {len(expected)} arguments, got {len(inputs)}"
        )
    return [
        _check(signature.name, spec, given)
        for spec, given in zip(expected, inputs, strict=True)
    ]


def _check(function: str, spec: ArraySpec, given: Any) -> Any:
    if spec.kind == "scalar":
        scalar = np.asarray(given)
        if scalar.shape != ():
            raise UserError(f"@{function}: argument {spec} is a scalar")
        value = scalar.astype(spec.dtype)[()]
        return int(value) if spec.element_type == "index" else value
    array = np.asarray(given)
    fits = len(array.shape) == len(spec.shape) and all(
        size in (DYNAMIC, given_size)
        for size, given_size in zip(spec.shape, array.shape, strict=True)
    )
    if not fits or array.dtype != spec.dtype:
        sizes = "x".join([*map(str, array.shape), array.dtype.name])
        raise UserError(f"@{function}: argument {spec} was given an array of {sizes}")
    return array
