"""`from_torch` and `tilewright import`: payloads that real MLIR reads."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

import tilewright
from support.command_line import cli_in
from support.mlir_opt import mlir_opt, needs_mlir
from tilewright.ir.interpreter import run as run_payload
from tilewright.pipeline import reference

MODEL = """
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, 8), nn.GELU(), nn.LayerNorm(8))

    def forward(self, x):
        return self.layers(x)


def airy(x):
    return torch.special.airy_ai(x)


def wrong(x):
    return x @ torch.ones(7, 7)


make = lambda width=6: nn.Linear(width, 8)
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.py"
    path.write_text(MODEL)
    return path


@pytest.mark.slow
@needs_mlir
def test_the_command_writes_a_payload_that_mlir_reads(
    model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cli = cli_in(model.parent, monkeypatch, capsys)
    done = cli("import", "model.py:Model", "--input", "f32[4,6]")
    assert "%layers_0_weight: tensor<8x6xf32>" in done.out
    mlir_opt(done.out)
    refused = cli("import", "model.py:airy", "--input", "f32[4]", code=1)
    assert "model.py:16" in refused.err
    assert "aten.special_airy_ai" in refused.err


def test_a_function_that_makes_a_module_is_called(
    model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cli = cli_in(model.parent, monkeypatch, capsys)
    done = cli("import", "model.py:make", "--input", "f16[rows=4,6]")
    assert "@linear(%input: tensor<?x6xf16>, %weight: tensor<8x6xf16>" in done.out


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("model.py:wrong", "--input", "f32[4,6]"), "model.py:20:12: error: torch.ex"),
        (("model.py:Model",), "missing a required argument: 'x'"),
        (("model.py:Model", "--input", "f32[4,7]"), "got [4, 7] X [6, 8]"),
        (("broken.pt2",), "not a zip file"),
    ],
)
def test_what_torch_cannot_capture_is_told_in_a_line(
    given: tuple[str, ...],
    told: str,
    model: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (model.parent / "broken.pt2").write_text("broken")
    refused = cli_in(model.parent, monkeypatch, capsys)("import", *given, code=1)
    assert told in refused.err
    assert "Traceback" not in refused.err


def test_checks_with_effects_are_refused_by_name() -> None:
    with pytest.raises(tilewright.UserError, match=r"aten\.linalg_inv_ex"):
        tilewright.from_torch(torch.inverse, (torch.eye(3),))


@pytest.mark.slow
def test_results_are_tensors_as_the_model_has_them() -> None:
    def turn(x: torch.Tensor) -> tuple[object, ...]:
        return None, x.t(), x.shape[0], 3, x.t() + 1

    x = torch.randn(6, 4).t()
    payload = tilewright.from_torch(turn, (x,))
    assert "(%x: tensor<4x6xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>)" in (
        payload.text()
    )
    made = run_payload(payload.module, [x.contiguous().numpy()])
    torch.testing.assert_close(torch.from_numpy(made[1]), x.t() + 1)
    with pytest.raises(tilewright.UserError, match="returns no tensor"):
        tilewright.from_torch(lambda x: None, (x,))


def test_what_a_model_writes_is_returned_after_its_results() -> None:
    def step(x: torch.Tensor, total: torch.Tensor) -> torch.Tensor:
        total.add_(x)
        return total * 2

    x, total = torch.randn(3), torch.randn(3)
    payload = tilewright.from_torch(step, (x, total))
    result, new = run_payload(payload.module, [x.numpy(), total.numpy()])
    torch.testing.assert_close(torch.from_numpy(result), (x + total) * 2)
    torch.testing.assert_close(torch.from_numpy(new), x + total)


def test_weights_are_arguments_after_the_inputs() -> None:
    layer = nn.Linear(6, 8)
    x = torch.randn(4, 6)
    payload = tilewright.from_torch(layer, (x,))
    assert [given.name for given in payload.inputs] == ["input", "weight", "bias"]
    arrays = [t.detach().numpy() for t in (x, layer.weight, layer.bias)]
    (made,) = reference(payload.module, arrays)
    torch.testing.assert_close(torch.from_numpy(made), layer(x).detach())


def test_no_name_is_refused() -> None:
    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            for name in ("w_1_2", "w_12", "w12", "lambda_", "größe"):
                setattr(self, name, nn.Parameter(torch.randn(3)))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            for weight in self.parameters():
                x = x * weight
            return x

    payload = tilewright.from_torch(Model(), (torch.randn(3),))
    names = [given.name for given in payload.inputs]
    assert names == ["x", "w12", "w12_v2", "w12_v3", "lambda", "gr_e"]


def test_dynamic_shapes_stay_open() -> None:
    def double(x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x) * 2

    rows = {0: torch.export.Dim("rows")}
    payload = tilewright.from_torch(double, (torch.ones(4, 6),), ({0: rows[0]},))
    assert "tensor<?x6xf32>" in payload.text()
    assert "%S0 = tensor.dim" in payload.text()


def test_an_op_that_is_no_payload_is_refused_with_the_line() -> None:
    def airy(x: torch.Tensor) -> torch.Tensor:
        return torch.special.airy_ai(x)

    with pytest.raises(tilewright.UserError, match="aten.special_airy_ai") as caught:
        tilewright.from_torch(airy, (torch.eye(3),))
    assert caught.value.place is not None
    assert caught.value.place.file == __file__


def test_what_is_returned_may_be_rewritten() -> None:
    def run(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        return torch.stack([x @ weight, x.relu() @ weight], 1)

    x, weight = torch.randn(3, 4), torch.randn(4, 5)
    payload = tilewright.from_torch(run, (x, weight))
    (made,) = run_payload(payload.module, [x.numpy(), weight.numpy()])
    torch.testing.assert_close(torch.from_numpy(made), run(x, weight))
