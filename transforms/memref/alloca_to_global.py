"""`memref.alloca_to_global`: memory of a function becomes memory of the module.

Before:
    %a = memref.alloca() : memref<2x32xf32>

After:
    memref.global "private" @alloca : memref<2x32xf32>
    %a = memref.get_global @alloca : memref<2x32xf32>

Requires: a handle declared to point at `memref.alloca`, and static shapes.
"""

from __future__ import annotations

from itertools import count
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, StringAttr
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, result_def
from xdsl.traits import SymbolTable

from tilewright.ir.dialects.memref import AllocaOp, GetGlobalOp, GlobalOp
from tilewright.ir.types import buffer_type
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp, check_handle

NAME = "alloca"


@irdl_op_definition
class AllocaToGlobalOp(TargetOp):
    """Replace each `memref.alloca` by a global; consumes the handle."""

    name = "transform.memref.alloca_to_global"
    TARGET_KIND: ClassVar[str] = "memref.alloca"

    get_global = result_def(TransformOpHandleType)
    global_ = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def verify_(self) -> None:
        """Check the type of the handle."""
        check_handle(self.target.type, self.TARGET_KIND)

    def analyze(self, op: Operation) -> AllocaOp:
        """Check that a global can have the type."""
        if not isinstance(op, AllocaOp):
            raise self.refuse(f"'{op.name}' is not memref.alloca", op)
        kind = buffer_type(op.memref)
        if DYNAMIC_INDEX in kind.get_shape():
            raise self.refuse(
                f"a global needs a static shape, but the buffer is '{kind}'",
                op,
                "make the sizes constant",
            )
        return op

    def rewrite(
        self, alloca: AllocaOp, rewriter: Rewriter
    ) -> tuple[Operation, Operation]:
        """Add the global at the end of the module, and read it by its name."""
        table = _symbol_table(alloca)
        kind = buffer_type(alloca.memref)
        made = GlobalOp.build(
            properties={
                "sym_name": StringAttr(_free_name(table)),
                "sym_visibility": StringAttr("private"),
                "type": kind,
            }
        )
        made.location = alloca.location
        rewriter.insert_at_end(table.regions[0].block, made)
        read = GetGlobalOp(made.sym_name.data, kind)
        rewriter.replace_with(alloca, read)
        return read, made


def _symbol_table(op: Operation) -> Operation:
    parent = op.parent_op()
    while parent is not None and not parent.has_trait(SymbolTable):
        parent = parent.parent_op()
    assert parent is not None, "payload lies in a module"
    return parent


def _free_name(table: Operation) -> str:
    """The name, with a number as upstream adds it where the name is taken."""
    if SymbolTable.lookup_symbol(table, NAME) is None:
        return NAME
    return next(
        name
        for number in count()
        if SymbolTable.lookup_symbol(table, name := f"{NAME}_{number}") is None
    )
