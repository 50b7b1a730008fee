"""What `codegen/runtime/interpreter_fixes.py` promises of Triton's interpreter."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import tilewright.codegen
from support import warm_python
from support.paths import EXAMPLES, ROOT
from tilewright import numeric_check as checking
from tilewright.numeric_check import check_kernel_ir, check_triton_source, make_case
from tilewright.pipeline import build, parse_payload, read_payload
from tilewright.schedules.schedule import Schedule

KERNELS = """
import json, sys
import interpreter_fixes
interpreter_fixes.install()
import numpy as np, torch, triton, triton.language as tl

calls = []

@triton.jit
def largest(x, y):
    calls.append(1)
    return tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL)

@triton.jit
def last(x, y):
    return y

@triton.jit
def total(x, y):
    return x + y

@triton.jit
def rows(x_ptr, out_ptr, combine: tl.constexpr, axis: tl.constexpr, keep: tl.constexpr,
         M: tl.constexpr, N: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :])
    made = tl.reduce(x, axis, combine, keep_dims=keep)
    tl.store(out_ptr + tl.arange(0, M if axis == 1 else N),
             tl.reshape(made, (M if axis == 1 else N,)))

@triton.jit
def all_of(x_ptr, out_ptr, combine: tl.constexpr, N: tl.constexpr):
    tl.store(out_ptr, tl.reduce(tl.load(x_ptr + tl.arange(0, N)), 0, combine))

@triton.jit
def equal_numbers(x_ptr, y_ptr, out_ptr, N: tl.constexpr):
    places = tl.arange(0, N)
    x, y = tl.load(x_ptr + places), tl.load(y_ptr)
    tl.store(out_ptr + places, (x == x) & (y == y))

def reduced(x, combine, axis, keep):
    out = torch.empty(x.shape[1 - axis], dtype=x.dtype)
    rows[(1,)](x, out, combine, axis, keep, *x.shape)
    return out

x = torch.randn(4, 1024)
x[1, 17] = float("nan")
found = {}
for axis in (0, 1):
    for keep in (False, True):
        got = reduced(x, largest, axis, keep)
        found[f"largest {axis} {keep}"] = np.array_equal(
            got.numpy(), x.numpy().max(axis=axis), equal_nan=True)
        got = reduced(x, last, axis, keep)
        want = x[-1] if axis == 0 else x[:, -1]
        found[f"last {axis} {keep}"] = torch.equal(got, want)
calls.clear()
reduced(x, largest, 1, False)
found["calls"] = len(calls)
one = torch.empty(1)
all_of[(1,)](x[0].contiguous(), one, last, 1024)
found["one dimension"] = one.item() == x[0, -1].item()
large = torch.full((1, 4), 2**30, dtype=torch.int32)
found["wraps"] = reduced(large, total, 1, False).tolist() == [0]
bits = torch.empty(1024, dtype=torch.bool)
equal_numbers[(1,)](x[1].contiguous(), x[0], bits, 1024)
found["bits of a scalar"] = torch.equal(bits, x[1] == x[1])
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    script = tmp_path_factory.mktemp("kernels") / "kernels.py"
    script.write_text(KERNELS, encoding="utf-8")
    fixes = Path(tilewright.codegen.__path__[0]) / "runtime"
    path = os.pathsep.join(map(str, (fixes, ROOT)))
    done = warm_python.run(script, env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_reductions_take_few_calls_of_their_function(found: dict[str, object]) -> None:
    assert found["calls"] == 10  # the logarithm of 1024


def test_reductions_combine_in_order_along_any_axis(found: dict[str, object]) -> None:
    named = {
        key: value for key, value in found.items() if key.startswith(("largest", "las"))
    }
    assert len(named) == 8
    assert all(named.values()), named
    assert found["one dimension"]


def test_integers_wrap_as_on_the_device(found: dict[str, object]) -> None:
    assert found["wraps"]


def test_comparisons_of_scalars_are_bits(found: dict[str, object]) -> None:
    assert found["bits of a scalar"]


@pytest.mark.slow
def test_both_interpreters_tell_how_far_they_are() -> None:
    payload = parse_payload("""
    func.func @f(%a: tensor<65536xf32>) -> tensor<65536xf32> {
      %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>],
                           iterator_types = ["parallel"]} outs(%a : tensor<65536xf32>) {
      ^bb0(%x: f32):
        %y = arith.addf %x, %x : f32
        linalg.yield %y : f32
      } -> tensor<65536xf32>
      return %r : tensor<65536xf32>
    }
    """)
    schedule = Schedule.from_text("""
    schedule s(root) {
      op = match "linalg.generic" in root
      tile op by [16] onto [block.x]
    }
    """)
    built, question = build(payload, schedule), make_case(payload, 0)
    told: list[str] = []
    assert check_kernel_ir(built, question, told.append).ok
    assert told[1] == "f_kernel: 64 of 4096 programs"
    told.clear()
    assert check_triton_source(built, [question], told.append)[0].ok
    assert told and all(word.endswith("of 4096 programs") for word in told)


def test_too_many_programs_for_triton_run_one_level_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    payload = read_payload(EXAMPLES / "three_schedules" / "payload.mlir")
    built, question = build(payload, None), make_case(payload, 0)
    monkeypatch.setattr(checking, "TRITON_AT_MOST", 3)
    (found,), how = checking.check_without_gpu(built, [question])
    assert found.ok
    assert how.endswith("numpy interpreter (there are too many programs for Triton's)")
