"""The function of a module that code generation accepts: one block, on buffers."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, MemRefType, ModuleOp

from tilewright.codegen.kernel.scalars import passed_type
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects import func


def only_function(module: ModuleOp) -> func.FuncOp:
    """The only function of a module; refused where it has several, or branches."""
    functions = [
        op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks
    ]
    if len(functions) != 1:
        refuse(
            functions[1] if functions else module,
            f"code generation takes a module with one function, this one has "
            f"{len(functions)}",
            "keep one function, or give each a file of its own",
        )
    function = functions[0]
    if len(function.body.blocks) != 1:
        refuse(function, "has branches", "write it as one block")
    for value in function.body.block.args:
        if not isinstance(value.type, MemRefType | IndexType) and (
            passed_type(value.type) is None
        ):
            refuse(
                function,
                f"takes an argument of type {value.type}",
                "bufferize first; pass a number of that type as a tensor of rank 0",
            )
    return function
