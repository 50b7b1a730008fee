"""The map from payload values to kernel values during lowering."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.codegen.analysis.elements.constants import constant_of
from tilewright.codegen.kernel.builder import Builder
from tilewright.codegen.source.names import reader_name
from tilewright.ir.dialects import vector
from tilewright.ir.dialects.kernel import ExpandDimsOp, FullOp


class TileValues:
    """Maps payload values to kernel values; `resolve` makes those not known yet."""

    def __init__(self, resolve: Callable[[SSAValue], SSAValue]):
        self._known: dict[SSAValue, SSAValue] = {}
        self._resolve = resolve
        self.orders: dict[SSAValue, list[int]] = {}
        """The order of the dimensions of tiles that were loaded transposed."""
        self.paddings: dict[Operation, Attribute] = {}
        """The value that masked-off lanes of each load read."""

    def __getitem__(self, payload: SSAValue) -> SSAValue:
        """The kernel value, made where it is not known."""
        found = self._known.get(payload)
        return self._resolve(payload) if found is None else found

    def __setitem__(self, payload: SSAValue, value: SSAValue) -> None:
        """Note the kernel value of a payload value."""
        self._known[payload] = value

    def __contains__(self, payload: SSAValue) -> bool:
        """Whether the kernel value is known."""
        return payload in self._known


def bind(op: Operation, made: Operation, builder: Builder, values: TileValues) -> None:
    """Add a kernel op whose result is that of a payload op, under the same name."""
    result = builder.add(made, like=op)
    result.name_hint = reader_name(op.results[0].name_hint)
    values[op.results[0]] = result


def typed(builder: Builder, values: TileValues, *payload: SSAValue) -> list[SSAValue]:
    """The operands of an op; the first becomes a tile if all of them are constants.

    Otherwise Python, not Triton, would compute with the numbers in the source.
    """
    found = [values[operand] for operand in payload]
    numbers = [_number_of(value) for value in found]
    if numbers[0] is not None and None not in numbers:
        extents = builder.axes.tile_extents(payload[0])
        found[0] = builder.add(FullOp(numbers[0], found[0].type, extents))
    return found


def _number_of(value: SSAValue) -> FloatAttr | IntegerAttr | None:
    """The constant that the source shows for a kernel value; None if it is not one."""
    while isinstance(value.owner, vector.BroadcastOp | ExpandDimsOp):
        value = value.owner.source
    return constant_of(value)
