"""Helper functions of kernels, for operations that `tl` does not have.

They use only `tl`, so that Triton's interpreter runs them too. A series has enough
terms for 32 bits; one with enough terms for 64 bits has a name that ends in `_f64`.
"""

from __future__ import annotations

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
    "_trunc": '''@triton.jit
def _trunc(x):
    """Towards zero."""
    return tl.where(x < 0, tl.ceil(x), tl.floor(x))
''',
    "_round": '''@triton.jit
def _round(x):
    """To the nearest integer, halves away from zero."""
    low = tl.floor(tl.abs(x))
    near = tl.where(tl.abs(x) - low < 0.5, low, low + 1)
    return tl.where(x < 0, -near, near)
''',
    "_roundeven": '''@triton.jit
def _roundeven(x):
    """To the nearest integer, halves to the even one."""
    low = tl.floor(x)
    rest = x - low
    is_odd = low - 2 * tl.floor(low / 2) == 1
    return tl.where((rest > 0.5) | ((rest == 0.5) & is_odd), low + 1, low)
''',
    "_log10": '''@triton.jit
def _log10(x):
    """The decimal logarithm by the binary one."""
    return tl.log2(x) * 0.30102999566398120
''',
    "_log1p": '''@triton.jit
def _log1p(x):
    """log(1 + x) without losing a small x: what rounding 1 + x drops is put back."""
    sum = 1 + x
    rest = x - (sum - 1)
    is_far = (tl.abs(sum) == float("inf")) | (sum <= 0)
    return tl.log(sum) + tl.where(is_far, 0.0, rest / sum)
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
}
