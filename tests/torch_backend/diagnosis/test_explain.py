"""`tilewright.explain`: kernels with their ops and model lines, and what stayed."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest
import torch
from torch import nn

import tilewright
from support.command_line import Cli
from tilewright.codegen.runtime.compile import load_launcher, source_file
from tilewright.codegen.runtime.launch_ranges import namer_of, with_ranges
from tilewright.ir.errors import UserError
from tilewright.torch_backend.compiling import compile
from tilewright.torch_backend.runtime.runners import announce_interpreter

MODEL = """
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.up = nn.LayerNorm(32), nn.Linear(32, 64)

    def forward(self, x):
        y = self.norm(x)
        y = torch.relu(self.up(y))
        y = torch.special.airy_ai(y)
        return torch.softmax(y, -1)


def broken(x):
    return x + torch.ones(3)


def double(x):
    return 2 * x


def buffered():
    return nn.BatchNorm1d(4)
"""


@pytest.mark.slow
def test_kernels_name_their_ops_and_lines(
    model_cli: Cli, recwarn: pytest.WarningsRecorder
) -> None:
    announce_interpreter.cache_clear()
    done = model_cli("explain", "model.py:Model", "--input", "f32[4,8,32]", "--json")
    assert not [one for one in recwarn if "interpreter" in str(one.message)]
    found = json.loads(done.out)
    rows = [(set(row["ops"]), row["lines"]) for row in found["kernels"]]
    assert ({"layer_norm"}, ["model.py:12"]) in rows
    assert ({"softmax"}, ["model.py:15"]) in rows
    assert any("addmm" in ops and "model.py:13" in lines for ops, lines in rows)
    for row in found["kernels"]:
        assert row["microseconds"] > 0 and 0 < row["ceiling"] < 1
        assert not row["is_measured"] and row["bound"]
        assert row["schedule"].startswith("<planned>:")
    (stayed,) = found["in_torch"]
    assert stayed["op"] == "aten.special_airy_ai.default"
    assert stayed["line"] == "model.py:14"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["model.py:Modell"], 1, "has no class or function 'Modell'"),
        (["model.py:Model", "--input", "f33[4]"], 2, "there is no type 'f33'"),
        (["model.py:Model", "--input", "f32(4)"], 2, "is not an input"),
        (["models.py:Model"], 1, "no such file"),
        (["model.py:broken", "--input", "f32[4]"], 1, "model.py:19:12: error"),
        (["model.py:Model", "--input", "f32[4,8,31]"], 1, "fails in torch"),
        (["model.py:Model", "--plot", "frontier"], 2, "are for a results file"),
        (["results.db", "--input", "f32[4]"], 2, "are for a torch model"),
        (["model.py:double", "--input", "f32[4]", "--target", "h300"], 1, "'h200'?"),
        (["saved.pt2"], 2, "`tilewright import` reads .pt2 files"),
    ],
)
def test_mistakes_are_told(
    model_cli: Cli, words: list[str], code: int, message: str
) -> None:
    assert message in model_cli("explain", *words, code=code).err


def test_models_with_buffers_are_tried_without_logs(
    model_cli: Cli, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("torch"), "propagate", True)
    model_cli("explain", "model.py:buffered", "--input", "f32[2,4]")
    assert not [one for one in caplog.records if one.levelno >= logging.ERROR]


def test_arguments_that_are_no_tuple_are_told() -> None:
    with pytest.raises(tilewright.UserError, match=r"write \(x,\)"):
        tilewright.explain(nn.ReLU(), torch.ones(3))
    with pytest.raises(tilewright.UserError, match="int is no model"):
        tilewright.bisect(3, (torch.ones(3),))


class Twice(nn.Module):
    """Two equal layers, whose kernels are shared."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.LayerNorm(16), nn.LayerNorm(16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.tanh(self.first(x)) @ x.mT
        return torch.tanh(self.second(x)) @ x.mT


def test_a_model_that_dynamo_leaves_to_eager_torch_is_told() -> None:
    with pytest.raises(tilewright.UserError, match="allow_rnn"):
        tilewright.explain(nn.Sequential(nn.GRU(4, 4)), (torch.randn(2, 3, 4),))


@pytest.mark.slow
def test_shared_kernels_have_their_own_lines() -> None:
    found = tilewright.explain(Twice(), (torch.randn(16, 16),))
    norms = [row.lines for row in found.kernels if "layer_norm" in row.ops]
    assert len(norms) == 2 and norms[0] != norms[1]
    assert "Nothing stayed in torch" in str(found)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_convolutions_stay_in_torch_as_on_a_gpu() -> None:
    model = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU())
    x = torch.randn(2, 3, 6, 6)
    found = tilewright.explain(model.eval(), (x,))
    (stayed,) = found.in_torch
    assert stayed.op == "aten.convolution.default" and "cuDNN" in stayed.reason
    assert not any("convolution" in kernel.ops for kernel in found.kernels)
    assert any("relu" in kernel.ops for kernel in found.kernels)
    assert not any("capture.py" in line for row in found.kernels for line in row.lines)
    here = tilewright.explain(model, (x,), options={"placement": "device"})
    assert not here.in_torch


