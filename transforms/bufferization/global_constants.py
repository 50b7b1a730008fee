"""Turn constant tensors into globals of the module, one for each value."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.traits import SymbolTable

from tilewright.ir.dialects import memref
from tilewright.ir.types import is_tensor
from tilewright.transforms.bufferization.buffer_types import identity_type


class Globals:
    """The constant globals of one module, under upstream's names."""

    def __init__(self, module: Operation):
        self.made: list[memref.GlobalOp] = []
        self._module = module
        self._known: dict[Attribute, memref.GlobalOp] = {}

    def get(self, value: DenseIntOrFPElementsAttr) -> memref.GetGlobalOp:
        """A reference to the global with this value."""
        known = self._known.get(value)
        if known is None:
            known = self._make(value)
            self._known[value] = known
            self.made.append(known)
        return memref.GetGlobalOp(known.sym_name.data, known.type)

    def _make(self, value: DenseIntOrFPElementsAttr) -> memref.GlobalOp:
        of: Attribute = value.type
        assert is_tensor(of)
        shape = "x".join(map(str, of.get_shape()))
        return memref.GlobalOp.create(
            properties={
                "sym_name": StringAttr(
                    self._free(f"__constant_{shape}x{of.element_type}")
                ),
                "sym_visibility": StringAttr("private"),
                "type": identity_type(of),
                "initial_value": value,
                "constant": UnitAttr(),
                "alignment": IntegerAttr(64, i64),
            }
        )

    def _free(self, wanted: str) -> str:
        """The name, with a number added if it is taken."""
        taken = {op.sym_name.data for op in self.made}
        name, number = wanted, 0
        while name in taken or SymbolTable.lookup_symbol(self._module, name):
            name = f"{wanted}_{number}"
            number += 1
        return name
