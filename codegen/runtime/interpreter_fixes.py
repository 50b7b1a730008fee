"""Fixes for errors of Triton's interpreter; needs torch, triton, numpy and ml_dtypes.

- bf16 and fp8 values are ml_dtypes numbers instead of bit patterns. Arithmetic, dots,
  reductions and casts round to nearest even, as the device does.
- A float becomes the nearest integer of the type, as in `ir/saturation.py`. numpy would
  leave a number that does not fit to the processor.
- Scalar arguments have the types of their parameters.
- `maxnumf` and `minnumf` drop NaN; unordered comparisons hold where one side is NaN.
- Reductions with a combine function combine all pairs of neighbours at once instead of
  element by element.
- Integers wrap around as on the device. Triton's overflow check takes longer than the
  operation, and payloads may rely on wrapping; addresses are checked below.
- Sums of integers keep their type; numpy would widen them.
- A number that a kernel computes can be the bound of a loop. Triton 3.6 converts it
  in a way that numpy 2.5 refuses.
- A load or store outside the tensors of the launch is an error. The interpreter would
  read or write any memory.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import triton.language as tl
import triton.runtime.interpreter as interpreter

from tilewright.ir.element_types import ELEMENT_TYPES
from tilewright.ir.saturation import nearest_integers

_Builder: Any = interpreter.InterpreterBuilder
_Handle: Any = interpreter.TensorHandle
_native: Any = interpreter._interpreter

_CARRIED = {getattr(tl, row.triton): row for row in ELEMENT_TYPES if row.carrier}
_TYPES: dict[str, np.dtype[Any]] = {of.name: row.numpy for of, row in _CARRIED.items()}
"""ml_dtypes types by Triton's names."""

_ranges: list[tuple[int, int]] = []
"""The start and the end address of each tensor of the launch."""


_report: Path | None = None
"""The file for progress reports."""


def report_to(path: Path) -> None:
    """Write the progress of each launch to a file from now on."""
    global _report
    _report = path


def install() -> None:
    """Install the fixes; call this once in a process, before any kernel runs."""
    _install_types()
    _install_comparisons()
    _install_bounds()
    builder: Any = interpreter.interpreter_builder
    builder.options = replace(builder.options, sanitize_overflow=False)
    reduce_ops: Any = interpreter.ReduceOps
    reduce_ops.generic_reduce = _reduce_pairs
    reduce_ops.sum = _sum
    _install_calls()
    _install_loop_bounds()
    _install_progress()


# -- types -----------------------------------------------------------------------------


def _install_types() -> None:
    known = interpreter._get_np_dtype
    found: dict[str, np.dtype[Any]] = dict(_TYPES)

    def numpy_type(of: Any) -> np.dtype[Any]:
        name = of.scalar.name
        if name not in found:
            found[name] = known(of)
        return found[name]

    def cast(self: Any, source: Any, to: Any, *rounding: Any) -> Any:
        data, kind = source.data, numpy_type(to)
        if kind.kind in "iu" and _is_float(data.dtype):
            is_signed = kind.kind == "i"
            data = nearest_integers(data, 8 * kind.itemsize, is_signed=is_signed)
        with np.errstate(all="ignore"):
            return _Handle(data.astype(kind), to.scalar)

    def dot(self: Any, a: Any, b: Any, d: Any, *options: Any) -> Any:
        # As in tensor cores, products are rounded only in the accumulator's type.
        wide = d.data.dtype
        made = np.matmul(a.data.astype(wide), b.data.astype(wide)) + d.data
        return _Handle(made, d.dtype.scalar)

    interpreter._get_np_dtype = numpy_type
    for of in _CARRIED:
        setattr(_Builder, f"get_{of.name}", _constant_maker(of))
    _Builder.cast_impl = cast
    _Builder.create_fp_to_fp = cast
    _Builder.create_dot = dot


def _is_float(kind: np.dtype[Any]) -> bool:
    return kind.kind == "f" or kind in _TYPES.values()


def _constant_maker(of: Any) -> Any:
    """The builder's method that makes a constant of a narrow float type."""

    def constant(self: Any, value: float) -> Any:
        return _Handle(np.array([value], _TYPES[of.name]), of)

    return constant


