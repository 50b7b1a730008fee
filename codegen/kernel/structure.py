"""What tells two kernels apart, as a value that can be compared and hashed.

Names of values and places do not count, nor does a kernel's own name. Printing
kernels and comparing the texts takes five times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from xdsl.ir import Attribute, Operation, Region, SSAValue

from tilewright.ir.dialects.kernel import FuncOp

_NAME = "sym_name"

Properties = Callable[[Operation], dict[str, Attribute]]


def structure(
    kernel: FuncOp, properties: Properties = lambda op: op.properties
) -> Hashable:
    """The structure of a kernel; `properties` of an op may leave some of them out."""
    found: list[Hashable] = []
    numbers: dict[SSAValue, int] = {}
    _add_op(kernel, properties, numbers, found)
    return tuple(found)


def _add_op(
    op: Operation,
    properties: Properties,
    numbers: dict[SSAValue, int],
    found: list[Hashable],
) -> None:
    named = properties(op)
    if isinstance(op, FuncOp):
        named = {name: value for name, value in named.items() if name != _NAME}
    found.append(op.name)
    found.append(tuple([numbers[value] for value in op.operands]))
    found.append(frozenset(named.items()))
    found.append(frozenset(op.attributes.items()))
    for result in op.results:
        numbers[result] = len(numbers)
        found.append(result.type)
    for region in op.regions:
        _add_region(region, properties, numbers, found)


def _add_region(
    region: Region,
    properties: Properties,
    numbers: dict[SSAValue, int],
    found: list[Hashable],
) -> None:
    found.append("region")
    for block in region.blocks:
        found.append("block")
        for argument in block.args:
            numbers[argument] = len(numbers)
            found.append(argument.type)
        for op in block.ops:
            _add_op(op, properties, numbers, found)
    found.append("end")
