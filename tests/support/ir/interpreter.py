"""Run a piece of MLIR text in the interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.ir.context import payload_context
from tilewright.ir.interpreter import Options, run
from tilewright.ir.text import parse_module


def interpret(text: str, *inputs: Any, **options: Any) -> Any:
    """The result of the text's function; a list if there are several."""
    module = parse_module(text, "test.mlir", payload_context())
    results = run(module, inputs, options=Options(**options))
    return results[0] if len(results) == 1 else results


def apply(op: str, *inputs: Any, types: str, result: str) -> Any:
    """One op on the arguments %a0, %a1, ...; `types` lists their types."""
    names = [f"%a{position}: {kind}" for position, kind in enumerate(types.split(", "))]
    text = f"func.func @f({', '.join(names)}) -> {result} {{\n  %r = {op}\n"
    return interpret(text + f"  return %r : {result}\n}}", *map(np.asarray, inputs))
