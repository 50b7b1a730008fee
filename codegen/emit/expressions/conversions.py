"""The Triton expression of a float as an integer, as `ir/saturation.py` defines it.

A GPU converts by one instruction, which saturates, to integers of 16, 32 and 64 bits.
It makes 0 of NaN, but the least integer where the float or the integer has 64 bits. A
conversion to 8 bits does not exist: 300 as an i8 would be 44, and 300 again once it is
widened.
"""

from __future__ import annotations

from xdsl.dialects.builtin import Float64Type, IntegerType
from xdsl.ir import SSAValue

from tilewright.codegen.analysis.float_bounds import float_bounds
from tilewright.codegen.emit.expressions.written import (
    Values,
    Written,
    bits,
    cast,
    triton_type,
    unsigned_type,
)
from tilewright.codegen.source.python_text import Call, Literal, Name
from tilewright.ir.dialects.kernel import element_of
from tilewright.ir.saturation import integer_range


def to_integer(
    values: Values, source: SSAValue, result: SSAValue, *, is_signed: bool
) -> Written:
    """A float as a signed integer, or as the bits of an unsigned one."""
    of = element_of(result.type)
    assert isinstance(of, IntegerType)
    width = of.width.data
    written = values.get(source)
    text = written.text
    if width == 64 or isinstance(element_of(source.type), Float64Type):
        values.need("_zero_for_nan")
        text = Call("_zero_for_nan", (text,))
    limits = integer_range(width, is_signed=is_signed)
    low, high = float_bounds(source)
    if width < 16 and (low < limits[0] or high > limits[1]):
        values.need("_whole")
        text = Call("_whole", (text, *(Literal(str(limit)) for limit in limits)))
    elif not is_signed:
        unsigned = Call("tl.cast", (text, Name(unsigned_type(of))))
        made = Written(unsigned, written.shape)
        return Written(bits(made, str(triton_type(of))), written.shape)
    if not written.shape:
        # A scalar may be a plain number, which has no `.to`.
        return Written(Call("tl.cast", (text, triton_type(of))), ())
    return Written(cast(text, of), written.shape)
