"""Patterns on vector elements and slices: trace them to their origin.

Only static positions are followed; constant positions become static.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import DenseArrayBase, DenseIntOrFPElementsAttr, i64
from xdsl.ir import Operation, SSAValue

from tilewright.ir.dense_constants import dense_of, numbers_of
from tilewright.ir.dialects.vector import (
    BroadcastOp,
    ExtractOp,
    ExtractStridedSliceOp,
    FromElementsOp,
    InsertOp,
    InsertStridedSliceOp,
    ShapeCastOp,
    ToElementsOp,
    TransposeOp,
)
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import lanes, vector_type
from tilewright.transforms.cleanup.build import make
from tilewright.transforms.cleanup.constants import (
    Elements,
    attribute_of,
    become,
    element,
    splat_element,
    uniform,
)
from tilewright.transforms.cleanup.driver import fold, pattern
from tilewright.transforms.cleanup.shapes import mixed, numbers_in
from tilewright.transforms.core.rewriter import Rewriter

Position = tuple[int, ...]


def position_of(op: ExtractOp | InsertOp) -> Position | None:
    """The position as numbers; None if some are values, or poison."""
    parts = mixed(op, "static_position", op.dynamic_position)
    numbers = tuple(part for part in parts if isinstance(part, int))
    return (
        numbers if len(numbers) == len(parts) and min(numbers, default=0) >= 0 else None
    )


def extract(vector: SSAValue, position: Position, kind: Any) -> Operation:
    """A new `vector.extract`."""
    static = DenseArrayBase.from_list(i64, list(position))
    return make(ExtractOp.name, [vector], [kind], {"static_position": static})


@fold(ExtractOp, InsertOp)
def constant_position(op: ExtractOp | InsertOp, rewriter: Rewriter) -> None:
    """Make constant positions part of the op."""
    parts = mixed(op, "static_position", op.dynamic_position)
    shape = vector_type(op.operands[0 if isinstance(op, ExtractOp) else 1]).get_shape()
    known: list[SSAValue | int] = []
    for part, extent in zip(parts, shape, strict=False):
        number = constant_int(part)
        inside = number is not None and 0 <= number < extent
        known.append(number if inside and number is not None else part)
    if known == parts:
        return
    op.properties["static_position"] = DenseArrayBase.from_list(
        i64, list(numbers_in(known))
    )
    first = len(op.operands) - len(op.dynamic_position)
    dynamic = [part for part in known if isinstance(part, SSAValue)]
    op.operands = [*op.operands[:first], *dynamic]
    rewriter.changed(op)


@fold(ExtractOp)
def extract_nothing(op: ExtractOp, rewriter: Rewriter) -> None:
    """Drop an extraction of a whole vector."""
    if op.vector.type == op.result.type:
        rewriter.replace(op, [op.vector])


@fold(ExtractOp)
def extract_traced(op: ExtractOp, rewriter: Rewriter) -> None:
    """Extract from before an extract, broadcast, insert, transpose, ..."""
    position = position_of(op)
    if position is None:
        return
    owner = op.vector.owner
    match owner:
        case ExtractOp():
            outer = position_of(owner)
            if outer is not None:
                new = extract(owner.vector, (*outer, *position), op.result.type)
                rewriter.replace_with(op, new)
        case BroadcastOp():
            _extract_repeated(op, owner, position, rewriter)
        case InsertOp():
            _extract_inserted(op, owner, position, rewriter)
        case TransposeOp():
            _extract_transposed(op, owner, position, rewriter)
        case ShapeCastOp():
            _extract_cast(op, owner, position, rewriter)
        case FromElementsOp():
            at = _row_major(position, vector_type(op.vector).get_shape())
            if lanes(op.result.type) is None:
                rewriter.replace(op, [owner.elements[at]])
        case _:
            _extract_constant(op, position, rewriter)


def _row_major(position: Position, shape: Sequence[int]) -> int:
    at = 0
    for number, extent in zip(position, shape, strict=True):
        at = at * extent + number
    return at


def _extract_repeated(
    op: ExtractOp, owner: BroadcastOp, position: Position, rewriter: Rewriter
) -> None:
    source = owner.source
    if source.type == op.result.type:
        rewriter.replace(op, [source])
        return
    shape = lanes(source.type) or ()
    wanted = lanes(op.result.type) or ()
    if len(shape) < len(wanted):
        rewriter.replace_with(op, make(BroadcastOp.name, [source], op.result_types))
        return
    lead = len(vector_type(op.vector).get_shape()) - len(shape)
    # Along a dimension of extent 1 the source repeats: its only element.
    inner = tuple(
        0 if shape[dim] == 1 else number for dim, number in enumerate(position[lead:])
    )
    rest = shape[len(inner) :]
    if rest != wanted:
        return
    rewriter.replace_with(op, extract(source, inner, op.result.type))


def _extract_inserted(
    op: ExtractOp, owner: InsertOp, position: Position, rewriter: Rewriter
) -> None:
    where = position_of(owner)
    if where is None:
        return
    if where == position and owner.source.type == op.result.type:
        rewriter.replace(op, [owner.source])
    elif position[: len(where)] == where:
        inner = extract(owner.source, position[len(where) :], op.result.type)
        rewriter.replace_with(op, inner)
    elif where[: len(position)] != position:
        rewriter.set_operand(op, 0, owner.dest)


def _extract_transposed(
    op: ExtractOp, owner: TransposeOp, position: Position, rewriter: Rewriter
) -> None:
    """Extract before a transposition that keeps the extracted dimensions leading."""
    order = owner.order
    count = len(position)
    if sorted(order[:count]) != list(range(count)):
        return
    if list(order[count:]) != sorted(order[count:]):
        return
    before = [0] * count
    for number, dim in zip(position, order, strict=False):
        before[dim] = number
    new = extract(owner.vector, tuple(before), op.result.type)
    rewriter.replace_with(op, new)


def _extract_cast(
    op: ExtractOp, owner: ShapeCastOp, position: Position, rewriter: Rewriter
) -> None:
    """Extract before a shape cast if the part is a contiguous block of both shapes."""
    shape = vector_type(owner.source).get_shape()
    outer = vector_type(op.vector).get_shape()
    wanted = lanes(op.result.type) or ()
    keep = len(wanted)
    if shape[len(shape) - keep :] != wanted or len(shape) < keep:
        return
    if op.result.type == owner.source.type:
        rewriter.replace(op, [owner.source])
        return
    at = _row_major(position, outer[: len(position)])
    inner: list[int] = []
    for extent in reversed(shape[: len(shape) - keep]):
        inner.append(at % extent)
        at //= extent
    new = extract(owner.source, tuple(reversed(inner)), op.result.type)
    rewriter.replace_with(op, new)


def _extract_constant(op: ExtractOp, position: Position, rewriter: Rewriter) -> None:
    attr = attribute_of(op.vector)
    if not isinstance(attr, DenseIntOrFPElementsAttr):
        return
    same, kind = splat_element(attr), op.result.type
    if same is not None:
        whole = same if lanes(kind) is None else dense_of(kind, [same.value.data])
        become(op, whole, rewriter)
        return
    shape = attr.get_shape()
    block = math.prod(shape[len(position) :])
    start = _row_major(position, shape[: len(position)]) * block
    numbers = attr.get_values()[start : start + block]
    if lanes(kind) is None:
        number: Any = numbers[0]
        become(op, element(number, attr.get_element_type()), rewriter)
    else:
        become(op, dense_of(kind, numbers), rewriter)


@pattern(InsertOp)
def insert_over_everything(op: InsertOp, rewriter: Rewriter) -> None:
    """Replace an insertion into a vector of one element by a broadcast."""
    kind = vector_type(op.dest)
    if math.prod(kind.get_shape()) == math.prod(lanes(op.source.type) or ()):
        if lanes(op.source.type) is None:
            rewriter.replace_with(op, BroadcastOp(op.source, kind))
        else:
            cast = make(ShapeCastOp.name, [op.source], [kind])
            rewriter.replace_with(op, cast)


@fold(InsertOp)
def insert_over_inserted(op: InsertOp, rewriter: Rewriter) -> None:
    """Skip an insertion that this one overwrites."""
    before = op.dest.owner
    if isinstance(before, InsertOp) and position_of(op) is not None:
        same = position_of(before) == position_of(op)
        if same and before.source.type == op.source.type:
            rewriter.set_operand(op, 1, before.dest)


@fold(InsertOp)
def insert_constant(op: InsertOp, rewriter: Rewriter) -> None:
    """Insert a constant into a constant."""
    position, number = position_of(op), uniform(op.source)
    attr = attribute_of(op.dest)
    if position is None or number is None or lanes(op.source.type) is not None:
        return
    if not isinstance(attr, DenseIntOrFPElementsAttr):
        return
    whole: Elements = attr
    values = list(numbers_of(whole))
    values[_row_major(position, whole.get_shape())] = number
    become(op, dense_of(vector_type(op.dest), values), rewriter)


@fold(FromElementsOp)
def constant_elements(op: FromElementsOp, rewriter: Rewriter) -> None:
    """Make a vector of constants a constant."""
    found = [uniform(value) for value in op.elements]
    numbers = [number for number in found if number is not None]
    if numbers and len(numbers) == len(found):
        become(op, dense_of(vector_type(op.dest), numbers), rewriter)


@fold(FromElementsOp)
def elements_again(op: FromElementsOp, rewriter: Rewriter) -> None:
    """Replace a vector that is taken apart and rebuilt by the vector."""
    owner = op.elements[0].owner if op.elements else None
    if isinstance(owner, ToElementsOp) and list(owner.results) == list(op.elements):
        if owner.source.type == op.dest.type:
            rewriter.replace(op, [owner.source])


@fold(ToElementsOp)
def elements_of_elements(op: ToElementsOp, rewriter: Rewriter) -> None:
    """Replace the elements of a vector that was just built, or broadcast."""
    owner = op.source.owner
    if isinstance(owner, FromElementsOp):
        rewriter.replace(op, list(owner.elements))
    elif isinstance(owner, BroadcastOp) and lanes(owner.source.type) is None:
        rewriter.replace(op, [owner.source] * len(op.results))


@pattern(FromElementsOp)
def same_elements(op: FromElementsOp, rewriter: Rewriter) -> None:
    """Make a vector of one repeated value a broadcast."""
    if len(set(op.elements)) == 1:
        rewriter.replace_with(op, BroadcastOp(op.elements[0], vector_type(op.dest)))


@fold(ExtractStridedSliceOp)
def slice_everything(op: ExtractStridedSliceOp, rewriter: Rewriter) -> None:
    """Drop a slice of a whole vector, or of a vector of equal elements."""
    if op.source.type == op.result.type:
        rewriter.replace(op, [op.source])
    elif (number := uniform(op.source)) is not None:
        become(op, dense_of(vector_type(op.result), [number]), rewriter)


@pattern(ExtractStridedSliceOp)
def slice_repeated(op: ExtractStridedSliceOp, rewriter: Rewriter) -> None:
    """Replace a slice of a broadcast scalar by a smaller broadcast."""
    owner = op.source.owner
    if isinstance(owner, BroadcastOp) and lanes(owner.source.type) is None:
        rewriter.replace_with(op, BroadcastOp(owner.source, vector_type(op.result)))


@fold(InsertStridedSliceOp)
def insert_slice_back(op: InsertStridedSliceOp, rewriter: Rewriter) -> None:
    """Drop an insertion over a whole vector, or back to where it came from."""
    if op.source.type == op.dest.type:
        rewriter.replace(op, [op.source])
        return
    owner = op.source.owner
    if (
        isinstance(owner, ExtractStridedSliceOp)
        and owner.source is op.dest
        and owner.offsets == op.offsets
        and owner.strides == op.strides
    ):
        rewriter.replace(op, [op.dest])


PATTERNS = (
    constant_position,
    extract_nothing,
    extract_traced,
    insert_over_everything,
    insert_over_inserted,
    insert_constant,
    constant_elements,
    elements_again,
    elements_of_elements,
    same_elements,
    slice_everything,
    slice_repeated,
    insert_slice_back,
)
