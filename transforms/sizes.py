"""Lists of sizes in transform ops: integers and parameters mixed, `[0, %BM, 32]`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
)
from xdsl.dialects.transform import TransformParamHandleType
from xdsl.dialects.utils import (
    parse_dynamic_index_list_without_types,
    print_dynamic_index_list,
)
from xdsl.ir import SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from tilewright.transforms.base import TransformOp
from tilewright.transforms.state import TransformState


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
