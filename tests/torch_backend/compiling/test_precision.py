"""Matmuls of f32 follow torch's setting: exact, or rounded to TF32."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from tilewright.codegen.targets import target_named
from tilewright.payloads import Payload
from tilewright.pipeline import parse_payload
from tilewright.planning.plan import plan
from tilewright.torch_backend.backend import tilewright
from tilewright.torch_backend.compiling.keys import program_key
from tilewright.torch_backend.compiling.precision import as_torch_multiplies
from tilewright.torch_backend.options import Options
from tilewright.torch_backend.report import RECENT

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def exact() -> Iterator[None]:
    """Multiply exactly, as torch does by default; the setting is restored."""
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("highest")
    yield
    torch.set_float32_matmul_precision(before)


def test_a_graph_is_compiled_again_when_the_setting_changes() -> None:
    torch._dynamo.reset()
    compiled = torch.compile(lambda a, b: a @ b, backend=tilewright)
    a, b = torch.randn(8, 8), torch.randn(8, 8)
    graphs: list[int] = []
    for setting in ("highest", "highest", "high"):
        torch.set_float32_matmul_precision(setting)
        RECENT.clear()
        torch.testing.assert_close(compiled(a, b), a @ b)
        graphs.append(len(RECENT))
    assert graphs == [1, 0, 1]


def test_programs_and_estimates_follow_the_setting() -> None:
    p = Payload("f")
    p.output(p.input("a", (2048, 2048), "f32") @ p.input("b", (2048, 2048), "f32"))
    keys: set[str] = set()
    seconds: dict[str, float] = {}
    labels: dict[str, str] = {}
    ieee = Options(f32_products="ieee")
    for setting, options in (("highest", ieee), ("highest", Options()), ("high", ieee)):
        torch.set_float32_matmul_precision(setting)
        keys.add(program_key(p.text(), "h200", options))
        gpu = as_torch_multiplies(target_named("h200"), options)
        (first, *_) = plan(parse_payload(p.text()), gpu).kernels[0].candidates
        name = f"{setting} {options.f32_products}"
        labels[name], seconds[name] = first.sketch.label, first.seconds
    assert len(keys) == 3
    assert labels == {
        "highest ieee": "library",
        "highest tf32x3": "transposed",
        "high ieee": "library",
    }
    assert seconds["highest ieee"] > 1.1 * seconds["highest tf32x3"]
    assert seconds["highest tf32x3"] > 2 * seconds["high ieee"]


def test_products_of_f32_are_three_of_tf32() -> None:
    p = Payload("f")
    p.output(p.input("a", (64, 96), "f32") @ p.input("b", (96, 128), "f32"))
    found = plan(parse_payload(p.text()), target_named("h200"))
    assert '"triton.dot_precision" = "tf32x3"' in found.text
    # A GPU whose tensor cores are not three times as fast multiplies f32 itself.
    assert "tf32x3" not in plan(parse_payload(p.text()), target_named("a40")).text