# -- comparisons -----------------------------------------------------------------------


def _install_comparisons() -> None:
    opposites = {
        "LT": np.greater_equal,
        "GT": np.less_equal,
        "LE": np.greater,
        "GE": np.less,
        "EQ": _differ,
        "NE": np.equal,
    }
    for name, opposite in opposites.items():
        setattr(_Builder, f"create_fcmpU{name}", _is_not(opposite))
    _Builder.create_fcmpONE = lambda self, a, b: self.binary_op(a, b, _differ)
    _Builder.create_splat = _splat
    _Builder.create_maxnumf = lambda self, a, b: self.binary_op(a, b, np.fmax)
    _Builder.create_minnumf = lambda self, a, b: self.binary_op(a, b, np.fmin)
    _Builder.create_fma = _fused


def _fused(self: Any, x: Any, y: Any, z: Any) -> Any:
    """x * y + z, rounded once in f32: 64 bits hold the product."""
    total = x.data.astype(np.float64) * y.data + z.data
    return _Handle(total.astype(z.data.dtype), z.dtype.scalar)


def _differ(left: Any, right: Any) -> Any:
    """Whether two values differ, and neither is NaN."""
    return (left < right) | (left > right)


def _splat(self: Any, block: Any, scalar: Any) -> Any:
    """A block of one number; bits that a comparison made stay bits.

    Comparisons have the type of their operands in the interpreter.
    """
    filled = np.full(block.shape, scalar.data.ravel()[0], scalar.data.dtype)
    return _Handle(filled, scalar.dtype.scalar)


def _is_not(opposite: Any) -> Any:
    return lambda self, a, b: self.binary_op(
        a, b, lambda left, right: ~opposite(left, right)
    )


# -- calls -----------------------------------------------------------------------------


def _install_calls() -> None:
    """Patch the language for a function once per launch, not at every call of it.

    The patch visits all names of the language, which takes longer than most calls.
    """
    function: Any = interpreter.InterpretedFunction
    executor: Any = interpreter.GridExecutor
    patch, execute = interpreter._patch_lang, executor.__call__
    patched: set[Any] = set()

    def launch(self: Any, *arguments: Any, **options: Any) -> Any:
        patched.clear()
        return execute(self, *arguments, **options)

    def call(self: Any, *arguments: Any, **options: Any) -> Any:
        if self.fn not in patched:
            patched.add(self.fn)
            patch(self.fn)
        return self.rewrite()(*arguments, **options)

    executor.__call__ = launch
    function.__call__ = call


def _install_loop_bounds() -> None:
    """Read a loop bound that a kernel computes as Triton 3.7 reads it."""
    patch: Any = interpreter._patch_lang_tensor

    def patch_tensor(tensor: Any, scope: Any) -> None:
        patch(tensor, scope)
        scope.set_attr(
            tensor, "__index__", lambda self: int(self.handle.data.squeeze())
        )

    interpreter._patch_lang_tensor = patch_tensor


def _install_progress() -> None:
    start, step = _Builder.set_grid_dim, _Builder.set_grid_idx
    done = 0

    def set_grid_dim(self: Any, *grid: int) -> None:
        nonlocal done
        done = 0
        start(self, *grid)

    def set_grid_idx(self: Any, *index: int) -> None:
        nonlocal done
        # Programs between two progress reports.
        if _report is not None and done % 64 == 0:
            total = math.prod(self.grid_dim)
            _report.write_text(f"{done} of {total} programs", encoding="utf-8")
        done += 1
        step(self, *index)

    _Builder.set_grid_dim = set_grid_dim
    _Builder.set_grid_idx = set_grid_idx


# -- memory ----------------------------------------------------------------------------


