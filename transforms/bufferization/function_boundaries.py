"""Which types tensors get where a function takes them, or gives them back."""

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
        """What a type becomes, where no buffer says more."""
        if not is_tensor(type_):
            return type_
        # Imported here: the options of the op are read without the types of buffers.
        from tilewright.transforms.bufferization.buffer_types import (
            dynamic_type,
            identity_type,
        )

        if self.layout == IDENTITY:
            return identity_type(type_)
        return dynamic_type(type_)

    def signature(self, function: func.FuncOp) -> FunctionType:
        """The type of a function, where its body does not say more."""
        of = function.function_type
        return FunctionType.from_lists(
            [self.convert(type_) for type_ in of.inputs],
            [self.convert(type_) for type_ in of.outputs],
        )

    @property
    def are_inferred(self) -> bool:
        """Whether results have the type that their buffers happen to have."""
        return self.layout == INFER
