"""Traces a Python function of elements, and makes it one `linalg.generic`.

The loops run over the operands' common shape. Operands broadcast as in numpy, aligned
at the last dimension. A view (a transpose, a new axis) is only another indexing map.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.ir import Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from tilewright.frontend.builder.function_builder import FunctionBuilder, Number
from tilewright.frontend.builder.numerics import common, is_float
from tilewright.frontend.builder.scalar import (
    Body,
    Scalar,
    ScalarLike,
    as_scalar,
    plain,
    tracing,
)
from tilewright.frontend.builder.sizes import Shape, broadcast
from tilewright.frontend.builder.tensor_view import T, TensorView
from tilewright.frontend.builder.user_lines import fail
from tilewright.ir.dialects.linalg import (
    FillOp,
    GenericOp,
    YieldOp,
    iterators,
    maps_attribute,
)

Operands: TypeAlias = Mapping[str, TensorView | Number]
"""Tensors and numbers, by the names that the body's arguments get."""
Elements: TypeAlias = Callable[[Mapping[str, ScalarLike]], object]
"""A function of one element of each operand: gives one value, or a tuple."""


@dataclass(frozen=True)
class Trace:
    """A traced body and the loops around it, before it becomes an op."""

    builder: FunctionBuilder
    who: str
    tensors: Mapping[str, TensorView]
    loops: Shape
    body: Body
    results: tuple[ScalarLike, ...]

    def scalar(self, dtype: str, result: int = 0) -> Scalar:
        """A result of the body, in the given type."""
        return as_scalar(self.body, self.results[result], dtype)

    def default_dtype(self, result: int = 0) -> str:
        """The operands' common type among floats or integers, as the body computes."""
        given = self.results[result]
        if isinstance(given, Scalar) and given.dtype in ("i1", "index"):
            return "i1" if given.dtype == "i1" else "i64"
        wants_float = (
            is_float(given.dtype)
            if isinstance(given, Scalar)
            else any(is_float(tensor.dtype) for tensor in self.tensors.values())
        )
        same_kind = [
            tensor.dtype
            for tensor in self.tensors.values()
            if is_float(tensor.dtype) == wants_float and tensor.dtype != "i1"
        ]
        if same_kind:
            return common(same_kind, self.who)
        return given.dtype if isinstance(given, Scalar) else "i64"


def trace(
    who: str, elements: Elements, operands: Operands, shape: Shape | None = None
) -> Trace:
    """Run a Python function over symbolic elements of the operands.

    The loops run over the operands' common shape, or over `shape` if it is given.
    """
    tensors = tensors_among(who, operands)
    numbers = {name: cast("Number", plain(one)) for name, one in operands.items()}
    builder = builder_of(who, list(tensors.values()))
    loops = shape or common_shape(who, list(tensors.values()))
    body = Body(builder, len(loops))
    arguments: dict[str, ScalarLike] = {
        name: body.argument(name, tensors[name].dtype)
        if name in tensors
        else numbers[name]
        for name in operands
    }
    token = tracing.set(body)
    try:
        results = elements(arguments)
    finally:
        tracing.reset(token)
    return Trace(builder, who, tensors, loops, body, _scalars(who, body, results))


def _scalars(who: str, body: Body, results: object) -> tuple[ScalarLike, ...]:
    several = cast(
        "tuple[object, ...]", results if isinstance(results, tuple) else (results,)
    )
    found: list[ScalarLike] = []
    for result in several:
        foreign = isinstance(result, Scalar) and result.body is not body
        if foreign or not isinstance(result, Scalar | int | float):
            fail(
                f"{who}: the function gave {result!r}, not the value of an element",
                "compute it from the function's arguments",
            )
        found.append(result)
    return tuple(found)


