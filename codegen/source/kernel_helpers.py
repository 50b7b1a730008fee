"""Helper functions of kernels, for operations that `tl` does not have.

They use only `tl`, so that Triton's interpreter runs them too. A series has enough
terms for 32 bits; one with enough terms for 64 bits has a name that ends in `_f64`.
"""

from __future__ import annotations

from tilewright.codegen.source.inverse_functions import (
    HELPERS_OF_INVERSES,
    INVERSE_FUNCTIONS,
)

HELPERS = {
    "_halves": '''@triton.jit
def _halves(x):
    """The left and the right half of a tile's columns."""
    pairs = tl.reshape(x, (x.shape[0], 2, x.shape[1] // 2))
    return tl.split(tl.permute(pairs, (0, 2, 1)))
''',
    "_maximum": '''@triton.jit
def _maximum(x, y):
    """Combine for a maximum that is NaN where an element is; `tl.max` drops NaNs."""
    return tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL)
''',
    "_minimum": '''@triton.jit
def _minimum(x, y):
    """Combine for a minimum that is NaN where an element is; `tl.min` drops NaNs."""
    return tl.minimum(x, y, propagate_nan=tl.PropagateNan.ALL)
''',
    "_sum": '''@triton.jit
def _sum(x, y):
    """Combine for running sums."""
    return x + y
''',
    "_larger": '''@triton.jit
def _larger(x, y):
    """Combine for running maxima."""
    return tl.maximum(x, y)
''',
    "_smaller": '''@triton.jit
def _smaller(x, y):
    """Combine for running minima."""
    return tl.minimum(x, y)
''',
    "_product": '''@triton.jit
def _product(x, y):
    """Combine for a product, which `tl` has no reduction for."""
    return x * y
''',
    "_tanh": '''@triton.jit
def _tanh(x):
    """tanh, which `tl` lacks: its series around zero, exponentials further out."""
    s = x * x
    near = x * (
        1 + s * (-1 / 3 + s * (2 / 15 + s * (-17 / 315 + s * (62 / 2835))))
    )
    decay = tl.exp2(-2.885390082 * tl.abs(x))
    far = (1 - decay) / (1 + decay)
    return tl.where(tl.abs(x) < 0.3, near, tl.where(x < 0, -far, far))
''',
    "_whole": '''@triton.jit
def _whole(x, low, high):
    """x towards zero, from low to high: a GPU has no conversion to 8 bits."""
    return tl.minimum(tl.maximum(tl.cast(x, tl.int32), low), high)
''',
    "_zero_for_nan": '''@triton.jit
def _zero_for_nan(x):
    """x, and 0 for NaN, of which a GPU makes the least integer of 64 bits."""
    return tl.where(x == x, x, 0.0)
''',
    "_trunc": '''@triton.jit
def _trunc(x):
    """Towards zero."""
    return tl.where(x < 0, tl.ceil(x), tl.floor(x))
''',
    "_rem": '''@triton.jit
def _rem(x, y):
    """The remainder with the sign of x: the distance from the nearest multiple of y.

    A multiply-add finds it without rounding, if the quotient is below 2**20 in the
    whole tile; other tiles are computed in 64 bits. `%` rounds the quotient, and so
    takes a multiple too much just below one.
    """
    size = tl.abs(y.to(tl.float32))
    rest = tl.abs(x.to(tl.float32)) + tl.zeros_like(size)
    is_far = (rest > size * 1048576).to(tl.int32) + tl.zeros((1,), tl.int32)
    if tl.max(is_far) > 0:
        less = _rem_f64(rest, size)
    else:
        less = tl.fma(-tl.floor(rest / size + 0.5), size, rest)
        less = tl.where(less < 0, less + size, less)
    rest = tl.where(rest < size, rest, less)
    return tl.where(x < 0, -rest, rest).to(x.dtype)
''',
    "_rem_f64": '''@triton.jit
def _rem_f64(x, y):
    """The remainder with the sign of x, in 64 bits; f64: exact up to 2**84 times y."""
    size = tl.abs(y.to(tl.float64))
    rest = tl.abs(x.to(tl.float64))
    # The inverse of a subnormal number of 64 bits would be infinite.
    is_wide: tl.constexpr = x.dtype == tl.float64
    inverse = 1 / size
    # Quotients of f32 are below 2**277.
    highest: tl.constexpr = 56 if is_wide else 252
    for scale in tl.static_range(highest, -1, -28):
        part = size * 2.0**scale
        count = rest / part if is_wide else rest * (inverse * 2.0**-scale)
        less = tl.fma(-tl.floor(count), part, rest)
        less = tl.where(less < 0, less + part, less)
        less = tl.where(less < part, less, less - part)
        rest = tl.where(rest < part, rest, less)
    return tl.where(x < 0, -rest, rest).to(x.dtype)
''',
    "_round": '''@triton.jit
def _round(x):
    """To the nearest integer, halves away from zero; a zero keeps the sign of x.

    Triton negates by `0 - x`, which has no negative zero.
    """
    low = tl.floor(tl.abs(x))
    near = tl.where(tl.abs(x) - low < 0.5, low, low + 1)
    return tl.where(near == 0, x * 0, tl.where(x < 0, -near, near))
''',
    "_roundeven": '''@triton.jit
def _roundeven(x):
    """To the nearest integer, halves to the even one; a zero keeps the sign of x."""
    low = tl.floor(x)
    rest = x - low
    is_odd = low - 2 * tl.floor(low / 2) == 1
    near = tl.where((rest > 0.5) | ((rest == 0.5) & is_odd), low + 1, low)
    return tl.where(near == 0, x * 0, near)
''',
    "_log10": '''@triton.jit
def _log10(x):
    """The decimal logarithm by the binary one."""
    return tl.log2(x) * 0.30102999566398120
''',
    "_log1p": '''@triton.jit
def _log1p(x):
    """log(1 + x) without losing a small x: what rounding 1 + x drops is put back.

    2 - sum stands for 1 / sum, near 1; further out the logarithm outweighs the rest.
    """
    sum = 1 + x
    rest = x - (sum - 1)
    return tl.log(sum) + tl.where(sum < 2, rest * (2 - sum), 0.0)
''',
    "_expm1": '''@triton.jit
def _expm1(x):
    """exp(x) - 1, by its series around zero where the difference would cancel."""
    near = x * (1 + x * (1 / 2 + x * (1 / 6 + x * (1 / 24 + x * (1 / 120)))))
    return tl.where(tl.abs(x) < 0.1, near, tl.exp(x) - 1)
''',
    "_sinh": '''@triton.jit
def _sinh(x):
    """sinh, by its series around zero where the difference would cancel."""
    s = x * x
    near = x * (1 + s * (1 / 6 + s * (1 / 120 + s * (1 / 5040))))
    half = tl.exp(tl.abs(x) / 2)
    far = 0.5 * half * half - 0.5 * tl.exp(-tl.abs(x))
    return tl.where(tl.abs(x) < 0.5, near, tl.where(x < 0, -far, far))
''',
    "_tanh_f64": '''@triton.jit
def _tanh_f64(x):
    """tanh in 64 bits: sinh by its series around zero, exponentials further out."""
    s = x * x
    tail = s * (1 / 5040 + s * (1 / 362880 + s * (1 / 39916800)))
    sinh = x * (1 + s * (1 / 6 + s * (1 / 120 + tail)))
    near = 2 * sinh / (tl.exp(x) + tl.exp(-x))
    decay = tl.exp(-2 * tl.abs(x))
    far = (1 - decay) / (1 + decay)
    return tl.where(tl.abs(x) < 0.3, near, tl.where(x < 0, -far, far))
''',
    "_expm1_f64": '''@triton.jit
def _expm1_f64(x):
    """exp(x) - 1 in 64 bits: by more terms of its series, and further out."""
    tail = 1 / 3628800 + x * (1 / 39916800 + x * (1 / 479001600 + x / 6227020800))
    tail = x * (1 / 5040 + x * (1 / 40320 + x * (1 / 362880 + x * tail)))
    near = 1 / 6 + x * (1 / 24 + x * (1 / 120 + x * (1 / 720 + tail)))
    near = x * (1 + x * (1 / 2 + x * near))
    return tl.where(tl.abs(x) < 0.3, near, tl.exp(x) - 1)
''',
    "_sinh_f64": '''@triton.jit
def _sinh_f64(x):
    """sinh in 64 bits: by more terms of its series."""
    s = x * x
    tail = s * (1 / 362880 + s * (1 / 39916800 + s * (1 / 6227020800)))
    near = x * (1 + s * (1 / 6 + s * (1 / 120 + s * (1 / 5040 + tail))))
    half = tl.exp(tl.abs(x) / 2)
    far = 0.5 * half * half - 0.5 * tl.exp(-tl.abs(x))
    return tl.where(tl.abs(x) < 0.5, near, tl.where(x < 0, -far, far))
''',
    "_cosh": '''@triton.jit
def _cosh(x):
    """cosh, by exponentials; half of the exponent at a time, so as not to overflow."""
    half = tl.exp(tl.abs(x) / 2)
    return 0.5 * half * half + 0.5 * tl.exp(-tl.abs(x))
''',
    "_tan": '''@triton.jit
def _tan(x):
    """tan."""
    return tl.sin(x) / tl.cos(x)
''',
    "_power": '''@triton.jit
def _power(x, y):
    """x to the power y, by a logarithm with more digits than f32: total + rest.

    The mantissa is between the roots of 1/2 and 2; its logarithm is the series of
    atanh(slope) at slope = (mantissa - 1) / (mantissa + 1).
    """
    size = tl.abs(x)
    exponent = tl.zeros_like(x) + y
    is_tiny = size < 1.1754944e-38
    bits = tl.where(is_tiny, size * 8388608.0, size).to(tl.int32, bitcast=True)
    shift = (bits - 0x3F3504F3) >> 23
    whole = shift.to(tl.float32) - tl.where(is_tiny, 23.0, 0.0)
    mantissa = (bits - (shift << 23)).to(tl.float32, bitcast=True)
    bottom = mantissa + 1
    inverse = 1 / bottom
    slope = (mantissa - 1) * inverse
    left = tl.fma(-slope, bottom, mantissa - 1)
    left = tl.fma(-slope, mantissa - (bottom - 1), left) * inverse
    s = slope * slope
    tail = s * (1 / 3 + s * (1 / 5 + s * (1 / 7 + s * (1 / 9 + s * (1 / 11)))))
    # Its upper digits, which no multiply-add rounds away.
    high = (slope * 2.88539004).to(tl.int32, bitcast=True) & -4096
    high = high.to(tl.float32, bitcast=True)
    low = slope * 3.8519259e-8 + 2.88539004 * (slope * tail + left)
    total = whole + high
    rest = tl.fma(slope, 2.88539004, -high) + low + (high - (total - whole))
    # Behind 1.5 * 2**23, f32 has whole numbers only.
    near = tl.minimum(tl.maximum(exponent * total, -250.0), 250.0) + 12582912.0
    count = near.to(tl.int32, bitcast=True) - 0x4B400000
    power = tl.exp2(tl.fma(exponent, total, 12582912.0 - near) + exponent * rest)
    power *= (((count >> 1) + 127) << 23).to(tl.float32, bitcast=True)
    power *= ((count - (count >> 1) + 127) << 23).to(tl.float32, bitcast=True)
    is_endless = tl.abs(exponent) == float("inf")
    is_end = (size == 0) | (size == float("inf")) | is_endless
    end = tl.where((size - 1) * exponent > 0, float("inf"), 0.0)
    power = tl.where(is_end, end, power)
    return _signed_power(x, exponent, power)
''',
    "_power_f64": '''@triton.jit
def _power_f64(x, y):
    """x to the power y in 64 bits."""
    exponent = tl.zeros_like(x) + y
    return _signed_power(x, exponent, tl.exp2(exponent * tl.log2(tl.abs(x))))
''',
    "_signed_power": '''@triton.jit
def _signed_power(x, exponent, power):
    """x to an exponent, from that of the size of x, by the rules of IEEE 754."""
    half = exponent * 0.5
    is_odd = (exponent == tl.floor(exponent)) & (half != tl.floor(half))
    is_negative = (x < 0) | ((x == 0) & (1 / x < 0))
    power = tl.where(is_negative & is_odd, -power, power)
    is_complex = (x < 0) & (x > float("-inf")) & (exponent != tl.floor(exponent))
    is_nan = is_complex | (x != x) | (exponent != exponent)
    power = tl.where(is_nan, float("nan"), power)
    is_endless = tl.abs(exponent) == float("inf")
    is_one = (exponent == 0) | (x == 1) | ((x == -1) & is_endless)
    return tl.where(is_one, 1.0, power)
''',
    "_cbrt": '''@triton.jit
def _cbrt(x):
    """The cube root, in 64 bits inside."""
    root = tl.exp2(tl.log2(tl.abs(x).to(tl.float64)) / 3).to(x.dtype)
    return tl.where(x < 0, -root, root)
''',
    "_erfc": '''@triton.jit
def _erfc(x):
    """1 - erf(x), in 64 bits inside, so that the difference keeps its digits."""
    return (1 - tl.erf(x.to(tl.float64))).to(x.dtype)
''',
    "_copysign": '''@triton.jit
def _copysign(x, y):
    """The magnitude of x with the sign of y, also of a zero."""
    sign = (tl.zeros_like(x) + 1) * y
    is_negative = (sign < 0) | ((sign == 0) & (1 / sign < 0))
    return tl.where(is_negative, -tl.abs(x), tl.abs(x))
''',
    **INVERSE_FUNCTIONS,
}

HELPERS_OF = {
    "_rem": ("_rem_f64",),
    "_power": ("_signed_power",),
    "_power_f64": ("_signed_power",),
    **HELPERS_OF_INVERSES,
}
"""The helpers that a helper calls."""
