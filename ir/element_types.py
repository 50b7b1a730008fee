"""Every element type: one row with its names in MLIR, numpy, torch and Triton.

A new element type is a new row and its tests: parsers, interpreters, code generation,
the tuner and the torch backend read this table; `ir/dtypes.py` looks its rows up.
xDSL, numpy and ml_dtypes are imported when an attribute or an array is first made: most
schedules are checked and run without arrays, and Triton's interpreter reads the table
in a process without the compiler.

bf16 and the fp8 formats come from ml_dtypes. MLIR's integers are signless; here their
numpy type is signed, so that signed ops need no cast and unsigned ops reinterpret the
bits. `index` is 64 bits wide, as on every target of code generation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from xdsl.ir import Attribute


@dataclass(frozen=True)
class FloatFormat:
    """The numbers of a float format, and how exact results in it are."""

    mantissa_bits: int
    """Bits of the mantissa that are stored."""
    least_exponent: int
    """The exponent of the smallest normal number."""
    largest: float
    """The largest finite number."""
    ulps: int
    """Units in the last place that a result may be off."""
    accumulator_bits: int = 23
    """Mantissa bits of the type in which sums are accumulated."""
    has_infinity: bool = True

    @property
    def epsilon(self) -> float:
        """A unit in the last place of 1."""
        return 2.0**-self.mantissa_bits

    @property
    def smallest_normal(self) -> float:
        """Below it numbers have a fixed spacing, and GPUs may flush them to zero."""
        return 2.0**self.least_exponent


_NUMPY_FLOATS = ("float64", "float32", "float16")
"""The float types that numpy itself has; the others come from ml_dtypes."""


@dataclass(frozen=True)
class ElementType:
    """One element type under its names."""

    name: str
    """MLIR's spelling: `f16`, `bf16`, `i32`, `index`."""
    byte_width: int
    """Bytes of an element in memory; an i1 takes a whole byte."""
    torch: str
    """Its name in torch, numpy and ml_dtypes."""
    triton: str
    """Its name in `triton.language`."""
    aliases: tuple[str, ...] = ()
    """Further names that a user may write for it."""
    float_format: FloatFormat | None = None
    """None for integers, which are exact."""

    @property
    def attribute(self) -> Attribute:
        """xDSL's attribute."""
        return _attribute(self.name)

    @property
    def numpy(self) -> np.dtype[Any]:
        """The numpy dtype."""
        return _numpy_dtype("ml_dtypes" if self.carrier else "numpy", self.torch)

    @property
    def is_float(self) -> bool:
        """Whether it holds floats."""
        return self.float_format is not None

    @property
    def is_narrow_float(self) -> bool:
        """Whether it holds floats of 16 bits or fewer, which are summed in f32."""
        return self.is_float and self.byte_width < 4

    @property
    def is_fp8(self) -> bool:
        """Whether it holds 8-bit floats: no hardware computes in them."""
        return self.is_float and self.byte_width == 1

    @property
    def carrier(self) -> str | None:
        """The integer type with its bits, where numpy itself lacks the type."""
        if not self.is_float or self.torch in _NUMPY_FLOATS:
            return None
        return "uint8" if self.byte_width == 1 else f"int{8 * self.byte_width}"


@cache
def _numpy_dtype(module: str, name: str) -> np.dtype[Any]:
    return import_module("numpy").dtype(getattr(import_module(module), name))


@cache
def _attribute(name: str) -> Attribute:
    from xdsl.dialects.builtin import Builtin, IntegerType

    if name[1:].isdigit() and name[0] == "i":
        return IntegerType(int(name[1:]))
    (found,) = (kind for kind in Builtin.attributes if kind.name == name)
    return found()


# f32 gets more units than the narrow formats: exp, erf and division of a GPU are exact
# to a few units of f32, which the narrow formats round away.
_F64 = FloatFormat(52, -1022, 1.7976931348623157e308, 16, accumulator_bits=52)
_F32 = FloatFormat(23, -126, 3.4028234663852886e38, 16)
_F16 = FloatFormat(10, -14, 65504.0, 4)
_BF16 = FloatFormat(7, -126, 3.3895313892515355e38, 2)
_E4M3 = FloatFormat(3, -6, 448.0, 1, has_infinity=False)
_E5M2 = FloatFormat(2, -14, 57344.0, 1)

TF32 = FloatFormat(10, -126, _F32.largest, 4)
"""f32 results of dots that round their operands to 10 bits of mantissa."""

_Row = ElementType
# fmt: off
ELEMENT_TYPES: tuple[ElementType, ...] = (
    # MLIR      bytes torch, numpy     triton       aliases
    _Row("f64",      8, "float64",      "float64",   ("double", "fp64"), _F64),
    _Row("f32",      4, "float32",      "float32",   ("float", "single", "fp32"), _F32),
    _Row("f16",      2, "float16",      "float16",   ("half", "fp16"), _F16),
    _Row("bf16",     2, "bfloat16",     "bfloat16",  (), _BF16),
    _Row("f8E4M3FN", 1, "float8_e4m3fn","float8e4nv",("e4m3", "fp8e4nv"), _E4M3),
    _Row("f8E5M2",   1, "float8_e5m2",  "float8e5",  ("e5m2", "fp8e5"), _E5M2),
    _Row("i1",       1, "bool",         "int1",      ("bool_",)),
    _Row("i8",       1, "int8",         "int8"),
    _Row("i16",      2, "int16",        "int16",     ("short",)),
    _Row("i32",      4, "int32",        "int32",     ("int",)),
    _Row("i64",      8, "int64",        "int64",     ("long",)),
    _Row("index",    8, "int64",        "int64"),
)
# fmt: on

TENSOR_TYPES = tuple(row for row in ELEMENT_TYPES if row.name != "index")
"""The element types of tensors that a user passes."""

USUAL_NAMES = {
    name: row.name for row in TENSOR_TYPES for name in (row.torch, *row.aliases)
}
"""MLIR's spelling by the names of torch, numpy and Triton."""
