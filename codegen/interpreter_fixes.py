"""What Triton's interpreter gets wrong, put right; it needs torch, triton and numpy.

- bf16 and fp8 are ml_dtypes' instead of bit patterns, so that arithmetic, products,
  reductions and casts compute on numbers, rounded to nearest even as the device does.
- Numbers that are passed have the types their parameters say.
- `maxnumf` and `minnumf` drop NaN; unordered comparisons hold where one side is NaN.
- Reductions by a function of their own combine whole slices, not element by element.
- Loads and stores stay inside the tensors of the launch: what a mask lets through and
  no tensor holds is an error; the interpreter would read or write whatever is there.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import triton.language as tl
import triton.runtime.interpreter as interpreter

_Builder: Any = interpreter.InterpreterBuilder
_Handle: Any = interpreter.TensorHandle
_native: Any = interpreter._interpreter

_TYPES: dict[str, np.dtype[Any]] = {
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "fp8e5": np.dtype(ml_dtypes.float8_e5m2),
    "fp8e4nv": np.dtype(ml_dtypes.float8_e4m3fn),
}
"""By Triton's names."""

_ranges: list[tuple[int, int]] = []
"""First and last address, exclusive, of each tensor of the launch."""


def install() -> None:
    """Put the fixes in place; once in a process, before any kernel runs."""
    _install_types()
    _install_comparisons()
    _install_bounds()
    reduce_ops: Any = interpreter.ReduceOps
    reduce_ops.generic_reduce = _reduce_slices


# -- types -----------------------------------------------------------------------------


def _install_types() -> None:
    known = interpreter._get_np_dtype

    def numpy_type(of: Any) -> np.dtype[Any]:
        return _TYPES.get(of.scalar.name) or known(of)

    def cast(self: Any, source: Any, to: Any, *rounding: Any) -> Any:
        with np.errstate(all="ignore"):
            return _Handle(source.data.astype(numpy_type(to)), to.scalar)

    def dot(self: Any, a: Any, b: Any, d: Any, *options: Any) -> Any:
        # Products are exact in the accumulator, or rounded there, as in tensor cores.
        wide = d.data.dtype
        made = np.matmul(a.data.astype(wide), b.data.astype(wide)) + d.data
        return _Handle(made, d.dtype.scalar)

    def bf16(self: Any, value: float) -> Any:
        return _Handle(np.array([value], _TYPES["bf16"]), tl.bfloat16)

    interpreter._get_np_dtype = numpy_type
    _Builder.get_bf16 = bf16
    _Builder.cast_impl = cast
    _Builder.create_fp_to_fp = cast
    _Builder.create_dot = dot


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
    _Builder.create_maxnumf = lambda self, a, b: self.binary_op(a, b, np.fmax)
    _Builder.create_minnumf = lambda self, a, b: self.binary_op(a, b, np.fmin)


def _differ(left: Any, right: Any) -> Any:
    """Whether both are numbers, and not the same."""
    return (left < right) | (left > right)


def _is_not(opposite: Any) -> Any:
    return lambda self, a, b: self.binary_op(
        a, b, lambda left, right: ~opposite(left, right)
    )


# -- memory ----------------------------------------------------------------------------


def _install_bounds() -> None:
    """Addresses are checked, and types without a name in C++ travel as their bits."""
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
    """A number in the type its parameter says, not one the interpreter guesses."""
    kind = getattr(tl, annotation.removeprefix("tl."), None)
    if not isinstance(argument, int | float) or not isinstance(kind, tl.dtype):
        return argument
    data = np.array([argument], interpreter._get_np_dtype(kind))
    return tl.tensor(_Handle(data, kind), kind)


def _bits(kind: np.dtype[Any]) -> np.dtype[Any]:
    """The type that stands for another in C++."""
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


def _reduce_slices(self: Any, operands: Any) -> list[Any]:
    """Combine slice after slice along the axis; the function works on any shape."""
    axis, arrays = self.axis, [operand.handle.data for operand in operands]
    kinds = [operand.dtype for operand in operands]
    shape = arrays[0].shape
    if axis is None:
        axis, arrays = 0, [array.reshape(-1) for array in arrays]
    held: Any = None
    for position in range(arrays[0].shape[axis]):
        each = tuple(
            self.to_tensor(array.take(position, axis), kind)
            for array, kind in zip(arrays, kinds, strict=True)
        )
        if held is None:
            held = each
            continue
        made = self.combine_fn.fn(*held, *each)
        held = made if isinstance(made, tuple) else (made,)
    results = [tensor.handle.data for tensor in held]
    if self.keep_dims:
        kept = [1] * len(shape) if self.axis is None else list(shape)
        if self.axis is not None:
            kept[axis] = 1
        results = [result.reshape(kept) for result in results]
    elif arrays[0].ndim == 1:
        results = [result.reshape(-1)[0] for result in results]
    return [
        self.to_tensor(result, kind)
        for result, kind in zip(results, kinds, strict=True)
    ]
