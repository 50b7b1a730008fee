"""Data of a small model's page, and pages made of it."""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import nn

from tilewright.explorer.model.model_data import model_data
from tilewright.explorer.model.request import ModelRequest
from tilewright.explorer.page.html import page


class Block(nn.Module):
    """A layer that occurs twice."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(512)
        self.up = nn.Linear(512, 512)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.norm(x)
        return x + torch.relu(self.up(y))


class Small(nn.Module):
    """Two equal blocks, an op that stays in torch, and a softmax."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = Block(), Block()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.second(self.first(x))
        y = torch.special.airy_ai(y)
        return torch.softmax(y, -1)


@cache
def _small() -> dict[str, Any]:
    request = ModelRequest(
        "small.py:Small",
        Small().eval(),
        (torch.randn(256, 512),),
        measure=False,
        details=1,
    )
    return model_data(request)


def small_model() -> dict[str, Any]:
    """The data of `Small`'s page; a copy that a test may change."""
    return copy.deepcopy(_small())


def many_kernels(count: int) -> dict[str, Any]:
    """`Small` over and over, until it has so many kernels, all of them different."""
    data = small_model()
    (graph,) = data["graphs"]
    kernels, nodes = list(data["kernels"]), list(graph["nodes"])
    ops = [node for node in nodes if node["kind"] in ("op", "torch")]
    known = {node["id"] for node in ops}
    last = ops[-1]["id"]
    while len(data["kernels"]) < count:
        first = len(data["kernels"])
        suffix = f" {first}"
        for position, kernel in enumerate(kernels, start=first):
            own = [f"{name}{suffix}" for name in kernel["nodes"]]
            name = f"{kernel['name']}_{position}"
            copied = {**kernel, "nodes": own, "sort": position, "name": name}
            data["kernels"].append(copied)
        for node in ops:
            inputs = [f"{one}{suffix}" for one in node["inputs"] if one in known]
            graph["nodes"].append(
                {
                    **node,
                    "id": node["id"] + suffix,
                    "inputs": inputs or [last],
                    "kernels": [first + one for one in node["kernels"]],
                }
            )
        last = f"{ops[-1]['id']}{suffix}"
    data["totals"]["kernels"] = data["totals"]["sorts"] = len(data["kernels"])
    data["totals"]["seconds"] = sum(kernel["seconds"] for kernel in data["kernels"])
    return data


def written(data: dict[str, Any], folder: Path) -> Path:
    """The page of data as a file."""
    path = folder / "page.html"
    path.write_text(page("model", data), "utf-8", "replace")
    return path