def emit(
    traced: Trace,
    yielded: Sequence[Scalar],
    outputs: Sequence[SSAValue],
    reduced: Sequence[int] = (),
    running: int = 0,
) -> GenericOp:
    """Close a traced body and append its `linalg.generic`.

    Outputs have the loops that are not reduced; the first `running` ones have all.
    """
    rank = len(traced.loops)
    kept = [loop for loop in range(rank) if loop not in reduced]
    maps = [operand_map(tensor, traced.loops) for tensor in traced.tensors.values()]
    output = AffineMap(rank, 0, tuple(AffineDimExpr(loop) for loop in kept))
    results = [AffineMap.identity(rank)] * running
    results += [output] * (len(outputs) - running)
    close = YieldOp(*[scalar.value for scalar in yielded])
    close.location = traced.builder.location
    traced.body.block.add_op(close)
    op = GenericOp(
        [tensor.value for tensor in traced.tensors.values()],
        outputs,
        Region(traced.body.block),
        maps_attribute([*maps, *results]),
        iterators(rank, reduced),
        [output.type for output in outputs],
    )
    traced.builder.add(op)
    return op


def operand_map(tensor: TensorView, loops: Shape) -> AffineMap:
    """The indexing map of a tensor through its view; broadcast dimensions read 0."""
    first = len(loops) - len(tensor.shape)
    results: list[AffineExpr] = [AffineConstantExpr(0)] * len(tensor.sizes)
    for position, axis in enumerate(tensor.axes):
        if axis is not None and tensor.sizes[axis] == loops[first + position]:
            results[axis] = AffineDimExpr(first + position)
    return AffineMap(len(loops), 0, tuple(results))


def filled(
    builder: FunctionBuilder, value: Number, shape: Shape, dtype: str
) -> SSAValue:
    """A new tensor with one number everywhere: what a reduction starts from."""
    start = builder.constant(value, dtype)
    empty = builder.empty(shape, dtype)
    fill = FillOp([start], [empty])
    builder.add(fill, "init")
    return fill.results[0]


def tensors_among(who: str, operands: Mapping[str, T | Number]) -> dict[str, T]:
    """The operands that are tensors; refuses what is neither a tensor nor a number."""
    found: dict[str, T] = {}
    for name, operand in operands.items():
        if isinstance(operand, TensorView):
            found[name] = operand
        elif not isinstance(plain(operand), int | float):
            fail(
                f"{who}: {name} is not a tensor of a payload but a "
                f"{type(operand).__name__}",
                "take it in with input(name, shape, dtype)",
            )
    return found


def check_tensors(who: str, **operands: object) -> None:
    """Refuse operands that are not tensors; None stands for one that is not given."""
    given = {name: one for name, one in operands.items() if one is not None}
    tensors = tensors_among(who, cast("Operands", given))
    numbers = given.keys() - tensors.keys()
    if numbers:
        fail(f"{who}: {sorted(numbers)[0]} is not a tensor of a payload but a number")


def common_shape(who: str, tensors: Sequence[TensorView]) -> Shape:
    """The shape that the tensors broadcast to."""
    loops = broadcast([tensor.shape for tensor in tensors])
    if loops is None:
        fail(
            f"{who}: shapes do not broadcast: {listed(tensors)}",
            "sizes must be equal or 1, aligned at the last dimension; "
            "x[:, None] adds a dimension",
        )
    return loops


def builder_of(who: str, tensors: Sequence[TensorView]) -> FunctionBuilder:
    """The builder of the payload that all of these belong to."""
    if not tensors:
        fail(f"{who}: there is no tensor among the operands")
    builder = tensors[0].builder
    for tensor in tensors:
        if tensor.builder is not builder:
            fail(
                f"{who}: '{tensors[0].name}' belongs to payload "
                f"'{builder.name}', '{tensor.name}' to '{tensor.builder.name}'",
                "take all operands from one payload",
            )
    return builder


def listed(tensors: Iterable[TensorView]) -> str:
    """`'x' (4, 8) f32 and 'y' (3,) f32`."""
    return " and ".join(f"'{tensor.name}' {tensor.described}" for tensor in tensors)
