"""Lists of sizes in transform ops: integers and parameters mixed, `[0, %BM, 32]`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    i64,
)
from xdsl.dialects.transform import TransformParamHandleType
from xdsl.dialects.utils import (
    parse_dynamic_index_list_without_types,
    print_dynamic_index_list,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.hints import isa

from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.state import TransformState


def parse_sizes(parser: Parser) -> tuple[list[UnresolvedOperand], list[int]]:
    """Parse `[0, %BM, 32]`: the parameters, and the list with markers for them."""
    dynamic, static = parse_dynamic_index_list_without_types(
        parser, dynamic_index=DYNAMIC_INDEX
    )
    return list(dynamic), list(static)


def print_sizes(
    printer: Printer, static: DenseArrayBase[IntegerType], dynamic: Sequence[SSAValue]
) -> None:
    """Print `[0, %BM, 32]`."""
    print_dynamic_index_list(
        printer, DYNAMIC_INDEX, dynamic, [int(s) for s in static.get_values()]
    )


@dataclass(frozen=True)
class SizeList:
    """A list of sizes as it is written: numbers and parameters, or one handle."""

    dynamic: Sequence[UnresolvedOperand] = ()
    packed: Sequence[UnresolvedOperand] = ()
    static: DenseArrayBase[IntegerType] | None = None


def parse_size_lists(parser: Parser, *words: str) -> list[SizeList]:
    """Parse lists that begin with these words, in any order, at least one.

    `tile_sizes [8, %p] num_threads *(%h)`; a list that is not written is empty.
    """
    found: dict[str, SizeList] = {}
    while True:
        for word in words:
            if word not in found and parser.parse_optional_keyword(word) is not None:
                found[word] = _parse_size_list(parser)
                break
        else:
            break
    if not found:
        parser.raise_error(f"expected {' or '.join(map(repr, words))}")
    return [found.get(word, SizeList()) for word in words]


def _parse_size_list(parser: Parser) -> SizeList:
    """`[8, %p]`, or one handle to all of them: `*(%h)`."""
    if parser.parse_optional_punctuation("*"):
        with parser.in_parens():
            return SizeList(packed=[parser.parse_unresolved_operand()])
    dynamic, static = parse_sizes(parser)
    return SizeList(dynamic, (), DenseArrayBase.from_list(i64, static))


def resolve_sizes(
    op: TransformOp,
    state: TransformState,
    static: DenseArrayBase[IntegerType],
    dynamic: Sequence[SSAValue],
) -> tuple[int, ...]:
    """The sizes as numbers, parameters looked up, none negative."""
    values = iter(dynamic)
    sizes: list[int] = []
    for entry in static.get_values():
        size = int(entry)
        if size == DYNAMIC_INDEX:
            size = _number(op, state, next(values))
        if size < 0:
            raise op.broken(f"size {size} is negative")
        sizes.append(size)
    return tuple(sizes)


def sizes_for(
    op: TransformOp,
    state: TransformState,
    static: DenseArrayBase[IntegerType],
    dynamic: Sequence[SSAValue],
    targets: Sequence[Operation],
) -> list[tuple[SSAValue | int, ...]]:
    """The sizes for each target: numbers, or payload values that handles point at.

    A parameter or handle holds one size for all targets, or one for each.
    """
    values = iter(dynamic)
    columns: list[list[SSAValue | int]] = []
    for entry in static.get_values():
        size = int(entry)
        if size != DYNAMIC_INDEX:
            column: list[SSAValue | int] = [size]
        else:
            column = _sizes_of(op, state, next(values))
        if len(column) not in (1, len(targets)):
            raise op.refuse(
                f"a size holds {len(column)} values for {len(targets)} target ops",
                remedy="give one for all, or one for each",
            )
        columns.append(column if len(column) != 1 else column * len(targets))
    for column in columns:
        for size, target in zip(column, targets, strict=True):
            if isinstance(size, int) and size < 0:
                raise op.broken(f"size {size} is negative")
            if isinstance(size, SSAValue) and not dominates(size, target):
                raise op.refuse(
                    "a size is computed after the op it is for",
                    target,
                    remedy="match an op that stands before it, or use a parameter",
                )
    return list(zip(*columns, strict=True)) if columns else [() for _ in targets]


def packed_sizes(
    op: TransformOp,
    state: TransformState,
    handle: SSAValue,
    targets: Sequence[Operation],
) -> tuple[SSAValue | int, ...]:
    """The sizes that one handle or parameter holds, in order."""
    sizes = tuple(_sizes_of(op, state, handle))
    for size in sizes:
        if isinstance(size, int) and size < 0:
            raise op.broken(f"size {size} is negative")
        for target in targets:
            if isinstance(size, SSAValue) and not dominates(size, target):
                raise op.refuse(
                    "a size is computed after the op it is for",
                    target,
                    remedy="match an op that stands before it, or use a parameter",
                )
    return sizes


def _sizes_of(
    op: TransformOp, state: TransformState, handle: SSAValue
) -> list[SSAValue | int]:
    if isinstance(handle.type, TransformParamHandleType):
        numbers: list[SSAValue | int] = []
        for value in state.params(handle):
            if not isa(value, IntegerAttr):
                raise op.broken(
                    f"a size is an integer, not {value}",
                    remedy="give whole numbers to the knob or parameter",
                )
            numbers.append(value.value.data)
        return numbers
    sizes: list[SSAValue | int] = []
    for producer in state.payload_ops(handle):
        if len(producer.results) != 1 or producer.results[0].type != IndexType():
            raise op.refuse(
                "a size given by a handle is the one index that an op computes",
                producer,
                remedy="give a handle to an op with one index result, or a parameter",
            )
        number = producer.properties.get("value")
        sizes.append(
            number.value.data if isa(number, IntegerAttr) else producer.results[0]
        )
    return sizes


def dominates(value: SSAValue, user: Operation) -> bool:
    """Whether a value is defined before an op runs."""
    owner = value.owner
    if isinstance(owner, Block):
        return owner.is_ancestor(user)
    ancestor = owner.parent.find_ancestor_op_in_block(user) if owner.parent else None
    return (
        ancestor is not None
        and owner is not ancestor
        and (owner.is_before_in_block(ancestor))
    )


def _number(op: TransformOp, state: TransformState, handle: SSAValue) -> int:
    if isinstance(handle.type, TransformParamHandleType):
        return state.integer(op, handle)
    values = [p.properties.get("value") for p in state.payload_ops(handle)]
    if len(values) == 1 and isinstance(values[0], IntegerAttr):
        return values[0].value.data
    raise op.refuse(
        "a size given by a handle must point at one arith.constant",
        remedy="use a parameter",
    )
