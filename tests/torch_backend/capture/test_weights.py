"""Weights as constants of a payload, and what is computed from them ahead."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

import tilewright
from support.command_line import cli_in
from support.mlir_opt import mlir_opt, needs_mlir
from tilewright.frontend.builder.payload import Payload
from tilewright.pipeline import parse_payload, reference
from torch_models.table import MODELS

pytestmark = pytest.mark.filterwarnings("ignore")


def results(payload: Payload, *given: torch.Tensor) -> list[torch.Tensor]:
    arrays = [one.detach().numpy() for one in given]
    return [torch.from_numpy(made) for made in reference(payload.module, arrays)]


@needs_mlir
def test_a_linear_layer_holds_its_weight_transposed() -> None:
    layer, x = nn.Linear(12, 16), torch.randn(4, 12)
    payload = tilewright.from_torch(layer, (x,), weights="constants")
    assert [given.name for given in payload.inputs] == ["input"]
    text = payload.text()
    assert "tensor<12x16xf32>" in text
    assert "tensor<16x12xf32>" not in text
    assert "linalg.transpose" not in text
    mlir_opt(text)
    (made,) = results(payload, x)
    torch.testing.assert_close(made, layer(x).detach())
    (again,) = reference(parse_payload(text), [x.numpy()])
    assert (again == made.numpy()).all()


def test_the_scales_of_a_batch_norm_are_computed_ahead() -> None:
    norm, x = nn.BatchNorm2d(3).eval(), torch.randn(2, 3, 4, 4)
    norm.running_var.uniform_(0.5, 2)
    norm.running_mean.normal_()
    payload = tilewright.from_torch(norm, (x,), weights="constants")
    assert not re.search("math.(sqrt|rsqrt)", payload.text())
    (made,) = results(payload, x)
    torch.testing.assert_close(made, norm(x).detach())


@pytest.mark.slow
def test_a_constant_that_is_a_result_and_types_of_two_bytes() -> None:
    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("table", torch.randn(5, 4).bfloat16())
            self.register_buffer("on", torch.tensor([True, False, True, True]))

        def forward(self, x: torch.Tensor) -> Any:
            return x + self.table.float() * self.on, self.table.float()

    model, x = Model(), torch.randn(5, 4)
    payload = tilewright.from_torch(model, (x,), weights="constants")
    for made, expected in zip(results(payload, x), model(x), strict=True):
        torch.testing.assert_close(made, expected)
    program = tilewright.compile(payload, inherit=False)
    for made, expected in zip(program(x), model(x), strict=True):
        torch.testing.assert_close(made, expected)


@pytest.mark.slow
def test_large_results_of_small_weights_are_not_held() -> None:
    weight = nn.Parameter(torch.randn(1, 512))

    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = weight

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + (self.weight.exp().expand(4096, 512).clone())

    payload = tilewright.from_torch(
        Model(), (torch.randn(4096, 512),), weights="constants"
    )
    assert len(payload.text()) < 10_000


@pytest.mark.slow
def test_too_large_weights_and_unknown_forms_are_refused() -> None:
    layer, x = nn.Linear(8192, 4096, bias=False), torch.randn(1, 8192)
    with pytest.raises(tilewright.UserError, match="weights of 128 MiB"):
        tilewright.from_torch(layer, (x,), weights="constants")
    with pytest.raises(tilewright.UserError, match="'arguments' or 'constants'"):
        tilewright.from_torch(nn.ReLU(), (x,), weights="folded")


@pytest.mark.slow
@needs_mlir
def test_a_saved_program_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model, x = nn.Sequential(nn.Linear(6, 8), nn.GELU()).eval(), torch.randn(4, 6)
    program = torch.export.export(model, (x,))
    torch.export.save(program, tmp_path / "model.pt2")
    cli = cli_in(tmp_path, monkeypatch, capsys)
    plain = cli("import", "model.pt2").out
    assert "tensor<8x6xf32>" in plain
    refused = cli("import", "model.pt2", "--input", "f32[4,6]", code=2)
    assert "has its own inputs" in refused.err
    held = cli("import", "model.pt2", "--weights", "constants").out
    mlir_opt(held)
    (made,) = reference(parse_payload(held), [x.numpy()])
    torch.testing.assert_close(torch.from_numpy(made), model(x).detach())
    (same,) = results(tilewright.from_torch(program, weights="constants"), x)
    torch.testing.assert_close(same, model(x).detach())


def test_keyword_arguments_and_numbers() -> None:
    def function(x: torch.Tensor, *, scale: float, bias: torch.Tensor) -> torch.Tensor:
        return x * scale + bias

    x, bias = torch.randn(3, 4), torch.randn(4)
    given = {"scale": 2.5, "bias": bias}
    payload = tilewright.from_torch(function, (x,), example_kwargs=given)
    assert [one.name for one in payload.inputs] == ["x", "bias"]
    torch.testing.assert_close(results(payload, x, bias)[0], function(x, **given))


@pytest.mark.slow
@pytest.mark.parametrize("weights", ["arguments", "constants"])
@pytest.mark.parametrize("name", list(MODELS))
def test_payloads_of_models(name: str, weights: str) -> None:
    torch.manual_seed(0)
    sized = MODELS[name].small
    model, given = sized.module().eval(), sized.inputs()
    payload = tilewright.from_torch(model, given, weights=weights)
    held = dict(model.named_parameters()) | dict(model.named_buffers())
    rest = [
        next(v for k, v in held.items() if re.sub(r"\W+", "_", k) == _plain(one.name))
        for one in payload.inputs[len(given) :]
    ]
    with torch.no_grad():
        eager = model(*given)
    expected = eager if isinstance(eager, tuple) else (eager,)
    for made, one in zip(results(payload, *given, *rest), expected, strict=True):
        torch.testing.assert_close(made, one, atol=1e-5, rtol=1e-4)


def _plain(name: str | None) -> str:
    assert name is not None
    return name
