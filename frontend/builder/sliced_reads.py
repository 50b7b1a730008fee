"""Reads of a part of a tensor at computed places, as reads of the whole tensor.

`x[:, 1:]` at the place (i, j) is `x` at (i, j + 1), so that the part is not stored
first. Reshapes between parts may add and drop dimensions of size 1.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from tilewright.frontend.builder.scalar import Scalar, ScalarLike
from tilewright.ir.dialects.tensor import (
    CollapseShapeOp,
    ExpandShapeOp,
    ExtractSliceOp,
    groups_of,
)
from tilewright.ir.types import tensor_type

View = ExtractSliceOp | CollapseShapeOp | ExpandShapeOp


def is_readable(value: SSAValue) -> bool:
    """Whether elements at computed places can be read: all slices are seen through."""
    source = value
    for view in _views(value):
        source = view.operands[0]
    while isinstance(source.owner, CollapseShapeOp | ExpandShapeOp):
        source = source.owner.operands[0]
    return not isinstance(source.owner, ExtractSliceOp)


def in_whole(
    value: SSAValue, places: Sequence[Scalar]
) -> tuple[SSAValue, list[ScalarLike]]:
    """The tensor that a value is a part of, and the places of an element in it."""
    own: list[ScalarLike] = list(places)
    for view in _views(value):
        value = view.operands[0]
        if isinstance(view, ExtractSliceOp):
            offsets = view.static_offsets.get_values()
            strides = view.static_strides.get_values()
            own = [
                _moved(place, offset, stride)
                for place, offset, stride in zip(own, offsets, strides, strict=True)
            ]
        else:
            own = _reshaped(view, own)
    return value, own


def _views(value: SSAValue) -> list[View]:
    """The views of a value that end in a slice, the last one first."""
    found: list[View] = []
    slices = 0
    while True:
        view = value.owner
        if isinstance(view, ExtractSliceOp) and _is_plain(view):
            found.append(view)
            slices = len(found)
        elif isinstance(view, CollapseShapeOp | ExpandShapeOp) and _has_units(view):
            found.append(view)
        else:
            return found[:slices]
        value = view.operands[0]


def _is_plain(view: ExtractSliceOp) -> bool:
    """Whether a slice keeps all dimensions, and its offsets are numbers."""
    numbers = (*view.static_offsets.get_values(), *view.static_strides.get_values())
    rank = len(tensor_type(view.source).get_shape())
    made = len(tensor_type(view.result).get_shape())
    return made == rank and DYNAMIC_INDEX not in numbers


def _wide(view: CollapseShapeOp | ExpandShapeOp) -> tuple[int, ...]:
    """The shape of a reshape's side with more dimensions."""
    is_split = isinstance(view, ExpandShapeOp)
    return tensor_type(view.result if is_split else view.src).get_shape()


def _has_units(view: CollapseShapeOp | ExpandShapeOp) -> bool:
    """Whether a reshape only adds or drops dimensions of size 1."""
    shape = _wide(view)
    return all(
        sum(shape[dim] != 1 for dim in group) <= 1
        for group in groups_of(view.reassociation)
    )


def _reshaped(
    view: CollapseShapeOp | ExpandShapeOp, places: Sequence[ScalarLike]
) -> list[ScalarLike]:
    """Places in what a reshape reads."""
    shape, groups = _wide(view), groups_of(view.reassociation)
    long = [[dim for dim in group if shape[dim] != 1] for group in groups]
    if isinstance(view, ExpandShapeOp):
        return [places[dims[0]] if dims else 0 for dims in long]
    own: list[ScalarLike] = [0] * len(shape)
    for dims, place in zip(long, places, strict=True):
        if dims:
            own[dims[0]] = place
    return own


def _moved(place: ScalarLike, offset: int, stride: int) -> ScalarLike:
    scaled = place if stride == 1 else place * stride
    return scaled + offset if offset else scaled
