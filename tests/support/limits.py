"""Functions as text, for the tests of limits."""

from __future__ import annotations

from tilewright.ir.context import payload_context
from tilewright.ir.text import parse_module


def parse(text: str):
    return parse_module(text, "limits.mlir", payload_context())


def function(body: str, arguments: str = "") -> str:
    return f"func.func @f({arguments}) {{\n  {body}\n  return\n}}\n"
