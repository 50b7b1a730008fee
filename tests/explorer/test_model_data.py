"""The data of a model's page: kernels, lines, arguments, breaks, ops in torch."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
import torch

from support.explorer.model_pages import small_model
from tilewright.explorer.model.graph_nodes import argument_name, type_text
from tilewright.explorer.model.model_data import model_data
from tilewright.explorer.model.request import ModelRequest
from tilewright.ir.errors import UserError


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return small_model()


def line_of(data: dict[str, Any], text: str) -> int:
    """The number of the line of the model that has a text."""
    (file,) = data["files"]
    return next(n for n, line in enumerate(file["lines"], start=1) if text in line)


@pytest.mark.slow
def test_kernels_have_their_ops_lines_and_texts(data: dict[str, Any]) -> None:
    softmax = next(one for one in data["kernels"] if one["ops"] == ["softmax"])
    assert [place[1] for place in softmax["places"]] == [
        line_of(data, "return torch.softmax")
    ]
    for kernel in data["kernels"]:
        segment = data["segments"][kernel["segment"]]
        plan, source = data["texts"][segment["plan"]], data["texts"][segment["source"]]
        first, last = kernel["plan_lines"]
        assert first <= kernel["plan_line"] <= last
        assert "tile " in plan[kernel["plan_line"] - 1]
        ((begin, end),) = kernel["source_lines"]
        assert source[begin - 1] == "@triton.jit" and begin < end <= len(source)
        assert any(f"def {kernel['name']}(" in line for line in source[begin:end])


def test_equal_kernels_are_of_one_sort(data: dict[str, Any]) -> None:
    norms = [one for one in data["kernels"] if "layer_norm" in one["ops"]]
    assert len(norms) == 2 and norms[0]["sort"] == norms[1]["sort"]
    assert data["totals"]["sorts"] == len({one["sort"] for one in data["kernels"]})
    assert data["totals"]["sorts"] < data["totals"]["kernels"]


def test_the_time_of_lines_is_that_of_the_kernels(data: dict[str, Any]) -> None:
    spent = sum(line["seconds"] for line in data["lines"])
    assert spent == pytest.approx(data["totals"]["seconds"])
    norm = line_of(data, "y = self.norm(x)")
    (line,) = [one for one in data["lines"] if one["line"] == norm]
    assert len(line["kernels"]) == 2 and line["torch"] == 0


def test_an_op_in_torch_has_its_reason_and_line(data: dict[str, Any]) -> None:
    (stayed,) = [one for one in data["graphs"][0]["nodes"] if one["kind"] == "torch"]
    assert stayed["label"] == "special_airy_ai" and stayed["reason"]
    assert stayed["place"][1] == line_of(data, "torch.special.airy_ai(y)")
    assert data["totals"]["torch_ops"] == 1


def test_edges_lead_to_nodes_that_are_shown(data: dict[str, Any]) -> None:
    nodes = data["graphs"][0]["nodes"]
    known = {node["id"] for node in nodes}
    assert all(one in known for node in nodes for one in node["inputs"])
    assert not any(node["label"] in ("t", "getitem") for node in nodes)
    kinds = {node["label"]: node["kind"] for node in nodes}
    assert kinds["x"] == "input" and kinds["first.norm.weight"] == "weight"
    assert kinds["result"] == "result"


def test_the_slowest_kernel_has_its_steps(data: dict[str, Any]) -> None:
    (program,) = data["programs"]
    assert program["failure"] is None and program["steps"][-1]["title"] == "Triton"
    spent = [0.0] * data["totals"]["sorts"]
    for kernel in data["kernels"]:
        spent[kernel["sort"]] += kernel["seconds"]
    with_steps = {one["sort"] for one in data["kernels"] if one["program"] is not None}
    assert with_steps == {spent.index(max(spent))}
    # Ops are named as in the plan of the whole segment.
    schedule = program["files"][program["schedule"]]
    assert not any("generic" in line for line in schedule["lines"])


@pytest.mark.slow
def test_steps_take_no_more_than_their_room() -> None:
    request = ModelRequest(
        "m", torch.tanh, (torch.ones(8),), measure=False, detail_bytes=2000
    )
    data = model_data(request)
    assert data["programs"] == [] and data["kernels"][0]["program"] is None


def branches(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    if y.sum() > 0:
        return torch.tanh(y)
    return y - 1


@pytest.mark.slow
def test_a_graph_break_has_its_place_and_reason() -> None:
    request = ModelRequest("m", branches, (torch.ones(8, 8),), measure=False, details=0)
    data = model_data(request)
    first, second = data["graphs"]
    assert second["ended_by"] is None and first["title"] == "Inference 1"
    assert first["ended_by"]["reason"] == "a branch depends on the value of a tensor"
    _, start = inspect.getsourcelines(branches)
    assert first["ended_by"]["place"][1] == start + 2


def test_a_model_whose_ops_all_stay_in_torch() -> None:
    request = ModelRequest("m", torch.special.airy_ai, (torch.ones(8),), measure=False)
    data = model_data(request)
    assert (
        data["kernels"] == data["programs"] == [] and data["totals"]["torch_ops"] == 1
    )


def test_an_unknown_target_is_the_users_error() -> None:
    with pytest.raises(UserError, match="h300"):
        model_data(ModelRequest("m", torch.tanh, (torch.ones(8),), target="h300"))


@pytest.mark.parametrize(
    ("source", "kind", "name"),
    [
        ("L['given'][0]", "input", "x"),
        ("L['given'][1]", "input", "argument 1"),
        ("L['x']", "input", "x"),
        ("L['model']._modules['a']._modules['0']._parameters['w']", "weight", "a.0.w"),
        ("L['self']._buffers['</script>']", "weight", "</script>"),
    ],
)
def test_arguments_are_called_as_in_the_model(
    source: str, kind: str, name: str
) -> None:
    assert argument_name(source, ("x",)) == (kind, name)


def test_types_are_those_of_payloads() -> None:
    assert type_text(torch.ones(2, 3, dtype=torch.float16)) == "f16[2, 3]"
    assert type_text((torch.ones(2), None)) == "f32[2]"
    assert type_text(torch.ones(2, dtype=torch.complex64)) == "complex64[2]"
    assert type_text(3) == ""
