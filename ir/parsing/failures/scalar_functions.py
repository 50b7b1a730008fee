"""Remedies for scalar functions that have no op of their own.

Upstream has removed `linalg.elemwise_unary {fun = relu}` and never had `linalg.relu`.
Every remedy is text that mlir-opt and this parser accept; the tests parse them.
"""

from __future__ import annotations

import re

OPERANDS = {
    1: "ins(%x : T) outs(%out : T) -> T",
    2: "ins(%x, %y : T, T) outs(%out : T) -> T",
}
"""Operands of an element-wise op on tensors of type T."""

RELU = "linalg.max ins(%x, %zero : T, f32) outs(%out : T) -> T"
"""With `%zero = arith.constant 0.0 : f32`, or of the tensor's element type."""

_COMPOSED = frozenset(
    "gelu gelu_tanh sigmoid silu swish softplus leaky_relu elu mish".split()
)
_BUILT = frozenset("gelu gelu_tanh relu sigmoid silu".split())
"""Functions of `tilewright.payloads`."""

_FUN = re.compile(r"\bfun\s*=\s*(?:#linalg\.\w+<)?\s*(\w+)")
_OLD_NAMES = {"max": "max_signed", "min": "min_signed", "neg": "negf", "pow": "powf"}


def old_elementwise(arguments: int, text: str) -> str:
    """The remedy for `elemwise_unary` or `elemwise_binary` followed by `text`."""
    found = _FUN.search(text)
    usual = "exp" if arguments == 1 else "add"
    remedy = function_instead(found[1] if found else usual)
    return remedy or f"such as: linalg.{usual} {OPERANDS[arguments]}"


def function_instead(function: str) -> str | None:
    """How to write a function that has no op; None if the function is unknown."""
    from tilewright.ir.dialects.linalg.scalars import FUNCTIONS

    function = _OLD_NAMES.get(function, function)
    if function == "relu":
        return f"write: {RELU}, with %zero = arith.constant 0.0 : f32"
    if (row := FUNCTIONS.get(function)) is not None and row.arity in OPERANDS:
        # Not 'linalg.elementwise': mlir-opt crashes on some kinds of it.
        kind = f"linalg.elementwise kind=#linalg.elementwise_kind<{function}>"
        return f"write: {row.op_name or kind} {OPERANDS[row.arity]}"
    if function not in _COMPOSED:
        return None
    built = f"; tilewright.payloads has {function}" if function in _BUILT else ""
    return f"write its body in linalg.generic, with ops of arith and math{built}"
