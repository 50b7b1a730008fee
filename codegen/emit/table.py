"""Every pure op of a kernel and who writes its expression."""

from __future__ import annotations

from xdsl.ir import Operation

from tilewright.codegen.emit.expressions import EXPRESSION_WRITERS, Values, Written
from tilewright.codegen.emit.functions import FUNCTION_WRITERS
from tilewright.codegen.emit.integers import INTEGER_WRITERS

WRITERS = EXPRESSION_WRITERS | INTEGER_WRITERS | FUNCTION_WRITERS


def write(values: Values, op: Operation) -> Written:
    """The expression of a pure op."""
    return WRITERS[type(op)](values, op)
