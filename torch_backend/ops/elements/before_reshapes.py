"""Element-wise ops move before reshapes that join dimensions.

A group norm computes rows of groups, and joins the groups to channels. Its readers then
have other loops than the rows, and would be kernels of their own.

Before:

    rows = group_norm(x)                 tensor<16x8x32xf32>
    y = relu(collapse_shape(rows))       loops over 16x256

After:

    y = collapse_shape(relu(rows))       loops over 16x8x32, in the kernel of the rows
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.utils.hints import isa

from tilewright.frontend.builder.function_builder import Number
from tilewright.frontend.builder.ops.dimension_groups import Groups, groups_of
from tilewright.frontend.builder.ops.reshapes import is_plain, reshape
from tilewright.frontend.builder.sizes import Shape, Size
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dialects.linalg import GenericOp, TransposeOp
from tilewright.ir.dialects.tensor import CollapseShapeOp, ExpandShapeOp

Operand = Tensor | Number
_COMPUTED = GenericOp, TransposeOp
"""The ops whose kernel an element-wise op may become part of."""


def before_reshapes(operands: Sequence[Operand], shape: Shape) -> list[Operand] | None:
    """Operands of an element-wise op of a shape, as they are before dimensions join.

    None if the op stays where it is: no operand of all elements is a join, or another
    one of all elements is none.
    """
    sources = [
        _source(one) if isinstance(one, Tensor) and one.shape == shape else None
        for one in operands
    ]
    found = [one for one in sources if one is not None]
    if not found or any(one.shape != found[0].shape for one in found):
        return None
    groups = groups_of(found[0].shape, shape)
    if groups is None:
        return None
    moved: list[Operand] = []
    for one, source in zip(operands, sources, strict=True):
        if source is not None or not isinstance(one, Tensor) or not one.rank:
            moved.append(one if source is None else source)
            continue
        sizes = sizes_before(one.shape, found[0].shape, shape, groups)
        if sizes is None or one.shape == shape:
            return None
        moved.append(reshape(one, sizes))
    return moved


def _source(x: Tensor) -> Tensor | None:
    """The computed tensor that reshapes made this one of by joining dimensions."""
    value, joins = x.value, False
    while isinstance(value.owner, CollapseShapeOp | ExpandShapeOp):
        joins |= isinstance(value.owner, CollapseShapeOp)
        value = value.owner.operands[0]
    if not joins or not is_plain(x) or not isinstance(value.owner, _COMPUTED):
        return None
    kind = value.type
    assert isa(kind, TensorType)
    sizes = tuple(kind.get_shape())
    if DYNAMIC_INDEX in sizes or 1 in sizes:
        return None
    return x.like(value, sizes, x.dtype)


def sizes_before(
    own: Shape, source: Shape, target: Shape, groups: tuple[Groups, Groups]
) -> list[Size] | None:
    """The sizes before the reshape of an operand that is broadcast to the target."""
    padded = (1,) * (len(target) - len(own)) + own
    found: list[Size] = []
    for before, after in zip(*groups, strict=True):
        here = [padded[dim] for dim in after]
        if here == [target[dim] for dim in after]:
            found += [source[dim] for dim in before]
        elif all(size == 1 for size in here):
            found += [1] * len(before)
        else:
            return None
    return found
