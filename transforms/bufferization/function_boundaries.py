"""The types of buffers that functions take and return."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import FunctionType
from xdsl.ir import Attribute

from tilewright.ir.dialects import func
from tilewright.ir.types import is_tensor

IDENTITY = "IdentityLayoutMap"
DYNAMIC = "FullyDynamicLayoutMap"
INFER = "InferLayoutMap"
LAYOUTS = (INFER, IDENTITY, DYNAMIC)
"""In the order of upstream's numbers."""


@dataclass(frozen=True)
class Boundaries:
    """The layout of buffers at function boundaries."""

    layout: str = IDENTITY

    def convert(self, type_: Attribute) -> Attribute:
        """The converted type, if no buffer determines it."""
        if not is_tensor(type_):
            return type_
        # Imported here: reading the op's options does not need the buffer types.
        from tilewright.transforms.bufferization.buffer_types import (
            dynamic_type,
            identity_type,
        )

        if self.layout == IDENTITY:
            return identity_type(type_)
        return dynamic_type(type_)

    def signature(self, function: func.FuncOp) -> FunctionType:
        """The converted type of a function, if its body does not determine it."""
        of = function.function_type
        return FunctionType.from_lists(
            [self.convert(type_) for type_ in of.inputs],
            [self.convert(type_) for type_ in of.outputs],
        )

    @property
    def are_inferred(self) -> bool:
        """Whether results get the types of their buffers."""
        return self.layout == INFER
