"""Element-wise ops: a Python function of scalars becomes one op on tensors."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar, overload

from tilewright.frontend.builder.function_builder import Number
from tilewright.frontend.builder.generic import (
    Operands,
    Trace,
    check_tensors,
    emit,
    trace,
)
from tilewright.frontend.builder.numerics import DtypeLike, dtype_name
from tilewright.frontend.builder.ops.loop_order import common_order, reordered, viewed
from tilewright.frontend.builder.scalar import Scalar, ScalarLike
from tilewright.frontend.builder.sizes import Shape
from tilewright.frontend.builder.tensor_view import T, TensorView
from tilewright.frontend.builder.user_lines import fail
from tilewright.ir.dialects.linalg import IndexOp
from tilewright.ir.name_hints import name_hint

Value = TypeVar("Value", bound=TensorView | Scalar)
Function: TypeAlias = Callable[..., ScalarLike]
"""A function of one element of each operand, giving one element of the result."""
Functions: TypeAlias = Callable[..., tuple[ScalarLike, ...]]
"""A function that gives one element of each of several results."""


@overload
def elementwise(
    function: Function, *operands: T | Number, dtype: DtypeLike | None = None
) -> T: ...


@overload
def elementwise(
    function: Functions, *operands: T | Number, dtype: DtypeLike | None = None
) -> tuple[T, ...]: ...


def elementwise(
    function: Function | Functions,
    *operands: T | Number,
    dtype: DtypeLike | None = None,
) -> T | tuple[T, ...]:
    """Apply a function of scalars to tensors, as one `linalg.generic`.

    The function is traced once. Arithmetic of narrow floats is done in f32, and results
    are rounded once, to `dtype` (by default the operands' common type). Operands
    broadcast, aligned at the last dimension. A function that returns a tuple makes an
    op with that many results.
    """
    names = parameter_names(function, len(operands))
    named = dict(zip(names, operands, strict=True))

    def elements(given: Mapping[str, ScalarLike]) -> object:
        return function(*given.values())

    return named_elementwise(name_of(function), elements, named, dtype)


def named_elementwise(
    who: str,
    elements: Callable[[Any], object],
    operands: Operands,
    dtype: DtypeLike | None = None,
    shape: Shape | None = None,
) -> Any:
    """As `elementwise`, for a function of the operands by name.

    `shape` is the shape of the result where no operand has all of it.
    """
    wanted = None if dtype is None else dtype_name(who, dtype)
    traced = trace(who, elements, operands, shape)
    units = _units(traced) if shape is None else ()
    traced = _without_units(traced, units)
    order = common_order(traced.tensors.values(), traced.loops)
    traced = traced if order is None else reordered(traced, order)
    dtypes = [
        wanted or traced.default_dtype(result) for result in range(len(traced.results))
    ]
    yielded = [traced.scalar(kind, result) for result, kind in enumerate(dtypes)]
    outputs = [traced.builder.empty(traced.loops, kind) for kind in dtypes]
    for kind in dtypes:
        traced.body.argument("out", kind)
    op = emit(traced, yielded, outputs)
    for result in op.results:
        result.name_hint = name_hint(who)
    like = next(iter(traced.tensors.values())).like
    results = [
        like(result, traced.loops, kind)
        for result, kind in zip(op.results, dtypes, strict=True)
    ]
    seen = [one if order is None else viewed(one, order) for one in results]
    made = tuple(_with_units(one, units) for one in seen)
    return made[0] if len(made) == 1 else made


def _units(traced: Trace) -> tuple[int, ...]:
    """The dimensions of size 1 that are new axes of all operands, if others are left.

    The op needs no loops along them. A body that asks for indices keeps its loops.
    """
    rank = len(traced.loops)
    found = tuple(
        at
        for at in range(-rank, 0)
        if traced.loops[at] == 1
        and all(x.rank < -at or x.axes[at] is None for x in traced.tensors.values())
    )
    if len(found) == rank or any(
        isinstance(op, IndexOp) for op in traced.body.block.ops
    ):
        return ()
    return found


def _without_units(traced: Trace, units: Sequence[int]) -> Trace:
    """The op without loops along these dimensions, which count from the last."""
    if not units:
        return traced

    def kept(x: T) -> T:
        axes = [axis for at, axis in enumerate(x.axes, -x.rank) if at not in units]
        return replace(x, axes=tuple(axes))

    rank = len(traced.loops)
    loops = [size for at, size in enumerate(traced.loops, -rank) if at not in units]
    tensors = {name: kept(x) for name, x in traced.tensors.items()}
    return replace(traced, tensors=tensors, loops=tuple(loops))


def _with_units(x: T, units: Sequence[int]) -> T:
    """The result as a view that has these dimensions as new axes."""
    if not units:
        return x
    rank, rest = x.rank + len(units), iter(x.axes)
    axes = [None if at in units else next(rest) for at in range(-rank, 0)]
    return replace(x, axes=tuple(axes))


@dataclass(frozen=True)
class Pointwise:
    """A function of scalars that also takes tensors, for which it becomes one op."""

    function: Function

    @property
    def __name__(self) -> str:
        """The function's own name."""
        return name_of(self.function)

    def __call__(
        self, *operands: Value | Number, dtype: DtypeLike | None = None
    ) -> Value:
        """Call the function on scalars, or append one op for tensors."""
        given: Any = operands
        scalars = [operand for operand in given if isinstance(operand, Scalar)]
        if not scalars:
            whole: Any = elementwise(self.function, *given, dtype=dtype)
            return whole
        made: Any = self.function(*given)
        return made if dtype is None else made.cast(dtype)


def pointwise(function: Function) -> Pointwise:
    """Decorate a function of scalars so that it may be called on tensors.

    @pointwise
    def shrink(x, by):
        return where(x > by, x - by, 0)

    shrink(tensor, 0.5)
    """
    return Pointwise(function)


def cast(tensor: T, dtype: DtypeLike) -> T:
    """Convert to another element type; no op if it has that type already."""
    check_tensors("cast", x=tensor)
    dtype = dtype_name("cast", dtype)
    if tensor.dtype == dtype:
        return tensor

    def cast(x: Scalar) -> Scalar:
        return x

    return elementwise(cast, tensor, dtype=dtype)


def name_of(function: Callable[..., object]) -> str:
    """A function's name for messages and values; `result` for a lambda."""
    name = getattr(function, "__name__", "")
    return "result" if not name.isidentifier() else name.strip("_")


def parameter_names(function: Callable[..., object], count: int) -> list[str]:
    """Names for the arguments of a traced body: the function's own, if it has names."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    plain = [p for p in parameters if p.kind is not p.VAR_KEYWORD]
    variadic = any(p.kind is p.VAR_POSITIONAL for p in plain)
    needed = [
        p for p in plain if p.default is p.empty and p.kind is not p.VAR_POSITIONAL
    ]
    if plain and not variadic and not len(needed) <= count <= len(plain):
        fail(f"{name_of(function)}: takes {len(plain)} operands, was given {count}")
    if not plain or variadic:
        return [f"x{position}" for position in range(count)]
    return [p.name.strip("_") for p in plain[:count]]
