"""torch.compile with the backend: numbers, training, partitions, refusals."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from typing import Any

import pytest
import torch
from torch import nn

from support.paths import ROOT
from tilewright.ir.errors import UserError
from tilewright.torch_backend import backend
from tilewright.torch_backend.backend import tilewright
from tilewright.torch_backend.options import read_options
from tilewright.torch_backend.report import RECENT

pytestmark = pytest.mark.filterwarnings("ignore")


class Perceptron(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.up = nn.Linear(12, 20)
        self.norm = nn.LayerNorm(20)
        self.down = nn.Linear(20, 7)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = self.norm(nn.functional.gelu(self.up(x)) + 1)
        return torch.softmax(self.down(torch.relu(hidden)), -1)


def compiled(function: Any, **options: Any) -> Any:
    torch._dynamo.reset()
    return torch.compile(
        function, backend=tilewright, options={"strict": True, **options}
    )


@pytest.mark.sampled(20)
@pytest.mark.parametrize("interpreter", ["payload", "kernels"])
def test_a_perceptron_is_one_payload(interpreter: str) -> None:
    model, x = Perceptron(), torch.randn(3, 5, 12)
    with torch.no_grad():
        made = compiled(model, interpreter=interpreter)(x)
        torch.testing.assert_close(made, model(x))
    assert len(RECENT[-1].segments) == 1
    assert not RECENT[-1].stayed


def test_a_bug_in_a_rewrite_leaves_the_graph_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def wrong(graph: torch.fx.Graph) -> None:
        next(node for node in graph.nodes if node.op == "call_function").args = ()
        raise IndexError("tuple index out of range")

    monkeypatch.setattr(backend, "rewrite", wrong)
    model, x = Perceptron(), torch.randn(3, 5, 12)
    with torch.no_grad():
        made = compiled(model, strict=False)(x)
        torch.testing.assert_close(made, model(x))
        (line,) = RECENT[-1].refused
        assert line.startswith("the rewrites of the graph: IndexError")
        with pytest.raises(IndexError, match="out of range"):
            compiled(model)(x)


@pytest.mark.slow
def test_gradients_are_those_of_eager() -> None:
    model, x = Perceptron(), torch.randn(4, 12)
    compiled(model)(x).square().sum().backward()
    found = [p.grad.clone() for p in model.parameters() if p.grad is not None]
    model.zero_grad()
    model(x).square().sum().backward()
    for ours, weight in zip(found, model.parameters(), strict=True):
        torch.testing.assert_close(ours, weight.grad)


def test_an_op_that_is_not_in_the_table_stays_in_torch() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.special.airy_ai(x + 1).exp() * 2

    x = torch.eye(4)
    torch.testing.assert_close(compiled(function)(x), function(x))
    report = RECENT[-1]
    assert [one.op for one in report.stayed] == ["aten.special_airy_ai.default"]
    assert len(report.segments) == 2
    assert report.stayed[0].place is not None
    assert report.stayed[0].place.text is not None
    assert "torch.special.airy_ai(x + 1)" in report.stayed[0].place.text


def test_a_torch_op_that_reads_nothing_cuts_no_payload() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return (x + 1)[torch.randperm(4)] * 2

    x = torch.randn(4, 4)
    torch.manual_seed(0)
    found = compiled(function)(x)
    torch.manual_seed(0)
    torch.testing.assert_close(found, function(x))
    assert [one.op for one in RECENT[-1].stayed] == ["aten.randperm.default"]
    assert len(RECENT[-1].segments) == 1


def test_fallback_error_names_the_op_and_the_line() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.special.airy_ai(x)

    with pytest.raises(
        Exception, match="no payload for aten.special_airy_ai"
    ) as caught:
        compiled(function, fallback="error")(torch.eye(3))
    assert "return torch.special.airy_ai(x)" in str(caught.value)


def test_new_sizes_compile_again_and_dynamic_sizes_do_not() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return (x.reshape(x.shape[0] * 2, -1) + x.shape[0]).sum(0)

    run = compiled(function)
    for rows in (2, 3, 5, 7):
        x = torch.randn(rows, 8)
        torch.testing.assert_close(run(x), function(x))


def test_views_strides_and_mutation() -> None:
    def function(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, ...]:
        y.add_(x.mT.sum())
        z = (x * 2).permute(1, 0)
        return z, z[0], x.view(-1), None, 3  # pyright: ignore

    x, y, again = torch.randn(4, 6), torch.zeros(3), torch.zeros(3)
    ours, eager = compiled(function)(x, y), function(x, again)
    torch.testing.assert_close(y, again)
    for made, expected in zip(ours[:3], eager[:3], strict=True):
        torch.testing.assert_close(made, expected)
        assert made.stride() == expected.stride()
    assert ours[3:] == (None, 3)
    assert ours[2].data_ptr() == x.data_ptr()


def test_channels_last_goes_in_and_out_without_a_copy() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x) + 1

    x = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)
    made = compiled(function)(x)
    torch.testing.assert_close(made, function(x))
    assert made.is_contiguous(memory_format=torch.channels_last)


def test_autocast_and_no_grad() -> None:
    model, x = Perceptron(), torch.randn(4, 12)
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        made, expected = compiled(model)(x), model(x)
    assert made.dtype == expected.dtype
    torch.testing.assert_close(made, expected, atol=0.02, rtol=0.02)


@pytest.mark.parametrize(
    ("mode", "options", "near"),
    [
        (None, {"stirct": True}, "strict"),
        ("max-autotun", {}, "max-autotune"),
        (None, {"mode": "reduce_overhead"}, "reduce-overhead"),
        (None, {"fallback": "torhc"}, "torch"),
        (None, {"interpreter": "kernel"}, "kernels"),
        (None, {"f32_products": "tf32"}, "tf32x3"),
    ],
)
def test_the_nearest_option_is_suggested(
    mode: str | None, options: dict[str, Any], near: str
) -> None:
    with pytest.raises(UserError, match=re.escape(f"did you mean '{near}'?")):
        read_options(mode, options)


def test_unknown_options_are_refused() -> None:
    with pytest.raises(Exception, match="no option 'fallbak'; did you mean 'fallback'"):
        torch._dynamo.reset()
        run = torch.compile(
            lambda x: x + 1, backend=tilewright, options={"fallbak": "error"}
        )
        run(torch.ones(2))
    with pytest.raises(UserError, match="one of 'torch', 'error'"):
        read_options(None, {"fallback": "no"})


def test_torch_finds_the_backend_by_its_entry_point() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    points = project["entry-points"]["torch_dynamo_backends"]
    module, _, name = points["tilewright"].partition(":")
    assert getattr(import_module(module), name) is tilewright


@torch.no_grad()
def test_copies_are_no_ops_and_results_have_memory_of_their_own() -> None:
    def function(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        made = x @ x
        return made, made.clone(), made.t().contiguous().clone()

    x = torch.randn(4, 4)
    made = compiled(function)(x)
    torch.testing.assert_close(made, function(x))
    assert len({one.data_ptr() for one in made}) == 3
