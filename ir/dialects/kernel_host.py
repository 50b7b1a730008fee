"""What a launcher does beside launching kernels: calls into libraries.

Part of the kernel dialect; these ops stand in the launcher, never in a kernel.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, NoTerminator
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.linalg import FillOp, SoftmaxOp, StructuredOp
from tilewright.ir.types import is_tensor


@irdl_op_definition
class LibraryOp(IRDLOperation):
    """Structured ops on buffers that one call of a library computes.

    The body says what is computed: an op, perhaps with the `linalg.fill` it starts
    from before it.
    """

    name = "kernel.library"

    library = prop_def(StringAttr)
    body = region_def("single_block")

    traits = traits_def(NoTerminator(), MemoryReadEffect(), MemoryWriteEffect())

    assembly_format = "$library $body attr-dict"

    def __init__(self, library: str, ops: Sequence[Operation]):
        super().__init__(
            properties={"library": StringAttr(library)},
            regions=[Region(Block(ops))],
        )

    @property
    def fill(self) -> FillOp | None:
        """What the output is filled with first."""
        first = self.body.block.first_op
        return first if isinstance(first, FillOp) else None

    @property
    def called(self) -> StructuredOp | SoftmaxOp:
        """The op that the call computes."""
        last = self.body.block.last_op
        assert isinstance(last, StructuredOp | SoftmaxOp)
        return last

    def verify_(self) -> None:
        """An op on buffers, and nothing but a fill before it."""
        ops = list(self.body.block.ops)
        if not ops or not isinstance(ops[-1], StructuredOp | SoftmaxOp):
            raise VerifyException("must hold the structured op that is called")
        if len(ops) > 2 or any(not isinstance(op, FillOp) for op in ops[:-1]):
            raise VerifyException("holds one op, and perhaps the fill before it")
        for op in ops:
            if any(is_tensor(value.type) for value in op.operands):
                raise VerifyException(f"'{op.name}' is not on buffers")
