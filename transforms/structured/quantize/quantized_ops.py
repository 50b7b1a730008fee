"""Build the structured ops of a quantized product: scales, factors, scaling back.

    absmax    m = max |x|, over the whole factor or over what is summed
    scale     s = max(m / largest, 2^-126)
    quantize  q = the number of the format next to x / s
    dequantize    r = start + product * (s_lhs * s_rhs)

All of it is done in f32. A scale is never 0 and never subnormal, so that nothing is
divided by 0 where all factors are, and its inverse is finite. A NaN among the factors
makes their scale NaN, and all results that have the scale: it is not lost in a format
that has none. The two scales are multiplied first: a large and a small one cancel,
where the product times the large one would overflow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, IntegerType, f32
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.utils.hints import isa

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import FillOp, GenericOp
from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.dialects.linalg.scalars import Body
from tilewright.ir.types import element_type
from tilewright.transforms.core.extents import Extent, OpList, dim_size
from tilewright.transforms.structured.new_ops import empty, generic
from tilewright.transforms.structured.quantize.number_formats import NumberFormat

SMALLEST_SCALE = 2.0**-126


@dataclass(frozen=True)
class Scale:
    """A scale: one number, or a tensor over some dimensions of the factor."""

    value: SSAValue | float
    dims: tuple[int, ...]
    """The dimensions of the factor along which it varies."""

    @property
    def tensors(self) -> list[SSAValue]:
        """The operand for an op that reads it, if it is a tensor."""
        return [self.value] if isinstance(self.value, SSAValue) else []


def filled(
    number: float, of: Attribute, shape: Sequence[Extent], new: OpList
) -> SSAValue:
    """A new tensor filled with a number."""
    value = new.add(arith.ConstantOp(_number(number, of)))
    return new.add(FillOp([value], [empty(shape, of, new)]))


def measured(
    factor: SSAValue, dims: tuple[int, ...], form: NumberFormat, new: OpList
) -> tuple[Scale, tuple[GenericOp, GenericOp]]:
    """The scale of each slice of a factor along `dims`, from its largest element."""
    rank = len(shape_of(factor.type))
    kept = [dim_size(factor, dim, new) for dim in dims]

    def largest(body: Body) -> list[SSAValue]:
        size = body.add("math.absf", body.convert(body.args[0], f32))
        return [body.add("arith.maximumf", size, body.args[1])]

    absmax = generic(
        [factor],
        [filled(0.0, f32, kept, new)],
        [AffineMap.identity(rank), _map(rank, dims)],
        [dim for dim in range(rank) if dim not in dims],
        largest,
        new,
    )

    def scaled(body: Body) -> list[SSAValue]:
        step = body.add("arith.divf", body.args[0], _constant(form.largest, f32, body))
        smallest = _constant(SMALLEST_SCALE, f32, body)
        return [body.add("arith.maximumf", step, smallest)]

    identity = AffineMap.identity(len(dims))
    scale = generic(
        [absmax.results[0]],
        [empty(kept, f32, new)],
        [identity, identity],
        [],
        scaled,
        new,
    )
    return Scale(scale.results[0], dims), (absmax, scale)


def quantized(
    factor: SSAValue, scale: Scale, form: NumberFormat, new: OpList
) -> GenericOp:
    """A factor divided by its scale, in the format."""
    rank = len(shape_of(factor.type))
    shape = [dim_size(factor, dim, new) for dim in range(rank)]
    tensors = scale.tensors

    def divided(body: Body) -> list[SSAValue]:
        divisor = _read(scale, body, 1)
        step = body.add("arith.divf", body.convert(body.args[0], f32), divisor)
        return [_rounded(step, form, body)]

    identity = AffineMap.identity(rank)
    return generic(
        [factor, *tensors],
        [empty(shape, form.type, new)],
        [identity, *(_map(rank, scale.dims) for _ in tensors), identity],
        [],
        divided,
        new,
    )


def dequantized(
    product: SSAValue,
    scales: Sequence[Scale],
    dims: Sequence[Sequence[int]],
    start: SSAValue,
    new: OpList,
    *,
    adds: bool,
) -> GenericOp:
    """A product times its scales, added to `start` or written over it.

    `dims` has for each scale the dimensions of the product that it varies along.
    """
    rank = len(shape_of(product.type))
    tensors = [tensor for scale in scales for tensor in scale.tensors]
    maps = [
        _map(rank, of)
        for scale, of in zip(scales, dims, strict=True)
        for _ in scale.tensors
    ]

    def scaled(body: Body) -> list[SSAValue]:
        lhs = _read(scales[0], body, 1)
        rhs = _read(scales[1], body, len(tensors))
        both = body.add("arith.mulf", lhs, rhs)
        value = body.add("arith.mulf", body.convert(body.args[0], f32), both)
        if adds:
            value = body.add("arith.addf", body.convert(body.args[-1], f32), value)
        return [body.convert(value, element_type(start.type))]

    identity = AffineMap.identity(rank)
    return generic(
        [product, *tensors], [start], [identity, *maps, identity], [], scaled, new
    )


def _read(scale: Scale, body: Body, position: int) -> SSAValue:
    if isinstance(scale.value, SSAValue):
        return body.args[position]
    return _constant(scale.value, f32, body)


def _rounded(value: SSAValue, form: NumberFormat, body: Body) -> SSAValue:
    """The nearest number of the format, clamped to its range."""
    low, high = (_constant(x, f32, body) for x in (-form.largest, form.largest))
    if not form.is_integer:
        value = body.add("arith.maximumf", value, low)
        value = body.add("arith.minimumf", value, high)
        return body.convert(value, form.type)
    # A NaN as an integer is poison: it is clamped here, and its scale is NaN.
    value = body.add("math.roundeven", value)
    value = body.add("arith.maxnumf", value, low)
    value = body.add("arith.minnumf", value, high)
    return body.convert(value, form.type)


def _map(rank: int, dims: Sequence[int]) -> AffineMap:
    return AffineMap(rank, 0, tuple(AffineExpr.dimension(dim) for dim in dims))


def _constant(value: float, of: Attribute, body: Body) -> SSAValue:
    return body.append(arith.ConstantOp(_number(value, of))).results[0]


def _number(value: float, of: Attribute) -> FloatAttr | IntegerAttr:
    if isinstance(of, AnyFloat):
        return FloatAttr(value, of)
    assert isa(of, IntegerType)
    return IntegerAttr(int(value), of)
