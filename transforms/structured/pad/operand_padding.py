"""Pad one operand: the padding value, the new sizes, the pad op."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    Builtin,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.hints import isa

from tilewright.ir.dialects import affine, arith, tensor
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.indexing.semi_affine import binary
from tilewright.ir.types import element_type, is_tensor, tensor_type
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.extents import (
    Extent,
    OpList,
    dim_size,
    evaluate,
    known_size,
    upper_bound,
)
from tilewright.transforms.structured.new_ops import pad_high

Number = FloatAttr | IntegerAttr


@dataclass(frozen=True)
class Padding:
    """How one operand is padded."""

    value: Number
    multiples: Mapping[int, int]
    """For each padded dimension: its size becomes a multiple of this."""
    nofold: bool


def padding_values(
    user: TransformOp, op: StructuredOp, given: Sequence[Attribute]
) -> list[Number]:
    """The padding value of each operand, in its type; 0 by default."""
    types = [element_type(operand.type) for operand in op.operands]
    if not given:
        return [_zero(user, op, of) for of in types]
    values: list[Number] = []
    for index, (value, of) in enumerate(zip(given, types, strict=False)):
        if isinstance(value, StringAttr):
            value = _read(value.data, of) or value
        if not isa(value, FloatAttr | IntegerAttr) or value.type != of:
            raise user.broken(
                f"expected a padding value of type {of} for operand {index}, "
                f"got {value}",
                op,
            )
        values.append(value)
    return values


def _zero(user: TransformOp, op: StructuredOp, of: Attribute) -> Number:
    if isinstance(of, AnyFloat):
        return FloatAttr(0.0, of)
    if isa(of, IntegerType | IndexType):
        return IntegerAttr(0, of)
    raise user.refuse(f"there is no zero of type {of} to pad with", op)


def _read(text: str, of: Attribute) -> Attribute | None:
    """A number written as a string, of the operand's type."""
    context = Context()
    context.load_dialect(Builtin)
    try:
        return Parser(context, f"{text} : {of}").parse_attribute()
    except ParseError:
        return None


def multiples_of(
    user: TransformOp,
    op: StructuredOp,
    index: int,
    of_loop: Mapping[int, int],
    prescribed: bool,
) -> dict[int, int]:
    """The multiples for the dimensions of an operand; refuses if one has no bound."""
    found: dict[int, int] = {}
    operand = op.operands[index]
    for dim, expr in enumerate(op.maps[index].results):
        padded = [loop for loop in of_loop if loop in expr.used_dims()]
        if not padded:
            continue
        if not isinstance(expr, AffineDimExpr):
            multiples = {of_loop[loop] for loop in padded}
            if multiples == {1} and isinstance(known_size(operand, dim), int):
                continue
            raise user.refuse(
                f"dimension {dim} of operand {index} is not indexed by loop "
                f"{padded[0]} alone",
                op,
            )
        size = known_size(operand, dim)
        if not prescribed and (size is None or _bound(size) is None):
            raise user.refuse(
                f"nothing bounds dimension {dim} of operand {index}",
                op,
                "tile the loop first, or use_prescribed_tensor_shapes",
            )
        found[dim] = of_loop[expr.position]
    return found


def _bound(size: Extent) -> int | None:
    """The size that a dimension is padded to: a partial tile to its tile's size.

    As upstream has it, also where the whole loop is shorter than a tile.
    """
    if isinstance(size, SSAValue) and isinstance(size.owner, affine.MinOp):
        results = size.owner.map.data.results
        sizes = [e.value for e in results if isinstance(e, AffineConstantExpr)]
        if sizes:
            return min(sizes)
    return upper_bound(size)


def is_whole(operand: SSAValue, multiples: Mapping[int, int]) -> bool:
    """Whether the sizes are static and already multiples."""
    shape = tensor_type(operand).get_shape() if is_tensor(operand.type) else ()
    return all(
        shape[dim] != DYNAMIC_INDEX and shape[dim] % multiple == 0
        for dim, multiple in multiples.items()
    )


def pad_operand(
    operand: SSAValue, padding: Padding, prescribed: bool, new: OpList
) -> tensor.PadOp:
    """The padded operand; the pad is added to the new ops."""
    value = new.add(arith.ConstantOp(padding.value))
    shape = list(tensor_type(operand).get_shape())
    high: list[Extent] = [0] * len(shape)
    for dim, multiple in padding.multiples.items():
        size = dim_size(operand, dim, new)
        shape[dim], high[dim] = _rounded(size, multiple, prescribed, new)
    return pad_high(operand, value, high, shape, new, nofold=padding.nofold)


def _rounded(
    size: Extent, multiple: int, prescribed: bool, new: OpList
) -> tuple[int, Extent]:
    """A rounded-up size for the type, and the size of the padding."""
    if prescribed and isinstance(size, SSAValue):
        own, by = AffineExpr.dimension(0), AffineExpr.constant(multiple)
        whole = binary(AffineBinaryOpKind.CeilDiv, own, by) * by
        return DYNAMIC_INDEX, evaluate(whole - own, [size], new)
    bound = _bound(size)
    assert bound is not None, "analyzed: there is a bound"
    rounded = -(-bound // multiple) * multiple
    more = AffineExpr.constant(rounded) - AffineExpr.dimension(0)
    return rounded, evaluate(more, [size], new)


def output_sizes(
    op: StructuredOp, output: SSAValue, ranges: Sequence[Extent], new: OpList
) -> list[Extent]:
    """The sizes of an output, to slice the padded one."""
    map_ = op.maps[list(op.operands).index(output, len(op.inputs))]
    sizes: list[Extent] = []
    for dim, (size, expr) in enumerate(
        zip(tensor_type(output).get_shape(), map_.results, strict=True)
    ):
        if size != DYNAMIC_INDEX:
            sizes.append(size)
        elif isinstance(expr, AffineDimExpr):
            sizes.append(new.index(ranges[expr.position]))
        else:
            sizes.append(new.index(dim_size(output, dim, new)))
    return sizes
