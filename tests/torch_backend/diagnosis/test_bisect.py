"""`bisect` and `repro`: a kernel that is broken on purpose is found, and shown."""

from __future__ import annotations

import os
import subprocess
import sys
from operator import getitem
from pathlib import Path
from typing import Never

import pytest
import torch
from torch import nn
from torch.fx import Graph

import tilewright
from support.command_line import Cli
from tilewright.codegen.emit.expressions.table import WRITERS
from tilewright.ir.dialects import math
from tilewright.ir.errors import UserError
from tilewright.torch_backend.diagnosis import checked_segment
from tilewright.torch_backend.diagnosis.exact import exact_values
from tilewright.torch_backend.diagnosis.repro import write_repro
from tilewright.torch_backend.diagnosis.values import deviation
from tilewright.torch_backend.ops.table import OPS
from tilewright.torch_backend.partition.segments import Segment

MODEL = """
import torch


def gated(x, y):
    z = torch.softmax(x @ y, -1)
    z = torch.nn.functional.gelu(z + x)
    z = torch.special.airy_ai(z)
    return torch.exp(z).sum(-1)
"""


WORDS = ("model.py:gated", "--input", "f32[32,32]", "--input", "f32[32,32]")


@pytest.mark.slow
def test_a_right_model_does_not_deviate(model_cli: Cli) -> None:
    told = model_cli("bisect", *WORDS).out
    assert "no deviation: 2 payloads beside eager torch" in told
    told = model_cli("repro", *WORDS, "--kernel", "tan_kernel", code=1).err
    assert "no kernel 'tan_kernel'" in told and "payload1/exp_sum_kernel" in told


