"""Run a few programs of a launch that is too large to run as a whole."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilewright.codegen.runtime.interpret_child
from support import warm_python
from tilewright.ir.dialects.kernel import FuncOp
from tilewright.ir.interpreter import run
from tilewright.ir.interpreter.dialects.kernel import launch as kernel_level
from tilewright.pipeline import Built

ADD = """func.func @add(%a: tensor<SIZExi8>, %b: tensor<SIZExi8>) -> tensor<SIZExi8> {
  %e = tensor.empty() : tensor<SIZExi8>
  %r = linalg.add ins(%a, %b : tensor<SIZExi8>, tensor<SIZExi8>)
      outs(%e : tensor<SIZExi8>) -> tensor<SIZExi8>
  return %r : tensor<SIZExi8>
}"""

SUM = """func.func @sum(%a: tensor<SIZExi8>) -> tensor<i8> {
  %zero = arith.constant 0 : i8
  %e = tensor.empty() : tensor<i8>
  %f = linalg.fill ins(%zero : i8) outs(%e : tensor<i8>) -> tensor<i8>
  %r = linalg.reduce ins(%a : tensor<SIZExi8>) outs(%f : tensor<i8>) dimensions = [0]
      (%x: i8, %acc: i8) { %s = arith.addi %x, %acc : i8
                           linalg.yield %s : i8 }
  return %r : tensor<i8>
}"""

TILED = """schedule tiled(root) {
  op = match "linalg.add" in root
  op, grid = tile op by [TILE] onto [block.x]
  vectorize op to [LANES]
}"""


def run_programs(
    program: Built,
    inputs: Sequence[Any],
    programs: Sequence[tuple[int, ...]],
    monkeypatch: pytest.MonkeyPatch,
) -> Any:
    """The results of the kernel IR after only some of its programs ran."""
    monkeypatch.setattr(kernel_level, "_programs", lambda *_: list(programs))
    return run(program.kernel, list(inputs))


_IN_TRITON = """
import json, sys
import numpy as np, torch
sys.path.insert(0, sys.argv[1])
import interpreter_fixes
interpreter_fixes.install()
import triton.runtime.interpreter as interpreter
call = json.loads(sys.argv[2])
shift = call["program"]
def place(self, x, y, z):
    self.grid_idx = (x + shift, y, z)
interpreter.InterpreterBuilder.set_grid_idx = place
import importlib.util
spec = importlib.util.spec_from_file_location("wide", call["source"])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
size = call["size"]
# Zeros that no one has touched take no memory.
buffers = [torch.from_numpy(np.zeros(size, np.int8)) for _ in range(3)]
for number, buffer in enumerate(buffers[:2]):
    buffer[-5000:] = number + 1
getattr(module, call["kernel"])[(call["count"],)](*buffers, **call["constants"])
(written,) = np.nonzero(buffers[2][-8000:].numpy())
print(json.dumps([int(written.min()) + size - 8000, int(written.max()) + size - 8000,
                  len(written), int(buffers[2][:8000].sum())]))
"""


def last_programs_in_triton(
    program: Built, size: int, first: int, count: int, folder: Path
) -> list[int]:
    """First and last element written, how many, and the sum of the first elements."""
    source = folder / "wide.py"
    source.write_text(program.program.text, encoding="utf-8")
    (kernel,) = program.program.kernels
    call = {
        "source": str(source),
        "kernel": kernel.name,
        "program": first,
        "count": count,
        "size": size,
        "constants": _constants(program),
    }
    child = Path(tilewright.codegen.runtime.interpret_child.__file__).parent
    done = warm_python.run(_IN_TRITON, [str(child), json.dumps(call)])
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _constants(program: Built) -> dict[str, int]:
    (kernel,) = [op for op in program.kernel.ops if isinstance(op, FuncOp)]
    return {name: value.value.data for name, value in kernel.constants.data.items()}


def touched(size: int) -> np.ndarray[Any, Any]:
    """Ones at the end of a large array; the rest takes no memory."""
    array = np.zeros(size, np.int8)
    array[-8000:] = 1
    return array
