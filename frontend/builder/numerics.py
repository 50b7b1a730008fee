"""The element types that numbers are computed in, by the rules of torch.

Narrow floats (f16, bf16, the fp8 formats) are computed in f32 and rounded once, where a
result is stored. Sums of narrow floats are accumulated in f32, sums of narrow integers
in i32.
"""

from __future__ import annotations

from collections.abc import Iterable

from tilewright.frontend.builder.user_lines import fail
from tilewright.ir.dtypes import ELEMENT_TYPES, element

DTYPES = tuple(row.name for row in ELEMENT_TYPES if row.name != "index")
"""The element types of tensors."""
TINY_FLOATS = ("f8E4M3FN", "f8E5M2")
"""Types that no hardware computes in, not even a maximum."""
NARROW_FLOATS = ("f16", "bf16", *TINY_FLOATS)
NARROW_INTEGERS = ("i1", "i8", "i16")


def check_dtype(who: str, dtype: str) -> None:
    """Refuse an unknown element type."""
    if dtype not in DTYPES:
        fail(
            f"{who}: there is no element type '{dtype}'",
            f"the types are {', '.join(DTYPES)}",
        )


def is_float(dtype: str) -> bool:
    """Whether a type holds floats."""
    return element(dtype).is_float


def computed_in(dtype: str) -> str:
    """The type that sums, products and functions of a type are computed in."""
    return "f32" if dtype in NARROW_FLOATS else dtype


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
