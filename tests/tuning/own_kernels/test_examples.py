"""The kernels of examples/own_kernels: in the interpreter, and compiled for an H200."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from support.paths import EXAMPLES, ROOT
from tilewright.autotuner import get_default_config
from tilewright.codegen.runtime.interpret import interpret
from tilewright.codegen.targets import TARGETS
from tilewright.ir.dtypes import numpy_dtype
from tilewright.tuning.measure.inputs import to_torch
from tilewright.tuning.own_kernels.candidate_program import build_program
from tilewright.tuning.workers.jobs import CompileJob
from tilewright.tuning.workers.pools import wait
from tilewright.tuning.workers.worker_pool import ProcessPool

SMALL = {
    "rmsnorm_rope": (1, 3, 192, 64),
    "gated_mlp": (40, 72, 56),
    "fp8_gemm": (70, 50, 48),
}
LARGE = {
    "rmsnorm_rope": (1, 16, 4096, 128),
    "gated_mlp": (256, 512, 256),
    "fp8_gemm": (256, 256, 256),
}


def example(name: str) -> Any:
    path = EXAMPLES / "own_kernels" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def program_of(name: str, size: tuple[int, ...], **changes: int) -> tuple[Any, ...]:
    module = example(name)
    arguments = module.arguments("cpu", *size)
    call = module.tuned(db=None)._bind(arguments, {})
    config = {**get_default_config(name), **changes}
    return build_program(call, module.grid, config), call, module, arguments


@pytest.mark.parametrize("name", SMALL)
def test_an_example_says_what_it_writes(name: str) -> None:
    program, call, module, _ = program_of(name, SMALL[name])
    assert [tensor.name for tensor in call.outputs] == ["out_ptr"]
    assert all(not tensor.is_read for tensor in call.outputs)
    assert get_default_config(name).keys() == module.SPACE.keys()
    assert program.kernels[0].name == f"{name}_kernel"


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_an_example_computes_the_right_numbers(name: str) -> None:
    changes = {"BLOCK_SIZE": 256} if name == "rmsnorm_rope" else {"BLOCK_M": 32}
    program, call, module, arguments = program_of(name, SMALL[name], **changes)
    arrays = [t.array().view(numpy_dtype(t.dtype)) for t in call.inputs]
    (array,) = interpret(program, arrays)
    wanted = module.expected(*arguments).float()
    found = to_torch(array, "bf16").float()
    torch.testing.assert_close(found, wanted, rtol=0.03, atol=0.03)


@pytest.mark.slow
def test_the_examples_compile_for_an_h200(tmp_path: Path) -> None:
    """As the tuner does it: in another process, ahead of a launch."""
    programs = {name: program_of(name, size)[0] for name, size in LARGE.items()}
    ended: dict[str, Any] = {}
    with ProcessPool(1, "compile", limit=120.0) as pool:
        tickets = {
            pool.submit(CompileJob(program, TARGETS["h200"], tmp_path)): name
            for name, program in programs.items()
        }
        while len(ended) < len(tickets):
            for done in wait([pool], 60.0):
                assert done.ending == "ok", done.error
                ended[tickets[done.ticket]] = done.value[0]
    assert all(stats.spill_bytes == 0 for stats in ended.values())
    assert ended["gated_mlp"].wgmma and ended["fp8_gemm"].wgmma


@pytest.mark.slow
def test_the_five_lines_of_the_page(tmp_path: Path) -> None:
    """The first snippet of docs/own_kernels.md, behind a kernel and tensors."""
    text = (ROOT / "docs" / "own_kernels.md").read_text("utf-8")
    snippet = text.split("```python\n")[1].split("```")[0]
    script = f"""
import torch
import triton
import triton.language as tl

@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(out_ptr + at, x + tl.load(y_ptr + at, mask=at < n), mask=at < n)

grid = lambda meta: (triton.cdiv(meta["n"], meta["BLOCK"]),)
n = 300
x, y, out = torch.randn(n), torch.randn(n), torch.zeros(n)

{snippet}
torch.testing.assert_close(out, x + y)
"""
    path = tmp_path / "five_lines.py"
    path.write_text(script)
    done = subprocess.run(
        [sys.executable, path], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "add_kernel (x_ptr=float32[300]" in done.stdout
    assert "6 of 6 configurations" in done.stdout
    assert (tmp_path / "results.db").exists()