@pytest.mark.slow
def test_a_wrong_lowering_is_found(
    model_cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    relu = OPS["aten.relu.default"]
    monkeypatch.setitem(OPS, "aten.gelu.default", lambda out, x, **_: relu(out, x))
    told = model_cli("bisect", *WORDS, code=1).out
    assert "first to deviate: aten.gelu.default (inference, payload0)" in told
    assert "the payload of this op computes something else than torch" in told
    assert "model lines: model.py:7" in told


@pytest.mark.slow
def test_a_wrong_emission_is_found_and_reproduced(
    model_cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`erf(x)` is written as `x`, in the kernel of GELU alone."""
    monkeypatch.setitem(
        WRITERS, math.ErfOp, lambda values, op: values.get(op.operands[0])
    )
    told = model_cli("repro", *WORDS, "-o", "shown", code=0).out
    assert "the kernel computes something else than its payload" in told
    assert "gelu" in told and "model.py:7" in told and "<planned>:" in told
    (script,) = (tmp_path / "shown").glob("*.py")
    done = _run(script)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "elements are off" in done.stdout
    assert "beside torch in float64" in done.stdout


def _run(script: Path) -> subprocess.CompletedProcess[str]:
    """Run a script in Triton's interpreter, without this package."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, str(script)],
        env={**environment, "TRITON_INTERPRET": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_repros_of_right_kernels_agree(tmp_path: Path) -> None:
    """Layouts too: the script compares a transposed result with eager torch."""
    from tilewright.torch_backend.diagnosis.bisection import kernel_named

    model = nn.Sequential(nn.Linear(32, 32), nn.GELU(), nn.LayerNorm(32))
    x = torch.randn(16, 32)
    for row in tilewright.explain(model, (x,)).kernels:
        made, about = kernel_named(model, (x,), row.kernel)
        done = _run(write_repro(made, tmp_path, row.kernel, about))
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_a_segment_is_shown_beside_eager_torch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    relu = OPS["aten.relu.default"]
    monkeypatch.setitem(OPS, "aten.gelu.default", lambda out, x, **_: relu(out, x))
    x = torch.randn(16, 32).t()
    found = tilewright.bisect(torch.nn.functional.gelu, (x,)).culprit
    assert found is not None and found.reproduction is not None
    done = _run(write_repro(found.reproduction, tmp_path, "gelu", found))
    assert "beside the payload: agrees" in done.stdout
    assert "beside eager torch: 512 of 512" in done.stdout and done.returncode == 1


@pytest.mark.filterwarnings("ignore")
def test_payloads_without_kernels_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Payloads that no kernel can be built for run in the payload's interpreter."""

    def refuse(*_: object) -> Never:
        raise UserError("no kernel can be made")

    monkeypatch.setattr(checked_segment, "compile_lowered", refuse)
    model, x = nn.GELU(), -torch.ones(4, 8)
    found = tilewright.bisect(model, (x,))
    assert found.segments == 1 and not found.deviating
    assert "without kernels: inference, payload0: no kernel can be made" in str(found)
    relu = OPS["aten.relu.default"]
    monkeypatch.setitem(OPS, "aten.gelu.default", lambda out, x, **_: relu(out, x))
    culprit = tilewright.bisect(model, (x,)).culprit
    assert culprit is not None and culprit.name == "aten.gelu.default"


@pytest.mark.slow
def test_a_backward_pass_is_compared() -> None:
    found = tilewright.bisect(nn.Linear(8, 8), (torch.randn(4, 8),), backward=True)
    assert found.segments == 2 and not found.deviating


def test_deviations_are_judged_by_float64() -> None:
    exact = torch.randn(1000, dtype=torch.float64)
    eager = exact.float()
    assert deviation(eager * (1 + 1e-6), eager, exact) is None
    found = deviation(eager * (1 + 1e-4), eager, exact)
    assert found is not None and found.wrong > 500
    assert deviation(eager * (1 + 1e-4), eager, exact, tolerance=100.0) is None
    narrow = exact.bfloat16()
    assert deviation(narrow * 1.01, narrow, exact) is None
    assert deviation(narrow + 0.2, narrow, exact) is not None
    coarse = eager + 1e-3
    assert deviation(eager - 1e-3, coarse, exact) is None
    wrong = torch.tensor([1, 2, 3])
    found = deviation(wrong, torch.tensor([1, 2, 4]), None)
    assert found is not None and (found.wrong, found.largest) == (1, 1.0)
    nothing = torch.full((3,), float("nan"))
    assert deviation(nothing, nothing, None) is None
    found = deviation(nothing, eager[:3], exact[:3])
    assert "3 of 3 elements are off, 3 of them NaN" in str(found)


def test_values_far_from_eager_torch_are_no_judge() -> None:
    """Such as those of a library that has no float64 and does not say so."""
    eager = torch.randn(1000).bfloat16()
    garbage = torch.randn(1000, dtype=torch.float64) * 1e4
    for judge in (garbage, garbage.masked_fill(garbage > 1e4, float("nan"))):
        assert deviation(eager, eager * 1.001, judge) is None
        found = deviation(eager + 4, eager, judge)
        assert found is not None and found.wrong > 900


@pytest.mark.parametrize("kind", ["flash", "efficient", "cudnn"])
@pytest.mark.parametrize("causal", [False, True])
def test_attention_of_gpus_is_judged_by_its_formula(kind: str, causal: bool) -> None:
    query, key, value = torch.randn(3, 2, 4, 16, 8).unbind()
    bias = () if kind == "flash" else (torch.randn(2, 4, 16, 16),)
    graph = Graph()
    places = [graph.placeholder(f"x{n}") for n in range(3 + len(bias))]
    rest = (0.0, causal) if kind == "flash" else (False, 0.0, causal)
    op = getattr(torch.ops.aten, f"_scaled_dot_product_{kind}_attention").default
    node = graph.call_function(op, (*places, *rest), {"scale": 0.5})
    item = graph.call_function(getitem, (node, 0))
    graph.output((item,))
    given = dict(zip(places, (query, key, value, *bias), strict=True))
    segment = Segment((node, item), tuple(places), (item,))
    made = exact_values(segment, given)
    assert made is not None
    (found,) = made
    scores = query.double() @ key.double().mT * 0.5 + (bias[0] if bias else 0.0)
    if causal:
        scores = scores.masked_fill(~torch.ones(16, 16).tril().bool(), -torch.inf)
    torch.testing.assert_close(found, scores.softmax(-1) @ value.double())
