"""Inverse functions of angles, as text that a generated file may contain."""

from __future__ import annotations

INVERSE_FUNCTIONS = {
    "_atan": '''@triton.jit
def _atan(x):
    """atan: its series on [-0.42, 0.42], to which other angles are reduced."""
    a = tl.abs(x)
    t = tl.where(a > 1, 1 / a, a)
    is_far = t > 0.4142135623730950
    t = tl.where(is_far, (t - 1) / (t + 1), t)
    s = t * t
    tail = -1 / 11 + s * (1 / 13 + s * (-1 / 15 + s * (1 / 17)))
    tail = -1 / 3 + s * (1 / 5 + s * (-1 / 7 + s * (1 / 9 + s * tail)))
    tail = 1 + s * tail
    near = t * tail
    near = tl.where(is_far, near + 0.78539816339744831, near)
    angle = tl.where(a > 1, 1.5707963267948966 - near, near)
    return tl.where(x < 0, -angle, angle)
''',
    "_atan_f64": '''@triton.jit
def _atan_f64(x):
    """atan in 64 bits: more terms of its series."""
    a = tl.abs(x)
    t = tl.where(a > 1, 1 / a, a)
    is_far = t > 0.4142135623730950
    t = tl.where(is_far, (t - 1) / (t + 1), t)
    s = t * t
    tail = 1 / 41 + s * (-1 / 43 + s * (1 / 45 + s * (-1 / 47)))
    tail = 1 / 33 + s * (-1 / 35 + s * (1 / 37 + s * (-1 / 39 + s * tail)))
    tail = 1 / 25 + s * (-1 / 27 + s * (1 / 29 + s * (-1 / 31 + s * tail)))
    tail = 1 / 17 + s * (-1 / 19 + s * (1 / 21 + s * (-1 / 23 + s * tail)))
    tail = 1 / 9 + s * (-1 / 11 + s * (1 / 13 + s * (-1 / 15 + s * tail)))
    tail = 1 + s * (-1 / 3 + s * (1 / 5 + s * (-1 / 7 + s * tail)))
    near = t * tail
    near = tl.where(is_far, near + 0.78539816339744831, near)
    angle = tl.where(a > 1, 1.5707963267948966 - near, near)
    return tl.where(x < 0, -angle, angle)
''',
    "_asin": '''@triton.jit
def _asin(x):
    """asin, by the half angle."""
    return 2 * _atan(x / (1 + tl.sqrt((1 - x) * (1 + x))))
''',
    "_asin_f64": '''@triton.jit
def _asin_f64(x):
    """asin in 64 bits, by the half angle."""
    a = x
    return (2 * _atan_f64(a / (1 + tl.sqrt((1 - a) * (1 + a)))))
''',
    "_acos": '''@triton.jit
def _acos(x):
    """acos, by the half angle."""
    return 2 * _atan(tl.sqrt((1 - x) / (1 + x)))
''',
    "_acos_f64": '''@triton.jit
def _acos_f64(x):
    """acos in 64 bits, by the half angle."""
    a = x
    return (2 * _atan_f64(tl.sqrt((1 - a) / (1 + a))))
''',
    "_asinh": '''@triton.jit
def _asinh(x):
    """asinh, by a logarithm that keeps the digits of a small x."""
    a = tl.abs(x)
    is_large = a > 1e9  # its square may overflow
    b = tl.where(is_large, 1.0, a)
    s = b * b
    near = _log1p(b + s / (1 + tl.sqrt(s + 1)))
    angle = tl.where(is_large, tl.log(a) + 0.6931471805599453, near)
    return tl.where(x < 0, -angle, angle)
''',
    "_asinh_f64": '''@triton.jit
def _asinh_f64(x):
    """asinh in 64 bits."""
    a = tl.abs(x)
    near = a * (1 - a * a * (1 / 6 - a * a * (3 / 40 - a * a * (15 / 336))))
    far = tl.log(a + tl.sqrt(a * a + 1))
    angle = tl.where(a < 0.03, near, far)
    return tl.where(x < 0, -angle, angle)
''',
    "_acosh": '''@triton.jit
def _acosh(x):
    """acosh, by a logarithm that keeps the digits of x - 1."""
    is_large = x > 1e9  # its square may overflow
    t = tl.where(is_large, 1.0, x) - 1
    near = _log1p(t + tl.sqrt(2 * t + t * t))
    return tl.where(is_large, tl.log(x) + 0.6931471805599453, near)
''',
    "_acosh_f64": '''@triton.jit
def _acosh_f64(x):
    """acosh in 64 bits."""
    a = x
    return tl.log(a + tl.sqrt((a - 1) * (a + 1)))
''',
    "_atanh": '''@triton.jit
def _atanh(x):
    """atanh, by a logarithm that keeps the digits of a small x."""
    a = tl.abs(x)
    angle = 0.5 * _log1p(2 * a / (1 - a))
    return tl.where(x < 0, -angle, angle)
''',
    "_atanh_f64": '''@triton.jit
def _atanh_f64(x):
    """atanh in 64 bits."""
    a = x
    near = a * (1 + a * a * (1 / 3 + a * a * (1 / 5 + a * a * (1 / 7))))
    return tl.where(tl.abs(a) < 0.03, near, 0.5 * tl.log((1 + a) / (1 - a)))
''',
    "_atan2": '''@triton.jit
def _atan2(y, x):
    """The angle of the point (x, y), by the series of `_atan` and one quotient."""
    x = (tl.zeros_like(y) + 1) * x
    a, b = tl.abs(x), tl.abs(y)
    is_steep = b > a
    high = tl.where(is_steep, b, a)
    # Quotients of f32 need a divisor far from its ends.
    scale = tl.where(high > 1e30, 2.0**-60, tl.where(high < 1e-30, 2.0**60, 1.0))
    high *= scale
    low = tl.where(is_steep, a, b) * scale
    is_far = (low > 0.4142135623730950 * high) | (low == float("inf"))
    top = tl.where(is_far, tl.where(low == high, 0.0, low - high), low)
    bottom = tl.where(is_far, low + high, tl.where(high == 0, 1.0, high))
    t = top / bottom
    s = t * t
    tail = -1 / 11 + s * (1 / 13 + s * (-1 / 15 + s * (1 / 17)))
    tail = -1 / 3 + s * (1 / 5 + s * (-1 / 7 + s * (1 / 9 + s * tail)))
    angle = tl.where(is_far, 0.78539816339744831, 0.0) + (t + t * s * tail)
    angle = tl.where(is_steep, 1.5707963267948966 - angle, angle)
    is_left = x.to(tl.int32, bitcast=True) < 0
    is_below = y.to(tl.int32, bitcast=True) < 0
    angle = tl.where(is_left, 3.14159265358979312 - angle, angle)
    angle = tl.where((x != x) | (y != y), float("nan"), angle)
    return tl.where(is_below, -angle, angle)
''',
    "_atan2_f64": '''@triton.jit
def _atan2_f64(y, x):
    """The angle of the point (x, y) in 64 bits."""
    a = (tl.zeros_like(y) + 1) * x
    is_left = (a < 0) | ((a == 0) & (1 / a < 0))
    is_below = (y < 0) | ((y == 0) & (1 / y < 0))
    slope = tl.where(tl.abs(y) == tl.abs(a), 1.0, tl.abs(y) / tl.abs(a))
    angle = tl.where((y == 0) & (a == 0), 0.0, _atan_f64(slope.to(tl.float64)))
    angle = tl.where(is_left, 3.14159265358979312 - angle, angle)
    return tl.where(is_below, -angle, angle)
''',
}

HELPERS_OF_INVERSES = {
    "_asin": ("_atan",),
    "_asin_f64": ("_atan_f64",),
    "_acos": ("_atan",),
    "_acos_f64": ("_atan_f64",),
    "_asinh": ("_log1p",),
    "_acosh": ("_log1p",),
    "_atanh": ("_log1p",),
    "_atan2_f64": ("_atan_f64",),
}
"""The helpers that a helper calls."""
