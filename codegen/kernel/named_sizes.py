"""Names for the sizes that the source of a kernel mentions: `BLOCK_M`, `TILES`."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, i32, i64
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from tilewright.ir.dialects.kernel import ConstexprOp, FuncOp

COLUMNS = "kernel.columns"
"""The attribute of a store with the name of its tile's column count."""


def free_name(
    table: dict[str, int], wanted: str, size: int, taken: Iterable[str] = ()
) -> str:
    """Add a size to a table as `wanted`, or as `wanted` with a number appended.

    If the table has such a name for the same size, that name is reused.
    """
    name, number = wanted, 1
    while name in taken or table.setdefault(name, size) != size:
        number += 1
        name = f"{wanted}_{number}"
    return name


def add_size(kernel: FuncOp, wanted: str, size: int) -> str:
    """Add a named size to a kernel and return the name."""
    sizes = kernel.sizes
    name = free_name(sizes, wanted, size)
    kernel.properties["constants"] = DictionaryAttr(
        {key: IntegerAttr(value, i64) for key, value in sizes.items()}
    )
    return name


def read_size(name: str, size: int, before: Operation) -> SSAValue:
    """The value of a named size, read before an op."""
    made = ConstexprOp(name, size, i32)
    Rewriter.insert_op(made, InsertPoint.before(before))
    return made.result
