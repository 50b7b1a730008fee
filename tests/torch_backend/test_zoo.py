"""A sample of the zoo: architectures of public libraries give eager torch's numbers."""

from __future__ import annotations

import importlib.util
import json
from typing import Any

import pytest

SAMPLE = (
    "llama",
    "bert",
    "t5",
    "mamba",
    "whisper",
    "vit",
    "resnet18",
    "graph attention",
)
"""One of each family; `python benchmarks/zoo check` tries all."""
INSTALLED = all(
    importlib.util.find_spec(name)
    for name in ("transformers", "timm", "torchvision", "diffusers")
)
needs_zoo = pytest.mark.skipif(not INSTALLED, reason="the extra `zoo` is not installed")


@needs_zoo
@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLE)
def test_a_model_of_a_library_is_right(name: str) -> None:
    from zoo.check import check
    from zoo.table import zoo

    checked = check(zoo()[name], "forward")
    assert checked.right, str(checked)


@needs_zoo
@pytest.mark.slow
@pytest.mark.parametrize(("name", "use"), [("qwen3", "decode"), ("gpt2", "train")])
def test_decoding_and_training(name: str, use: str) -> None:
    from zoo.check import check
    from zoo.table import zoo

    checked = check(zoo()[name], use)
    assert checked.right, str(checked)


@needs_zoo
@pytest.mark.slow
def test_the_zoo_is_large_and_varied() -> None:
    from zoo.table import zoo

    entries = zoo().values()
    assert len(entries) >= 120
    assert {entry.library for entry in entries} == {
        *("transformers", "timm", "torchvision", "diffusers", "by hand")
    }
    assert sum(entry.decodes for entry in entries) >= 30


@needs_zoo
@pytest.mark.slow
def test_a_wrong_number_is_noticed() -> None:
    import torch

    from zoo.check import _difference

    right = torch.tensor([1.0, 2.0, float("inf")], dtype=torch.float64)
    assert _difference(right.float(), right) == 0.0
    assert _difference(right.float() + 0.5, right) == pytest.approx(0.25)
    assert _difference(-right.float(), right) == float("inf")
    assert _difference(right[:2].float(), right) == float("inf")


def _entry(module: Any) -> Any:
    """A model of one's own as an entry of the zoo."""
    import torch

    from zoo.entry import Entry, Made

    def make(_: str) -> Made:
        return Made(module(), {"x": torch.ones(2, 3)})

    return Entry("own", "own", "own", make)


@pytest.mark.filterwarnings("ignore")
def test_what_stays_in_torch_is_in_the_record() -> None:
    import torch
    from torch import nn

    from zoo.check import check

    class Sorted(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.sort(x + 1).values + torch.sort(x).values

    checked = check(_entry(Sorted), "forward")
    assert checked.right, str(checked)
    record = json.loads(json.dumps(checked.record()))
    assert record["in_torch"] == {
        "aten.sort.default: tilewright has no kernel for it": 2
    }


@pytest.mark.filterwarnings("ignore")
def test_zeros_compare_nothing() -> None:
    from torch import nn

    from zoo.check import check

    class Zeros(nn.Module):
        def forward(self, x: Any) -> Any:
            return x * 0

    checked = check(_entry(Zeros), "forward")
    assert not checked.right and "zeros" in checked.failure


def test_weights_of_zeros_get_numbers() -> None:
    import torch
    from torch import nn

    class Layer(nn.Linear):
        def __init__(self) -> None:
            super().__init__(3, 3)
            nn.init.zeros_(self.weight)

    made = _entry(Layer).placed("small", "cpu", torch.float32)
    assert made.module.weight.any()
