"""What tells two kernels apart, as a value that can be compared and hashed.

Names of values and places do not count, nor does a kernel's own name.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from xdsl.ir import Attribute, Operation

from tilewright.ir.dialects.kernel import FuncOp
from tilewright.ir.op_structure import OpStructure

_NAME = "sym_name"

Properties = Callable[[Operation], dict[str, Attribute]]


def structure(
    kernel: FuncOp, properties: Properties = lambda op: op.properties
) -> Hashable:
    """The structure of a kernel; `properties` of an op may leave some of them out."""
    return _Structure(kernel, properties).key


class _Structure(OpStructure):
    """The structure of a kernel, without its name."""

    def __init__(self, kernel: FuncOp, properties: Properties):
        super().__init__()
        self._properties = properties
        self.add_op(kernel)

    def properties(self, op: Operation) -> dict[str, Attribute]:
        """The properties that count, without the name."""
        named = self._properties(op)
        if isinstance(op, FuncOp):
            named = {name: value for name, value in named.items() if name != _NAME}
        return named
