"""Runs that share prefixes give the same programs, errors and steps as fresh ones."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from support.paths import ROOT
from tilewright.ir.errors import UserError
from tilewright.ir.text import to_text
from tilewright.pipeline import apply_schedule, parse_payload, read_payload
from tilewright.schedules.schedule import Schedule
from tilewright.transforms import shared_prefixes
from tilewright.transforms.shared_prefixes import SharedPrefixes
from tilewright.tuning.space.choices import Point
from tilewright.tuning.space.read import read_space

GEMM = """
func.func @gemm(%a: tensor<96x80xf16>, %b: tensor<80x64xf16>) -> tensor<96x64xf16> {
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<96x64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<96x64xf32>)
    -> tensor<96x64xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<96x80xf16>, tensor<80x64xf16>)
    outs(%fill : tensor<96x64xf32>) -> tensor<96x64xf32>
  %out = tensor.empty() : tensor<96x64xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%mm : tensor<96x64xf32>) outs(%out : tensor<96x64xf16>) {
  ^bb0(%x: f32, %y: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<96x64xf16>
  return %r : tensor<96x64xf16>
}
"""


def outcome(
    payload: object, schedule: Schedule, point: Point, prefixes: SharedPrefixes | None
) -> tuple[str, list[str]]:
    """The IR and the steps, or the error."""
    try:
        applied = apply_schedule(
            payload,  # type: ignore[arg-type]
            schedule,
            point,
            verify_steps=False,
            prefixes=prefixes,
        )
    except UserError as error:
        return str(error), []
    return to_text(applied.payload), [step.name for step in applied.steps]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("payload", "schedule"),
    [
        (None, "examples/gemm/gemm.tw"),
        (None, "examples/gemm/split_k.tw"),
        pytest.param(
            "examples/payloads/attention_causal.mlir",
            "examples/attention/causal.tw",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_shared_runs_are_like_fresh_ones(
    payload: str | None, schedule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_prefixes, "_PAYS", 0.0)  # a snapshot wherever one may be
    module = parse_payload(GEMM) if payload is None else read_payload(ROOT / payload)
    read = Schedule.from_path(Path(ROOT / schedule))
    space = read_space(read.module)
    drawn = random.Random(4)
    points: list[Point] = []
    for _ in range(3):
        points.append(space.sample(drawn))
        points += drawn.sample(space.neighbours(points[-1]), 4)
    drawn.shuffle(points)
    prefixes = SharedPrefixes()
    found = [outcome(module, read, point, prefixes) for point in points]
    assert found == [outcome(module, read, point, None) for point in points]
    assert prefixes.reused >= 8
    assert any(steps for _, steps in found)


CHOICES = """
schedule parts(root) {
  mm = match "linalg.matmul" in root
  BM = knob [16, 32]    BN = knob [16, 32]    BK = knob [8, 16]
  mm, grid = tile mm by [BM, BN] onto [block.y, block.x]
  require BM + BK != 40
  mm, k = tile mm by [0, 0, BK]
}
"""


def test_a_shared_run_checks_its_own_constraints(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shared_prefixes, "_PAYS", 0.0)
    payload, schedule = parse_payload(GEMM), Schedule.from_text(CHOICES)
    prefixes = SharedPrefixes()
    good = {"BM": 32, "BN": 16, "BK": 16}
    first, _ = outcome(payload, schedule, good, prefixes)
    refused, steps = outcome(payload, schedule, {**good, "BK": 8}, prefixes)
    assert "BM + BK" in refused
    assert steps == []
    assert outcome(payload, schedule, good, prefixes)[0] == first
    assert prefixes.reused == 2
