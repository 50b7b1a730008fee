"""Whether each step keeps the numbers, on the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tilewright.commands.view.arguments import Options
from tilewright.commands.view.program import program_request
from tilewright.explorer.program import verifying
from tilewright.explorer.program.program_data import program_data
from tilewright.inspect import verify_each

PAYLOAD = """
func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>)
    -> tensor<64x64xf32>
  %product = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>)
    outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %product : tensor<64x64xf32>
}
"""
SCHEDULE = """
schedule s(root) {
  mm = match "linalg.matmul" in root
  mm, grid = tile mm by [32, 32] onto [block.y, block.x]
}
"""


def _data(folder: Path) -> dict[str, Any]:
    (folder / "p.mlir").write_text(PAYLOAD)
    (folder / "s.tw").write_text(SCHEDULE)
    options = Options(
        str(folder / "p.mlir"),
        schedule=folder / "s.tw",
        verify=True,
        estimate=False,
    )
    return program_data(program_request(options))


def _statuses(data: dict[str, Any]) -> list[str]:
    return [s["verified"]["status"] for s in data["steps"] if s.get("verified")]


def test_every_step_has_a_badge(tmp_path: Path) -> None:
    """Steps of the schedule and of the default; not passes and texts."""
    data = _data(tmp_path)
    shown = [s for s in data["steps"] if s["origin"] in ("schedule", "default")]
    assert _statuses(data) == ["same"] * len(shown)
    assert data["failure"] is None
    assert all("smaller" not in step["verified"]["text"] for step in shown)


def test_a_large_payload_is_verified_at_smaller_sizes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The badge says at which."""
    monkeypatch.setattr(verifying, "WHOLE_AT_MOST", 1e5)
    monkeypatch.setattr(verifying, "SMALL_AT_MOST", (1e5,))
    data = _data(tmp_path)
    first = data["steps"][1]["verified"]
    assert first["status"] == "same"
    assert "at smaller sizes: a " in first["text"]


def test_a_wrong_step_is_the_failure_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that shows where, not an exception."""
    right = verify_each._answers_again

    def wrong(*words: Any) -> Any:
        answers = right(*words)
        assert not isinstance(answers, str)
        return [np.asarray(answer) + 1 for answer in answers]

    monkeypatch.setattr(verify_each, "_answers_again", wrong)
    data = _data(tmp_path)
    assert _statuses(data)[0] == "wrong"
    assert set(_statuses(data)[1:]) == {"skipped"}
    failure = data["failure"]
    assert "changed what @f computes" in failure["fact"]
    assert data["files"][failure["place"][0]]["name"] == "s.tw"
    assert data["subtitle"] == "a step changes the results"
