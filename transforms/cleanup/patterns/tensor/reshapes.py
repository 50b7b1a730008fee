"""Patterns on expand_shape and collapse_shape of tensors and buffers."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.dialects.tensor.shapes import reassociation_of
from tilewright.ir.types import is_tensor, tensor_type
from tilewright.transforms.cleanup.build import make, owner_named
from tilewright.transforms.cleanup.constants import (
    attribute_of,
    become,
    splat,
    splat_element,
)
from tilewright.transforms.cleanup.driver import fold_on, pattern_on
from tilewright.transforms.cleanup.shapes import (
    Size,
    casted,
    is_more_static,
    known,
    mixed,
    numbers_in,
    shape_of,
    with_shape,
)
from tilewright.transforms.core.rewriter import Rewriter

EXPAND, COLLAPSE = "tensor.expand_shape", "tensor.collapse_shape"

Groups = list[list[int]]
"""For each dimension of the shorter shape, its dimensions in the longer one."""


def groups_of(op: Operation) -> Groups:
    """The reassociation of a reshape."""
    attr: Any = op.properties["reassociation"]
    return [[int(dim.value.data) for dim in group] for group in attr]


def expand(
    source: SSAValue, groups: Groups, sizes: Sequence[Size], kind: Attribute
) -> Operation:
    """A new `tensor.expand_shape`."""
    properties = {
        "reassociation": reassociation_of(groups),
        "static_output_shape": DenseArrayBase.from_list(i64, list(numbers_in(sizes))),
    }
    dynamic = [size for size in sizes if isinstance(size, SSAValue)]
    return make(EXPAND, [source, *dynamic], [kind], properties)


def collapse(source: SSAValue, groups: Groups, kind: Attribute) -> Operation:
    """A new `tensor.collapse_shape`."""
    properties = {"reassociation": reassociation_of(groups)}
    return make(COLLAPSE, [source], [kind], properties)


def merge_dims(
    value: SSAValue, groups: Sequence[Sequence[int]], kind: TensorType[Any]
) -> list[Operation]:
    """The reshapes that make one dimension of each group, of size 1 of an empty one."""
    full = [dim for dim, group in enumerate(groups) if group]
    shape = [kind.get_shape()[dim] for dim in full]
    made: list[Operation] = []
    if len(shape) < len(shape_of(value)):
        whole = [list(groups[dim]) for dim in full]
        made.append(collapse(value, whole, with_shape(kind, shape)))
        value = made[-1].results[0]
    if len(full) < len(groups):
        starts = [0, *full[1:], len(groups)]
        split = [list(range(*ends)) for ends in itertools.pairwise(starts)]
        made.append(expand(value, split, kind.get_shape(), kind))
    return made


def output_sizes(op: Operation) -> list[Size]:
    """The result sizes that an expansion lists."""
    return mixed(op, "static_output_shape", op.operands[1:])


@fold_on(EXPAND, COLLAPSE)
def reshape_to_same(op: Operation, rewriter: Rewriter) -> None:
    """Drop a reshape to the same type, or one that undoes another."""
    source, result = op.operands[0], op.results[0]
    if source.type == result.type:
        rewriter.replace(op, [source])
        return
    inverse = owner_named(source, COLLAPSE if op.name == EXPAND else EXPAND)
    if inverse is None or inverse.operands[0].type != result.type:
        return
    # With several dynamic extents in a group, the result may differ in shape.
    if groups_of(inverse) == groups_of(op) and _is_determined(op):
        rewriter.replace(op, [inverse.operands[0]])


def _is_determined(op: Operation) -> bool:
    """Whether each group of the longer shape has at most one unknown extent."""
    longer = op.results[0] if op.name == EXPAND else op.operands[0]
    shape = shape_of(longer)
    return op.name == COLLAPSE or all(
        sum(shape[dim] == DYNAMIC_INDEX for dim in group) <= 1
        for group in groups_of(op)
    )


@fold_on(EXPAND, COLLAPSE)
def reshape_of_constant(op: Operation, rewriter: Rewriter) -> None:
    """Reshape a constant whose elements are all equal."""
    attr = attribute_of(op.operands[0])
    kind = tensor_type(op.results[0])
    if not isinstance(attr, DenseIntOrFPElementsAttr) or not kind.has_static_shape():
        return
    if (same := splat_element(attr)) is not None:
        become(op, splat(same, kind), rewriter)


def _merged(first: Groups, second: Groups) -> Groups:
    """The groups of two collapses, or two expansions, in a row."""
    return [[dim for group in outer for dim in first[group]] for outer in second]


@pattern_on(COLLAPSE)
def collapse_collapsed(op: Operation, rewriter: Rewriter) -> None:
    """Merge two collapses."""
    inner = owner_named(op.operands[0], COLLAPSE)
    if inner is not None:
        groups = _merged(groups_of(inner), groups_of(op))
        new = collapse(inner.operands[0], groups, op.results[0].type)
        rewriter.replace_with(op, new)


@pattern_on(EXPAND)
def expand_expanded(op: Operation, rewriter: Rewriter) -> None:
    """Merge two expansions."""
    inner = owner_named(op.operands[0], EXPAND)
    if inner is not None:
        groups = _merged(groups_of(op), groups_of(inner))
        source, kind = inner.operands[0], op.results[0].type
        rewriter.replace_with(op, expand(source, groups, output_sizes(op), kind))


def _nested(outer: Groups, inner: Groups) -> Groups | None:
    """The finer groups that make up each coarser one; None if they overlap."""
    found: Groups = []
    at = 0
    for group in outer:
        mine: list[int] = []
        covered: list[int] = []
        while at < len(inner) and len(covered) < len(group):
            covered += inner[at]
            mine.append(at)
            at += 1
        if covered != group:
            return None
        found.append(mine)
    return found if at == len(inner) else None


@pattern_on(COLLAPSE)
def collapse_expanded(op: Operation, rewriter: Rewriter) -> None:
    """Replace an expansion that is collapsed by the one reshape that is left."""
    inner = owner_named(op.operands[0], EXPAND)
    if inner is None:
        return
    source, result = inner.operands[0], op.results[0]
    before, after = groups_of(inner), groups_of(op)
    if len(before) > len(after):
        if (groups := _nested(after, before)) is not None:
            rewriter.replace_with(op, collapse(source, groups, result.type))
        return
    groups = _nested(before, after)
    if len(before) == len(after) or groups is None:
        return
    if tensor_type(result).has_static_shape():
        new = expand(source, groups, list(shape_of(result)), result.type)
        rewriter.replace_with(op, new)


@pattern_on(EXPAND)
def expand_collapsed(op: Operation, rewriter: Rewriter) -> None:
    """Replace a collapse that is expanded by the one reshape that is left."""
    inner = owner_named(op.operands[0], COLLAPSE)
    if inner is None:
        return
    source, result = inner.operands[0], op.results[0]
    before, after = groups_of(inner), groups_of(op)
    shape, wanted = shape_of(source), shape_of(result)
    if len(shape) == len(wanted):
        return
    longer, shorter = (shape, wanted) if len(shape) > len(wanted) else (wanted, shape)
    long_groups, short_groups = (before, after) if longer is shape else (after, before)
    groups: Groups = []
    for long, short in zip(long_groups, short_groups, strict=True):
        found = _by_extents(
            [longer[d] for d in long], [shorter[d] for d in short], long[0]
        )
        if found is None:
            return
        groups += found
    if longer is shape:
        rewriter.replace_with(op, collapse(source, groups, result.type))
    else:
        new = expand(source, groups, output_sizes(op), result.type)
        rewriter.replace_with(op, new)


def _by_extents(longer: list[int], shorter: list[int], first: int) -> Groups | None:
    """Groups of extents of one shape whose products are the other shape."""
    if longer.count(DYNAMIC_INDEX) > 1 or shorter.count(DYNAMIC_INDEX) > 1:
        return None
    groups: Groups = []
    at = 0
    for extent in shorter:
        mine: list[int] = []
        product = 1
        while at < len(longer):
            if extent == DYNAMIC_INDEX:
                mine.append(first + at)
                at += 1
                if longer[at - 1] == DYNAMIC_INDEX:
                    break
                continue
            if product == extent and mine:
                break
            if longer[at] == DYNAMIC_INDEX:
                return None
            product *= longer[at]
            mine.append(first + at)
            at += 1
        if not mine or (extent != DYNAMIC_INDEX and product != extent):
            return None
        groups.append(mine)
    while at < len(longer):  # trailing extents of 1 belong to the last group
        if longer[at] != 1:
            return None
        groups[-1].append(first + at)
        at += 1
    return groups


@pattern_on(COLLAPSE)
def collapse_what_was_cast(op: Operation, rewriter: Rewriter) -> None:
    """Collapse the tensor before a cast that only makes extents dynamic."""
    cast = owner_named(op.operands[0], "tensor.cast")
    if cast is None or not is_tensor(cast.operands[0].type):
        return
    source, result = cast.operands[0], op.results[0]
    if not is_more_static(shape_of(source), shape_of(op.operands[0])):
        return
    kind = collapsed_type(tensor_type(source), groups_of(op))
    new = collapse(source, groups_of(op), kind)
    rewriter.replace_with(op, *casted(new, result.type))


def collapsed_type(kind: TensorType[Any], groups: Groups) -> TensorType[Any]:
    """The type of a collapsed tensor."""
    shape = kind.get_shape()
    extents: list[int] = []
    for group in groups:
        product = 1
        for dim in group:
            dynamic = DYNAMIC_INDEX in (product, shape[dim])
            product = DYNAMIC_INDEX if dynamic else product * shape[dim]
        extents.append(product)
    return with_shape(kind, extents)


@pattern_on(EXPAND)
def expand_to_constants(op: Operation, rewriter: Rewriter) -> None:
    """Make constant sizes part of the type, if the source's are static too."""
    source, result = op.operands[0], op.results[0]
    sizes = [known(size) for size in output_sizes(op)]
    if sizes == output_sizes(op):
        return
    cast = owner_named(source, "tensor.cast")
    whole = source if cast is None else cast.operands[0]
    if not tensor_type(whole).has_static_shape():
        return
    kind = with_shape(tensor_type(result), numbers_in(sizes))
    new = expand(whole, groups_of(op), sizes, kind)
    rewriter.replace_with(op, *casted(new, result.type))


PATTERNS = (
    reshape_to_same,
    reshape_of_constant,
    collapse_collapsed,
    expand_expanded,
    collapse_expanded,
    expand_collapsed,
    collapse_what_was_cast,
    expand_to_constants,
)
