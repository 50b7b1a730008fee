"""The table of pure ops of a kernel, each with the writer of its expression."""

from __future__ import annotations

from xdsl.ir import Operation

from tilewright.codegen.emit.expressions.arithmetic import ARITHMETIC_WRITERS
from tilewright.codegen.emit.expressions.functions import FUNCTION_WRITERS
from tilewright.codegen.emit.expressions.integers import INTEGER_WRITERS
from tilewright.codegen.emit.expressions.tiles import TILE_WRITERS
from tilewright.codegen.emit.expressions.written import Values, Written

WRITERS = TILE_WRITERS | ARITHMETIC_WRITERS | INTEGER_WRITERS | FUNCTION_WRITERS


def write(values: Values, op: Operation) -> Written:
    """The expression of a pure op."""
    return WRITERS[type(op)](values, op)