def test_a_segment_that_is_refused_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise UserError("planning stopped")

    monkeypatch.setattr(compile, "compile_lowered", refuse)
    found = tilewright.explain(nn.ReLU(), (torch.randn(3),), measure=False)
    assert found.refused == ("inference, payload0: planning stopped",)
    assert not found.kernels


@pytest.mark.slow
def test_branches_on_numbers_are_those_of_the_model() -> None:
    def choose(x: torch.Tensor) -> torch.Tensor:
        return torch.exp(x) if x.sum() > 0 else torch.sin(x)

    found = tilewright.explain(choose, (torch.ones(4),))
    assert [row.ops for row in found.kernels] == [("sum", "gt"), ("exp",)]
    (broken,) = found.graph_breaks
    assert broken.reason == "a branch depends on the value of a tensor"
    line = choose.__code__.co_firstlineno + 1
    assert broken.line == f"test_explain.py:{line}"


class Broken(nn.Module):
    """A graph break between two modules."""

    def __init__(self) -> None:
        super().__init__()
        self.up, self.norm = nn.Linear(16, 32), nn.LayerNorm(32)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(self.up(x))
        torch._dynamo.graph_break()
        return torch.exp(self.norm(torch.exp(y)))


def test_kernels_are_named_after_ops_and_modules() -> None:
    found = tilewright.explain(Broken(), (torch.randn(8, 16),))
    rows = [(row.kernel, row.modules) for row in found.kernels]
    assert rows == [
        ("addmm_relu_kernel", ("up",)),
        ("exp_layer_norm_kernel", ("norm",)),
    ]


@pytest.mark.slow
def test_a_graph_break_tells_its_place_its_reason_and_its_cost() -> None:
    found = tilewright.explain(Broken(), (torch.randn(8, 16),))
    (broken,) = found.graph_breaks
    start = Broken.forward.__code__.co_firstlineno
    assert broken.line == f"test_explain.py:{start + 2}"
    assert broken.reason.startswith("Call to `torch._dynamo.graph_break()`")
    assert (broken.tensors, broken.moved_bytes) == (1, 8 * 32 * 4)
    assert broken.microseconds > 0
    assert "1 graph break" in str(found) and found.as_json()["graph_breaks"]


def test_a_graph_break_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    torch._dynamo.reset()
    fast = torch.compile(Broken(), backend="tilewright")
    with torch.no_grad(), caplog.at_level(logging.INFO, "tilewright.torch"):
        fast(torch.randn(8, 16))
    (told,) = [one.message for one in caplog.records if "graph break" in one.message]
    assert "test_explain.py" in told
    assert told.endswith("1 tensor, 1.02 kB stored and read again")


class Rows(nn.Module):
    """The same ops at two sizes: two kernels of the same ops."""

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return torch.softmax(x, -1), torch.softmax(y, -1)


def test_kernels_that_only_move_elements_say_so() -> None:
    def repeated(x: torch.Tensor) -> torch.Tensor:
        return x[:, None].expand(64, 4, 32).contiguous()

    def turned(x: torch.Tensor) -> torch.Tensor:
        return x.transpose(0, 1).contiguous()

    def scaled(x: torch.Tensor) -> torch.Tensor:
        return x.transpose(0, 1).contiguous() * 2

    ops = [
        tilewright.explain(work, (torch.randn(64, 32),), measure=False).kernels[0].ops
        for work in (repeated, turned, scaled)
    ]
    assert ops == [("expand (copy)",), ("clone (transpose)",), ("mul",)]


def test_kernels_of_the_same_ops_have_different_names() -> None:
    found = tilewright.explain(Rows(), (torch.randn(64, 32), torch.randn(8, 999)))
    names = [row.kernel for row in found.kernels]
    assert names == ["softmax_kernel", "softmax_2_kernel"]


def test_a_backward_pass_is_explained() -> None:
    found = tilewright.explain(nn.Linear(8, 8), (torch.randn(4, 8),), backward=True)
    assert {row.graph for row in found.kernels} == {"forward", "backward"}


@pytest.mark.slow
def test_every_launch_becomes_a_range(tmp_path: Path) -> None:
    payload = tilewright.from_torch(
        lambda x, y: torch.softmax(x @ y, -1),
        (torch.zeros(64, 64), torch.zeros(64, 64)),
        name="attend",
    )
    program = tilewright.compile(payload.text()).built.program
    launcher = load_launcher(source_file(program, tmp_path), program.entry)
    named: list[str] = []

    def name_of(position: int, kernel: str) -> str:
        assert position == len(named)
        named.append(kernel)
        return namer_of(program)(position, kernel)

    assert program.launch_plan is not None
    made = with_ranges(launcher, program.launch_plan, name_of)
    assert made is not launcher and made.__name__ == "attend"
    launched = [kernel.name for kernel in program.kernels]
    assert [name for name in named if name in launched] == launched
    assert len(named) == len(launched) + len(program.calls)
    assert namer_of(program)(0, launched[-1]).startswith(
        f"tilewright::attend/{launched[-1]} <planned>:"
    )
