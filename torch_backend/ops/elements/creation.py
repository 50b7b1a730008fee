"""Tensors from numbers: full, arange, eye, triangles."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tilewright.frontend.builder.function_builder import Number
from tilewright.frontend.builder.numerics import is_float
from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.functions import where
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, counted, index
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dtypes import element
from tilewright.torch_backend.ops.result import Result, names_sizes, refuse

_MOST_ELEMENTS = 1 << 14
"""The elements of a constant, which are part of a payload's text."""


@names_sizes
def full(out: Result, size: object, value: Number | str, **_: object) -> Tensor:
    """One number everywhere."""
    if isinstance(value, str):
        return out.generate(lambda: counted(value, "i64"))
    return out.full(_number(value, out.dtype))


def full_like(out: Result, x: Tensor, value: Number, **_: object) -> Tensor:
    """One number everywhere, in the shape of a tensor."""
    return out.full(_number(value, out.dtype))


def constant(value: Number) -> Callable[..., Tensor]:
    """zeros, ones and their relatives."""

    @names_sizes
    def op(out: Result, *_: object, **__: object) -> Tensor:
        return out.full(_number(value, out.dtype))

    return op


def _number(value: Number, dtype: str) -> Number:
    if dtype == "i1":
        return int(bool(value))
    return float(value) if is_float(dtype) else int(value)


@names_sizes
def arange(
    out: Result, start: Number | str, end: object, step: Number | str = 1, **_: object
) -> Tensor:
    """start, start + step, ..."""
    if isinstance(step, str):
        refuse("a step that is known only at run time")

    def number() -> ScalarLike:
        at = index(0).cast("i64")
        first = counted(start, "i64") if isinstance(start, str) else start
        if is_float(out.dtype):
            begin = first.cast("f64") if isinstance(first, Scalar) else float(first)
            return at.cast("f64") * float(step) + begin
        begin = first if isinstance(first, Scalar) else int(first)
        return at * int(step) + begin

    return out.generate(number)


@names_sizes
def arange_to(out: Result, end: object, **_: object) -> Tensor:
    """0, 1, ..."""
    return arange(out, 0, end)


@names_sizes
def iota(
    out: Result, length: object, *, start: Number, step: Number, **_: object
) -> Tensor:
    """start, start + step, ..., of integers."""
    return arange(out, start, length, step)


@names_sizes
def eye(out: Result, *_: object, **__: object) -> Tensor:
    """1 on the diagonal, 0 elsewhere; torch would count rows in bytes."""

    def number() -> ScalarLike:
        one = (index(0).cast("i64") == index(1).cast("i64")).cast("i32")
        return one != 0 if out.dtype == "i1" else one

    return out.generate(number)


_MOST_ROWS = 2**30
"""Matrices have fewer rows and columns than this: kernels count in 32 bits."""


def triangle(*, lower: bool) -> Callable[..., Tensor]:
    """The part of each matrix below or above a diagonal; 0 elsewhere.

    It compares indices, not 64-bit numbers: loops over masked scores are then trimmed.
    """

    def op(out: Result, x: Tensor, diagonal: int = 0) -> Tensor:
        # Diagonals further out are those of an empty or a whole matrix.
        diagonal = max(-_MOST_ROWS, min(diagonal, _MOST_ROWS))

        def kept(x: Scalar) -> ScalarLike:
            row, column = index(-2), index(-1)
            inside = column <= row + diagonal if lower else column >= row + diagonal
            return where(inside, x, x.body.constant(0, x.dtype))

        return elementwise(kept, x, dtype=out.dtype)

    return op


UNINITIALIZED = (
    "aten.empty.memory_format",
    "aten.empty_like.default",
    "aten.empty_permuted.default",
    "aten.new_empty.default",
)
"""Ops whose numbers are whatever the memory holds; ours are 0."""


def triangle_indices(*, lower: bool) -> Callable[..., Tensor]:
    """tril_indices and triu_indices: a constant."""

    def op(
        out: Result, rows: int, columns: int, offset: int = 0, **_: object
    ) -> Tensor:
        chosen = np.tril_indices if lower else np.triu_indices
        places = np.stack(chosen(rows, offset, columns))
        if places.size > _MOST_ELEMENTS:
            refuse("a constant of many elements")
        raw = places.astype(element(out.dtype).numpy).tobytes()
        value = out.builder.dense(raw, places.shape, out.dtype)
        value.name_hint = "places"
        return Tensor(out.builder, value, out.shape, out.dtype, (0, 1))

    return op


TABLE: dict[str, Callable[..., object]] = {
    "aten.full.default": full,
    "aten.full_like.default": full_like,
    "aten.scalar_tensor.default": lambda out, value, **_: full(out, (), value),
    "aten.zeros.default": constant(0),
    "aten.ones.default": constant(1),
    "aten.zeros_like.default": constant(0),
    "aten.ones_like.default": constant(1),
    "aten.new_zeros.default": constant(0),
    "aten.new_ones.default": constant(1),
    **dict.fromkeys(UNINITIALIZED, constant(0)),
    "aten.arange.start_step": arange,
    "aten.arange.start": arange,
    "aten.arange.default": arange_to,
    "prims.iota.default": iota,
    "aten.eye.default": eye,
    "aten.eye.m": eye,
    "aten.tril.default": triangle(lower=True),
    "aten.triu.default": triangle(lower=False),
    "aten.tril_indices.default": triangle_indices(lower=True),
    "aten.triu_indices.default": triangle_indices(lower=False),
}
"""Creation ops by name."""
