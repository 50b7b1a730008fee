"""The fixed functions of a stand-alone file, as templates."""

from __future__ import annotations

from tilewright.codegen.standalone.reference.scalar_ops import (
    LARGEST_NUMBER,
    NEAREST_INTEGER,
    ROUNDED,
)

_ROUNDED = f'''\
def {ROUNDED}(x, dtype):
    """The numbers of x as a tensor of that type holds them."""
    return x.to(dtype).double()
'''

_NEAREST_INTEGER = f'''\
def {NEAREST_INTEGER}(x, dtype):
    """x towards zero; a number out of range is the nearest in it, and NaN is 0."""
    low, high = torch.iinfo(dtype).min, torch.iinfo(dtype).max
    inside = (x > float(low)) & (x < float(high))
    whole = torch.where(inside, x, 0.0).to(dtype)
    whole = torch.where(x >= float(high), high, whole)
    return torch.where(x <= float(low), low, whole)
'''

FITS = '''\
def fits(actual, shape):
    """Whether a shape is as expected, where None may be any size."""
    wanted = zip(actual, shape, strict=False)
    return len(actual) == len(shape) and all(n in (None, size) for size, n in wanted)
'''

EXPECT = '''\
def {expect}(name, tensor, shape, dtype):
    """Refuse a tensor that the kernels were not made for."""
    if {wrong} or tensor.dtype != dtype:
        raise ValueError(
            f"{{name}} is {{tensor.dtype}} {{list(tensor.shape)}}, "
            f"the kernels are for {{dtype}} {{list(shape)}}"
        )
'''

POISONED = '''\
def {poisoned}(*arguments):
    """Launch on copies; new memory is all NaN, so that a missing store shows."""
    copies = [a.clone() if torch.is_tensor(a) else a for a in arguments]
    torch.set_deterministic_debug_mode("warn")
    try:
        return launch(*copies)
    finally:
        torch.set_deterministic_debug_mode("default")
'''
"""Torch's deterministic mode fills new memory: floats with NaN, integers with the
largest number. Otherwise it could still hold the right numbers of an earlier result.
Arguments are copied because a kernel may write them before the reference reads them."""

_LARGEST_NUMBER = f'''\
def {LARGEST_NUMBER}(x, dims):
    """The largest along dimensions; NaN does not count, but NaNs alone give one."""
    largest = torch.where(x.isnan(), -float("inf"), x).amax(dims)
    return torch.where(x.isnan().all(dims), float("nan"), largest)
'''

REFERENCE_HELPERS = {
    ROUNDED: _ROUNDED,
    NEAREST_INTEGER: _NEAREST_INTEGER,
    LARGEST_NUMBER: _LARGEST_NUMBER,
}
"""Functions that references call, by name; a file has those that it calls."""

CHECK = '''\
def {check}(name, actual, expected, tolerance):
    """Stop where an element is off by more than its rounding explains."""
    actual, expected = actual.double(), expected.double()
    finite = expected[expected.isfinite()]
    size = finite.square().mean().sqrt() if finite.numel() else 0.0
    error = (actual - expected).abs()
    right = (error <= tolerance * (expected.abs() + size)) | (actual == expected)
    right |= actual.isnan() & expected.isnan()
    wrong = right.numel() - int(right.sum())
    if wrong:
        raise SystemExit(f"{{name}}: {{wrong}} of {{right.numel()}} elements are wrong")
    error = torch.where(right & error.isnan(), 0.0, error)
    largest = error.max().item() if error.numel() else 0.0
    print(f"{{name}}: as torch in float64, largest error {{largest:.3g}}")
'''

ON_A_GPU_OR_INTERPRETED = (
    "    interpreted = triton.knobs.runtime.interpret",
    "    if not (interpreted or torch.cuda.is_available()):",
    '        raise SystemExit("no CUDA device; TRITON_INTERPRET=1 checks without one")',
    '    device = "cpu" if interpreted else "cuda"',
)
NOT_TIMED = (
    "    if interpreted:",
    '        print("not timed: this is Triton\'s interpreter")',
    "        return",
)
ON_A_GPU = (
    "    if not torch.cuda.is_available():",
    '        raise SystemExit("no CUDA device")',
    '    device = "cuda"',
)
"""Triton's interpreter does not run Gluon."""
