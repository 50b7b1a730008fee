"""Parse a text and print it again."""

from __future__ import annotations

from xdsl.ir import Operation

from tilewright.ir.context import payload_context
from tilewright.ir.text import parse_module, to_text


def ours(text: str, *, generic: bool = False, named: bool = True) -> str:
    """The text as we print it; without the names of values where `named` is False."""
    module = parse_module(text, "snippet.mlir", payload_context())
    if not named:
        forget_names(module)
    return to_text(module, generic=generic)


def forget_names(module: Operation) -> None:
    """Drop the name hints of all values and blocks."""
    for block in module.walk_blocks():
        block.name_hint = None
        for argument in block.args:
            argument.name_hint = None
        for op in block.ops:
            for result in op.results:
                result.name_hint = None
