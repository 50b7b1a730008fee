"""The element types that numbers are computed in, by the rules of torch.

Narrow floats (f16, bf16, the fp8 formats) are computed in f32 and rounded once, where a
result is stored. Sums of narrow floats are accumulated in f32, sums of narrow integers
in i32.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeAlias

from tilewright.frontend.builder.user_lines import fail
from tilewright.ir.dtypes import element
from tilewright.ir.element_types import TENSOR_TYPES, USUAL_NAMES
from tilewright.ir.phrases import did_you_mean

DtypeLike: TypeAlias = str | Hashable
"""A name such as `f16` or `float16`, a dtype of torch or numpy, a numpy scalar type."""

DTYPES = tuple(row.name for row in TENSOR_TYPES)
"""The element types of tensors."""
TINY_FLOATS = tuple(row.name for row in TENSOR_TYPES if row.is_fp8)
"""Types that no hardware computes in, not even a maximum."""
NARROW_INTEGERS = ("i1", "i8", "i16")


def dtype_name(who: str, dtype: DtypeLike) -> str:
    """The payload's name of an element type, which may be given by a usual name.

    torch's and numpy's dtypes are known by their own names, so that neither of them has
    to be imported. `float` and `int` are torch's names; Python's own types of these
    names have other widths in numpy, and are refused.
    """
    name = str(getattr(dtype, "__name__", dtype)).removeprefix("torch.")
    if dtype is int or dtype is float:
        widths = "i32 or i64" if dtype is int else "f32 or f64"
        fail(f"{who}: Python's type '{name}' is no element type", f"write {widths}")
    found = USUAL_NAMES.get(name, name)
    if found not in DTYPES:
        near = did_you_mean(name, [*DTYPES, *USUAL_NAMES])
        types = f"the types are {', '.join(DTYPES)}"
        fail(
            f"{who}: there is no element type '{name}'",
            types if near is None else f"{near} {types}",
        )
    return found


def is_float(dtype: str) -> bool:
    """Whether a type holds floats."""
    return element(dtype).is_float


def computed_in(dtype: str) -> str:
    """The type that sums, products and functions of a type are computed in."""
    return "f32" if element(dtype).is_narrow_float else dtype


def accumulator(dtype: str) -> str:
    """The type that a sum of elements is accumulated in."""
    return "i32" if dtype in NARROW_INTEGERS else computed_in(dtype)


def common(dtypes: Iterable[str], where: str) -> str:
    """The type that holds all of these; f32 for two types of the same width."""
    found = list(dict.fromkeys(dtypes))
    if len({is_float(dtype) for dtype in found}) != 1 or "index" in found[1:]:
        fail(
            f"{where}: {' and '.join(found)} do not mix",
            "bring them to one type with cast",
        )
    widest = max(found, key=_width)
    same_width = [dtype for dtype in found if _width(dtype) == _width(widest)]
    return widest if len(same_width) == 1 else "f32"


def _width(dtype: str) -> int:
    return 0 if dtype == "i1" else element(dtype).byte_width
