"""Element types as torch promotes them, and conversions between them.

A Python number has a category only (bool, integer, float), and so has a tensor of rank
0 beside one of a higher rank: they change the category of the result, not its width.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from tilewright.frontend.builder.function_builder import Number
from tilewright.frontend.builder.numerics import computed_in, is_float
from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.scalar import Scalar, ScalarLike
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dtypes import element
from tilewright.torch_backend.ops.result import Result

Operand = Tensor | Number
DEFAULT_FLOAT = "f32"
"""What integers become where floats are computed; torch's default dtype."""


def category(dtype: str) -> int:
    """0 for bool, 1 for integers, 2 for floats."""
    return 2 if is_float(dtype) else int(dtype != "i1")


def promoted(*operands: Operand) -> str:
    """The type in which torch brings operands together (`torch.result_type`)."""
    tensors = [one for one in operands if isinstance(one, Tensor)]
    levels = [
        [one.dtype for one in tensors if one.rank > 0],
        [one.dtype for one in tensors if one.rank == 0],
        [_number_type(one) for one in operands if not isinstance(one, Tensor)],
    ]
    found = ""
    for level in levels:
        if not level:
            continue
        here = reduce(_wider, level)
        if not found or category(here) > category(found):
            found = here
    return found


def _number_type(number: Number) -> str:
    if isinstance(number, bool):
        return "i1"
    return "i64" if isinstance(number, int) else DEFAULT_FLOAT


def _wider(one: str, other: str) -> str:
    if one == other:
        return one
    if category(one) != category(other):
        return max(one, other, key=category)
    widths = element(one).byte_width, element(other).byte_width
    if widths[0] == widths[1]:
        return "f32"
    return one if widths[0] > widths[1] else other


def converted(value: ScalarLike, dtype: str) -> ScalarLike:
    """An element in another type, as torch converts; a number stays one."""
    if not isinstance(value, Scalar):
        if dtype == "i1":
            return int(bool(value))
        return float(value) if is_float(dtype) else int(value)
    if dtype == "i1" and value.dtype != "i1":
        return value != 0
    return value.cast(dtype)


def compute(
    out: Result,
    function: Callable[..., ScalarLike],
    *operands: Operand,
    kind: str | None = None,
    dtype: str | None = None,
) -> Tensor:
    """One op of elements: operands converted to `kind`, the result to `dtype`.

    `kind` is by default the type that torch computes a result of `out.dtype` in, and
    `dtype` is `out.dtype`.
    """
    chosen = kind or computed_in(out.dtype)
    wanted = dtype or out.dtype

    def body(*given: ScalarLike) -> ScalarLike:
        made = function(*[converted(one, chosen) for one in given])
        return converted(made, wanted)

    body.__name__ = getattr(function, "__name__", "result").strip("_<>") or "result"
    return elementwise(body, *operands, dtype=wanted)


def rounded(out: Result, x: Tensor) -> Tensor:
    """A tensor in the type of the result; no op if it has it."""
    return x if x.dtype == out.dtype else compute(out, lambda x: x, x, kind=out.dtype)