def _install_bounds() -> None:
    """Check addresses, and pass types that the C++ code lacks as their bits."""
    implicit = interpreter._implicit_cvt
    executor: Any = interpreter.GridExecutor
    execute = executor.__call__

    def convert(argument: Any) -> Any:
        if hasattr(argument, "data_ptr"):
            storage = interpreter._unwrap_tensor(argument).untyped_storage()
            start = storage.data_ptr()
            _ranges.append((start, start + storage.nbytes()))
        return implicit(argument)

    def launch(self: Any, *arguments: Any, **options: Any) -> Any:
        _ranges.clear()
        kinds = [self.fn.__annotations__.get(name, "") for name in self.arg_names]
        typed = map(_typed, arguments, kinds)
        return execute(self, *typed, **options)

    def load(
        self: Any, pointers: Any, mask: Any, other: Any, *hints: Any, **more: Any
    ) -> Any:
        of = pointers.get_element_ty()
        kind = interpreter._get_np_dtype(of)
        lanes = mask.data if hasattr(mask, "data") else mask
        lanes = np.asarray(lanes)
        _check(pointers.data, lanes, kind.itemsize, "read")
        if other is None:
            padding = np.zeros(np.shape(pointers.data), kind)
        else:
            padding = np.asarray(other.data)
        bits = _bits(kind)
        loaded = _native.load(pointers.data, lanes, padding.view(bits), bits)
        return _Handle(loaded.view(kind), of)

    def store(self: Any, pointers: Any, value: Any, mask: Any, *hints: Any) -> Any:
        lanes = np.asarray(mask.data if hasattr(mask, "data") else mask)
        data = np.ascontiguousarray(value.data).reshape(np.shape(value.data))
        _check(pointers.data, lanes, data.itemsize, "written")
        return _native.store(pointers.data, data.view(_bits(data.dtype)), lanes)

    interpreter._implicit_cvt = convert
    executor.__call__ = launch
    _Builder.create_masked_load = load
    _Builder.create_masked_store = store


def _typed(argument: Any, annotation: str) -> Any:
    """A number in the type of its parameter, which the interpreter would guess."""
    kind = getattr(tl, annotation.removeprefix("tl."), None)
    if not isinstance(argument, int | float) or not isinstance(kind, tl.dtype):
        return argument
    data = np.array([argument], interpreter._get_np_dtype(kind))
    return tl.tensor(_Handle(data, kind), kind)


def _bits(kind: np.dtype[Any]) -> np.dtype[Any]:
    """The type that the C++ code uses for a type that it lacks."""
    return np.dtype(f"u{kind.itemsize}") if kind in _TYPES.values() else kind


def _check(pointers: Any, lanes: Any, size: int, verb: str) -> None:
    lanes, pointers = np.broadcast_arrays(lanes, pointers)
    active = pointers[lanes]
    inside = np.zeros(active.shape, bool)
    for start, end in _ranges:
        inside |= (active >= start) & (active + np.uint64(size) <= end)
    if not inside.all():
        count = int(np.count_nonzero(~inside))
        raise IndexError(f"{count} elements outside all tensors are {verb}")


# -- reductions ------------------------------------------------------------------------


def _sum(self: Any, operand: Any) -> Any:
    """A sum in the type of its operand."""
    data = operand.handle.data
    total = np.sum(data, axis=self.axis, keepdims=self.keep_dims, dtype=data.dtype)
    return self.to_tensor(total, operand.dtype)


def _reduce_pairs(self: Any, operands: Any) -> list[Any]:
    """Combine neighbours along the axis, all pairs at once, until one element is left.

    Neighbours keep their order, so the function need only be associative, as Triton
    requires. One call of the function combines many pairs, so the number of calls is
    the logarithm of the extent. Extents are powers of two.
    """
    kinds = [operand.dtype for operand in operands]
    arrays = [operand.handle.data for operand in operands]
    kept = [1] * arrays[0].ndim
    if self.axis is None:
        arrays = [array.reshape(-1) for array in arrays]
    else:
        kept = list(arrays[0].shape)
        kept[self.axis] = 1
        arrays = [np.moveaxis(array, self.axis, 0) for array in arrays]
    while len(arrays[0]) > 1:
        left, right = (
            [
                self.to_tensor(array[side::2], kind)
                for array, kind in zip(arrays, kinds, strict=True)
            ]
            for side in (0, 1)
        )
        made = self.combine_fn.fn(*left, *right)
        arrays = [
            tensor.handle.data
            for tensor in (made if isinstance(made, tuple) else (made,))
        ]
    results = [array.reshape(kept) if self.keep_dims else array[0] for array in arrays]
    return [
        self.to_tensor(result, kind)
        for result, kind in zip(results, kinds, strict=True)
    ]
