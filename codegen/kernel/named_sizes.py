"""Names for the sizes that the source of a kernel mentions: `BLOCK_M`, `TILES`."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, i32, i64
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from tilewright.ir.dialects.kernel import ConstexprOp, FuncOp

COLUMNS = "kernel.columns"
"""The attribute of a store that has the name of the stored tile's columns."""


def free_name(
    table: dict[str, int], wanted: str, size: int, taken: Iterable[str] = ()
) -> str:
    """Enter a size into a table: as `wanted`, or with a number behind that.

    A name that the table has for the same size is used again.
    """
    name, number = wanted, 1
    while name in taken or table.setdefault(name, size) != size:
        number += 1
        name = f"{wanted}_{number}"
    return name


def add_size(kernel: FuncOp, wanted: str, size: int) -> str:
    """Give a kernel a named size; its name."""
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
